/**
 * One linear pass over XML before any parser sees it: bounds, refused declarations, and the mending
 * of bare `&`, which devices send and no parser accepts.
 */
import { say } from '#shared/details.ts';
import type { Limits } from './limits.ts';
import { createMalformedError, createTooLargeError } from './problems.ts';

const BARE_AMPERSAND = /&(?!(?:[A-Za-z_]\w{0,19}|#\d{1,8}|#x[0-9A-Fa-f]{1,8});)/g;

interface Scan {
  /** The text to parse: the given one, with bare `&` written as `&amp;`. */
  readonly text: string;
  /** How many `&` were mended. */
  readonly ampersands: number;
}

/** Throws `answer-too-large` over a bound, `malformed-answer` for DOCTYPE, ENTITY or a cut document. */
export function scanXml(text: string, limits: Limits): Scan {
  if (text.length > limits.bytes) throw createTooLargeError('bytes', limits.bytes);
  const pieces: string[] = [];
  let ampersands = 0;
  let depth = 0;
  let nodes = 0;
  let at = 0;
  // Most documents hold no `&`; then there is nothing to put together again.
  const mending = text.includes('&');

  function keep(end: number): void {
    if (!mending) return;
    const piece = text.slice(at, end);
    pieces.push(piece.replace(BARE_AMPERSAND, mended));
    for (let next = piece.indexOf('&'); next >= 0; next = piece.indexOf('&', next + 1)) count(1);
  }
  function count(more: number): void {
    nodes += more;
    if (nodes > limits.nodes) throw createTooLargeError('nodes', limits.nodes);
  }
  function mended(): string {
    ampersands += 1;
    if (ampersands > limits.mends) throw createTooLargeError('mends', limits.mends);
    return '&amp;';
  }

  while (at < text.length) {
    const markup = text.indexOf('<', at);
    if (markup < 0) {
      keep(text.length);
      break;
    }
    keep(markup);
    at = markup;
    const second = text.charCodeAt(markup + 1);
    count(1);
    if (second === 0x21 || second === 0x3f) {
      const end = skipDeclaration(text, markup);
      if (mending) pieces.push(text.slice(markup, end));
      at = end;
      continue;
    }
    const { end, attributes } = endOfTag(text, markup);
    // A parser looks at each attribute's name and value.
    count(2 * attributes);
    if (end - markup > limits.name && isLongName(text, markup, limits.name))
      throw createTooLargeError('name', limits.name);
    if (second === 0x2f) depth -= 1;
    else if (text.charCodeAt(end - 2) !== 0x2f) depth += 1;
    if (depth > limits.depth) throw createTooLargeError('depth', limits.depth);
    keep(end);
    at = end;
  }
  return { text: ampersands === 0 ? text : pieces.join(''), ampersands };
}

/** End of a comment, CDATA section or processing instruction; any other `<!` is refused. */
function skipDeclaration(text: string, start: number): number {
  const closing = text.startsWith('<!--', start)
    ? '-->'
    : text.startsWith('<![CDATA[', start)
      ? ']]>'
      : text.startsWith('<?', start)
        ? '?>'
        : undefined;
  if (closing === undefined) throw createMalformedError(say('xml-doctype'));
  const end = text.indexOf(closing, start + (closing === '-->' ? 4 : 2));
  if (end < 0) throw createMalformedError(say('xml-cut'));
  return end + closing.length;
}

function isLongName(text: string, start: number, most: number): boolean {
  return !/[\s/>]/.test(text.slice(start + 1, start + most + 2));
}

/** The position after `>`, which does not count inside quotes. */
export function endOfTag(text: string, start: number): { readonly end: number; readonly attributes: number } {
  let attributes = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x3e) return { end: at + 1, attributes };
    if (code === 0x22 || code === 0x27) {
      at = text.indexOf(code === 0x22 ? '"' : "'", at + 1);
      if (at < 0) break;
      attributes += 1;
    }
  }
  throw createMalformedError(say('xml-cut'));
}
