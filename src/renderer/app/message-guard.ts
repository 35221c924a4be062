/** A message that is not given one of its parameters shows a gap there. That is an error of the page, and its tests hear of it. */

type Messages = { readonly [key: string]: string | Messages };
type Translate = (key: string, ...given: unknown[]) => string;

/** `translate`, which also tells of parameters that are missing, and writes a count (`t(key, 5000)`) as the language does. */
export function guardTranslate(
  translate: Translate,
  messages: Messages,
  { tell, write }: { readonly tell: (fault: Error) => void; readonly write: (count: number) => string },
): Translate {
  const parameters = parametersOf(messages);
  return (key, ...given) => {
    const missing = (parameters.get(key) ?? []).filter((name) => !isGiven(name, given));
    if (missing.length > 0) tell(new Error(`The message ${key} lacks ${missing.join(', ')}.`));
    const [count] = given;
    return typeof count === 'number' ? translate(key, { n: write(count) }, count) : translate(key, ...given);
  };
}

/** A number says how many, under two names. */
function isGiven(name: string, given: readonly unknown[]): boolean {
  return given.some((part) =>
    typeof part === 'number'
      ? name === 'n' || name === 'count'
      : typeof part === 'object' &&
        part !== null &&
        (part as Readonly<Record<string, unknown>>)[name] !== undefined,
  );
}

function parametersOf(messages: Messages, prefix = ''): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [key, held] of Object.entries(messages)) {
    if (typeof held !== 'string')
      for (const [path, names] of parametersOf(held, `${prefix}${key}.`)) found.set(path, names);
    else if (held.includes('{'))
      found.set(prefix + key, [...new Set([...held.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))]);
  }
  return found;
}
