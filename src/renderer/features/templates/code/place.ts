/**
 * Place in a text that may not be valid yet, for completion and hover while a person types. It follows from
 * indentation and brackets of the lines above, not from a parsed document.
 */
export interface Place {
  /** Names and list positions from the root to what holds the cursor. */
  readonly path: readonly (string | number)[];
  /** A name is being written, or the value behind one (its name is the last step of `path`). */
  readonly kind: 'name' | 'value';
  /** Part of it already written, with its beginning and end. */
  readonly word: string;
  readonly from: number;
  readonly to: number;
  /** Names beside it. */
  readonly siblings: readonly string[];
  readonly inFlow: boolean;
}

interface Line {
  readonly from: number;
  /** Column of the first name or value, past dashes. */
  readonly indent: number;
  /** Columns of the dashes before it. */
  readonly dashes: readonly number[];
  readonly name: string | undefined;
  /** Column where the value begins; the line's length where there is none. */
  readonly valueAt: number;
  readonly text: string;
  readonly isBlank: boolean;
}

const NAME = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#:[\]{},"'][^#:[\]{},]*?))[ \t]*:(?=\s|$)/;

function lineAt(text: string, from: number): Line {
  const end = text.indexOf('\n', from);
  const line = text.slice(from, end < 0 ? text.length : end);
  const dashes: number[] = [];
  let indent = line.length - line.trimStart().length;
  for (;;) {
    const dash = /^-(?:[ \t]+|$)/.exec(line.slice(indent));
    if (dash === null) break;
    dashes.push(indent);
    indent += dash[0].length === 1 ? 2 : dash[0].length;
  }
  const match = NAME.exec(line.slice(indent));
  const name = match?.[1] ?? match?.[2] ?? match?.[3];
  const after = match === null ? indent : indent + match[0].length;
  const valueAt =
    match === null ? indent : after + (line.slice(after).length - line.slice(after).trimStart().length);
  const bare = line.trim();
  return { from, indent, dashes, name, valueAt, text: line, isBlank: bare === '' || bare.startsWith('#') };
}
function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Lines above are looked at only so far: completion must not cost more than a keystroke. */
const FARTHEST = 4000;

/** The path of what a line at `from` with something in column `column` belongs to. */
function pathAbove(
  text: string,
  from: number,
  column: number,
  dashes: readonly number[],
): { readonly path: (string | number)[]; readonly siblings: string[] } {
  const path: (string | number)[] = [];
  const siblings: string[] = [];
  let limit = column;
  let open = [...dashes].reverse();
  let counting: number | undefined;
  let items = 0;
  if (open.length > 0) {
    counting = open[0];
    limit = open[0] ?? limit;
  }
  let at = from;
  for (let seen = 0; at > 0 && seen < FARTHEST; seen += 1) {
    at = lineStart(text, at - 1);
    const line = lineAt(text, at);
    if (line.isBlank) continue;
    const outer = line.dashes[0] ?? line.indent;
    if (counting !== undefined) {
      if (line.dashes.includes(counting)) items += 1;
      const parent =
        line.name !== undefined &&
        (line.indent < counting || (line.indent === counting && line.dashes.length === 0));
      if (!parent || outer > counting) continue;
      path.unshift(items);
      items = 0;
      open = open.slice(1);
      counting = open[0];
      path.unshift(line.name ?? '');
      limit = line.indent;
      if (line.dashes.length > 0) {
        open = [...line.dashes].reverse();
        counting = open[0];
        limit = counting ?? limit;
      }
      continue;
    }
    if (line.indent > limit && outer >= limit) continue;
    if (line.indent === limit && line.name !== undefined) {
      if (path.length === 0) siblings.unshift(line.name);
      if (line.dashes.length > 0) {
        open = [...line.dashes].reverse();
        counting = open[0];
        limit = counting ?? limit;
      }
      continue;
    }
    if (line.indent < limit && line.name !== undefined) {
      path.unshift(line.name);
      limit = line.indent;
      if (line.dashes.length > 0) {
        open = [...line.dashes].reverse();
        counting = open[0];
        limit = counting ?? limit;
      }
    }
    if (limit === 0 && counting === undefined) break;
  }
  if (counting !== undefined) path.unshift(items);
  return { path, siblings };
}

function namesBelow(text: string, from: number, column: number): readonly string[] {
  const names: string[] = [];
  let at = text.indexOf('\n', from) + 1;
  for (let seen = 0; at > 0 && at < text.length && seen < 400; seen += 1) {
    const line = lineAt(text, at);
    if (!line.isBlank) {
      if (line.indent < column || (line.dashes.length > 0 && (line.dashes[0] ?? 0) <= column)) break;
      if (line.indent === column && line.name !== undefined) names.push(line.name);
    }
    at = text.indexOf('\n', at) + 1;
  }
  return names;
}

/** Brackets open at the cursor, from `start` on: what was written in each. */
interface Bracket {
  readonly kind: '{' | '[';
  readonly names: string[];
  index: number;
  name: string | undefined;
  from: number;
}

