/** A list of devices from a spreadsheet; good rows are added, the others come back with the reason. */
import { parse } from 'csv-parse/sync';
import { FieldwrightError, toErrorShape } from '../../shared/errors.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import type { Device } from '../../shared/model.ts';
import { nearestName } from '../../protocol/index.ts';
import type { AddDevice } from '../api.ts';
import type { Store } from '../store/index.ts';
import { listCredentials } from './credential-rows.ts';

type Column = 'address' | 'name' | 'tags' | 'user' | 'credential' | 'prefix' | 'namespace' | 'auth' | 'certificate';
export type ImportResult = { readonly added: readonly Device[]; readonly failed: readonly { readonly row: number; readonly cells: readonly string[]; readonly error: ErrorShape }[] };

const COLUMNS: Readonly<Record<string, Column>> = {
  address: 'address', url: 'address', host: 'address', ip: 'address', device: 'address',
  name: 'name', tags: 'tags', tag: 'tags', user: 'user', username: 'user', credential: 'credential', signin: 'credential',
  prefix: 'prefix', pathprefix: 'prefix', namespace: 'namespace', auth: 'auth', certificate: 'certificate', fingerprint: 'certificate',
};
const SECRET_COLUMN = /^(password|passwd|pwd|pass|secret|passphrase)$/;
const MAX_CHARACTERS = 4_000_000;
const MAX_ROWS = 10_000;

/**
 * `row` counts as in a spreadsheet: the header is row 1. Throws where the file as a whole cannot be
 * taken: no header, an unknown column, a column of passwords, too large.
 */
export function importDevices(text: string, host: { readonly add: (device: AddDevice) => Device; readonly store: Store; readonly transaction: Store['transaction'] }): ImportResult {
  const [header, ...rows] = readRows(text);
  if (header === undefined) throw new FieldwrightError({ code: 'unreadable-file', source: 'user', message: 'The file is empty.' });
  const columns = header.map(readColumn);
  if (!columns.includes('address')) throw new FieldwrightError({ code: 'unreadable-file', source: 'user', line: 1, message: 'The first line must name the columns, one of them "address".', hint: 'Columns: address, name, tags, user, credential, prefix, namespace, auth, certificate.' });
  const credentials = listCredentials(host.store);
  const added: Device[] = [];
  const failed: { row: number; cells: readonly string[]; error: ErrorShape }[] = [];
  host.transaction(() => {
    rows.forEach((cells, index) => {
      if (cells.every((cell) => cell.trim() === '')) return;
      const row = index + 2;
      try {
        added.push(host.add(readDevice(columns, cells, credentials)));
      } catch (error) {
        if (!(error instanceof FieldwrightError)) throw error;
        failed.push({ row, cells, error: { ...toErrorShape(error), line: row } });
      }
    });
  });
  return { added, failed };
}

function readRows(text: string): string[][] {
  if (text.length > MAX_CHARACTERS) throw new FieldwrightError({ code: 'input-too-large', source: 'user', message: 'The file is too large for a list of devices.' });
  const clean = text.replace(/^\uFEFF/, '');
  let rows: string[][];
  try {
    rows = parse(clean, { delimiter: delimiterOf(clean), relax_column_count: true, relax_quotes: true, skip_empty_lines: false, trim: true, to: MAX_ROWS + 2 });
  } catch (error) {
    const line = error instanceof Error && 'lines' in error && typeof error.lines === 'number' ? error.lines : undefined;
    throw new FieldwrightError({ code: 'unreadable-file', source: 'user', message: 'The file is not a table of comma separated values.', ...(line === undefined ? {} : { line }) }, { cause: error });
  }
  if (rows.length > MAX_ROWS + 1) throw new FieldwrightError({ code: 'input-too-large', source: 'user', message: `At most ${MAX_ROWS} devices can be imported at once.` });
  return rows;
}

/** The separator that the header line uses most; spreadsheets write what their country does. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const count = (mark: string) => header.split(mark).length;
  return [';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best), ',');
}

function readColumn(name: string): Column {
  const plain = name.toLowerCase().replace(/[\s_-]/g, '');
  if (SECRET_COLUMN.test(plain)) throw new FieldwrightError({ code: 'not-allowed', source: 'user', line: 1, message: 'The file has a column of passwords; it was not imported.', hint: 'Remove the column, save the sign-in in Fieldwright, and name it in a column "user" or "credential".' });
  const column = COLUMNS[plain];
  if (column !== undefined) return column;
  const nearest = nearestName(plain, Object.keys(COLUMNS));
  throw new FieldwrightError({ code: 'unknown-field', source: 'user', line: 1, message: `The column "${name.slice(0, 60)}" is not known.`, ...(nearest === undefined ? {} : { nearest }) });
}

function readDevice(columns: readonly Column[], cells: readonly string[], credentials: ReturnType<typeof listCredentials>): AddDevice {
  if (cells.length > columns.length && cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
    throw new FieldwrightError({ code: 'unreadable-file', source: 'user', message: 'The row has more cells than there are columns.' });
  }
  const cell = (column: Column) => {
    const text = cells[columns.indexOf(column)]?.trim();
    return text === undefined || text === '' ? undefined : text;
  };
  const address = cell('address');
  if (address === undefined) throw new FieldwrightError({ code: 'missing-field', source: 'user', path: 'address', message: 'The row has no address.' });
  const credentialId = findCredential(cell('credential'), cell('user'), credentials);
  const prefix = cell('prefix');
  const namespace = cell('namespace');
  const auth = cell('auth');
  return {
    address,
    ...optional('name', cell('name')),
    ...optional('tags', cell('tags')?.split(/[,;|]/)),
    ...optional('credentialId', credentialId),
    ...optional('certificate', cell('certificate')),
    profile: { ...optional('pathPrefix', prefix), ...optional('namespace', namespace), ...optional('auth', readAuth(auth)) },
  };
}

function readAuth(text: string | undefined): 'auto' | 'digest' | 'basic' | 'none' | undefined {
  if (text === undefined) return undefined;
  const known = (['auto', 'digest', 'basic', 'none'] as const).find((option) => option === text.toLowerCase());
  if (known === undefined) throw new FieldwrightError({ code: 'not-allowed', source: 'user', path: 'auth', message: 'auth must be auto, digest, basic or none.' });
  return known;
}

function findCredential(label: string | undefined, user: string | undefined, credentials: ReturnType<typeof listCredentials>): string | undefined {
  if (label === undefined && user === undefined) return undefined;
  const matches = credentials.filter((credential) => (label === undefined || credential.label === label) && (user === undefined || credential.userName === user));
  if (matches.length === 1) return matches[0]?.id;
  const path = label === undefined ? 'user' : 'credential';
  throw new FieldwrightError(matches.length === 0
    ? { code: 'not-found', source: 'user', path, message: 'No saved sign-in matches this row.', hint: 'Save the sign-in first, then import the row again.' }
    : { code: 'not-allowed', source: 'user', path, message: 'More than one saved sign-in matches this row.', hint: 'Name one by its label in a column "credential".' });
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  const made: { [P in K]?: V } = {};
  if (value !== undefined) made[key] = value;
  return made;
}
