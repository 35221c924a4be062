/** Values as YAML that people read: blocks outside, small things on one line, quotes where they are needed. */
import { isPlain } from '#protocol/index.ts';
import { escapeUnseen, replaceUnseen, escapeUnicode } from '#shared/text/unseen.ts';

/** Words that YAML 1.1 readers take for something else than text are quoted too. */
const NOT_TEXT = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;
const PLAIN_TEXT = /^[A-Za-z][A-Za-z0-9_./ -]*$/;
/** Spaces that look like any other, and what stands for no character. */
const DOUBTFUL = /[\u00a0\u202f\ufffc-\uffff]/g;

/** A text for use inside a template: literal `${` is not a variable. */
export function escapePlaceholders(text: string): string {
  // A function, for `$$` in a replacement is one `$`.
  return text.replaceAll('${', () => '$${');
}

/** The value with `escapePlaceholders` in each of its texts. */
export function escapeValue(value: unknown): unknown {
  if (typeof value === 'string') return escapePlaceholders(value);
  if (Array.isArray(value)) return value.map(escapeValue);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, escapeValue(inner)]));
}

const LONGEST_NAME = 100;

/** A template that is not edited by hand: JSON, which is YAML too. */
export function formatTemplateAsJson(name: string, sections: readonly object[]): string {
  return JSON.stringify(
    { fieldwright: 'template/1', name: name.slice(0, LONGEST_NAME), sections },
    undefined,
    1,
  );
}

export function quoteText(text: string): string {
  return escapeUnseen(JSON.stringify(text)).replace(DOUBTFUL, escapeUnicode);
}

/** One value on one line; placeholders are quoted, so that any YAML reader takes them. */
export function formatScalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  return PLAIN_TEXT.test(value) && !NOT_TEXT.test(value) && !value.endsWith(' ') ? value : quoteText(value);
}

/** `{ a: 1, b: [2, 3] }`. */
export function formatFlowValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(formatFlowValue).join(', ')}]`;
  if (!isPlain(value)) return formatScalar(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${formatScalar(name)}: ${formatFlowValue(item)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** A comment that stays on its line whatever it quotes. */
export function formatComment(text: string): string {
  return replaceUnseen(text, () => ' ')
    .replace(DOUBTFUL, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
