/** Puts values in place of `${name}` inside the strings of a template value. */
import { mapLeaves } from '#protocol/index.ts';
import { splitPlaceholders } from '#template/placeholder.ts';

/** Value of a variable; undefined if it has none (already reported). */
type Lookup = (name: string, path: string, whole: boolean) => unknown;

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
  return mapLeaves(
    value,
    (leaf, at) =>
      typeof leaf === 'string' && leaf.includes('${') ? substituteText(leaf, at, lookup, onBroken) : leaf,
    path,
  );
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
