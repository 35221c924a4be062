type MaybeUndefined<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

/** Keys whose value may be undefined become optional. */
type Defined<T> = Omit<T, MaybeUndefined<T>> & {
  [K in MaybeUndefined<T>]?: Exclude<T[K], undefined>;
};

/** Returns the object without undefined keys, for types in which a key is either absent or has a value. */
export function removeUndefined<const T extends object>(object: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  // The loop visits own keys only, and avoids the arrays of `Object.entries`: it runs for every answer of a
  // device.
  for (const key of Object.keys(object)) {
    const value: unknown = object[key as keyof T];
    if (value !== undefined) kept[key] = value;
  }
  return kept as Defined<T>;
}
