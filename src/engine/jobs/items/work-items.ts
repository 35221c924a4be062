/**
 * Stores the work items below the units of jobs in the database: any number of them in constant memory. An item may be
 * planned for each device of its job; its intent is on disk before anything is sent, and its result soon after.
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { ErrorShape } from '#shared/errors.ts';
import type { Clock } from '#engine/api/host.ts';
import type { Vault } from '#engine/inventory/access/vault.ts';
import { readInBatches, type SqlValue, type Store } from '#engine/store/index.ts';
import { computeOnce } from '#shared/once.ts';
import { release, takeOwnership } from '../owner.ts';
import { Budget, estimateBytes } from './budget.ts';
import { createGroupCommit, type GroupCommit } from '../group-commit.ts';
import type { AddedItem, ItemKind, ItemTypes, NewItem, NewResult, StoredItem } from './types.ts';
import {
  AT_ONCE,
  findAbandonedLists,
  removeList,
  removeResults,
  wipeSecrets,
  formatSqlWords,
} from './wiping.ts';
import { readOwnJson } from '#shared/read-json.ts';

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
const NEXT_SEQ = '(SELECT coalesce(max(seq), 0) + 1 FROM item_results WHERE list = ? AND seq IS NOT NULL)';

/** How long `close` waits for what this run removes, and for what is left of earlier ones; the rest goes with the next start. */
const OWN_GRACE_MS = 10_000;
const OTHERS_GRACE_MS = 250;

/** Items that are removed in one piece: a few milliseconds. */
const SHORT_LIST = 1000;

/** Position of the result of an item that cannot be used on any device. */
export const NO_DEVICE = -1;

export class WorkItems<Types extends ItemTypes> {
  readonly #kind: ItemKind;
  readonly #options: ItemsOptions;
  readonly #store: Store;
  readonly #commits: GroupCommit;
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #wiping = new Set<Promise<void>>();
  readonly #budgets = new Map<number, Budget>();
  readonly #owner = computeOnce(() => takeOwnership(randomUUID(), this.#store.dataDir));
  #closingAt: number | undefined;

  constructor(kind: ItemKind, options: ItemsOptions) {
    this.#kind = kind;
    this.#options = options;
    this.#store = options.store;
    this.#commits = createGroupCommit(options.store);
  }

