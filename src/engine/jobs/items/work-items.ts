/**
 * Stores the work items below the units of jobs in the database: any number of them in constant memory. An item may be
 * planned for each device of its job; its intent is on disk before anything is sent, and its result soon after.
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { computeOnce } from '#shared/once.ts';
import { release, takeOwnership } from '../owner.ts';
import { Budget, estimateBytes } from './budget.ts';
import { createGroupCommit, type GroupCommit } from '../group-commit.ts';
import { ItemRows, NO_DEVICE, type ItemsOptions } from './item-rows.ts';
import type { AddedItem, ItemKind, ItemTypes, NewItem, NewResult } from './types.ts';
import { findAbandonedLists, removeList, removeResults, wipeSecrets } from './wiping.ts';

const NEXT_SEQ = '(SELECT coalesce(max(seq), 0) + 1 FROM item_results WHERE list = ? AND seq IS NOT NULL)';

/** How long `close` waits for what this run removes, and for what is left of earlier ones; the rest goes with the next start. */
const OWN_GRACE_MS = 10_000;
const OTHERS_GRACE_MS = 250;

/** Items that are removed in one piece: a few milliseconds. */
const SHORT_LIST = 1000;

export class WorkItems<Types extends ItemTypes> extends ItemRows<Types> {
  readonly #commits: GroupCommit;
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #wiping = new Set<Promise<void>>();
  readonly #budgets = new Map<number, Budget>();
  readonly #owner = computeOnce(() => takeOwnership(randomUUID(), this.store.dataDir));
  #closingAt: number | undefined;

