/** Template document as plain values, with the position of each name and value in its file. */

import type { Position } from './read-yaml.ts';

export interface SourceTree {
  readonly root: unknown;
  /** Position at which each value begins, by its path (`sections[0].value.emissivity`). */
  readonly values: ReadonlyMap<string, Position>;
  /** Position of the name of each value, by its path; list items have none. */
  readonly keys: ReadonlyMap<string, Position>;
  /** Paths of names without a value: forgotten, not a deliberate `null`. */
  readonly empty: ReadonlySet<string>;
}

/** Returns true for an object that is no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the word of a message for the type of a value. */
export function describeKind(value: unknown): string {
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