function bracketsBetween(text: string, start: number, end: number): readonly Bracket[] {
  const open: Bracket[] = [];
  for (let at = start; at < end; at += 1) {
    const character = text[at];
    const top = open.at(-1);
    if (character === '"' || character === "'") {
      let close = at + 1;
      while (close < end && text[close] !== character)
        close += text[close] === '\\' && character === '"' ? 2 : 1;
      if (close >= end) break;
      if (top !== undefined && top.kind === '{' && /^\s*:/.test(text.slice(close + 1, close + 8))) {
        top.name = text.slice(at + 1, close);
      }
      at = close;
    } else if (character === '#' && /\s/.test(text[at - 1] ?? ' ')) {
      const line = text.indexOf('\n', at);
      if (line < 0 || line >= end) break;
      at = line;
    } else if (character === '$' && text[at + 1] === '{') {
      const close = text.indexOf('}', at);
      if (close < 0 || close >= end) break;
      at = close;
    } else if (character === '{' || character === '[')
      open.push({ kind: character, names: [], index: 0, name: undefined, from: at + 1 });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && top !== undefined) {
      if (top.name !== undefined) top.names.push(top.name);
      top.index += 1;
      top.name = undefined;
      top.from = at + 1;
    } else if (character === ':' && top?.kind === '{' && /[\s,]/.test(text[at + 1] ?? ' ')) {
      top.name ??= text.slice(top.from, at).trim();
      top.from = at + 1;
    }
  }
  return open;
}

/** Returns the part of the value at `offset` that is already written, in any quotes. */
function wordAt(
  text: string,
  from: number,
  offset: number,
  stop: RegExp,
): { readonly word: string; readonly from: number; readonly to: number } {
  const start = from + (text.slice(from, offset).length - text.slice(from, offset).trimStart().length);
  const rest = text.slice(offset, offset + 200);
  const end = offset + (stop.exec(rest)?.index ?? rest.length);
  return {
    word: text.slice(start, Math.max(start, end)).trimEnd(),
    from: start,
    to: Math.max(start, start + text.slice(start, end).trimEnd().length),
  };
}

export function placeAt(text: string, offset: number): Place | undefined {
  const start = lineStart(text, offset);
  const line = lineAt(text, start);
  const column = offset - start;
  if (/(^|\s)#/.test(line.text.slice(0, column)) && !/["']/.test(line.text.slice(0, column)))
    return undefined;
  // Braces that were opened on this line or up to some lines above, at a value of block layout.
  for (let at = start, seen = 0; seen < 60; seen += 1) {
    const opener = lineAt(text, at);
    const value = at + opener.valueAt;
    const character = text[value];
    if (!opener.isBlank && value < offset && (character === '{' || character === '[')) {
      const open = bracketsBetween(text, value, offset);
      if (open.length > 0) return inBrackets(text, offset, opener, open);
    }
    if (at === 0 || (opener.name !== undefined && opener.indent === 0 && at !== start)) break;
    at = lineStart(text, at - 1);
  }
  const indent = line.isBlank
    ? Math.max(column, line.text.trim() === '' ? column : line.indent)
    : line.indent;
  const { path, siblings } = pathAbove(text, start, indent, line.isBlank ? [] : line.dashes);
  if (
    line.name !== undefined &&
    column > line.indent + line.name.length &&
    column >= line.text.indexOf(':', line.indent)
  ) {
    const value = wordAt(
      text,
      start + line.text.indexOf(':', line.indent + line.name.length) + 1,
      offset,
      /[\n]|\s#/,
    );
    return { path: [...path, line.name], kind: 'value', ...value, siblings: [], inFlow: false };
  }
  const word = wordAt(text, start + Math.min(indent, column), offset, /[\n:#]/);
  const below = namesBelow(text, start, indent);
  return { path, kind: 'name', ...word, siblings: [...siblings, ...below], inFlow: false };
}

function inBrackets(text: string, offset: number, opener: Line, open: readonly Bracket[]): Place {
  const { path } = pathAbove(text, opener.from, opener.indent, opener.dashes);
  const full: (string | number)[] = [...path, ...(opener.name === undefined ? [] : [opener.name])];
  open.forEach((bracket, depth) => {
    if (depth === open.length - 1) return;
    if (bracket.kind === '[') full.push(bracket.index);
    else if (bracket.name !== undefined) full.push(bracket.name);
  });
  const last = open.at(-1) as Bracket;
  const word = wordAt(text, last.from, offset, /[\n,}\]:#]/);
  if (last.kind === '[')
    return { path: [...full, last.index], kind: 'value', ...word, siblings: [], inFlow: true };
  if (last.name !== undefined)
    return { path: [...full, last.name], kind: 'value', ...word, siblings: [], inFlow: true };
  const after = [
    ...(text
      .slice(offset, offset + 400)
      .split(/[}\n]/)[0]
      ?.matchAll(/[,{]\s*([\w-]+)\s*:/g) ?? []),
  ].map((match) => match[1] ?? '');
  return { path: full, kind: 'name', ...word, siblings: [...last.names, ...after], inFlow: true };
}

/** The name a section gives itself: `set:` nearest above or below inside the section of `path`. */
export function findSectionSet(text: string, offset: number): string | undefined {
  // The search begins at the dash of the section: the list of sections holds its items at one indentation.
  const head = /^sections[ \t]*:/m.exec(text);
  if (head === null || offset < head.index)
    return /"set"\s*:\s*"([\w.]+)"/.exec(text.slice(text.lastIndexOf('"set"', offset), offset))?.[1];
  const first = /^( *)-(?:[ \t]|$)/m.exec(text.slice(head.index));
  if (first === null) return undefined;
  const dash = `\n${first[1] ?? ''}-`;
  const from = text.lastIndexOf(dash, offset);
  const to = text.indexOf(dash, Math.max(offset, from + 1));
  return /(?:^|[\s{,])set[ \t]*:[ \t]*["']?([\w.]+)/.exec(
    text.slice(Math.max(from, head.index), to < 0 ? text.length : to),
  )?.[1];
}
