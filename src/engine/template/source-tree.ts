/** A template document as plain values, with the place in the file where each one stands. */

/** Line and column in the file, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface SourceTree {
  readonly root: unknown;
  /** Path (`sections[0].value.emissivity`) to where the value begins. */
  readonly values: ReadonlyMap<string, Position>;
  /** Path to where the name of the value stands; list items have none. */
  readonly keys: ReadonlyMap<string, Position>;
  /** Names with nothing behind them: a forgotten value, not a deliberate `null`. */
  readonly empty: ReadonlySet<string>;
}

const PLAIN_NAME = /^[A-Za-z_][\w-]*$/;

/** `parent.key`, or `parent["odd key"]` where the key is no plain name. */
export function keyPath(parent: string, key: string): string {
  if (!PLAIN_NAME.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === '' ? key : `${parent}.${key}`;
}

export function itemPath(parent: string, index: number): string {
  return `${parent}[${index}]`;
}

/** Puts a path inside a payload (`TimeBlockList[0].dayOfWeek`, or nothing) below a document path. */
export function joinPath(parent: string, inner: string): string {
  if (inner === '' || parent === '') return parent + inner;
  return inner.startsWith('[') ? parent + inner : `${parent}.${inner}`;
}

/** The path one step up; '' above the root's members. */
export function parentPath(path: string): string {
  const cut = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
  return cut <= 0 ? '' : path.slice(0, cut);
}

/** True for an object that is no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How a value is called in a message. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'object':
      return 'an object';
    case 'string':
      return 'text';
    case 'number':
      return Number.isInteger(value) ? 'a whole number' : 'a number';
    case 'boolean':
      return 'true or false';
    default:
      return typeof value;
  }
}
