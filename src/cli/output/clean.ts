/** Text from devices and files on its way to a terminal. */
import { stripVTControlCharacters } from 'node:util';

// Control characters, and the marks that reorder what a person reads. Tabs and line ends become spaces.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** One line without anything that a terminal would obey. */
export function cleanLine(text: string): string {
  return stripVTControlCharacters(text).replace(CONTROLS, (mark) => (mark === '\n' || mark === '\t' || mark === '\r' ? ' ' : '\uFFFD'));
}

/** A value as a person reads it in one line. */
export function showValue(value: unknown): string {
  if (value === undefined) return '—';
  if (typeof value === 'string') return value === '' ? '""' : cleanLine(value);
  return cleanLine(JSON.stringify(value) ?? String(value));
}
