/** Lines of a site file: all that belongs to a site, as it is at one time, in constant memory. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { buildCredentialContext } from '../inventory/access/credential-rows.ts';
import { buildSecretContext } from '../inventory/access/device-secrets.ts';
import type { Vault } from '../inventory/access/vault.ts';
import { sealContext } from '../jobs/journal-rows.ts';
import { readOwnJson } from '#shared/read-json.ts';
import type { WorkOwner } from '#shared/site-file.ts';
import type { DocumentPlace } from '../jobs/types.ts';
import { readStoredContent } from '../snapshots/document-versions.ts';
import type { SqlValue, StoreView } from '../store/index.ts';
import { SITE_TABLES, type SiteTable, type SiteTableName } from './tables.ts';

type Row = Readonly<Record<string, SqlValue>>;

interface RowsOptions {
  readonly view: StoreView;
  readonly vault: Pick<Vault, 'open'>;
  readonly siteId: string;
  readonly secrets: boolean;
  /** Id of this data folder. */
  readonly folder: string;
  /** Owner in the file of the open work that this data folder does itself. */
  readonly owner: WorkOwner;
}

/** Characters that are handed on together. */
const CHUNK = 64 * 1024;
/** Kinds whose sealed contents are of people, and stay on this computer. */
const PERSONAL = new Set<SqlValue>(['people', 'fingerprints']);

/** Members of an archived device that do not go along. */
const OBSERVED = [
  'credentialId',
  'lastSeen',
  'reachSince',
  'checkedAt',
  'signInAt',
  'lastError',
  'realm',
  'agreement',
  'restartDue',
];

/** Yields the rows as lines, and returns how many there were. */
export async function* writeRows(options: RowsOptions): AsyncGenerator<string, number> {
  const { view, secrets } = options;
  const belonging = findBelonging(options);
  const encode = createEncoder(options, belonging);
  let count = 0;
  let chunk = '';
  for (const table of SITE_TABLES as readonly SiteTable[]) {
    if (table.isSecret === true && !secrets) continue;
    const columns = Object.keys(table.columns).map((column) => selectColumn(table.name, column));
    const rows = view.iterate<Row>(
      `SELECT ${columns.join(', ')} FROM ${table.name} WHERE ${table.where} ORDER BY rowid`.replace(
        ...withoutRowid(table.name),
      ),
      belonging[table.by],
    );
    for (const row of rows) {
      const line = encode(table, row);
      if (line === undefined) continue;
      count += 1;
      chunk += `${JSON.stringify([table.name, line])}\n`;
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = '';
      await setImmediate();
    }
  }
  yield chunk;
  return count;
}

/** Returns what replaces the order of rows where a table has no rowid. */
function withoutRowid(table: string): [string, string] {
  const isOrdered = [
    'inventory_changes',
    'job_runs',
    'flow_effects',
    'snapshots',
    'document_versions',
  ].includes(table);
  return isOrdered ? [' ORDER BY rowid', ''] : ['', ''];
}

function selectColumn(table: string, column: string): string {
  if (table === 'devices' && column === 'credential_id')
    return `coalesce(credential_id,
      (SELECT iif(count(DISTINCT s.credential_id) = 1, min(s.credential_id), NULL) FROM credential_scopes s WHERE s.tag IN (SELECT value FROM json_each(tags))),
      (SELECT s.credential_id FROM credential_scopes s WHERE s.site_id = devices.site_id)) AS credential_id`;
  // A job that waits for its time is taken up where the file is opened.
  if (table === 'jobs' && column === 'state') return "iif(state = 'waiting', 'interrupted', state) AS state";
  // How a device was reached and signed in to stays on this computer.
  if (table === 'archived_devices' && column === 'record')
    return `json_remove(json_set(record, '$.reach', 'unknown', '$.signIn', 'unknown'), ${OBSERVED.map((name) => `'$.${name}'`).join()}) AS record`;
  if (table === 'archived_devices' && column === 'place_before')
    return "json_remove(place_before, '$.credentialId') AS place_before";
  if (table === 'jobs' && column === 'body') return "json_remove(body, '$.secretsCheck') AS body";
  return column;
}

/** Returns the compressed bytes of lines. */
export function compressLines(lines: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  const gzip = createGzip();
  // A failure of either ends the other, and is thrown where the bytes are read.
  pipeline(Readable.from(lines), gzip).catch((error: unknown) => gzip.destroy(error as Error));
  return gzip;
}

interface Belonging {
  readonly site: string;
  readonly devices: string;
  readonly jobs: string;
  readonly plans: string;
  readonly entities: string;
  readonly credentials: string;
  /** Devices of other sites that jobs of this one were also about. */
  readonly foreign: ReadonlySet<SqlValue>;
  readonly personal: ReadonlySet<SqlValue>;
}

