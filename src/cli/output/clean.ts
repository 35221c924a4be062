/** Text from devices and files on its way to a terminal. */
import { stripVTControlCharacters } from 'node:util';

// Control characters, and the marks that reorder what a person reads. Tabs and line ends become spaces.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** One line without anything that a terminal would obey. */
export function cleanLine(text: string): string {
  return stripVTControlCharacters(text).replace(CONTROLS, (mark) => (mark === '\n' || mark === '\t' || mark === '\r' ? ' ' : '\uFFFD'));
}

/** Lines as they are, without anything else that a terminal would obey. */
export function cleanText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROLS, (mark) => (mark === '\n' || mark === '\t' ? mark : '\uFFFD'));
}

/** A value as a person reads it in one line. */
export function showValue(value: unknown): string {
  if (value === undefined) return '—';
  if (typeof value === 'string') return value === '' ? '""' : cleanLine(value);
  return cleanLine(JSON.stringify(value) ?? String(value));
}

/** JSON text without what a terminal would obey, and still the same JSON: only C0 controls are escaped in it by itself. */
export function cleanJson(json: string): string {
  return json.replace(CONTROLS, (mark) => (mark < ' ' ? mark : `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`));
}
