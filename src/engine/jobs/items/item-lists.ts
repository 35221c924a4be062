/** Lists of work items, one for a job and kind: made, closed, watched, wiped and forgotten. */
import type { Clock } from '../../api/host.ts';
import type { Vault } from '../../inventory/access/vault.ts';
import type { Store } from '../../store/index.ts';
import type { ItemKind } from './types.ts';

export interface ItemsOptions {
  readonly store: Store;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly clock: Clock;
  /** Receives what went wrong while secrets were wiped. */
  readonly onFailure: (error: unknown) => void;
}

interface ListRow {
  readonly id: number;
  readonly closed: number;
  readonly head: string;
}

/** Items of one transaction: a few milliseconds. */
export const AT_ONCE = 200;
const DAY_MS = 86_400_000;
/** A list that no job was begun for is forgotten after so long. */
const UNBEGUN_DAYS = 1;

export class ItemLists<Head extends object> {
  protected readonly kind: ItemKind;
  protected readonly store: Store;
  protected readonly vault: Pick<Vault, 'seal' | 'open'>;
  protected readonly clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #wiping = new Set<Promise<void>>();

  constructor(kind: ItemKind, { store, vault, clock, onFailure }: ItemsOptions) {
    this.kind = kind;
    this.store = store;
    this.vault = vault;
    this.clock = clock;
    this.#onFailure = onFailure;
  }

  /**
   * Makes the list of a job, or leaves it as it is where there is one.
   * @throws `vault-locked` where secrets are to be kept (`sealed`) and cannot be
   */
  open(jobId: string, { sealed, head }: { readonly sealed: boolean; readonly head?: Head }): void {
    if (sealed) this.vault.seal('', this.context(jobId));
    this.store.insert(
      'item_lists',
      {
        job_id: jobId,
        kind: this.kind.name,
        created_at: this.now(),
        head: JSON.stringify(head ?? {}),
      },
      'ignore',
    );
  }

  /** Returns whether the job has a list of this kind. */
  has(jobId: string): boolean {
    return this.#row(jobId) !== undefined;
  }

  /** Returns what is kept of the whole list; undefined where the job has none. */
  readHead(jobId: string): Head | undefined {
    const row = this.#row(jobId);
    return row && (JSON.parse(row.head) as Head);
  }

  /** Replaces what is kept of the whole list. */
  writeHead(jobId: string, head: Head): void {
    this.store.update('item_lists', { head: JSON.stringify(head) }, { id: this.list(jobId) });
  }

  /** Marks the list as complete: nothing more is added. */
  closeInput(jobId: string): void {
    this.store.update('item_lists', { closed: 1 }, { id: this.list(jobId) });
    this.wake(jobId);
  }

  /** Returns whether nothing more is added. */
  isClosed(jobId: string): boolean {
    return this.#row(jobId)?.closed !== 0;
  }

  /** Calls `wake` after every change of the list; returns what ends that. */
  watch(jobId: string, wake: () => void): () => void {
    const watchers = this.#watchers.get(jobId) ?? new Set();
    this.#watchers.set(jobId, watchers.add(wake));
    return () => {
      watchers.delete(wake);
      if (watchers.size === 0) this.#watchers.delete(jobId);
    };
  }

  /** Returns whether the list keeps the secret of an item or result. */
  holdsSecrets(jobId: string): boolean {
    const list = this.list(jobId);
    return ['items', 'item_results'].some(
      (table) =>
        this.store.get(`SELECT 1 FROM ${table} WHERE list = ? AND secret IS NOT NULL LIMIT 1`, list) !==
        undefined,
    );
  }

