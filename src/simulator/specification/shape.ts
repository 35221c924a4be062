/**
 * The notation of the site's own table of bodies, and its reader. One line describes one element (XML) or member
 * (JSON), indented below the one that holds it:
 *
 * `name[!][-][*[least..most]] [type]`
 *
 * - `!` is required, `-` is returned by the device and never written.
 * - `*` may occur any number of times, `*3..10` that many times; in JSON it is an array.
 * - Types: `text`, `text 1..32` (length), `int`, `int 1..100`, `float`, `float 1..5`, `bool`, `numbers` (comma
 *   separated), `time`, `zoned` (a time with its offset), `clock` (HH:MM), `date`, `datetime`, `free` (an object that
 *   is handed through), or the options `a|b|c`. A name without a type holds the lines below it. A number may end in
 *   `/1` (decimals), a text or a list of options in `?` (may be empty).
 *
 * The table is written from the specification and not from the client's definitions: whatever the client misread
 * shows here instead of being agreed to.
 */
export interface Shape {
  readonly name: string;
  readonly required: boolean;
  readonly readOnly: boolean;
  /** Number of occurrences; undefined where there is at most one. */
  readonly repeats: Range | undefined;
  readonly type: ValueType | undefined;
  readonly parts: readonly Shape[];
}

export interface Range {
  readonly min: number;
  readonly max: number;
}

export type ValueType =
  | { readonly kind: 'text'; readonly length: Range; readonly mayBeEmpty: boolean }
  | { readonly kind: 'int' | 'float'; readonly range: Range; readonly decimals: number | undefined }
  | { readonly kind: 'options'; readonly options: readonly string[]; readonly mayBeEmpty: boolean }
  | { readonly kind: (typeof PLAIN_TYPES)[number] };

const PLAIN_TYPES = ['bool', 'numbers', 'time', 'zoned', 'clock', 'date', 'datetime', 'free'] as const;
const LINE = /^( *)([^ !*-]+)(!?)(-?)(?:(\*)(\S*))?(?: +(\S.*))?$/;
const ANY: Range = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };

/** Reads a block of the notation. @throws TypeError for a line that is none: a fault of the table. */
export function readShapes(block: string): readonly Shape[] {
  const top: Shape[] = [];
  const open: { readonly indent: number; readonly parts: Shape[] }[] = [{ indent: -1, parts: top }];
  for (const line of block.split('\n').filter((text) => text.trim() !== '')) {
    const match = LINE.exec(line.trimEnd());
    if (match === null) throw new TypeError(`The table has a line that cannot be read: "${line}".`);
    const [, spaces = '', name = '', required, readOnly, star, times = '', type] = match;
    while ((open.at(-1)?.indent ?? -1) >= spaces.length) open.pop();
    const parts: Shape[] = [];
    open.at(-1)?.parts.push({
      name,
      required: required === '!',
      readOnly: readOnly === '-',
      repeats:
        star === undefined ? undefined : { min: 0, max: Number.POSITIVE_INFINITY, ...readRange(times) },
      type: type === undefined ? undefined : readType(type.trim()),
      parts,
    });
    open.push({ indent: spaces.length, parts });
  }
  return top;
}

function readType(text: string): ValueType {
  const plain = PLAIN_TYPES.find((kind) => kind === text);
  if (plain !== undefined) return { kind: plain };
  const mayBeEmpty = text.endsWith('?');
  const [word = '', ...rest] = text.replace(/\?$/, '').split(/[ /]+/);
  if (word === 'text')
    return { kind: 'text', length: { min: 0, max: ANY.max, ...readRange(rest[0]) }, mayBeEmpty };
  if (word === 'int' || word === 'float') {
    const decimals = /\/(\d)$/.exec(text)?.[1];
    return {
      kind: word,
      range: { ...ANY, ...readRange(rest[0]) },
      decimals: decimals === undefined ? undefined : Number(decimals),
    };
  }
  return { kind: 'options', options: text.replace(/\?$/, '').split('|'), mayBeEmpty };
}

function readRange(text: string | undefined): Partial<Range> {
  const match = /^(-?[\d.]*?\d)?\.\.(-?[\d.]+)?$/.exec(text ?? '');
  if (match === null) return {};
  return {
    ...(match[1] === undefined ? {} : { min: Number(match[1]) }),
    ...(match[2] === undefined ? {} : { max: Number(match[2]) }),
  };
}
