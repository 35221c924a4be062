/** Texts of one kind that are kept, and the longest of them. */
const ENTRIES = 64;
const LONGEST = 64 * 1024;

/**
 * `read` with its latest results kept by payload and text; what else it is given follows from these. Devices of one model answer alike, and
 * plan, write and read-back look at the same document: it need not be taken apart each time. For
 * pure functions with immutable results only, and never for documents that hold secrets.
 */
export function rememberRecent<P extends object, R, Rest extends readonly unknown[]>(
  read: (payload: P, text: string, ...rest: Rest) => R,
): (payload: P, text: string, ...rest: Rest) => R {
  const results = new WeakMap<P, Map<string, R>>();
  return (payload, text, ...rest) => {
    if (text.length > LONGEST) return read(payload, text, ...rest);
    let known = results.get(payload);
    if (known === undefined) results.set(payload, (known = new Map()));
    const found = known.get(text);
    if (found !== undefined) return found;
    const result = read(payload, text, ...rest);
    const [oldest] = known.size < ENTRIES ? [] : known.keys();
    if (oldest !== undefined) known.delete(oldest);
    known.set(text, result);
    return result;
  };
}
