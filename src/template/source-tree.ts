/** A template document as plain values, with the place in the file where each one stands. */

import type { Position } from './read-yaml.ts';

export interface SourceTree {
  readonly root: unknown;
  /** Path (`sections[0].value.emissivity`) to where the value begins. */
  readonly values: ReadonlyMap<string, Position>;
  /** Path to where the name of the value stands; list items have none. */
  readonly keys: ReadonlyMap<string, Position>;
  /** Names with nothing behind them: a forgotten value, not a deliberate `null`. */
  readonly empty: ReadonlySet<string>;
}

/** True for an object that is no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How a value is called in a message. */
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
