/** Two sets of values beside each other; pure. */
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import type { Mark, Value } from '#shared/report-document.ts';
import type { Keyed, KeyedValue } from './keyed.ts';

export interface Difference {
  readonly key: string;
  /** Setting that differs, from whichever side has it. */
  readonly at: KeyedValue;
  /** Kind of difference, or why it could not be read now. */
  readonly mark: Extract<
    Mark,
    'same' | 'changed' | 'added' | 'gone' | 'refused' | 'no-permission' | 'malformed' | 'no-answer'
  >;
  readonly before: Value;
  readonly after: Value;
}

/** Compares every key of either side, in the order of `after`, then what is missing there. */
export function compare(before: Keyed, after: Keyed): readonly Difference[] {
  const found: Difference[] = [];
  for (const [key, at] of after) {
    const old = before.get(key);
    found.push({
      key,
      at,
      mark: old === undefined ? 'added' : isSame(old.value, at.value) ? 'same' : 'changed',
      before: old?.value ?? null,
      after: at.value,
    });
  }
  for (const [key, at] of before)
    if (!after.has(key)) found.push({ key, at, mark: 'gone', before: at.value, after: null });
  return found;
}

export function isSame(a: Value, b: Value): boolean {
  return encodeCanonicalJson(a) === encodeCanonicalJson(b);
}

/** One setting that is not the same everywhere: its values, each with the devices that have it. */
export interface Spread {
  readonly key: string;
  readonly at: KeyedValue;
  /** The most frequent first; null where a device has no such setting. */
  readonly values: readonly { readonly value: Value; readonly devices: readonly number[] }[];
}

/** Compares the values of many devices, by their place; `all`: also what is the same on all of them. */
export function spreadOf(columns: readonly Keyed[], all: boolean): readonly Spread[] {
  const places = new Map<string, KeyedValue>();
  for (const column of columns) for (const [key, at] of column) if (!places.has(key)) places.set(key, at);
  const found: Spread[] = [];
  for (const [key, at] of places) {
    const values = new Map<string, { readonly value: Value; readonly devices: number[] }>();
    columns.forEach((column, nth) => {
      const value = column.get(key)?.value ?? null;
      const text = encodeCanonicalJson(value);
      const known = values.get(text);
      if (known === undefined) values.set(text, { value, devices: [nth] });
      else known.devices.push(nth);
    });
    if (all || values.size > 1)
      found.push({
        key,
        at,
        values: [...values.values()].sort((a, b) => b.devices.length - a.devices.length),
      });
  }
  return found;
}
