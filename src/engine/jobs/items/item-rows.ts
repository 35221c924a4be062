/** Reads the work items of jobs from the database: lists, items, and what is planned for or became of each on each device. */
import type { ErrorShape } from '#shared/errors.ts';
import { readOwnJson } from '#shared/read-json.ts';
import type { Clock } from '#engine/api/host.ts';
import type { Vault } from '#engine/inventory/access/vault.ts';
import { readInBatches, type SqlValue, type Store } from '#engine/store/index.ts';
import type { ItemKind, ItemTypes, StoredItem } from './types.ts';
import { AT_ONCE, formatSqlWords } from './wiping.ts';

export interface ItemsOptions {
  readonly store: Store;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly clock: Clock;
  /** Receives errors that occur while secrets are wiped. */
  readonly onFailure: (error: unknown) => void;
}

interface List<Head> {
  readonly id: number;
  readonly head: Head;
  /** True if no more items are added. */
  readonly isClosed: boolean;
  /** True if the list holds secrets. */
  readonly isSealed: boolean;
}

interface Row {
  readonly nth: number;
  readonly line: number | null;
  readonly key: string;
  readonly detail: string | null;
  readonly secret: Uint8Array | null;
  readonly error: string | null;
  readonly position: number | null;
  readonly plan: string | null;
  readonly outcome: string | null;
  readonly attempts: number | null;
  readonly result: string | null;
  readonly resultSecret: Uint8Array | null;
  readonly at: string | null;
  readonly seq: number | null;
}

const COLUMNS = `i.nth, i.line, i.key, i.detail, i.secret, coalesce(i.error, r.error) AS error, r.position, r.plan, r.outcome,
  r.attempts, r.result, r.secret AS resultSecret, r.at, r.seq`;
const ON_DEVICE =
  'items AS i LEFT JOIN item_results AS r ON r.list = i.list AND r.nth = i.nth AND r.position = ?';
const ON_ALL =
  'items AS i LEFT JOIN item_results AS r INDEXED BY item_results_by_item ON r.list = i.list AND r.nth = i.nth';
type Now<Types extends ItemTypes> = Types['plan'] | Types['outcome'] | '';
/** SQL for the outcome, or the plan if there is no outcome yet. */
const NOW = "coalesce(r.outcome, r.plan, '')";

/** Position of the result of an item that cannot be used on any device. */
export const NO_DEVICE = -1;

/** The reading side of `WorkItems`. */
export class ItemRows<Types extends ItemTypes> {
  protected readonly kind: ItemKind;
  protected readonly options: ItemsOptions;
  protected readonly store: Store;

  constructor(kind: ItemKind, options: ItemsOptions) {
    this.kind = kind;
    this.options = options;
    this.store = options.store;
  }

  /** Returns the list of a job; undefined if it has none of this kind. */
  list(jobId: string): List<Types['head']> | undefined {
    const row = this.store.get<{ id: number; head: string; closed: number; sealed: number }>(
      'SELECT id, head, closed, sealed FROM item_lists WHERE job_id = ? AND kind = ?',
      jobId,
      this.kind.name,
    );
    if (row === undefined) return undefined;
    const { id, head, closed, sealed } = row;
    return { id, head: readOwnJson(head) as Types['head'], isClosed: closed === 1, isSealed: sealed === 1 };
  }

  /** Counts the usable items, their distinct keys, and the items that cannot be used on any device. */
  counts(jobId: string): { readonly items: number; readonly keys: number; readonly bad: number } {
    const [list, of] = [this.id(jobId), 'AS count FROM items WHERE list = ? AND error IS'];
    return {
      items: this.number(`count(*) ${of} NULL`, list),
      keys: this.number(`count(DISTINCT key) ${of} NULL`, list),
      bad: this.number(`count(*) ${of} NOT NULL`, list),
    };
  }

  /** Returns the secret of an item; undefined if it is no longer stored. @throws `vault-locked` */
  secret(jobId: string, nth: number): Types['secret'] | undefined {
    return this.#on(jobId, NO_DEVICE, 'i.nth = ?', nth)[0]?.secret();
  }

