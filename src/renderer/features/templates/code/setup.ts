/**
 * The text editor of a template: CodeMirror with what a template needs. Tab indents only after the
 * editor was entered on purpose and Escape lets it go on to the next control, so that the keyboard
 * is never caught.
 *
 * Styles: CodeMirror adopts constructed style sheets, which the page's policy (hosting/policy.ts)
 * does not concern; nothing is loosened for it and no nonce is needed.
 */
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, StateEffect, StateField, type Extension } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  tooltips,
  type DecorationSet,
  type Rect,
} from '@codemirror/view';
import { completeTemplate, type CompletionSources } from './completion.ts';
import { createTemplateHover } from './hover.ts';
import { templateTheme } from './theme.ts';
import { yamlLanguage } from './yaml-language.ts';

/** Marks the lines of the section that is open in the forms; undefined marks none. */
export const showSection = StateEffect.define<{ readonly from: number; readonly to: number } | undefined>();
const here = Decoration.line({ class: 'cm-section-here' });
const sectionMark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects)
      if (effect.is(showSection))
        next = effect.value === undefined ? Decoration.none : linesOf(transaction.state, effect.value);
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});
function linesOf(
  state: EditorState,
  { from, to }: { readonly from: number; readonly to: number },
): DecorationSet {
  const [first, last] = [
    state.doc.lineAt(Math.min(from, state.doc.length)),
    state.doc.lineAt(Math.min(to, state.doc.length)),
  ];
  return Decoration.set(
    Array.from({ length: last.number - first.number + 1 }, (_, index) =>
      here.range(state.doc.line(first.number + index).from),
    ),
  );
}

/** Returns the visible area of the editor: its pane cuts off content beyond it. */
function roomForTooltips(view: EditorView): Rect {
  const { top, right, bottom, left } = view.dom.getBoundingClientRect();
  return {
    top: Math.max(0, top),
    right: Math.min(innerWidth, right),
    bottom: Math.min(innerHeight, bottom),
    left: Math.max(0, left),
  };
}

interface SetupOptions extends CompletionSources {
  readonly label: string;
  /** Id of the element that says how to leave the editor by keyboard. */
  readonly hintId: string;
  readonly onChange: () => void;
  readonly onCursor: (offset: number) => void;
  readonly phrases: Readonly<Record<string, string>>;
}

export const wording = new Compartment();
export function createWordingExtension({
  label,
  hintId,
  phrases,
}: Pick<SetupOptions, 'label' | 'hintId' | 'phrases'>): Extension {
  return [
    EditorState.phrases.of({ ...phrases }),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-describedby': hintId,
      'data-test-id': 'template-yaml',
      tabindex: '0',
      spellcheck: 'false',
    }),
  ];
}

export function createTemplateExtensions(options: SetupOptions): Extension {
  return [
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    drawSelection(),
    history({ minDepth: 500 }),
    foldGutter(),
    codeFolding(),
    lintGutter(),
    bracketMatching(),
    closeBrackets(),
    highlightSelectionMatches(),
    search({ top: true }),
    indentUnit.of('  '),
    EditorState.tabSize.of(2),
    EditorView.lineWrapping,
    autocompletion({
      override: [completeTemplate(options)],
      icons: false,
      maxRenderedOptions: 200,
      activateOnTypingDelay: 120,
    }),
    tooltips({ tooltipSpace: roomForTooltips }),
    yamlLanguage,
    createTemplateHover(options.speaker),
    templateTheme,
    sectionMark,
    wording.of(createWordingExtension(options)),
    keymap.of([
      { key: 'Tab', run: acceptCompletion },
      { key: 'Tab', run: indentMore, shift: indentLess },
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) options.onChange();
      if (update.selectionSet || update.docChanged) options.onCursor(update.state.selection.main.head);
    }),
  ];
}
