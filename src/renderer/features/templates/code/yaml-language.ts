/** Colours, indentation and folding of a template. What is wrong in it is said by the check. */
import { yaml } from '@codemirror/lang-yaml';
import { indentService } from '@codemirror/language';
import { Prec, type Extension } from '@codemirror/state';
import {
  Decoration,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
} from '@codemirror/view';

const variables = new MatchDecorator({
  regexp: /\$\{[^}]*\}?/g,
  decoration: Decoration.mark({ class: 'cm-variable' }),
});

/** Colours `${name}`, which is plain text in YAML, and a map inside braces. */
class VariableColours {
  decorations: DecorationSet;
  constructor(view: EditorView) {
    this.decorations = variables.createDeco(view);
  }
  update(update: ViewUpdate): void {
    this.decorations = variables.updateDeco(update, this.decorations);
  }
}

/** Indents a new line like the name above, or one step deeper below a name without a value. */
const indentation = indentService.of((context, position) => {
  if (context.simulatedBreak !== position) return null;
  const before = context.lineAt(position, -1).text;
  const column = /^ *(?:- +)*/.exec(before)?.[0].length ?? 0;
  return column + (/:\s*(?:#.*)?$/.test(before) ? context.unit : 0);
});

export const yamlLanguage: Extension = [
  yaml(),
  indentation,
  // The innermost of nested marks has the highest precedence, and its colour is seen.
  Prec.highest(ViewPlugin.fromClass(VariableColours, { decorations: ({ decorations }) => decorations })),
];
