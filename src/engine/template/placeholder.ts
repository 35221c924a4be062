export {
  VARIABLE_NAME,
  maskPlaceholders,
  splitPlaceholders,
  wholeVariable,
} from '../../shared/placeholder.ts';

/** Calls `visit` with every string inside a value and its path. */
export function visitStrings(
  value: unknown,
  path: string,
  visit: (text: string, path: string) => void,
): void {
  if (typeof value === 'string') visit(value, path);
  else if (Array.isArray(value))
    value.forEach((item, index) => visitStrings(item, `${path}[${index}]`, visit));
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value))
      visitStrings(item, path === '' ? key : `${path}.${key}`, visit);
  }
}
