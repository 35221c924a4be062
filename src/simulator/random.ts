/** Reproducible randomness: the same seed gives the same site. Never used for anything secret on the wire. */

/** A stream of numbers in [0, 1), determined by its seed. */
export type Random = () => number;

/** 32-bit generator: a Weyl sequence whose steps are scrambled by two multiply-and-shift rounds. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000;
  };
}

/** A seed for one purpose of one device, so that one stream's use never shifts another's (FNV-1a). */
export function deriveSeed(seed: number, ...parts: readonly (string | number)[]): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const character of parts.join('\u0000')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}

/** A whole number in [min, max]. */
export function pickInt(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}

export function pickOne<T>(random: Random, values: readonly [T, ...T[]]): T {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

const PASSWORD_ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A readable password: no letters that look alike, always with a capital, a small letter and a digit. */
export function pickPassword(random: Random): string {
  const letters = Array.from({ length: 9 }, () =>
    PASSWORD_ALPHABET.charAt(Math.floor(random() * PASSWORD_ALPHABET.length)),
  );
  return `V${letters.join('')}${pickInt(random, 2, 9)}s`;
}