function findBelonging({ view, siteId }: RowsOptions): Belonging {
  const list = (sql: string, ...values: SqlValue[]): readonly string[] =>
    view.all<{ readonly id: string }>(sql, ...values).map(({ id }) => id);
  // A device that was removed belongs to the site that it was removed from.
  const devices = list(
    `SELECT id FROM devices WHERE site_id = ?1 UNION SELECT entity FROM inventory_changes AS removed
     WHERE field = 'removed' AND value = ?1 AND entity NOT IN (SELECT id FROM devices)`,
    siteId,
  );
  const ids = JSON.stringify(devices);
  const within = '(SELECT value FROM json_each(?))';
  const jobs = list(`SELECT DISTINCT job_id AS id FROM job_devices WHERE device_id IN ${within}`, ids);
  const plans = list(
    `SELECT plan_id AS id FROM plan_parts, json_each(plan_parts.devices) AS d GROUP BY plan_id
     HAVING min(d.value ->> '$.deviceId' IN ${within}) = 1`,
    ids,
  );
  const credentials = list(
    `SELECT DISTINCT ${selectColumn('devices', 'credential_id').replace('AS credential_id', 'AS id')} FROM devices WHERE site_id = ?`,
    siteId,
  );
  const profiles = list('SELECT id FROM profiles WHERE is_default = 0');
  return {
    site: siteId,
    devices: ids,
    jobs: JSON.stringify(jobs),
    plans: JSON.stringify(plans),
    entities: JSON.stringify([siteId, ...devices, ...profiles]),
    credentials: JSON.stringify(credentials),
    foreign: new Set(list('SELECT id FROM devices WHERE site_id IS NOT ?', siteId)),
    personal: new Set(
      view
        .all<{ readonly id: string; readonly kind: string }>('SELECT id, kind FROM jobs')
        .flatMap(({ id, kind }) => (PERSONAL.has(kind) ? [id] : [])),
    ),
  };
}

/** Returns what makes a line of a row; undefined for one that is of another site. */
function createEncoder({ vault, secrets, owner, folder }: RowsOptions, { foreign, personal }: Belonging) {
  /** Positions of devices of other sites, by job. */
  const hidden = new Set<string>();
  const reveal = (table: string, column: string, row: Row, sealed: Uint8Array): object | null => {
    if (!secrets || personal.has(row['job_id'] ?? null)) return null;
    return { sealed: vault.open(sealed, buildContext(table as SiteTableName, column, row)) };
  };
  /** Returns who does the open work: the file itself, or this data folder with the hand-over by which it came to do it. */
  const findOwner = (kept: SqlValue): string => {
    const known = typeof kept === 'string' ? (readOwnJson(kept) as WorkOwner) : undefined;
    const isOwn = known === undefined || known.id === folder;
    return JSON.stringify(isOwn && (known === undefined || owner.id !== folder) ? owner : known);
  };
  return ({ name, columns }: SiteTable, row: Row): object | undefined => {
    const place = `${String(row['job_id'])}/${String(row['position'])}`;
    if (name === 'job_devices' && foreign.has(row['device_id'] ?? null)) {
      hidden.add(place);
      return {
        ...row,
        device_id: '',
        name: '',
        url: '',
        error: null,
        connection: null,
        document: '{}',
        open_reason: null,
        open_since: null,
      };
    }
    if (['job_units', 'flow_effects'].includes(name) && hidden.has(place)) return undefined;
    const line: Record<string, unknown> = {};
    for (const [column, type] of Object.entries(columns)) {
      const value = row[column] ?? null;
      if (name === 'document_contents' && value instanceof Uint8Array)
        line[column] = readStoredContent(value);
      else if (name === 'devices' && column === 'credential_id') line[column] = secrets ? value : null;
      else if (name === 'job_devices' && column === 'work_owner')
        line[column] = row['open_reason'] === null ? null : findOwner(value);
      else if (!(value instanceof Uint8Array)) line[column] = value;
      else if (type.startsWith('bytes')) line[column] = { base64: Buffer.from(value).toString('base64') };
      else line[column] = reveal(name, column, row, value);
    }
    return line;
  };
}

const PLACES: Readonly<Record<string, DocumentPlace>> = {
  before_document: 'before',
  sent_document: 'sent',
  after_document: 'after',
};

/** Returns the context that a sealed value of a row is bound to. */
export function buildContext(table: SiteTableName, column: string, row: Row): string {
  const text = (name: string): string => String(row[name]);
  if (table === 'credentials') return buildCredentialContext(text('id'));
  if (table === 'device_secrets')
    return buildSecretContext(text('device_id'), text('name'), row['state'] as 'current');
  const key = { jobId: text('job_id'), position: Number(row['position']), index: Number(row['idx']) };
  return sealContext(key, PLACES[column] ?? 'document');
}
