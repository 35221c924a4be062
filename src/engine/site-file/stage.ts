/** Rows of a site file in tables of their own, checked and sealed with the vault of this computer, until they are merged. */
import { say } from '#shared/details.ts';
import { readOwnJson } from '#shared/read-json.ts';
import { type FieldwrightError, userError } from '#shared/errors.ts';
import type { Vault } from '../inventory/access/vault.ts';
import { nameKey } from '../inventory/device-text.ts';
import type { JobKinds } from '../jobs/job-kind.ts';
import { buildStoredContent } from '../snapshots/document-versions.ts';
import type { Columns, SqlValue, Store } from '../store/index.ts';
import { checkRow, type CheckedRow } from './check-row.ts';
import type { SiteFileHead } from './read-lines.ts';
import { SITE_TABLES, stageName, type SiteTable } from './tables.ts';
import { buildContext } from './write-rows.ts';

interface StageOptions {
  readonly store: Store;
  readonly vault: Pick<Vault, 'seal'>;
  readonly kinds: Pick<JobKinds, 'find'>;
  /** Site of this data folder that the file has to be of. */
  readonly siteId?: string;
}

interface LocalDevice {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly identity: string | null;
  readonly site_id: string | null;
}

const TABLES = new Map<string, SiteTable>(SITE_TABLES.map((table) => [table.name, table]));
/** Columns that hold ids of devices as JSON; hashed documents keep theirs. */
const JSON_TYPES = new Set(['json', 'json?', 'list', 'content', 'content?']);

export class Stage {
  readonly #options: StageOptions;
  /** Devices here that are those of the file, by their ids there. */
  readonly #ids = new Map<string, string>();
  readonly #renamed = new Map<string, string>();
  readonly #here: ReadonlyMap<string, LocalDevice>;
  readonly #byUrl: ReadonlyMap<string, LocalDevice>;
  readonly #devices: CheckedRow[] = [];
  #head: SiteFileHead | undefined;
  #siteId = '';
  #bytes = 0;

  constructor(options: StageOptions) {
    this.#options = options;
    const devices = options.store.all<LocalDevice>('SELECT id, name, url, identity, site_id FROM devices');
    this.#here = new Map(devices.map((device) => [device.id, device]));
    this.#byUrl = new Map(devices.map((device) => [device.url, device]));
  }

  /** Site here that the rows belong to: it is new if it is not in the list. */
  get siteId(): string {
    return this.#siteId;
  }
  get bytes(): number {
    return this.#bytes;
  }

  /** @throws `not-allowed` for a file of another site than is expected, or whose name another site has */
  begin(head: SiteFileHead): void {
    const { store, siteId } = this.#options;
    const sites = store.all<{ readonly id: string; readonly name: string; readonly name_key: string }>(
      'SELECT id, name, name_key FROM sites',
    );
    const same = sites.find(({ id }) => id === head.site.id);
    const named = sites.find(({ name_key: key }) => key === nameKey(head.site.name));
    const expected = sites.find(({ id }) => id === siteId);
    if (expected !== undefined && expected !== (same ?? named))
      throw userError(
        'not-allowed',
        say('site-file.other-site', { file: head.site.name, site: expected.name }),
      );
    if (same === undefined && named !== undefined && expected === undefined)
      throw userError('not-allowed', say('site-file.name-taken', { site: named.name }));
    this.#head = head;
    this.#siteId = same?.id ?? expected?.id ?? head.site.id;
    for (const { name, columns } of SITE_TABLES) {
      store.run(`DROP TABLE IF EXISTS ${stageName(name)}`);
      store.run(
        `CREATE TEMP TABLE staged_${name} AS SELECT ${Object.keys(columns).join(', ')} FROM main.${name} WHERE 0`,
      );
      // A merge looks rows up by the key that they have in the table itself.
      const key = store
        .all<{ readonly name: string }>(
          'SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk',
          name,
        )
        .filter((column) => column.name in columns);
      if (key.length > 0)
        store.run(
          `CREATE INDEX temp.staged_${name}_key ON staged_${name} (${key.map((column) => column.name).join(', ')})`,
        );
    }
  }

