/** The one reader of JSON: text from outside is counted before anything is built from it. */
import { say } from './details.ts';
import { userError, type FieldwrightError } from './errors.ts';

export interface JsonBounds {
  /** Characters of the text; a UTF-8 file is never shorter. */
  readonly bytes: number;
  /** Objects and arrays inside one another. */
  readonly depth: number;
  /** Values of all levels. */
  readonly nodes: number;
  /** Entries of one object or array. */
  readonly items?: number;
  /** Names that no object may have. */
  readonly forbidden?: ReadonlySet<string>;
}

/** Bounds of one record: a line of a file, a cell of a table, a small file of ours. */
export const RECORD_BOUNDS = { bytes: 256 * 1024, depth: 32, nodes: 10_000 } as const;

interface Excess {
  readonly bound: 'bytes' | 'depth' | 'nodes' | 'items';
  readonly limit: number;
}

/** Returns the bound that a text exceeds, or `cut` where one of its strings has no end. One pass, in constant memory. */
export function countJson(
  text: string,
  { bytes, depth, nodes, items }: JsonBounds,
): Excess | 'cut' | undefined {
  if (text.length > bytes) return { bound: 'bytes', limit: bytes };
  /** Commas of each open object or array, and of the text itself. */
  const commas = [0];
  let level = 0;
  let seen = 1;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        if (at < 0) return 'cut';
        continue;
      case 0x5b:
      case 0x7b:
        level += 1;
        seen += 1;
        commas[level] = 0;
        if (level > depth) return { bound: 'depth', limit: depth };
        break;
      case 0x5d:
      case 0x7d:
        level = Math.max(level - 1, 0);
        continue;
      case 0x2c:
        seen += 1;
        commas[level] = (commas[level] ?? 0) + 1;
        if (items !== undefined && (commas[level] ?? 0) >= items) return { bound: 'items', limit: items };
        break;
      default:
        continue;
    }
    if (seen > nodes) return { bound: 'nodes', limit: nodes };
  }
  return undefined;
}

/** Returns the place of the quote that closes the string opened at `start`, or -1. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === 0x5c) before -= 1;
    // An odd number of backslashes escapes the quote.
    if ((at - before) % 2 === 1) return at;
  }
  return -1;
}

interface ReadOptions {
  /** Name of the file, for errors. */
  readonly file?: string | undefined;
  /** Sentence for a text that is not JSON. */
  readonly broken?: ReturnType<typeof say>;
  /** Called with each member, its value and the text that stood there; returns what is taken instead. */
  readonly revive?: (name: string, value: unknown, context?: { readonly source?: string }) => unknown;
}

/** Reads JSON from outside. Throws `input-too-large`, and `unreadable-file` for a forbidden name or what is not JSON. */
export function readJson(
  text: string,
  bounds: JsonBounds,
  { file, broken, revive }: ReadOptions = {},
): unknown {
  const place = file === undefined ? {} : { file };
  const notJson = (cause?: unknown): FieldwrightError =>
    userError('unreadable-file', broken ?? say('file-not-json'), { ...place, cause });
  const excess = countJson(text, bounds);
  if (excess === 'cut') throw notJson();
  if (excess !== undefined)
    throw userError('input-too-large', say(`document-${excess.bound}`, { limit: excess.limit }), place);
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, revive);
  } catch (cause) {
    throw notJson(cause);
  }
  const name = bounds.forbidden === undefined ? undefined : nameAmong(value, bounds.forbidden);
  if (name !== undefined) throw userError('unreadable-file', say('yaml.forbidden-name', { name }), place);
  return value;
}

/** Reads JSON like `readJson`, but returns undefined where that throws. */
export function readJsonOrNothing(
  text: string,
  bounds: JsonBounds = RECORD_BOUNDS,
  options: ReadOptions = {},
): unknown {
  try {
    return readJson(text, bounds, options);
  } catch {
    return undefined;
  }
}

/** Reads JSON that this program has written itself and kept; its size was bounded then. @throws SyntaxError */
export function readOwnJson(text: string): unknown {
  return JSON.parse(text);
}

/** Returns a name of any object inside that is among `names`. */
function nameAmong(root: unknown, names: ReadonlySet<string>): string | undefined {
  const pending: object[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) pending.push(value);
  };
  visit(root);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) {
      next.forEach(visit);
      continue;
    }
    for (const [name, member] of Object.entries(next)) {
      if (names.has(name)) return name;
      visit(member);
    }
  }
  return undefined;
}
