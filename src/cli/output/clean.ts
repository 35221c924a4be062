/** Text from devices and files on its way to a terminal. */
import { stripVTControlCharacters } from 'node:util';
import { escapeUnseen, replaceUnseen } from '#shared/text/unseen.ts';

/** One line without anything that a terminal would obey or a reader not see. Tabs and line ends become spaces. */
export function cleanLine(text: string): string {
  return replaceUnseen(stripVTControlCharacters(text), (mark) =>
    mark === '\n' || mark === '\t' || mark === '\r' ? ' ' : '\uFFFD',
  );
}

/** Lines as they are, without anything else that a terminal would obey. */
export function cleanText(text: string): string {
  return replaceUnseen(text.replaceAll('\r\n', '\n'), (mark) =>
    mark === '\n' || mark === '\t' ? mark : '\uFFFD',
  );
}

/** A value as a person reads it in one line. */
export function showValue(value: unknown): string {
  if (value === undefined) return '—';
  if (typeof value === 'string') return value === '' ? '""' : cleanLine(value);
  return cleanLine(JSON.stringify(value) ?? String(value));
}

/** `5 → 2 m`, or `5 m → 5 ft` where the unit changes too; none behind a word that says that there is no value. */
export function formatUnitChange(change: UnitChange, from: string, to: string): string {
  const isThere = (value: unknown): boolean => value !== undefined && value !== null;
  const spaced = (symbol: string | undefined, value: unknown): string =>
    symbol !== undefined && isThere(value) ? ` ${cleanLine(symbol)}` : '';
  const fromUnit = change.fromUnit ?? (isThere(change.to) ? undefined : change.unit);
  return `${from}${spaced(fromUnit, change.from)} → ${to}${spaced(change.unit, change.to)}`;
}
interface UnitChange {
  readonly unit?: string;
  readonly fromUnit?: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** JSON text without what a terminal would obey, and still the same JSON: only C0 controls are escaped in it by itself. */
export function cleanJson(json: string): string {
  return escapeUnseen(json);
}
