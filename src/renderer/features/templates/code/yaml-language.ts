/**
 * Highlights, indents and folds YAML of a template line by line. A whole-document grammar is parsed anew at
 * every key (its nodes depend on indentation and are not reused), on the page's own thread during the
 * keystroke; errors are reported by the forms' reader and the check anyway. Reading a token takes time in
 * proportion to its length, because a line may come from anywhere.
 */
import { StreamLanguage, foldService, indentService, type StringStream } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';

interface State {
  /** Braces and brackets that are open. */
  flow: number;
  /** True if a value follows, not a name. */
  isValue: boolean;
  /**
   * Column of the latest name or dash; a block of text belongs to it while its lines are indented further.
   */
  column: number;
  inBlock: boolean;
  quote: string;
}

const NAME = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s#:[\]{},"'&*!|>][^#:[\]{},]*)(?=[ \t]*:(?:\s|$))/;
const WORD = { block: /^[^\s#$]+/, flow: /^[^\s#$,[\]{}]+/ };
const ENDS_VALUE = /^\s*(?:$|[,\]}]|#)/;

function token(stream: StringStream, state: State): string | null {
  if (stream.sol()) {
    state.isValue = state.flow > 0 && state.isValue;
    if (state.inBlock && stream.indentation() <= state.column && stream.string.trim() !== '')
      state.inBlock = false;
  }
  if (state.inBlock) {
    stream.skipToEnd();
    return 'string';
  }
  if (state.quote !== '') return quoted(stream, state);
  if (stream.eatSpace()) return null;
  const next = stream.peek() ?? '';
  if (next === '#' && (stream.pos === 0 || /\s/.test(stream.string[stream.pos - 1] ?? ''))) {
    stream.skipToEnd();
    return 'comment';
  }
  return state.isValue || state.flow > 0 ? value(stream, state, next) : blockStart(stream, state, next);
}

/** The beginning of a line, past its indentation and dashes. */
function blockStart(stream: StringStream, state: State, next: string): string | null {
  const column = stream.column();
  if (stream.sol() && stream.match(/^(?:---|\.\.\.)(?=\s|$)/) !== null) return 'meta';
  const kind =
    stream.match(/^-(?=\s|$)/) !== null ? 'meta' : stream.match(NAME) !== null ? 'propertyName' : undefined;
  if (kind !== undefined) {
    state.column = column;
    return kind;
  }
  return value(stream, state, next);
}

function value(stream: StringStream, state: State, next: string): string | null {
  if (next === '{' || next === '[') return bracket(stream, state, 1);
  if (state.flow > 0 && (next === '}' || next === ']')) return bracket(stream, state, -1);
  if (state.flow > 0 && next === ',') {
    stream.next();
    state.isValue = false;
    return 'separator';
  }
  if (!state.isValue && state.flow > 0 && stream.match(NAME) !== null) return 'propertyName';
  if (next === ':') {
    stream.next();
    state.isValue = true;
    return 'punctuation';
  }
  const isFirst = state.isValue && /[\s:]/.test(stream.string[stream.pos - 1] ?? '');
  state.isValue = true;
  if (stream.match(/^\$\{[^}]*\}?/) !== null) return 'variableName.special';
  if (next === '"' || next === "'") {
    stream.next();
    state.quote = next;
    return quoted(stream, state);
  }
  if (stream.match(/^[&*][\w.-]+/) !== null) return 'labelName';
  if (stream.match(/^![^\s,[\]{}]*/) !== null) return 'typeName';
  if (isFirst && stream.match(/^[|>][-+\d]*(?=\s|$)/) !== null) {
    state.inBlock = true;
    return 'meta';
  }
  const word = stream.match(state.flow > 0 ? WORD.flow : WORD.block) as RegExpMatchArray | null;
  if (word === null) stream.next();
  return word !== null && ENDS_VALUE.test(stream.string.slice(stream.pos, stream.pos + 16))
    ? kindOf(word[0])
    : null;
}

function bracket(stream: StringStream, state: State, by: 1 | -1): string {
  stream.next();
  state.flow += by;
  state.isValue = by < 0;
  return 'bracket';
}
function quoted(stream: StringStream, state: State): string {
  for (let next = stream.next(); next !== undefined; next = stream.next()) {
    if (next === '\\' && state.quote === '"') stream.next();
    else if (next === state.quote) {
      state.quote = '';
      break;
    }
  }
  return 'string';
}
function kindOf(word: string): string | null {
  if (word === 'true' || word === 'false') return 'bool';
  if (word === 'null' || word === '~') return 'null';
  return /^[-+]?(?:\d|\.\d)[\d.eE+-]*$/.test(word) ? 'number' : null;
}

const language = StreamLanguage.define<State>({
  name: 'yaml',
  startState: () => ({ flow: 0, isValue: false, column: 0, inBlock: false, quote: '' }),
  token,
  languageData: { commentTokens: { line: '#' } },
});

/** Columns of a line's spaces, and of its spaces and dashes. */
function columns(line: string): { readonly outer: number; readonly inner: number } {
  return { outer: /^ */.exec(line)?.[0].length ?? 0, inner: /^ *(?:- +)*/.exec(line)?.[0].length ?? 0 };
}
/** Indents a new line like the name above, or one step deeper if that opened a block. */
const indentation = indentService.of((context, position) => {
  if (context.simulatedBreak !== position) return null;
  const before = context.lineAt(position, -1).text;
  return columns(before).inner + (/:\s*(?:#.*)?$/.test(before) ? context.unit : 0);
});

/** Folds from the end of a line over all deeper lines; dashes below a name may have its indentation. */
function foldAt(
  state: EditorState,
  from: number,
  to: number,
): { readonly from: number; readonly to: number } | null {
  const head = state.sliceDoc(from, to);
  if (head.trim() === '' || head.trimStart().startsWith('#')) return null;
  const { number } = state.doc.lineAt(from);
  if (number === state.doc.lines) return null;
  const { outer, inner } = columns(head);
  let at = to + 1;
  let end = to;
  for (const lines = state.doc.iterLines(number + 1); !lines.next().done;) {
    const line = lines.value;
    if (line.trim() !== '') {
      const column = columns(line).outer;
      if (column < outer || (column === outer && (inner > outer || !/^ *-(?: |$)/.test(line)))) break;
      end = at + line.length;
    }
    at += line.length + 1;
  }
  return end > to ? { from: to, to: end } : null;
}

export const yamlLanguage: Extension = [language, indentation, foldService.of(foldAt)];