  /** Returns the usable items with this key, with their results on a device. */
  find(jobId: string, position: number, key: string): readonly StoredItem<Types>[] {
    return this.#on(jobId, position, 'i.error IS NULL AND i.key = ?', key);
  }

  /**
   * Returns the next usable items after number `after` that have one of these outcomes on a device or, without an outcome,
   * one of these plans. '' stands for items with neither plan nor outcome.
   */
  next(
    jobId: string,
    position: number,
    {
      after,
      limit,
      now,
    }: { readonly after: number; readonly limit: number; readonly now: readonly Now<Types>[] },
  ): readonly StoredItem<Types>[] {
    const is = `${NOW} IN (${now.map(() => '?').join()})`;
    const which = `i.error IS NULL AND i.nth > ? AND ${is} ORDER BY i.nth LIMIT ?`;
    return this.#on(jobId, position, which, after, ...now, limit);
  }

  /** Yields items with their plans and outcomes on devices; an item that cannot be used on any device comes once. */
  *items(
    jobId: string,
    choice: {
      /** `bad`: failed results. `moving`: plans that are not idle. Both include items that cannot be used on any device. */
      readonly which?: 'all' | 'bad' | 'moving';
      readonly positions?: readonly number[];
    } = {},
  ): Generator<StoredItem<Types>> {
    const { which = 'all', positions } = choice;
    const list = this.id(jobId);
    const is = {
      all: 'TRUE',
      bad: `(i.error IS NOT NULL OR ${NOW} IN (${formatSqlWords(this.kind, 'bad')}))`,
      moving: `(i.error IS NOT NULL OR ${NOW} NOT IN ('', ${formatSqlWords(this.kind, 'idle')}))`,
    }[which];
    const on =
      positions === undefined ? 'TRUE' : `coalesce(r.position, -1) IN (-1, ${positions.map(Number).join()})`;
    const read = ({ nth, position = -1 }: Pick<StoredItem<Types>, 'nth' | 'position'>) =>
      this.#rows(
        jobId,
        `${ON_ALL} WHERE i.list = ? AND i.nth >= ? AND (i.nth > ? OR coalesce(r.position, -1) > ?) AND ${is} AND ${on}
         ORDER BY i.nth, r.position LIMIT ?`,
        list,
        nth,
        nth,
        position,
        AT_ONCE,
      );
    for (const batch of readInBatches({ nth: 0 }, read, (last) => last)) yield* batch;
  }

  /** Returns some usable items in order of their keys, after the key `after`, with their results on devices. */
  byKey(jobId: string, after: string): readonly StoredItem<Types>[] {
    const keys = '(SELECT * FROM items WHERE list = ? AND key > ? AND error IS NULL ORDER BY key LIMIT ?)';
    const from = `${keys}${ON_ALL.slice('items'.length)} ORDER BY i.key, r.position`;
    return this.#rows(jobId, from, this.id(jobId), after, AT_ONCE);
  }

  /** Returns settled results with a document, after sequence number `after`, in the order in which they were recorded. */
  results(jobId: string, after: number): readonly StoredItem<Types>[] {
    const from = 'item_results AS r JOIN items AS i ON i.list = r.list AND i.nth = r.nth';
    const which = 'WHERE r.list = ? AND r.seq > ? ORDER BY r.seq LIMIT ?';
    return this.#rows(jobId, `${from} ${which}`, this.id(jobId), after, AT_ONCE);
  }

  /** Counts the items of a device by plan and outcome (null: none yet). */
  tally(
    jobId: string,
    position: number,
  ): readonly {
    readonly plan: Types['plan'];
    readonly outcome: Types['outcome'] | null;
    readonly count: number;
  }[] {
    return this.store.all(
      'SELECT plan, outcome, count(*) AS count FROM item_results WHERE list = ? AND position = ? GROUP BY plan, outcome',
      this.id(jobId),
      position,
    );
  }

  /**
   * Counts the items by on how many devices they have a plan or outcome of each class. `isBad`: they cannot be used on
   * any device.
   */
  spread(
    jobId: string,
    classes: readonly (readonly Now<Types>[])[],
  ): readonly { readonly isBad: boolean; readonly counts: readonly number[]; readonly items: number }[] {
    const names = classes.map((_class, at) => `of${at}`);
    const sums = classes.map((each, at) => `total(${NOW} IN (${each.map(() => '?').join()})) AS of${at}`);
    const groups = ['bad', ...names].join();
    return this.store
      .all<Readonly<Record<string, number>>>(
        `SELECT ${groups}, count(*) AS items FROM (SELECT ${['i.error IS NOT NULL AS bad', ...sums].join()}
         FROM ${ON_ALL} WHERE i.list = ? GROUP BY i.nth) GROUP BY ${groups}`,
        ...classes.flat(),
        this.id(jobId),
      )
      .map(({ bad, items = 0, ...row }) => ({
        isBad: bad === 1,
        counts: names.map((name) => row[name] ?? 0),
        items,
      }));
  }

  /** Returns the last item that `beginUpTo` recorded; 0: none. */
  begunUpTo(jobId: string, position: number): number {
    return this.number(
      'nth AS count FROM item_begun WHERE list = ? AND position = ?',
      this.id(jobId),
      position,
    );
  }

  #on(jobId: string, position: number, which: string, ...values: SqlValue[]): readonly StoredItem<Types>[] {
    return this.#rows(
      jobId,
      `${ON_DEVICE} WHERE i.list = ? AND ${which}`,
      position,
      this.id(jobId),
      ...values,
    );
  }

  #rows(jobId: string, from: string, ...values: SqlValue[]): readonly StoredItem<Types>[] {
    return this.store
      .all<Row>(`SELECT ${COLUMNS} FROM ${from}`, ...values)
      .map((row) => this.#item(jobId, row));
  }

  #item(jobId: string, row: Row): StoredItem<Types> {
    const { nth, key, position, detail, secret, error, result, resultSecret } = row;
    return {
      nth,
      key,
      line: row.line ?? undefined,
      detail: detail === null ? undefined : (readOwnJson(detail) as Types['detail']),
      secret: () => this.#opened(secret, jobId, nth),
      error: error === null ? undefined : (readOwnJson(error) as ErrorShape),
      position: position ?? undefined,
      plan: row.plan ?? undefined,
      outcome: row.outcome ?? undefined,
      attempts: row.attempts ?? 0,
      result: result === null ? undefined : (readOwnJson(result) as Types['result']),
      resultSecret: () => this.#opened(resultSecret, jobId, nth, position ?? NO_DEVICE),
      at: row.at ?? undefined,
      seq: row.seq ?? undefined,
    };
  }

  /** Seals a text for its kind and row; it cannot be opened as that of another row. */
  protected seal(text: string, ...place: readonly (string | number)[]): Uint8Array {
    return this.options.vault.seal(text, [this.kind.name, ...place].join('/'));
  }

  protected sealed(secret: unknown, ...place: readonly (string | number)[]): Uint8Array | null {
    return secret === undefined ? null : this.seal(JSON.stringify(secret), ...place);
  }

  #opened<Value>(sealed: Uint8Array | null, ...place: readonly (string | number)[]): Value | undefined {
    if (sealed === null) return undefined;
    return readOwnJson(this.options.vault.open(sealed, [this.kind.name, ...place].join('/'))) as Value;
  }

  /** Returns the id of the list, by which its rows are found; 0 if there is none. */
  protected id(jobId: string): number {
    const [sql, kind] = ['id AS count FROM item_lists WHERE job_id = ? AND kind = ?', this.kind.name];
    return this.number(sql, jobId, kind);
  }

  protected number(sql: string, ...values: SqlValue[]): number {
    return this.store.get<{ readonly count: number }>(`SELECT ${sql}`, ...values)?.count ?? 0;
  }
}
