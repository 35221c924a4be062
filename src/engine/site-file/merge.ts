/** Merges the staged rows of a site file, in one transaction: what is here and what is in the file are both kept. */
import type { SiteFileConflict, SiteFileCounts, SiteFileMerge, WorkOwner } from '#shared/site-file.ts';
import { nameKey } from '../inventory/device-text.ts';
import type { Columns, SqlValue, Store } from '../store/index.ts';
import { compareFields, FIELD_TABLES, mergeHistories } from './merge-fields.ts';
import { mergeJobs } from './merge-jobs.ts';
import { mergeTemplates } from './merge-templates.ts';
import type { SiteFileHead } from './read-lines.ts';
import { createAddressError } from './stage.ts';
import { SITE_TABLES, stageName, type SiteTable, type SiteTableName } from './tables.ts';

interface MergeOptions {
  readonly store: Store;
  readonly head: SiteFileHead;
  readonly siteId: string;
  readonly me: WorkOwner;
}

type Result = Pick<SiteFileMerge, 'added' | 'merged' | 'removed' | 'conflicts' | 'openWork'>;
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Latest change of any field of a device, and its removal. */
const LATEST = (changes: string, fields: string): string =>
  `coalesce((SELECT max(at) FROM ${changes} AS c WHERE c.entity = d.id AND ${fields}), '')`;
const REMOVED = "c.field = 'removed'";
const OTHER = "c.field <> 'removed'";

export function mergeSiteFile({ store, head, siteId, me }: MergeOptions): Result {
  const [added, merged] = [createCounts(), createCounts()];
  const conflicts: SiteFileConflict[] = [];
  let removed = 0;
  mergeHistories(store, () => {
    for (const table of FIELD_TABLES) {
      const { updates, conflicts: found } = compareFields(store, table);
      conflicts.push(...found);
      if (table.table === 'devices') requireFreeAddresses(store, updates);
      // Two devices may have changed their addresses for each other's.
      if (table.table === 'devices')
        for (const [id, { url }] of updates)
          if (url !== undefined) store.update('devices', { url: `moving ${id}` }, { id });
      for (const [id, changed] of updates) {
        const columns = table.table === 'devices' ? changed : keyName(store, table.table, changed);
        if (Object.keys(columns).length > 0) store.update(table.table, columns, { [table.key]: id });
      }
      if (table.table === 'devices') merged.devices = updates.size;
    }
    addNamed(store, 'sites');
    addNamed(store, 'profiles', conflicts);
    added.secrets += mergeCredentials(store);
    const devices = mergeDevices(store, siteId, conflicts);
    added.devices = devices.added;
    removed = devices.removed;
    addMissing(store, 'site_details', 'site_id');
  });
  added.secrets += mergeDeviceSecrets(store);
  const templates = mergeTemplates(store);
  [added.templates, merged.templates] = [templates.added, templates.merged];
  conflicts.push(...templates.conflicts);
  const jobs = mergeJobs({ store, me, fileId: head.id });
  [added.jobs, merged.jobs] = [jobs.added, jobs.merged];
  conflicts.push(...jobs.conflicts);
  for (const table of SITE_TABLES as readonly SiteTable[]) {
    if (table.onConflict === undefined) continue;
    const { changes } = addRows(store, table);
    const counted = COUNTED[table.name as SiteTableName];
    if (counted !== undefined) added[counted] += changes;
  }
  // A device that came back into the list, because its replacement was undone on either side, is replaced no more.
  store.run('DELETE FROM main.archived_devices WHERE device_id IN (SELECT id FROM main.devices)');
  added.documents += addReadings(store);
  store.run(
    'UPDATE main.records SET brought = ? WHERE brought IS NULL AND id IN (SELECT id FROM temp.brought_records)',
    me.at,
  );
  return { added, merged, removed, conflicts, openWork: countOpenWork(store, me.id) };
}

/** @throws `not-allowed` if a device moves to the address of another one that stays there */
function requireFreeAddresses(store: Store, updates: ReadonlyMap<string, Columns>): void {
  for (const [id, { url }] of updates) {
    if (url === undefined) continue;
    const holder = store.get<{ readonly id: string; readonly name: string; readonly url: string }>(
      'SELECT id, name, url FROM devices WHERE url = ? AND id <> ?',
      url,
      id,
    );
    if (holder !== undefined && updates.get(holder.id)?.['url'] === undefined)
      throw createAddressError(holder);
  }
}

