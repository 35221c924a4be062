/**
 * Masks known secrets in whatever a device answers: it may repeat, and spell differently, what it was sent. Fields that
 * the definition marks as `sensitive` are masked by `protocol/redact/`.
 */
const MASK = '••••••';
/** Shorter texts occur by chance in any message. */
const SHORTEST = 3;

/** Longer ones are no passwords; they are looked for as they were sent. */
const LONGEST_SPELT = 128;
/** A part of base64 shorter than this occurs by chance too. */
const SHORTEST_CODED = 8;
/**
 * Base64 of at least this length is a key or a template: any part of it is one too, and devices cut what they
 * repeat. A text beyond the longest template is a file, whose parts would fill the memory.
 */
const IN_PIECES = /^[\w+/-]{80,8192}=*$/;
const PIECE = 12;

interface Hidden {
  readonly literal: readonly string[];
  /** Returns true if the text contains one of the literals or of `alone`. */
  readonly stands: (text: string) => boolean;
  /**
   * Matches an escape. A text without one can hold a secret only as it was sent; a space alone is sent as
   * `+`.
   */
  readonly escapes: RegExp;
  /** Expressions for texts with escapes: such texts are rare, and the expressions are long. */
  readonly escaped: () => readonly RegExp[];
  readonly alone: readonly RegExp[];
  readonly pieces: ReadonlySet<string>;
}

interface Search {
  /** Returns false if the text holds no spelling of a secret: nearly always, so this has to be fast. */
  readonly mayHold: (text: string) => boolean;
  /** Makes the expressions when first needed: thousands of unused ones would fill the memory for code. */
  readonly hidden: () => Hidden;
}

/**
 * Returns a copy in which none of the secrets can be read, however the device spelled them; the value itself
 * if it holds none.
 */
export function redact<T>(value: T, secrets: readonly string[]): T {
  return createRedactor(secrets)(value);
}

/**
 * Creates a `redact` for many values. A match of `alone` counts only without a letter or a digit beside it,
 * or encoded.
 */
export function createRedactor(
  secrets: readonly string[],
  alone: readonly string[] = [],
): <T>(value: T) => T {
  const long = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST);
  if (long.length + alone.length === 0) return (value) => value;
  const shortest = Math.min(
    ...[...long, ...alone].map((secret) => (IN_PIECES.test(secret) ? PIECE : secret.length)),
  );
  let found: Hidden | undefined;
  const hidden = (): Hidden => (found ??= hiddenOf(long, alone));
  // Most answers say `OK`: there is no room for a secret in it, and nothing to be prepared.
  const mayHold = (text: string): boolean =>
    text.length >= shortest &&
    (hidden().escapes.test(text) || hidden().stands(text) || holdsPiece(text, hidden().pieces));
  return <T>(value: T) =>
    hasMatchingText(value, mayHold) ? (clean(value, { mayHold, hidden }) as T) : value;
}

/** Returns true if any text in the value, however deep, matches. Where a text was cut is unknown. */
export function hasMatchingText(value: unknown, isSuch: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isSuch(value);
  if (typeof value !== 'object' || value === null) return false;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return parts.some((part) => hasMatchingText(part, isSuch)) || isCut(value);
}

/** Returns true for the body of an exchange that was cut: it may end with the beginning of a secret. */
function isCut(value: object): boolean {
  return 'cut' in value && value.cut === true;
}

const SLOTS = 512;
/** Number of literals that a byte can number; a password has a quarter of them. */
const MOST_LITERALS = 255;

/** Tells in one pass whether a text holds one of the literals. In a kilobyte: thousands of connections have one each. */
function finderOf(literals: readonly string[]): (text: string) => boolean {
  if (literals.length > MOST_LITERALS) return (text) => literals.some((literal) => text.includes(literal));
  /**
   * Index by the first three characters: number of the literal that begins so, counted from 1. The entries
   * after the slots name the next literal with the same slot.
   */
  const first = new Uint8Array(SLOTS + literals.length + 1);
  literals.forEach((literal, index) => {
    const slot = slotOf(literal, 0);
    first[SLOTS + index + 1] = first[slot] ?? 0;
    first[slot] = index + 1;
  });
  return (text) => {
    for (let at = 0; at + 2 < text.length; at += 1)
      for (let one = first[slotOf(text, at)] ?? 0; one !== 0; one = first[SLOTS + one] ?? 0)
        if (text.startsWith(literals[one - 1] ?? '', at)) return true;
    return false;
  };
}

function slotOf(text: string, at: number): number {
  const three = text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2);
  return three & (SLOTS - 1);
}

function hiddenOf(long: readonly string[], alone: readonly string[]): Hidden {
  let escaped: readonly RegExp[] | undefined;
  // Longest first: one secret may hold another, and an escaped spelling holds the plain one.
  const literal = [...new Set([...long.flatMap(spellings), ...alone.flatMap(coded)])].sort(
    (a, b) => b.length - a.length,
  );
  return {
    literal,
    stands: finderOf([...literal, ...alone]),
    escapes: [...long, ...alone].some((secret) => secret.includes(' ')) ? /[&\\%+]/ : /[&\\%]/,
    escaped: () => (escaped ??= long.filter((secret) => secret.length <= LONGEST_SPELT).map(anySpelling)),
    alone: alone.map(onItsOwn),
    pieces: new Set(long.filter((secret) => IN_PIECES.test(secret)).flatMap(piecesOf)),
  };
}

