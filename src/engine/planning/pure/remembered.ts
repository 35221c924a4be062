/**
 * Results of a pure function of two objects, kept as long as both are: devices of one model answer
 * with the same document, which is decoded once, and get the same section of a template. What is no
 * object is computed each time.
 */
export function rememberByPair<R>(): (first: unknown, second: unknown, compute: () => R) => R {
  const results = new WeakMap<object, WeakMap<object, R>>();
  return (first, second, compute) => {
    if (!isObject(first) || !isObject(second)) return compute();
    let known = results.get(first);
    if (known === undefined) results.set(first, (known = new WeakMap()));
    const found = known.get(second);
    if (found !== undefined) return found;
    const result = compute();
    known.set(second, result);
    return result;
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