  /**
   * Creates the list of a job, unless it exists already.
   * @throws `vault-locked` if secrets are to be stored (`sealed`) and cannot be
   */
  open(
    jobId: string,
    { sealed, head = {} }: { readonly sealed: boolean; readonly head?: Types['head'] },
  ): void {
    if (sealed) this.#seal('', jobId);
    const [kind, created_at] = [this.#kind.name, this.#now()];
    this.#store.insert(
      'item_lists',
      { job_id: jobId, kind, created_at, head: JSON.stringify({ ...head, owner: this.#owner() }) },
      'ignore',
    );
  }

  /** Returns the list of a job; undefined if it has none of this kind. */
  list(jobId: string): List<Types['head']> | undefined {
    const row = this.#store.get<{ id: number; head: string; closed: number; sealed: number }>(
      'SELECT id, head, closed, sealed FROM item_lists WHERE job_id = ? AND kind = ?',
      jobId,
      this.#kind.name,
    );
    if (row === undefined) return undefined;
    const { id, head, closed, sealed } = row;
    return { id, head: readOwnJson(head) as Types['head'], isClosed: closed === 1, isSealed: sealed === 1 };
  }

  /** Updates members of the document of the list. */
  update(jobId: string, change: Partial<Types['head']>): void {
    const { id, head } = this.list(jobId) ?? { id: 0 };
    this.#store.update('item_lists', { head: JSON.stringify({ ...head, ...change }) }, { id });
  }

  /** Marks the list as complete: nothing more is added. */
  closeInput(jobId: string): void {
    this.#store.update('item_lists', { closed: 1 }, { id: this.#id(jobId) });
    this.#wake(jobId);
  }

  /** Adds items in order and returns their numbers; skips an item whose key and part exist already. */
  add(jobId: string, items: readonly NewItem<Types>[]): readonly AddedItem[] {
    const list = this.#id(jobId);
    let bytes = 0;
    const added = this.#store.transactionSoon(() => {
      this.#noteSecrets(list, items);
      let last = this.#number('coalesce(max(nth), 0) AS count FROM items WHERE list = ?', list);
      const all = items.map(({ key, part = '', line, detail, secret, error }): AddedItem => {
        const same = this.#store.get<{ readonly nth: number; readonly twice: number | null }>(
          'SELECT nth, line AS twice FROM items WHERE list = ? AND key = ? AND part = ? AND error IS NULL',
          list,
          key,
          part,
        );
        if (same !== undefined && error === undefined) return same;
        last += 1;
        const kept = {
          ...{ key, part, detail: JSON.stringify(detail), error: JSON.stringify(error) },
          secret: this.#sealed(secret, jobId, last),
        };
        bytes += estimateBytes(Object.values(kept));
        this.#store.insert('items', { list, nth: last, line, ...kept });
        return { nth: last };
      });
      this.#requireRoom(list, bytes);
      return all;
    });
    this.#budget(list).take(NO_DEVICE, bytes);
    this.#wake(jobId);
    return added;
  }

  /** Counts the usable items, their distinct keys, and the items that cannot be used on any device. */
  counts(jobId: string): { readonly items: number; readonly keys: number; readonly bad: number } {
    const [list, of] = [this.#id(jobId), 'AS count FROM items WHERE list = ? AND error IS'];
    return {
      items: this.#number(`count(*) ${of} NULL`, list),
      keys: this.#number(`count(DISTINCT key) ${of} NULL`, list),
      bad: this.#number(`count(*) ${of} NOT NULL`, list),
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
    const list = this.#id(jobId);
    const is = {
      all: 'TRUE',
      bad: `(i.error IS NOT NULL OR ${NOW} IN (${formatSqlWords(this.#kind, 'bad')}))`,
      moving: `(i.error IS NOT NULL OR ${NOW} NOT IN ('', ${formatSqlWords(this.#kind, 'idle')}))`,
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
    return this.#rows(jobId, from, this.#id(jobId), after, AT_ONCE);
  }

  /** Returns settled results with a document, after sequence number `after`, in the order in which they were recorded. */
  results(jobId: string, after: number): readonly StoredItem<Types>[] {
    const from = 'item_results AS r JOIN items AS i ON i.list = r.list AND i.nth = r.nth';
    const which = 'WHERE r.list = ? AND r.seq > ? ORDER BY r.seq LIMIT ?';
    return this.#rows(jobId, `${from} ${which}`, this.#id(jobId), after, AT_ONCE);
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
    return this.#store.all(
      'SELECT plan, outcome, count(*) AS count FROM item_results WHERE list = ? AND position = ? GROUP BY plan, outcome',
      this.#id(jobId),
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
    return this.#store
      .all<Readonly<Record<string, number>>>(
        `SELECT ${groups}, count(*) AS items FROM (SELECT ${['i.error IS NOT NULL AS bad', ...sums].join()}
         FROM ${ON_ALL} WHERE i.list = ? GROUP BY i.nth) GROUP BY ${groups}`,
        ...classes.flat(),
        this.#id(jobId),
      )
      .map(({ bad, items = 0, ...row }) => ({
        isBad: bad === 1,
        counts: names.map((name) => row[name] ?? 0),
        items,
      }));
  }

  /** Removes all plans and results of a device, some in each turn. */
  async unplan(jobId: string, position: number): Promise<void> {
    const list = this.#id(jobId);
    await removeResults(this.#store, list, position);
    this.#budget(list).release(position);
  }

  /** Records that these planned items may be sent from now on; resolves when that is on disk. */
  begin(jobId: string, position: number, nths: readonly number[]): Promise<void> {
    const list = this.#id(jobId);
    return this.#commits.durable(() => {
      for (const nth of nths)
        this.#store.run(
          'UPDATE item_results SET outcome = ?, attempts = attempts + 1 WHERE list = ? AND position = ? AND nth = ?',
          this.#kind.begun,
          list,
          position,
          nth,
        );
    });
  }

  /** Records that every item up to `nth` may be sent from now on; resolves when that is on disk. */
  beginUpTo(jobId: string, position: number, nth: number): Promise<void> {
    const list = this.#id(jobId);
    return this.#commits.durable(() => this.#store.insert('item_begun', { list, position, nth }, 'replace'));
  }

  /** Returns the last item that `beginUpTo` recorded; 0: none. */
  begunUpTo(jobId: string, position: number): number {
    return this.#number(
      'nth AS count FROM item_begun WHERE list = ? AND position = ?',
      this.#id(jobId),
      position,
    );
  }

  /**
   * Records plans or results of items. A record lost in a power failure costs another check of the device, never a second
   * write. A record with a plan never replaces an existing one. `soon`: records are collected and written together after a
   * moment.
   */
  settle(jobId: string, position: number, results: readonly NewResult<Types>[], { soon = false } = {}): void {
    if (results.length === 0) return;
    const [list, at] = [this.#id(jobId), this.#now()];
    const write = (): void => {
      this.#noteSecrets(list, results);
      let bytes = 0;
      for (const one of results) bytes += this.#write(list, { jobId, position, at }, one);
      // Results are written whatever they weigh.
      if (results.some(({ plan }) => plan !== undefined)) this.#requireRoom(list, bytes);
      this.#budget(list).take(position, bytes);
      this.#wake(jobId);
    };
    if (soon) this.#commits.soon(write);
    else this.#store.transactionSoon(write);
  }

  /** Writes the records that `settle` has delayed (`soon`); durable on return. */
  flush(): void {
    this.#commits.flush();
  }

  /** Calls `wake` after every change of the list; returns a function that ends this. */
  watch(jobId: string, wake: () => void): () => void {
    this.#changes.on(jobId, wake);
    return () => void this.#changes.off(jobId, wake);
  }

  /** Wipes the secrets of a list (`wipeSecrets`); never rejects. `close` waits for it. */
  wipe(jobId: string, how: { readonly fineOn?: number } = {}): Promise<void> {
    return this.#work(this.wipeNow(jobId, how));
  }

  #work(work: Promise<void>): Promise<void> {
    const wiping = work.catch(this.#options.onFailure).finally(() => this.#wiping.delete(wiping));
    this.#wiping.add(wiping);
    return wiping;
  }

  /** Wipes like `wipe`, for a person who asked for it: rejects where something is left. */
  async wipeNow(jobId: string, { fineOn }: { readonly fineOn?: number } = {}): Promise<void> {
    const { id, isSealed } = this.list(jobId) ?? { id: 0, isSealed: false };
    if (isSealed) await wipeSecrets(this.#store, this.#kind, id, fineOn);
  }

  /** Removes a list with everything in it; a long one from the disk some rows at a time. */
  drop(jobId: string, graceMs = OWN_GRACE_MS): void {
    const list = this.#id(jobId);
    this.#budgets.delete(list);
    if (this.#number('count(*) AS count FROM items WHERE list = ?', list) <= SHORT_LIST) {
      this.#store.remove('item_lists', { id: list });
      this.#store.forgetLog();
      return;
    }
    // The name is one that no other file has: what is cut off here is removed at the next start.
    this.#store.update('item_lists', { job_id: `dropped-${list}` }, { id: list });
    void this.#work(removeList(this.#store, list, () => this.#isClosedFor(graceMs)));
  }

  /** Removes lists whose job was never started, and wipes the secrets of ended and abandoned jobs. */
  sweep(): void {
    for (const { jobId, begun } of findAbandonedLists(this.#store, this.#kind, this.#options.clock))
      if (begun === 0) this.drop(jobId, OTHERS_GRACE_MS);
      else void this.wipe(jobId);
    // Rows that an earlier run removed may still take their room.
    void this.#work(this.#store.reclaim(() => this.#isClosedFor(OTHERS_GRACE_MS)));
  }

  /** Waits until running wipes have finished, and for a moment until removals have. */
  async close(): Promise<void> {
    this.#closingAt = this.#options.clock.now().getTime();
    await Promise.all(this.#wiping);
    release(this.#owner(), this.#store.dataDir);
  }

  #isClosedFor(ms: number): boolean {
    return this.#closingAt !== undefined && this.#options.clock.now().getTime() - this.#closingAt >= ms;
  }

  #budget(list: number): Budget {
    const budget = this.#budgets.get(list) ?? new Budget();
    this.#budgets.set(list, budget);
    return budget;
  }

  /** Throws where a list, or the disk, has no room for so many bytes more. */
  #requireRoom(list: number, bytes: number): void {
    this.#budget(list).requireRoom(bytes);
    this.#store.requireRoom(bytes);
  }

  /** Returns the bytes that were written. */
  #write(
    list: number,
    { jobId, position, at }: { readonly jobId: string; readonly position: number; readonly at: string },
    { nth, plan, outcome, result, secret, error }: NewResult<Types>,
  ): number {
    const isTold = outcome !== undefined && result !== undefined;
    const kept = [
      JSON.stringify(result) ?? null,
      this.#sealed(secret, jobId, nth, position),
      JSON.stringify(error) ?? null,
    ] as const;
    this.#store.run(
      `INSERT INTO item_results (list, position, nth, plan, outcome, result, secret, error, at, seq)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ${isTold ? NEXT_SEQ : 'NULL'})
       ON CONFLICT DO UPDATE SET outcome = excluded.outcome, result = excluded.result, secret = coalesce(excluded.secret, secret),
         error = excluded.error, at = excluded.at, seq = coalesce(excluded.seq, seq) WHERE excluded.plan IS NULL`,
      ...[list, position, nth, plan ?? null, outcome ?? null],
      ...kept,
      at,
      ...(isTold ? [list] : []),
    );
    return estimateBytes(kept);
  }

  #on(jobId: string, position: number, which: string, ...values: SqlValue[]): readonly StoredItem<Types>[] {
    return this.#rows(
      jobId,
      `${ON_DEVICE} WHERE i.list = ? AND ${which}`,
      position,
      this.#id(jobId),
      ...values,
    );
  }

  #rows(jobId: string, from: string, ...values: SqlValue[]): readonly StoredItem<Types>[] {
    return this.#store
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
  #seal(text: string, ...place: readonly (string | number)[]): Uint8Array {
    return this.#options.vault.seal(text, [this.#kind.name, ...place].join('/'));
  }

  #sealed(secret: unknown, ...place: readonly (string | number)[]): Uint8Array | null {
    return secret === undefined ? null : this.#seal(JSON.stringify(secret), ...place);
  }

  /** Marks the list as holding secrets, so that they are wiped later. */
  #noteSecrets(list: number, of: readonly { readonly secret?: unknown }[]): void {
    if (of.some(({ secret }) => secret !== undefined))
      this.#store.run('UPDATE item_lists SET sealed = 1 WHERE id = ? AND sealed = 0', list);
  }

  #opened<Value>(sealed: Uint8Array | null, ...place: readonly (string | number)[]): Value | undefined {
    if (sealed === null) return undefined;
    return readOwnJson(this.#options.vault.open(sealed, [this.#kind.name, ...place].join('/'))) as Value;
  }

  /** Returns the id of the list, by which its rows are found; 0 if there is none. */
  #id(jobId: string): number {
    const [sql, kind] = ['id AS count FROM item_lists WHERE job_id = ? AND kind = ?', this.#kind.name];
    return this.#number(sql, jobId, kind);
  }

  #wake(jobId: string): void {
    this.#changes.emit(jobId);
  }

  #now(): string {
    return this.#options.clock.now().toISOString();
  }

  #number(sql: string, ...values: SqlValue[]): number {
    return this.#store.get<{ readonly count: number }>(`SELECT ${sql}`, ...values)?.count ?? 0;
  }
}