  /** Keeps a row. @throws `unreadable-file`, `not-allowed` for an address that another device has here */
  add(name: unknown, given: unknown): void {
    const table = typeof name === 'string' ? TABLES.get(name) : undefined;
    if (table === undefined || (table.isSecret === true && this.#head?.secrets !== true))
      throw createRowError(String(name).slice(0, 60));
    const row = checkRow(table, given, this.#options.kinds);
    if (table.name === 'devices') {
      this.#devices.push(row);
      return;
    }
    this.finishDevices();
    this.#keep(table, row);
  }

  /** Finds the devices here that are those of the file, once all of those were read; other rows come after them. */
  finishDevices(): void {
    const rows = this.#devices.splice(0);
    const table = TABLES.get('devices');
    if (table === undefined) return;
    const ids = new Set(rows.map(({ id }) => String(id)));
    for (const row of rows) this.#meet(row, ids);
    for (const row of rows) this.#keep(table, row);
  }

  #keep(table: SiteTable, row: CheckedRow): void {
    const own = this.#adopt(table, row);
    this.#options.store.insert(stageName(table.name as 'sites'), own);
    for (const value of Object.values(own))
      this.#bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
  }

  /** Finds the device here that a device of the file is: by its id, else by its address. */
  #meet(row: CheckedRow, ids: ReadonlySet<string>): void {
    const [id, url] = [String(row['id']), String(row['url'])];
    const holder = this.#byUrl.get(url);
    // One that the file has too may have left the address there.
    const twin = this.#here.get(id) ?? (holder !== undefined && !ids.has(holder.id) ? holder : undefined);
    this.#ids.set(id, twin?.id ?? id);
    if (twin === undefined) return;
    const isOther =
      twin.id !== id &&
      twin.identity !== null &&
      row['identity'] !== null &&
      twin.identity !== row['identity'];
    const isElsewhere = twin.site_id !== null && twin.site_id !== this.#siteId;
    if (isOther || isElsewhere) throw createAddressError(twin);
    if (twin.id !== id) this.#renamed.set(id, twin.id);
  }

  #adopt(table: SiteTable, row: CheckedRow): Columns {
    const adopted: Record<string, SqlValue> = {};
    for (const [column, type] of Object.entries(table.columns)) {
      const value = row[column] ?? null;
      if (typeof value === 'object' && value !== null && 'sealed' in value) continue;
      // Columns that hold text or a number keep only whole numbers as such.
      if (typeof value === 'number') adopted[column] = BigInt(value);
      else adopted[column] = typeof value === 'string' && JSON_TYPES.has(type) ? this.#rename(value) : value;
    }
    this.#adoptReferences(table, adopted);
    for (const column of Object.keys(table.columns)) {
      const value = row[column];
      if (typeof value === 'object' && value !== null && 'sealed' in value)
        adopted[column] = this.#options.vault.seal(
          value.sealed,
          buildContext(table.name as 'sites', column, adopted),
        );
    }
    if (table.name === 'document_contents') adopted['body'] = buildStoredContent(String(row['body']));
    return adopted;
  }

  /** Leads ids of devices and of the site to those of this data folder. @throws `unreadable-file` for those of another site */
  #adoptReferences({ name }: SiteTable, row: Record<string, SqlValue>): void {
    const { site } = this.#head ?? {};
    if (name === 'sites') {
      if (row['id'] !== site?.id) throw createRowError('sites.id');
      row['id'] = this.#siteId;
    }
    if ('site_id' in row) {
      if (row['site_id'] !== site?.id) throw createRowError(`${name}.site_id`);
      row['site_id'] = this.#siteId;
    }
    if (name === 'archived_devices') {
      const record = readOwnJson(String(row['record'])) as { readonly siteId?: string };
      if (record.siteId !== site?.id) throw createRowError('archived_devices.record');
      row['record'] = JSON.stringify({ ...record, siteId: this.#siteId });
      row['replaced_by'] = this.#ids.get(String(row['replaced_by'])) ?? row['replaced_by'] ?? null;
    }
    if (name === 'devices') row['id'] = this.#ids.get(String(row['id'])) ?? null;
    if (name === 'inventory_changes') {
      row['entity'] = row['entity'] === site?.id ? this.#siteId : this.#leadDevice(name, row['entity']);
      if (row['value'] === site?.id) row['value'] = this.#siteId;
    }
    if ('device_id' in row) row['device_id'] = this.#leadDevice(name, row['device_id']);
  }

  /** A device that is neither in the file nor here was removed; one of another site here is none of the file's. */
  #leadDevice(table: string, id: SqlValue | undefined): string {
    const own = this.#ids.get(String(id));
    if (own !== undefined) return own;
    const here = this.#here.get(String(id));
    if (here !== undefined && here.site_id !== this.#siteId) throw createRowError(`${table}.device_id`);
    return String(id);
  }

  #rename(json: string): string {
    let renamed = json;
    for (const [from, to] of this.#renamed) renamed = renamed.replaceAll(`"${from}"`, `"${to}"`);
    return renamed;
  }
}

/** Error for an address that another device has here. */
export function createAddressError({ name, url }: Pick<LocalDevice, 'name' | 'url'>): FieldwrightError {
  return userError('not-allowed', say('site-file.address-taken', { name, url }), { device: url });
}

export function createRowError(place: string): FieldwrightError {
  return userError('unreadable-file', say('site-file.row', { place }), { path: place });
}