  constructor(kind: ItemKind, options: ItemsOptions) {
    super(kind, options);
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
    if (sealed) this.seal('', jobId);
    const [kind, created_at] = [this.kind.name, this.#now()];
    this.store.insert(
      'item_lists',
      { job_id: jobId, kind, created_at, head: JSON.stringify({ ...head, owner: this.#owner() }) },
      'ignore',
    );
  }

  /** Updates members of the document of the list. */
  update(jobId: string, change: Partial<Types['head']>): void {
    const { id, head } = this.list(jobId) ?? { id: 0 };
    this.store.update('item_lists', { head: JSON.stringify({ ...head, ...change }) }, { id });
  }

  /** Marks the list as complete: nothing more is added. */
  closeInput(jobId: string): void {
    this.store.update('item_lists', { closed: 1 }, { id: this.id(jobId) });
    this.#wake(jobId);
  }

  /** Adds items in order and returns their numbers; skips an item whose key and part exist already. */
  add(jobId: string, items: readonly NewItem<Types>[]): readonly AddedItem[] {
    const list = this.id(jobId);
    let bytes = 0;
    const added = this.store.transactionSoon(() => {
      this.#noteSecrets(list, items);
      let last = this.number('coalesce(max(nth), 0) AS count FROM items WHERE list = ?', list);
      const all = items.map(({ key, part = '', line, detail, secret, error }): AddedItem => {
        const same = this.store.get<{ readonly nth: number; readonly twice: number | null }>(
          'SELECT nth, line AS twice FROM items WHERE list = ? AND key = ? AND part = ? AND error IS NULL',
          list,
          key,
          part,
        );
        if (same !== undefined && error === undefined) return same;
        last += 1;
        const kept = {
          ...{ key, part, detail: JSON.stringify(detail), error: JSON.stringify(error) },
          secret: this.sealed(secret, jobId, last),
        };
        bytes += estimateBytes(Object.values(kept));
        this.store.insert('items', { list, nth: last, line, ...kept });
        return { nth: last };
      });
      this.#requireRoom(list, bytes);
      return all;
    });
    this.#budget(list).take(NO_DEVICE, bytes);
    this.#wake(jobId);
    return added;
  }

  /** Removes all plans and results of a device, some in each turn. */
  async unplan(jobId: string, position: number): Promise<void> {
    const list = this.id(jobId);
    await removeResults(this.store, list, position);
    this.#budget(list).release(position);
  }

  /** Records that these planned items may be sent from now on; resolves when that is on disk. */
  begin(jobId: string, position: number, nths: readonly number[]): Promise<void> {
    const list = this.id(jobId);
    return this.#commits.durable(() => {
      for (const nth of nths)
        this.store.run(
          'UPDATE item_results SET outcome = ?, attempts = attempts + 1 WHERE list = ? AND position = ? AND nth = ?',
          this.kind.begun,
          list,
          position,
          nth,
        );
    });
  }

  /** Records that every item up to `nth` may be sent from now on; resolves when that is on disk. */
  beginUpTo(jobId: string, position: number, nth: number): Promise<void> {
    const list = this.id(jobId);
    return this.#commits.durable(() => this.store.insert('item_begun', { list, position, nth }, 'replace'));
  }

  /**
   * Records plans or results of items. A record lost in a power failure costs another check of the device, never a second
   * write. A record with a plan never replaces an existing one. `soon`: records are collected and written together after a
   * moment.
   */
  settle(jobId: string, position: number, results: readonly NewResult<Types>[], { soon = false } = {}): void {
    if (results.length === 0) return;
    const [list, at] = [this.id(jobId), this.#now()];
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
    else this.store.transactionSoon(write);
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
    const wiping = work.catch(this.options.onFailure).finally(() => this.#wiping.delete(wiping));
    this.#wiping.add(wiping);
    return wiping;
  }

  /** Wipes like `wipe`, for a person who asked for it: rejects where something is left. */
  async wipeNow(jobId: string, { fineOn }: { readonly fineOn?: number } = {}): Promise<void> {
    const { id, isSealed } = this.list(jobId) ?? { id: 0, isSealed: false };
    if (isSealed) await wipeSecrets(this.store, this.kind, id, fineOn);
  }

  /** Removes a list with everything in it; a long one from the disk some rows at a time. */
  drop(jobId: string, graceMs = OWN_GRACE_MS): void {
    const list = this.id(jobId);
    this.#budgets.delete(list);
    if (this.number('count(*) AS count FROM items WHERE list = ?', list) <= SHORT_LIST) {
      this.store.remove('item_lists', { id: list });
      this.store.forgetLog();
      return;
    }
    // The name is one that no other file has: what is cut off here is removed at the next start.
    this.store.update('item_lists', { job_id: `dropped-${list}` }, { id: list });
    void this.#work(removeList(this.store, list, () => this.#isClosedFor(graceMs)));
  }

  /** Removes lists whose job was never started, and wipes the secrets of ended and abandoned jobs. */
  sweep(): void {
    for (const { jobId, begun } of findAbandonedLists(this.store, this.kind, this.options.clock))
      if (begun === 0) this.drop(jobId, OTHERS_GRACE_MS);
      else void this.wipe(jobId);
    // Rows that an earlier run removed may still take their room.
    void this.#work(this.store.reclaim(() => this.#isClosedFor(OTHERS_GRACE_MS)));
  }

  /** Waits until running wipes have finished, and for a moment until removals have. */
  async close(): Promise<void> {
    this.#closingAt = this.options.clock.now().getTime();
    await Promise.all(this.#wiping);
    release(this.#owner(), this.store.dataDir);
  }

  #isClosedFor(ms: number): boolean {
    return this.#closingAt !== undefined && this.options.clock.now().getTime() - this.#closingAt >= ms;
  }

  #budget(list: number): Budget {
    const budget = this.#budgets.get(list) ?? new Budget();
    this.#budgets.set(list, budget);
    return budget;
  }

  /** Throws where a list, or the disk, has no room for so many bytes more. */
  #requireRoom(list: number, bytes: number): void {
    this.#budget(list).requireRoom(bytes);
    this.store.requireRoom(bytes);
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
      this.sealed(secret, jobId, nth, position),
      JSON.stringify(error) ?? null,
    ] as const;
    this.store.run(
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

  /** Marks the list as holding secrets, so that they are wiped later. */
  #noteSecrets(list: number, of: readonly { readonly secret?: unknown }[]): void {
    if (of.some(({ secret }) => secret !== undefined))
      this.store.run('UPDATE item_lists SET sealed = 1 WHERE id = ? AND sealed = 0', list);
  }

  #wake(jobId: string): void {
    this.#changes.emit(jobId);
  }

  #now(): string {
    return this.options.clock.now().toISOString();
  }
}
