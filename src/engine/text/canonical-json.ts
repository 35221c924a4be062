import { computeOncePer } from '#shared/once.ts';

/**
 * JSON with sorted names and no white space (RFC 8785): equal values have equal text. Members without a value
 * are left out.
 */
export function encodeCanonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map((item) => encodeCanonicalJson(item ?? null)).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // By UTF-16 code units, as the RFC asks; names that are numbers would otherwise go before all others.
  members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${encodeCanonicalJson(member)}`).join(',')}}`;
}

/** Remembers `encodeCanonicalJson` of values that many share and that never change. */
export const sharedJson = computeOncePer<object, string>(encodeCanonicalJson);
