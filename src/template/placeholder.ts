/**
 * `${name}` in a template: alone it stands for the typed value, inside a longer string it is text,
 * and `$${` writes a literal `${`. The engine and the editor read it by the same rules.
 */

/** Value of a name with nothing behind it, inside a section: it is still to be given. No template can hold this character. */
export const NOT_GIVEN = '\u0000';

export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'broken'; readonly text: string };

/** Splits a string into literal text, variables and what only looks like one. */
export function splitPlaceholders(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let literal = '';
  for (let at = 0; at < text.length;) {
    if (text.startsWith('$${', at)) {
      literal += '${';
      at += 3;
    } else if (text.startsWith('${', at)) {
      const end = text.indexOf('}', at);
      const name = end < 0 ? undefined : text.slice(at + 2, end).trim();
      if (literal !== '') parts.push({ kind: 'text', text: literal });
      literal = '';
      if (name !== undefined && VARIABLE_NAME.test(name)) parts.push({ kind: 'variable', name });
      else parts.push({ kind: 'broken', text: end < 0 ? text.slice(at) : text.slice(at, end + 1) });
      at = end < 0 ? text.length : end + 1;
    } else {
      literal += text[at];
      at += 1;
    }
  }
  if (literal !== '') parts.push({ kind: 'text', text: literal });
  return parts;
}

/** The variable that the whole string stands for, if it is one. */
export function findWholeVariable(text: string): string | undefined {
  const parts = splitPlaceholders(text);
  const [only] = parts;
  return parts.length === 1 && only?.kind === 'variable' ? only.name : undefined;
}

const MASKABLE = /\$\{[^{}\r\n"']*\}/g;

/** Three characters that do not occur in the text. */
function unusedCharacters(text: string): readonly [string, string, string] {
  const taken = new Set(text.match(/[\ue000-\uf8ff]/g));
  const free: string[] = [];
  for (let code = 0xe000; code < 0xf8ff && free.length < 3; code += 1) {
    const character = String.fromCharCode(code);
    if (!taken.has(character)) free.push(character);
  }
  return [free[0] ?? '$', free[1] ?? '{', free[2] ?? '}'];
}

/**
 * YAML takes the brace of a bare `${name}` inside `{ … }` for a mapping. The placeholders are
 * therefore written with characters that mean nothing to YAML, of the same length so that every
 * position stays true, and turned back in every string that was read.
 */
export function maskPlaceholders(text: string): {
  readonly masked: string;
  /** Masks another text with the same characters. */
  readonly mask: (other: string) => string;
  readonly unmask: (read: string) => string;
} {
  if (!text.includes('${')) return { masked: text, mask: (other) => other, unmask: (read) => read };
  const [dollar, open, close] = unusedCharacters(text);
  const mask = (other: string): string =>
    other.replace(MASKABLE, (found) => `${dollar}${open}${found.slice(2, -1)}${close}`);
  const spelled: Readonly<Record<string, string>> = { [dollar]: '$', [open]: '{', [close]: '}' };
  const pattern = new RegExp(`[${dollar}${open}${close}]`, 'g');
  return {
    masked: mask(text),
    mask,
    unmask: (read) =>
      dollar === '$' ? read : read.replace(pattern, (character) => spelled[character] ?? character),
  };
}
