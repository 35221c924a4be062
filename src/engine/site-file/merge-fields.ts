/**
 * Merges fields of the inventory by the times of their changes. The history of a field is the set of all values that it
 * had on either side, so that the result does not depend on the order in which files are opened, and nothing is lost.
 */
import type { SiteFileConflict } from '#shared/site-file.ts';
import { compareText } from '../text/canonical-json.ts';
import type { Columns, SqlValue, Store } from '../store/index.ts';
import { stageName } from './tables.ts';

interface FieldTable {
  readonly table: 'sites' | 'devices' | 'profiles' | 'site_details';
  readonly what: SiteFileConflict['what'];
  readonly key: string;
  /** Column with the time that values have which never changed; an empty one where there is none. */
  readonly since: string;
  readonly fields: readonly string[];
  /** Columns that follow a field, from the same side. */
  readonly follow?: Readonly<Record<string, string>>;
}

/** Tables whose fields are merged one by one. */
export const FIELD_TABLES = [
  { table: 'sites', what: 'site', key: 'id', since: 'created_at', fields: ['name'] },
  {
    table: 'profiles',
    what: 'profile',
    key: 'id',
    since: 'created_at',
    fields: ['name', 'profile', 'ports', 'services'],
  },
  {
    table: 'devices',
    what: 'device',
    key: 'id',
    since: 'added_at',
    fields: ['name', 'url', 'kinds', 'tags', 'profile', 'certificate', 'identity', 'site_id'],
    follow: { certificate: 'trust' },
  },
  { table: 'site_details', what: 'site', key: 'site_id', since: '', fields: ['details', 'branding'] },
] as const satisfies readonly FieldTable[];

type Row = Readonly<Record<string, SqlValue>>;
interface Dated {
  readonly at: string;
  readonly value: string;
}
type Histories = ReadonlyMap<string, readonly Dated[]>;

interface FieldMerge {
  /** Columns of rows that are on both sides, by key, as they become. */
  readonly updates: ReadonlyMap<string, Columns>;
  readonly conflicts: readonly SiteFileConflict[];
}

/** Compares the rows that are on both sides. Changes nothing. */
export function compareFields(
  store: Store,
  { table, what, key, since, fields, follow = {} }: FieldTable,
): FieldMerge {
  const ours = readHistories(store, 'main.inventory_changes');
  const theirs = readHistories(store, stageName('inventory_changes'));
  const updates = new Map<string, Columns>();
  const conflicts: SiteFileConflict[] = [];
  for (const staged of store.all<Row>(`SELECT * FROM ${stageName(table)}`)) {
    const id = String(staged[key]);
    const local = store.get<Row>(`SELECT * FROM main.${table} WHERE ${key} = ?`, id);
    if (local === undefined) continue;
    const columns: Record<string, SqlValue> = {};
    for (const field of fields) {
      // A device that no site has yet gets that of the file, whenever it was added.
      const isFree = field === 'site_id' && local[field] === null;
      const here = buildHistory(ours, id, field, {
        at: isFree ? '' : String(local[since] ?? ''),
        value: toText(local[field]),
      });
      const file = buildHistory(theirs, id, field, {
        at: String(staged[since] ?? ''),
        value: toText(staged[field]),
      });
      const [mine, other] = [findLatest(here), findLatest(file)];
      if (mine.value === other.value) continue;
      const isTheirs = compareDated(other, mine) > 0;
      if (!includes(file, mine) && !includes(here, other))
        conflicts.push({
          what,
          name: String(local['name'] ?? id),
          field,
          here: mine.value,
          file: other.value,
          hereAt: mine.at,
          fileAt: other.at,
          kept: isTheirs ? 'file' : 'here',
        });
      if (!isTheirs) continue;
      columns[field] = staged[field] ?? null;
      const follower = follow[field];
      if (follower !== undefined) columns[follower] = staged[follower] ?? null;
    }
    if (Object.keys(columns).length > 0) updates.set(id, columns);
  }
  return { updates, conflicts };
}

/** Makes the histories those of both sides; what triggers noted while rows were merged is none. */
export function mergeHistories(store: Store, merge: () => void): void {
  const entities = `(SELECT entity FROM ${stageName('inventory_changes')} UNION SELECT id FROM ${stageName('devices')}
    UNION SELECT id FROM ${stageName('sites')} UNION SELECT id FROM ${stageName('profiles')})`;
  store.run('DROP TABLE IF EXISTS temp.earlier_changes');
  store.run(
    `CREATE TEMP TABLE earlier_changes AS SELECT entity, field, at, value FROM main.inventory_changes WHERE entity IN ${entities}`,
  );
  store.run('CREATE INDEX temp.earlier_changes_key ON earlier_changes (entity, field)');
  // Values that never changed hold since their row was made; they count as long as the row is here.
  for (const { table, key, since, fields } of FIELD_TABLES)
    for (const field of fields) {
      if (since === '') continue;
      for (const [name, target] of [
        [`main.${table}`, 'main'],
        [stageName(table), 'staged'],
      ] as const) {
        const changes = target === 'main' ? 'temp.earlier_changes' : stageName('inventory_changes');
        store.run(
          `INSERT INTO temp.earlier_changes (entity, field, at, value)
           SELECT ${key}, '${field}', ${since}, coalesce(${field}, '') FROM ${name} AS r WHERE ${key} IN ${entities}
             AND NOT EXISTS (SELECT 1 FROM ${changes} AS c WHERE c.entity = r.${key} AND c.field = '${field}')`,
        );
      }
    }
  merge();
  store.run(`DELETE FROM main.inventory_changes WHERE entity IN ${entities}`);
  for (const source of ['temp.earlier_changes', stageName('inventory_changes')])
    store.run(
      `INSERT OR IGNORE INTO main.inventory_changes (entity, field, at, value) SELECT entity, field, at, value FROM ${source}`,
    );
  // A value that never changed needs no row, on either side.
  for (const { table, key, since, fields } of FIELD_TABLES)
    for (const field of since === '' ? [] : fields)
      store.run(
        `DELETE FROM main.inventory_changes AS c WHERE entity IN ${entities} AND field = '${field}'
           AND (at, value) = (SELECT ${since}, coalesce(${field}, '') FROM main.${table} WHERE ${key} = c.entity)
           AND 1 = (SELECT count(*) FROM main.inventory_changes AS d WHERE d.entity = c.entity AND d.field = c.field)`,
      );
  store.run('DROP TABLE temp.earlier_changes');
}

function readHistories(store: Store, table: string): Histories {
  const rows = store.all<Dated & { readonly entity: string; readonly field: string }>(
    `SELECT entity, field, at, value FROM ${table} WHERE entity IN (SELECT entity FROM ${stageName('inventory_changes')}
       UNION SELECT id FROM ${stageName('devices')} UNION SELECT id FROM ${stageName('sites')} UNION SELECT id FROM ${stageName('profiles')})`,
  );
  return Map.groupBy(rows, ({ entity, field }) => `${entity} ${field}`);
}

function buildHistory(histories: Histories, id: string, field: string, first: Dated): readonly Dated[] {
  return histories.get(`${id} ${field}`) ?? [first];
}

function findLatest(history: readonly Dated[]): Dated {
  return history.reduce((latest, one) => (compareDated(one, latest) > 0 ? one : latest));
}

function includes(history: readonly Dated[], { at, value }: Dated): boolean {
  return history.some((one) => one.at === at && one.value === value);
}

function compareDated(one: Dated, other: Dated): number {
  return compareText(one.at, other.at) || compareText(one.value, other.value);
}

function toText(value: SqlValue | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}
