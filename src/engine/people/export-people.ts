/**
 * Formats people as lines of a file: CSV for spreadsheets, NDJSON with everything that the device returned.
 * Secrets are not exported.
 */
import { formatCsvRows } from '../text/csv.ts';
import { isPlain, DEFAULT_LIMITS, type Plain } from '#protocol/index.ts';
import { parseJson, listMembers } from '#protocol/codec/json-text.ts';
import { PERSON, SECRETS, VALIDITY_COLUMNS, type Person } from './person.ts';

const LEFT_OUT: ReadonlySet<string> = new Set([...SECRETS, 'deleteUser', 'checkUser']);

/**
 * Headings of the table: the members of a person by their names on the wire, `Valid` taken apart, and what
 * else the device returned.
 */
const COLUMNS: readonly string[] = [
  'device',
  ...PERSON.fields
    .filter(({ name }) => !LEFT_OUT.has(name))
    .flatMap(({ name }) => (name === 'Valid' ? VALIDITY_COLUMNS : [name])),
  'other',
];

/** Formats the first line of the table. */
export function formatCsvHead(): string {
  return formatCsvRows([COLUMNS]);
}

/** Formats the lines of some people; nothing in them is taken for a formula. */
export function formatCsvLines(device: string, people: readonly Person[]): string {
  return people.length === 0 ? '' : formatCsvRows(people.map((person) => cellsOf(device, person)));
}

function cellsOf(device: string, { value, other }: Person): readonly string[] {
  return COLUMNS.map((column) => {
    if (column === 'device') return device;
    if (column === 'other') return objectText(other);
    const [name = '', part] = column.split('.', 2);
    const held = value[name];
    return cellOf(part === undefined ? held : isPlain(held) ? held[part] : undefined, name);
  });
}

/** Formats `RightPlan` as `1=1,3; 2=4`, other lists as `a; b`; what does not fit into that as JSON. */
function cellOf(held: unknown, name: string): string {
  if (held === undefined || held === null) return '';
  if (!Array.isArray(held)) return typeof held === 'object' ? JSON.stringify(held) : String(held);
  const items = held.map((item: unknown) => itemOf(item, name));
  return items.every((item) => item !== undefined && item !== '' && !/[;"[\]\n\r]/.test(item))
    ? items.join('; ')
    : JSON.stringify(held);
}

function itemOf(item: unknown, name: string): string | undefined {
  if (typeof item === 'string' || typeof item === 'number') return String(item);
  if (!isPlain(item)) return undefined;
  if (name === 'RightPlan')
    return only(item, ['doorNo', 'planTemplateNo'])
      ? `${String(item['doorNo'])}=${String(item['planTemplateNo'])}`
      : undefined;
  return only(item, ['value']) && typeof item['value'] === 'string' ? item['value'] : undefined;
}

function only(item: Plain, names: readonly string[]): boolean {
  return Object.keys(item).length === names.length && names.every((name) => item[name] !== undefined);
}

function objectText(parts: Readonly<Record<string, string>>): string {
  const entries = Object.entries(parts).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return entries.length === 0 ? '' : `{${entries.join(',')}}`;
}

/** Formats one line a person, each member spelled as the device did; `device` comes first if it is given. */
export function formatNdjsonLines(device: string | undefined, people: readonly Person[]): string {
  return people.map((person) => `${ndjsonOf(device, person)}\n`).join('');
}

function ndjsonOf(device: string | undefined, { text }: Person): string {
  const parts: Record<string, string> = device === undefined ? {} : { device: JSON.stringify(device) };
  for (const { name, value } of listMembers(parseJson(text, DEFAULT_LIMITS)))
    if (!LEFT_OUT.has(name) && !Object.hasOwn(parts, name))
      Object.defineProperty(parts, name, {
        value: text.slice(value.offset, value.offset + value.length),
        enumerable: true,
      });
  return objectText(parts) || '{}';
}
