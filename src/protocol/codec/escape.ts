/** Characters of XML text: reading references, writing escapes. */
import { say } from '#shared/details.ts';
import { createUnwritableError } from './problems.ts';

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const REFERENCE = /&(?:#x([0-9a-fA-F]{1,8})|#([0-9]{1,8})|(amp|lt|gt|quot|apos));/g;
/** Anything that XML 1.0 has no spelling for, lone surrogates included. */
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** The five named references and character references; others stay as they are written. */
export function decodeReferences(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replace(REFERENCE, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = hex === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
      ? String.fromCodePoint(code)
      : whole;
  });
}

/** A CDATA section, a comment, a processing instruction, or text. */
const PIECE = /<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)|[^<]+/g;

/**
 * Text between tags as a reader sees it: references read, CDATA opened, comments and processing
 * instructions left out, line ends as `\n`.
 */
export function decodeText(raw: string): string {
  const text = raw.includes('\r') ? replaceReturns(raw.split('\r\n').join('\n'), '\n') : raw;
  if (!text.includes('<')) return decodeReferences(text);
  return text.replace(PIECE, (piece, cdata?: string) =>
    piece.startsWith('<') ? (cdata ?? '') : decodeReferences(piece),
  );
}

/** The text with another character for each carriage return; a million in a row cost as much as one. */
export function replaceReturns(text: string, by: ' ' | '\n'): string {
  return text.replace(/\r+/g, (run) => by.repeat(run.length));
}

/** True where XML 1.0 can spell every character. */
export function isXmlText(value: string): boolean {
  return !FORBIDDEN.test(value);
}

/** Escaped for text content; throws `not-allowed` for characters that XML 1.0 cannot carry. */
export function escapeText(value: string, path: string): string {
  if (!isXmlText(value)) throw createUnwritableError('not-allowed', path, say('not-in-xml', { field: path }));
  return value.replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? character);
}

export function escapeAttribute(value: string, path: string): string {
  if (!isXmlText(value)) throw createUnwritableError('not-allowed', path, say('not-in-xml', { field: path }));
  return value.replace(/[&<>"\r\n\t]/g, (character) => ESCAPES[character] ?? character);
}
