/** Puts values in place of `${name}` inside the strings of a template value. */
import { splitPlaceholders } from './placeholder.ts';
import { itemPath, joinPath, keyPath } from './source-tree.ts';

/** What stands in place of a variable; undefined where it has no value (already complained about). */
export type Lookup = (name: string, path: string, whole: boolean) => unknown;

/**
 * The value with its variables replaced: `${name}` alone keeps the variable's type, inside a longer
 * string it is text, `$${` becomes `${`. `onBroken` hears of what only looks like a placeholder.
 */
export function substitute(
  value: unknown,
  path: string,
  lookup: Lookup,
  onBroken: (text: string, path: string) => void = () => undefined,
): unknown {
  if (typeof value === 'string')
    return value.includes('${') ? substituteText(value, path, lookup, onBroken) : value;
  if (Array.isArray(value))
    return value.map((item, index) => substitute(item, itemPath(path, index), lookup, onBroken));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, substitute(item, joinKey(path, key), lookup, onBroken)]),
  );
}

function joinKey(path: string, key: string): string {
  return path === '' ? keyPath('', key) : joinPath(path, keyPath('', key));
}

function substituteText(
  text: string,
  path: string,
  lookup: Lookup,
  onBroken: (text: string, path: string) => void,
): unknown {
  const parts = splitPlaceholders(text);
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'variable') return lookup(only.name, path, true);
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      if (part.kind === 'variable') return String(lookup(part.name, path, false) ?? '');
      onBroken(part.text, path);
      return part.text;
    })
    .join('');
}