/** Returns every part of base64, and of the same in hexadecimal. */
function piecesOf(secret: string): readonly string[] {
  return [secret, Buffer.from(secret, 'base64').toString('hex')]
    .map(inOneAlphabet)
    .flatMap((text) =>
      Array.from({ length: Math.max(0, text.length - PIECE + 1) }, (_, at) => text.slice(at, at + PIECE)),
    );
}

/**
 * Rewrites URL-safe base64 into the other alphabet, and capitals into small letters. The length stays the
 * same.
 */
function inOneAlphabet(text: string): string {
  return text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function holdsPiece(text: string, pieces: ReadonlySet<string>): boolean {
  return pieces.size > 0 && maskPieces(text, pieces) !== text;
}

function maskPieces(text: string, pieces: ReadonlySet<string>): string {
  if (pieces.size === 0) return text;
  const alike = inOneAlphabet(text);
  let masked = '';
  /** End of the last piece that was found. */
  let end = 0;
  for (let at = 0; at + PIECE <= alike.length; at += 1) {
    if (!pieces.has(alike.slice(at, at + PIECE))) continue;
    if (end === 0 || at > end) masked += (end === 0 ? '' : MASK) + text.slice(end, at);
    end = at + PIECE;
  }
  return end === 0 ? text : masked + MASK + text.slice(end);
}

function onItsOwn(secret: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${anySpelling(secret).source}(?![\\p{L}\\p{N}])`, 'gu');
}

function spellings(secret: string): readonly string[] {
  const xml = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    xml,
    json,
    encodeURIComponent(secret.toWellFormed()),
    ...(secret.length <= LONGEST_SPELT ? coded(secret) : [Buffer.from(secret, 'utf8').toString('base64')]),
  ];
}

/**
 * Returns the secret in hexadecimal, and the base64 of any text that holds it: three alignments, two
 * alphabets.
 */
function coded(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  const parts = [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters also hold bits of the neighbours.
    const part = whole.slice(Math.ceil((before * 8) / 6), (before + bytes.length) % 3 === 0 ? undefined : -1);
    return part.length < SHORTEST_CODED ? [] : [part, part.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [
    bytes.toString('base64'),
    ...parts,
    ...(hex.length < SHORTEST_CODED ? [] : [hex, hex.toUpperCase()]),
  ];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/**
 * Builds an expression for each character by itself, as an entity, as an escape of JSON or percent-encoded:
 * devices mix them.
 */
function anySpelling(secret: string): RegExp {
  const source = [...secret.toWellFormed()].map((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    const entity = [
      `#0{0,6}${code}`,
      `#[xX]0{0,6}${anyCase(code.toString(16))}`,
      ...(ENTITIES[letter] === undefined ? [] : [ENTITIES[letter]]),
    ];
    const units = Array.from(
      { length: letter.length },
      (_, at) => `\\\\u${anyCase(letter.charCodeAt(at).toString(16).padStart(4, '0'))}`,
    ).join('');
    const percent = [...Buffer.from(letter, 'utf8')]
      .map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`)
      .join('');
    const others = [
      ...('"\\/'.includes(letter) ? [`\\\\${literally(letter)}`] : []),
      ...(letter === ' ' ? ['\\+'] : []),
    ];
    return `(?:${[`&(?:${entity.join('|')});`, units, percent, ...others, literally(letter)].join('|')})`;
  });
  return new RegExp(source.join(''), 'gu');
}

function literally(letter: string): string {
  return letter.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function cleanText(text: string, { mayHold, hidden }: Search): string {
  if (!mayHold(text)) return text;
  const { literal, stands, escapes, escaped, alone, pieces } = hidden();
  const patterns = escapes.test(text) ? [...escaped(), ...alone] : alone;
  const whole = patterns.reduce(
    (masked, pattern) => masked.replace(pattern, MASK),
    stands(text) ? literal.reduce((masked, secret) => masked.replaceAll(secret, MASK), text) : text,
  );
  return maskPieces(whole, pieces);
}

function clean(value: unknown, search: Search): unknown {
  if (typeof value === 'string') return cleanText(value, search);
  if (Array.isArray(value)) {
    const items = value.map((item) => clean(item, search));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const whole = !isCut(value);
  const entries = Object.entries(value);
  const cleaned = entries.map(
    ([name, item]) =>
      [
        name,
        whole || typeof item !== 'string'
          ? clean(item, search)
          : maskEnd(clean(item, search), search.hidden().literal),
      ] as const,
  );
  return cleaned.every(([, item], at) => item === entries[at]?.[1]) ? value : Object.fromEntries(cleaned);
}

/** Returns the text without the beginning of a secret at its end. */
function maskEnd(text: unknown, hidden: readonly string[]): unknown {
  if (typeof text !== 'string') return text;
  const most = Math.max(0, ...hidden.map((secret) => beginningAtEnd(text, secret)));
  return most === 0 ? text : text.slice(0, -most) + MASK;
}

/** Counts the characters at the end of the text that begin the secret. */
function beginningAtEnd(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length >= SHORTEST; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}