  /**
   * Overwrites the secrets of a list, in the database and in its log, some at a time so that nothing else waits. Whose
   * they were and what became of them stays. `fineOn`: only secrets of what is good or idle, and of an item only where
   * it is so on that many devices.
   */
  async wipe(jobId: string, { fineOn }: { readonly fineOn?: number } = {}): Promise<void> {
    const list = this.list(jobId);
    if (this.store.get('SELECT 1 FROM item_lists WHERE id = ? AND sealed = 1', list) === undefined) return;
    const fine = `coalesce(outcome, plan) IN (${this.words('good', 'idle')})`;
    const [ofResults, ofItems] =
      fineOn === undefined
        ? ['', '']
        : [
            `AND ${fine}`,
            `AND error IS NULL AND (SELECT count(*) FROM item_results AS r WHERE r.list = items.list AND r.nth = items.nth AND ${fine}) >= ${fineOn}`,
          ];
    const last = this.number('SELECT coalesce(max(nth), 0) AS count FROM items WHERE list = ?', list);
    for (let after = 0; after < last; after += AT_ONCE) {
      const places = `list = ? AND nth > ? AND nth <= ? AND secret IS NOT NULL`;
      this.store.transaction(() => {
        for (const [table, which] of [
          ['item_results INDEXED BY item_results_by_item', ofResults],
          ['items', ofItems],
        ])
          this.store.run(
            `UPDATE ${table} SET secret = NULL WHERE ${places} ${which}`,
            list,
            after,
            after + AT_ONCE,
          );
      });
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    if (fineOn === undefined) this.store.update('item_lists', { sealed: 0 }, { id: list });
    this.store.forgetLog();
  }

  /** Wipes in the background; `close` waits for it. */
  wipeSoon(...request: Parameters<ItemLists<Head>['wipe']>): void {
    this.#soon(this.wipe(...request));
  }

  /** Removes the list with everything in it, and what the log holds of it. */
  drop(jobId: string): void {
    this.store.remove('item_lists', { id: this.list(jobId) });
    this.store.forgetLog();
  }

  /** Removes a list of any length without making others wait. */
  async discard(jobId: string): Promise<void> {
    await this.wipe(jobId);
    this.drop(jobId);
  }

  /** Wipes what nobody needs any more: lists never begun, and secrets of jobs that ended or were left alone too long. */
  sweep(): void {
    const { days, since, untilDone } = this.kind.kept;
    const before = (count: number): string =>
      new Date(this.clock.now().getTime() - count * DAY_MS).toISOString();
    const age = since === 'list-created' ? 'list.created_at' : 'coalesce(jobs.ended_at, jobs.created_at)';
    const left = this.store.all<{ readonly jobId: string; readonly begun: number }>(
      `SELECT list.job_id AS jobId, jobs.id IS NOT NULL AS begun FROM item_lists AS list LEFT JOIN jobs ON jobs.id = list.job_id
       WHERE list.kind = ? AND iif(jobs.id IS NULL, list.created_at < ?,
         list.sealed = 1 AND jobs.state NOT IN ('running', 'waiting') AND (${age} < ?${untilDone ? ` OR NOT ${WORK_LEFT}` : ''}))`,
      this.kind.name,
      before(UNBEGUN_DAYS),
      before(days),
    );
    for (const { jobId, begun } of left) this.#soon(begun === 1 ? this.wipe(jobId) : this.discard(jobId));
  }

  /** Returns whether a unit of the job is still to be done. */
  hasWork(jobId: string): boolean {
    return this.store.get(`SELECT 1 FROM jobs WHERE id = ? AND ${WORK_LEFT}`, jobId) !== undefined;
  }

  /** Waits for what is being wiped. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#wiping);
  }

  /** Number of the list, which its rows are found by; 0 where there is none. */
  protected list(jobId: string): number {
    return this.#row(jobId)?.id ?? 0;
  }

  /** Context of what is sealed: it opens in its own place only. */
  protected context(jobId: string, ...place: readonly number[]): string {
    return [this.kind.name, jobId, ...place].join('/');
  }

  /** Records that the list holds secrets, so that they are wiped one day. */
  protected markSealed(list: number): void {
    this.store.run('UPDATE item_lists SET sealed = 1 WHERE id = ? AND sealed = 0', list);
  }

  protected words(...meanings: readonly (keyof ItemKind['means'])[]): string {
    return meanings.flatMap((meaning) => this.kind.means[meaning].map((word) => `'${word}'`)).join(', ');
  }

  protected wake(jobId: string): void {
    for (const wake of this.#watchers.get(jobId) ?? []) wake();
  }

  protected now(): string {
    return this.clock.now().toISOString();
  }

  protected number(sql: string, ...values: (string | number)[]): number {
    return this.store.get<{ readonly count: number }>(sql, ...values)?.count ?? 0;
  }

  #row(jobId: string): ListRow | undefined {
    return this.store.get<ListRow>(
      'SELECT id, closed, head FROM item_lists WHERE job_id = ? AND kind = ?',
      jobId,
      this.kind.name,
    );
  }

  #soon(work: Promise<void>): void {
    const wiping = work.catch(this.#onFailure).finally(() => this.#wiping.delete(wiping));
    this.#wiping.add(wiping);
  }
}

const WORK_LEFT =
  "EXISTS (SELECT 1 FROM job_units WHERE job_units.job_id = jobs.id AND outcome IN ('pending', 'unknown'))";
