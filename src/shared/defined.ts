type MaybeUndefined<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

/** Keys whose value may be undefined become optional. */
type Defined<T> = Omit<T, MaybeUndefined<T>> & {
  [K in MaybeUndefined<T>]?: Exclude<T[K], undefined>;
};

/** The same without the keys that are undefined, for types in which a key is either absent or has a value. */
export function defined<const T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}
