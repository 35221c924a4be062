/** Texts of one kind that are kept, and the longest of them. */
const ENTRIES = 64;
const LONGEST = 64 * 1024;

/**
 * `read` with its latest results kept by payload and text. Devices of one model answer alike, and
 * plan, write and read-back look at the same document: it need not be taken apart each time. For
 * pure functions with immutable results only, and never for documents that hold secrets.
 */
export function remembering<P extends object, R>(read: (payload: P, text: string) => R): (payload: P, text: string) => R {
  const results = new WeakMap<P, Map<string, R>>();
  return (payload, text) => {
    if (text.length > LONGEST) return read(payload, text);
    let known = results.get(payload);
    if (known === undefined) results.set(payload, known = new Map());
    const found = known.get(text);
    if (found !== undefined) return found;
    const result = read(payload, text);
    const [oldest] = known.size < ENTRIES ? [] : known.keys();
    if (oldest !== undefined) known.delete(oldest);
    known.set(text, result);
    return result;
  };
}
