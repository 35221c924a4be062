/** Makes a value when it is first asked for, and the same one ever after. */
export function computeOnce<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/**
 * Returns a function that derives a value from an object that is never changed: computed on first use and
 * kept for as long as the object exists.
 */
export function computeOncePer<Of extends object, Value>(make: (of: Of) => Value): (of: Of) => Value {
  const known = new WeakMap<Of, { readonly value: Value }>();
  return (of) => {
    const before = known.get(of);
    if (before !== undefined) return before.value;
    const made = { value: make(of) };
    known.set(of, made);
    return made.value;
  };
}
