/** Sentences by id. */
export type Words = Readonly<Record<string, string>>;

/** Sentences of files whose ids may be nested (`{"site": {"count": …}}` is `site.count`), in one table. */
export function flattenWords(...files: readonly object[]): Words {
  // V8 would make a shape for each of a thousand sentences of an object with a prototype: 5 ms at each start.
  const flat = Object.create(null) as Record<string, string>;
  for (const file of files) addWords(flat, file, '');
  return flat;
}

function addWords(flat: Record<string, string>, words: object, prefix: string): void {
  for (const [key, value] of Object.entries(words) as [string, string | object][]) {
    if (typeof value === 'string') flat[prefix + key] = value;
    else addWords(flat, value, `${prefix}${key}.`);
  }
}
