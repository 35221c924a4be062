import { computeOncePer } from '#shared/once.ts';

/**
 * Encodes JSON with sorted names and no white space (RFC 8785): equal values have equal text. Members without
 * a value are omitted.
 */
export function encodeCanonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map((item) => encodeCanonicalJson(item ?? null)).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // The RFC sorts by UTF-16 code units; names that are numbers would otherwise come first.
  members.sort(([a], [b]) => compareText(a, b));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${encodeCanonicalJson(member)}`).join(',')}}`;
}

/** Compares texts by their UTF-16 code units, whatever the language: for order that has to be the same everywhere. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Remembers `encodeCanonicalJson` of values that many share and that never change. */
export const sharedJson = computeOncePer<object, string>(encodeCanonicalJson);
