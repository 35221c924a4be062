/**
 * Plain values of payloads: safe access, and equality as a device would see it.
 * Only fields of the definition are ever read or copied, so keys such as `__proto__` do nothing.
 */
import { replaceCarried } from '#shared/text/carried-bytes.ts';
import type { Field } from './definition.ts';

export type Plain = Readonly<Record<string, unknown>>;

/** A plain object: what JSON, YAML or a form gives. */
export function isPlain(value: unknown): value is Plain {
  return Object.prototype.toString.call(value) === '[object Object]';
}

/** The own property `name`, or undefined; never one that is inherited. */
export function getOwn(value: Plain, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/**
 * True where writing `b` over `a` changes nothing: numbers by value (`1.50` is 1.5), `true` is 1,
 * an absent field is an undefined one. Fields that the definition does not know do not count.
 */
export function isSameValue(field: Field, a: unknown, b: unknown): boolean {
  if (a === undefined || a === null) return b === undefined || b === null;
  if (b === undefined || b === null) return false;
  switch (field.kind) {
    case 'object':
      return (
        isPlain(a) &&
        isPlain(b) &&
        field.fields.every((inner) => isSameValue(inner, getOwn(a, inner.name), getOwn(b, inner.name)))
      );
    case 'list':
      return (
        Array.isArray(a) &&
        Array.isArray(b) &&
        a.length === b.length &&
        a.every((item, index) => isSameValue(field.item, item, b[index]))
      );
    case 'int':
    case 'float':
      return Number(a) === Number(b) && typeof a !== 'boolean' && typeof b !== 'boolean'
        ? a !== '' && b !== ''
        : a === b;
    case 'bool':
      return truth(a) === truth(b);
    case 'opaque':
      return isSameOpaque(a, b);
    default:
      return String(a) === String(b) || isShownAs(String(a), String(b));
  }
}

/** True if the text is what screens show of a value with bytes that are no text: it asks for nothing new. */
function isShownAs(text: string, value: string): boolean {
  return text.includes('\ufffd') && text === replaceCarried(value);
}

function truth(value: unknown): unknown {
  if (value === 1 || value === '1' || value === 'true') return true;
  return value === 0 || value === '0' || value === 'false' ? false : value;
}

/** Deep equality of pass-through values; the order of keys does not count. */
export function isSameOpaque(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameOpaque(item, b[index]))
    );
  if (!isPlain(a) || !isPlain(b)) return Object.is(a, b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameOpaque(a[key], b[key]))
  );
}