/** Returns the columns with the key of their name; without the name if another row has it. */
function keyName(store: Store, table: string, columns: Columns): Columns {
  const { name, ...rest } = columns;
  if (typeof name !== 'string') return columns;
  const key = nameKey(name);
  const isTaken = store.get(`SELECT 1 FROM main.${table} WHERE name_key = ?`, key) !== undefined;
  return isTaken ? rest : { ...columns, name_key: key };
}

const COUNTED: Partial<Record<SiteTableName, keyof SiteFileCounts>> = {
  plans: 'plans',
  accepted_values: 'agreements',
  snapshots: 'snapshots',
  records: 'records',
  documents: 'documents',
};

function createCounts(): Mutable<SiteFileCounts> {
  return {
    devices: 0,
    jobs: 0,
    templates: 0,
    plans: 0,
    agreements: 0,
    snapshots: 0,
    records: 0,
    documents: 0,
    secrets: 0,
  };
}

function listColumns({ columns }: Pick<SiteTable, 'columns'>): string {
  return Object.keys(columns).join(', ');
}

function addRows(store: Store, table: SiteTable): { readonly changes: number } {
  const stage = stageName(table.name as SiteTableName);
  if (table.name === 'records') {
    store.run('DROP TABLE IF EXISTS temp.brought_records');
    store.run(
      `CREATE TEMP TABLE brought_records AS SELECT id FROM ${stage} WHERE id NOT IN (SELECT id FROM main.records)`,
    );
  }
  const columns = listColumns(table);
  return store.run(
    `INSERT INTO main.${table.name} (${columns}) SELECT ${columns} FROM ${stage} WHERE true ON CONFLICT DO ${table.onConflict ?? 'NOTHING'}`,
  );
}

/** Adds rows that have a name nothing else may have: another one of the name gets a number behind it. */
function addNamed(store: Store, table: 'sites' | 'profiles', conflicts: SiteFileConflict[] = []): void {
  const rows = store.all<Readonly<Record<string, SqlValue>> & { readonly id: string; readonly name: string }>(
    `SELECT * FROM ${stageName(table)} AS s WHERE id NOT IN (SELECT id FROM main.${table})`,
  );
  for (const row of rows) {
    let { name } = row;
    for (
      let nth = 2;
      store.get(`SELECT 1 FROM main.${table} WHERE name_key = ?`, nameKey(name)) !== undefined;
      nth += 1
    )
      name = `${row.name} (${nth})`;
    if (name !== row.name)
      conflicts.push({
        what: 'profile',
        name: row.name,
        field: 'name',
        here: row.name,
        file: name,
        hereAt: '',
        fileAt: '',
        kept: 'file',
      });
    store.insert(table, {
      ...row,
      name,
      name_key: nameKey(name),
      ...(table === 'profiles' && { is_default: 0 }),
    });
  }
}

function addMissing(store: Store, table: 'site_details', key: string): void {
  const columns = listColumns(SITE_TABLES.find(({ name }) => name === table) ?? { columns: {} });
  store.run(
    `INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM ${stageName(table)} WHERE ${key} NOT IN (SELECT ${key} FROM main.${table})`,
  );
}

function mergeCredentials(store: Store): number {
  return store.run(
    `INSERT INTO main.credentials (id, label, user_name, secret, created_at, updated_at)
     SELECT id, label, user_name, secret, created_at, updated_at FROM ${stageName('credentials')} WHERE true
     ON CONFLICT DO UPDATE SET label = excluded.label, user_name = excluded.user_name, secret = excluded.secret,
       updated_at = excluded.updated_at WHERE excluded.updated_at > updated_at`,
  ).changes;
}

function mergeDeviceSecrets(store: Store): number {
  return store.run(
    `INSERT INTO main.device_secrets (device_id, name, state, sent, secret, changed_at, settings)
     SELECT device_id, name, state, sent, secret, changed_at, settings FROM ${stageName('device_secrets')} AS s
     WHERE NOT EXISTS (SELECT 1 FROM main.device_secrets AS m
       WHERE m.device_id = s.device_id AND m.name = s.name AND m.changed_at = s.changed_at) ORDER BY changed_at`,
  ).changes;
}

