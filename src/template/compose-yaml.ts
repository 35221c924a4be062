/**
 * The one reader of YAML 1.2 core (and with it JSON): to documents whose nodes know their place. Templates come from
 * anywhere, so size, depth, values and aliases are counted while the text is read, before anything is built from it.
 */
import {
  Composer,
  Lexer,
  Parser,
  type CST,
  type Document,
  type LineCounter,
  type ParseOptions,
  type SchemaOptions,
} from 'yaml';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { TEMPLATE_LIMITS } from './limits.ts';

/** Bound of `TEMPLATE_LIMITS`; `repeated`: characters after aliases were followed. */
export type YamlBound = 'characters' | 'repeated' | 'tokens' | 'depth' | 'nodes' | 'aliases' | 'placeholders';

/** Thrown as soon as a text exceeds a bound of `TEMPLATE_LIMITS`. */
export class YamlTooLarge extends Error {
  readonly bound: YamlBound;

  constructor(bound: YamlBound) {
    super(`More ${bound} than a template has.`);
    this.bound = bound;
  }
}

interface Composed {
  /** Documents of the text, two at most. */
  readonly documents: readonly Document.Parsed[];
  /** Places of directives (`%YAML`). */
  readonly directives: readonly number[];
}

/** Indentation, markers and the collection itself each take a place on the parser's stack. */
const STACK_PER_LEVEL = 3;
/** The composer complains about each tag at length; a template has none to speak of. */
const TAG_COST = 100;
/** An entry of a map has a scalar, a mark and a scalar. */
const MARKS_PER_NODE = 3;
/** First characters of lexemes that bring a value or an entry; U+001F stands before a plain scalar. */
const MARKS: ReadonlySet<string> = new Set(['\u001f', '"', "'", '|', '>', '-', '?', ':', ',', '[', '{']);

interface ComposeOptions extends Pick<ParseOptions, 'keepSourceTokens'>, Pick<SchemaOptions, 'customTags'> {
  /** Learns where lines begin. */
  readonly lines?: LineCounter;
}

/** Reads a text; the documents hold syntax errors. @throws YamlTooLarge */
export function composeYaml(text: string, { lines, ...options }: ComposeOptions = {}): Composed {
  if (text.length > TEMPLATE_LIMITS.characters) throw new YamlTooLarge('characters');
  // Costs a thousandth of what the library takes for the same text.
  for (const mark of ['\n', ','])
    if (isMoreOften(mark, text, TEMPLATE_LIMITS.lines)) throw new YamlTooLarge('tokens');
  lines?.addNewLine(0);
  const parser = new Parser(lines?.addNewLine);
  const tokens: CST.Token[] = [];
  const directives: number[] = [];
  let [documents, errors] = [0, 0];
  const keep = (token: CST.Token): void => {
    if (token.type === 'document') documents += 1;
    if (token.type === 'error') errors += 1;
    if (token.type === 'directive') directives.push(token.offset);
    if (token.type !== 'error' || errors <= TEMPLATE_LIMITS.errors) tokens.push(token);
  };
  const count = counter();
  for (const lexeme of new Lexer().lex(text)) {
    count(lexeme);
    for (const token of parser.next(lexeme)) keep(token);
    if (documents > 1 || directives.length > TEMPLATE_LIMITS.errors) break;
    if (parser.stack.length > TEMPLATE_LIMITS.depth * STACK_PER_LEVEL) throw new YamlTooLarge('depth');
  }
  if (directives.length > 0) return { documents: [], directives };
  for (const token of documents > 1 ? [] : parser.end()) keep(token);

  const composer = new Composer({
    ...removeUndefined({ lineCounter: lines }),
    prettyErrors: false,
    schema: 'core',
    version: '1.2',
    merge: false,
    customTags: null,
    resolveKnownTags: false,
    // The library looks for names that come twice by comparing each with all others; the callers do it.
    uniqueKeys: false,
    stringKeys: true,
    logLevel: 'silent',
    keepSourceTokens: false,
    ...options,
  });
  return {
    documents: withoutTraces(() => [...composer.compose(tokens, true, text.length)] as Document.Parsed[]),
    directives,
  };
}

function isMoreOften(mark: string, text: string, most: number): boolean {
  let left = most;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    left -= 1;
    if (left < 0) return true;
  }
  return false;
}

/** Returns a function that takes lexemes one after the other and throws at the first too many. */
function counter(): (lexeme: string) => void {
  let [tokens, marks, aliases] = [0, 0, 0];
  return (lexeme) => {
    const first = lexeme[0] ?? '';
    tokens += first === '!' ? TAG_COST : 1;
    if (first === '*') aliases += 1;
    else if (MARKS.has(first)) marks += 1;
    if (tokens > TEMPLATE_LIMITS.tokens) throw new YamlTooLarge('tokens');
    if (aliases > TEMPLATE_LIMITS.aliases) throw new YamlTooLarge('aliases');
    if (marks > TEMPLATE_LIMITS.nodes * MARKS_PER_NODE) throw new YamlTooLarge('nodes');
  };
}

/** The composer makes an error of everything that is out of place; where in our code that was takes most of the time. */
function withoutTraces<T>(work: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
