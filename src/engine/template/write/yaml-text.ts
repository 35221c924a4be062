/** Values as YAML that people read: blocks outside, small things on one line, quotes where they are needed. */
import { isPlain } from '../../../protocol/index.ts';

/** Words that YAML 1.1 readers take for something else than text are quoted too. */
const NOT_TEXT = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;
const PLAIN_TEXT = /^[A-Za-z][A-Za-z0-9_./ -]*$/;
/** Anything that ends a line somewhere or is not seen. */
const UNSEEN = /[\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\uffff]/g;

/** A text for use inside a template: literal `${` is not a variable. */
export function escaped(text: string): string {
  // A function, for `$$` in a replacement is one `$`.
  return text.replaceAll('${', () => '$${');
}

export function quoted(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** One value on one line; placeholders are quoted, so that any YAML reader takes them. */
export function scalarText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  return PLAIN_TEXT.test(value) && !NOT_TEXT.test(value) && !value.endsWith(' ') ? value : quoted(value);
}

/** `{ a: 1, b: [2, 3] }`. */
export function flowText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(flowText).join(', ')}]`;
  if (!isPlain(value)) return scalarText(value);
  const members = Object.entries(value).map(([name, item]) => `${scalarText(name)}: ${flowText(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** A comment that stays on its line whatever it quotes. */
export function commentText(text: string): string {
  return text.replace(UNSEEN, ' ').replace(/\s+/g, ' ').replace(/\p{Cc}/gu, '').trim();
}