/** Adds devices that are new here, and removes those that were removed there and not changed here since. */
function mergeDevices(
  store: Store,
  siteId: string,
  conflicts: SiteFileConflict[],
): { readonly added: number; readonly removed: number } {
  const theirs = stageName('inventory_changes');
  const fresh = store.all<{
    readonly id: string;
    readonly name: string;
    readonly changedAt: string;
    readonly removedAt: string;
  }>(
    `SELECT id, name, max(added_at, ${LATEST(theirs, OTHER)}) AS changedAt, ${LATEST('main.inventory_changes', REMOVED)} AS removedAt
     FROM ${stageName('devices')} AS d WHERE id NOT IN (SELECT id FROM main.devices)`,
  );
  const columns = Object.keys(SITE_TABLES.find(({ name }) => name === 'devices')?.columns ?? {})
    .map((column) =>
      column === 'credential_id'
        ? 'iif(credential_id IN (SELECT id FROM main.credentials), credential_id, NULL)'
        : column,
    )
    .join(', ');
  let added = 0;
  for (const { id, name, changedAt, removedAt } of fresh) {
    if (removedAt > changedAt) continue;
    if (removedAt !== '')
      conflicts.push(createRemoval(name, { hereAt: removedAt, fileAt: changedAt, kept: 'file' }));
    store.run(
      `INSERT INTO main.devices (${columns.replace(/iif\(.*?NULL\)/, 'credential_id')}) SELECT ${columns} FROM ${stageName('devices')} WHERE id = ?`,
      id,
    );
    if (removedAt !== '') restoreFields(store, id);
    added += 1;
  }
  // A sign-in of the file is for devices that have none here.
  store.run(
    `UPDATE main.devices AS m SET credential_id = s.credential_id FROM ${stageName('devices')} AS s
     WHERE s.id = m.id AND m.credential_id IS NULL AND s.credential_id IN (SELECT id FROM main.credentials)`,
  );
  const gone = store.all<{
    readonly id: string;
    readonly name: string;
    readonly changedAt: string;
    readonly removedAt: string;
  }>(
    `SELECT id, name, max(added_at, ${LATEST('temp.earlier_changes', OTHER)}) AS changedAt, ${LATEST(theirs, REMOVED)} AS removedAt
     FROM main.devices AS d WHERE site_id = ? AND id NOT IN (SELECT id FROM ${stageName('devices')})
       AND id IN (SELECT entity FROM ${theirs} WHERE field = 'removed')`,
    siteId,
  );
  let removed = 0;
  for (const { id, name, changedAt, removedAt } of gone) {
    // The device stays if both happened at the same time, whichever side is merged into the other.
    if (changedAt >= removedAt) {
      conflicts.push(createRemoval(name, { hereAt: changedAt, fileAt: removedAt, kept: 'here' }));
      continue;
    }
    removed += store.remove('devices', { id }).changes;
  }
  return { added, removed };
}

/** Gives a device that was removed here and comes back the latest values that either side knows. */
function restoreFields(store: Store, id: string): void {
  const latest = store.all<{ readonly field: string; readonly value: string }>(
    `SELECT field, value, max(at || ' ' || value) FROM (SELECT * FROM temp.earlier_changes UNION SELECT * FROM ${stageName('inventory_changes')})
     WHERE entity = ? AND field <> 'removed' GROUP BY field`,
    id,
  );
  const columns = latest.map(({ field, value }) => [field, value === '' ? null : value] as const);
  if (columns.length > 0) store.update('devices', Object.fromEntries(columns), { id });
}

function createRemoval(
  name: string,
  { hereAt, fileAt, kept }: Pick<SiteFileConflict, 'hereAt' | 'fileAt' | 'kept'>,
): SiteFileConflict {
  const isHere = kept === 'here';
  return {
    what: 'device',
    name,
    field: 'removed',
    here: String(!isHere),
    file: String(isHere),
    hereAt,
    fileAt,
    kept,
  };
}

function addReadings(store: Store): number {
  return store.run(
    `INSERT INTO main.readings (device_id, name, url, at, by_user, error, body)
     SELECT device_id, name, url, at, by_user, error, body FROM ${stageName('readings')} AS s
     WHERE NOT EXISTS (SELECT 1 FROM main.readings AS m WHERE m.device_id = s.device_id AND m.at = s.at) ORDER BY at`,
  ).changes;
}

function countOpenWork(store: Store, me: string): Result['openWork'] {
  const counted = store.get<{ readonly taken: number; readonly elsewhere: number }>(
    `SELECT count(*) FILTER (WHERE m.work_owner ->> '$.id' = ?1) AS taken,
       count(*) FILTER (WHERE m.work_owner ->> '$.id' <> ?1) AS elsewhere
     FROM main.job_devices AS m JOIN ${stageName('job_devices')} AS s USING (job_id, position)
     WHERE m.open_reason IS NOT NULL`,
    me,
  );
  return counted ?? { taken: 0, elsewhere: 0 };
}
