/**
 * Work items under the units of jobs, in the database: any number of them in constant memory. An item is planned for, or
 * simply comes to, each device of its job; it is begun on disk before anything is sent, and settled soon after.
 */
import { defined } from '../../../shared/defined.ts';
import type { ErrorShape } from '../../../shared/errors.ts';
import { inBatches } from '../../store/index.ts';
import { createGroupCommit, type GroupCommit } from '../group-commit.ts';
import { AT_ONCE, ItemLists, type ItemsOptions } from './item-lists.ts';
import type {
  AddedItem,
  ItemKind,
  ItemTypes,
  NewItem,
  PlannedItem,
  SettledItem,
  StoredItem,
} from './types.ts';

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
  readonly resultDetail: string | null;
  readonly resultSecret: Uint8Array | null;
  readonly at: string | null;
  readonly seq: number | null;
}

const COLUMNS = `i.nth, i.line, i.key, i.detail, i.secret, coalesce(i.error, r.error) AS error, r.position, r.plan, r.outcome,
  r.attempts, r.detail AS resultDetail, r.secret AS resultSecret, r.at, r.seq`;
/** Position of what is told of an item that cannot be used on any device. */
export const NO_DEVICE = -1;

interface Choice {
  /** `bad`: only what went wrong or cannot be used. `moving`: only what is planned and not idle, or cannot be used. */
  readonly which?: 'all' | 'bad' | 'moving';
  /** On these devices alone. */
  readonly positions?: readonly number[];
}

export class WorkItems<Types extends ItemTypes> extends ItemLists<Types['head']> {
  readonly #commits: GroupCommit;

  constructor(kind: ItemKind, options: ItemsOptions) {
    super(kind, options);
    this.#commits = createGroupCommit(options.store);
  }

  /** Adds items in their order and returns their places; an item whose key and part are there already is not added. */
  add(jobId: string, items: readonly NewItem<Types>[]): readonly AddedItem[] {
    const list = this.list(jobId);
    const added = this.store.transactionSoon(() => {
      if (items.some(({ secret }) => secret !== undefined)) this.markSealed(list);
      let last = this.number('SELECT coalesce(max(nth), 0) AS count FROM items WHERE list = ?', list);
      return items.map((item): AddedItem => {
        const { key, part = '', error } = item;
        const same =
          error === undefined
            ? this.store.get<{ readonly nth: number; readonly line: number | null }>(
                'SELECT nth, line FROM items WHERE list = ? AND key = ? AND part = ? AND error IS NULL',
                list,
                key,
                part,
              )
            : undefined;
        if (same !== undefined) return { nth: same.nth, twice: same.line };
        last += 1;
        this.store.insert('items', {
          list,
          nth: last,
          line: item.line,
          key,
          part,
          detail: JSON.stringify(item.detail),
          secret: this.#sealed(item.secret, jobId, last),
          error: JSON.stringify(error),
        });
        return { nth: last };
      });
    });
    this.wake(jobId);
    return added;
  }

  /** Returns the number of items that can be used. */
  count(jobId: string): number {
    return this.number(
      'SELECT count(*) AS count FROM items WHERE list = ? AND error IS NULL',
      this.list(jobId),
    );
  }

  /** Returns the number of different keys among them. */
  countKeys(jobId: string): number {
    return this.number(
      'SELECT count(DISTINCT key) AS count FROM items WHERE list = ? AND error IS NULL',
      this.list(jobId),
    );
  }

  /** Returns the number of items that cannot be used on any device. */
  countBad(jobId: string): number {
    return this.number(
      'SELECT count(*) AS count FROM items WHERE list = ? AND error IS NOT NULL',
      this.list(jobId),
    );
  }

  /** Yields the keys of the items that can be used, in their order. */
  *keys(jobId: string): Generator<string> {
    const list = this.list(jobId);
    const read = (after: number): readonly { readonly nth: number; readonly key: string }[] =>
      this.store.all(
        'SELECT nth, key FROM items WHERE list = ? AND nth > ? AND error IS NULL ORDER BY nth LIMIT ?',
        list,
        after,
        AT_ONCE,
      );
    for (const batch of inBatches(0, read, ({ nth }) => nth)) for (const { key } of batch) yield key;
  }

  /** Returns the secret of an item; undefined where it is no longer kept. @throws `vault-locked` */
  secret(jobId: string, nth: number): Types['secret'] | undefined {
    const row = this.store.get<{ readonly secret: Uint8Array | null }>(
      'SELECT secret FROM items WHERE list = ? AND nth = ?',
      this.list(jobId),
      nth,
    );
    return this.#opened(row?.secret ?? null, jobId, nth);
  }

  /** Adds what is meant to be done with items on a device; what is planned there already stays. */
  plan(jobId: string, position: number, planned: readonly PlannedItem<Types>[]): void {
    const list = this.list(jobId);
    this.store.transactionSoon(() => {
      if (planned.some(({ secret }) => secret !== undefined)) this.markSealed(list);
      for (const { nth, plan, detail, error, secret } of planned)
        this.store.insert(
          'item_results',
          {
            list,
            position,
            nth,
            plan,
            detail: JSON.stringify(detail),
            secret: this.#sealed(secret, jobId, nth, position),
            error: JSON.stringify(error),
          },
          'ignore',
        );
    });
  }

  /** Forgets everything that is planned, or became of items, on a device. */
  unplan(jobId: string, position: number): void {
    this.store.remove('item_results', { list: this.list(jobId), position });
  }

  /**
   * Returns the next usable items behind `after` that stand like this on a device: with one of these outcomes or, where they
   * have none yet, one of these plans. '': nothing is planned for them, and nothing became of them.
   */
  next(
    jobId: string,
    position: number,
    {
      after,
      limit,
      now,
    }: {
      readonly after: number;
      readonly limit: number;
      readonly now: readonly (Types['plan'] | Types['outcome'] | '')[];
    },
  ): readonly StoredItem<Types>[] {
    return this.#rows(
      jobId,
      `FROM items AS i LEFT JOIN item_results AS r ON r.list = i.list AND r.nth = i.nth AND r.position = ?
       WHERE i.list = ? AND i.nth > ? AND i.error IS NULL AND coalesce(r.outcome, r.plan, '') IN (${now.map(() => '?').join(', ')})
       ORDER BY i.nth LIMIT ?`,
      position,
      this.list(jobId),
      after,
      ...now,
      limit,
    );
  }

  /** Records that these planned items may be sent from now on; resolves when that is on disk. */
  async begin(jobId: string, position: number, nths: readonly number[]): Promise<void> {
    const list = this.list(jobId);
    await this.#commits.durable(() => {
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
    const list = this.list(jobId);
    return this.#commits.durable(() => this.store.insert('item_begun', { list, position, nth }, 'replace'));
  }

  /** Returns the last item that `beginUpTo` recorded; 0: none. */
  begunUpTo(jobId: string, position: number): number {
    return this.number(
      'SELECT coalesce(max(nth), 0) AS count FROM item_begun WHERE list = ? AND position = ?',
      this.list(jobId),
      position,
    );
  }

  /** Records what became of items; losing it with the power costs a look at the device, never a second write. */
  settle(jobId: string, position: number, settled: readonly SettledItem<Types>[]): void {
    if (settled.length === 0) return;
    const list = this.list(jobId);
    const at = this.now();
    this.store.transactionSoon(() => {
      for (const one of settled) this.#settle(list, { jobId, position, at }, one);
    });
    this.wake(jobId);
  }

  /** Like `settle`, but for items that come one by one: they are written together after a moment. */
  settleSoon(jobId: string, position: number, settled: SettledItem<Types>): void {
    const list = this.list(jobId);
    const at = this.now();
    this.#commits.soon(() => {
      this.#settle(list, { jobId, position, at }, settled);
      this.wake(jobId);
    });
  }

  /** Writes what `settleSoon` still holds; durable on return. */
  flush(): void {
    this.#commits.flush();
  }

  /** Returns how many items of a device have which plan and outcome (null: none yet); a kind that plans none has no plan. */
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
      this.list(jobId),
      position,
    );
  }

  /** Returns the items with this key, each with what became of it on a device. */
  find(jobId: string, position: number, key: string): readonly StoredItem<Types>[] {
    return this.#rows(
      jobId,
      `FROM items AS i LEFT JOIN item_results AS r ON r.list = i.list AND r.nth = i.nth AND r.position = ?
       WHERE i.list = ? AND i.key = ? AND i.error IS NULL`,
      position,
      this.list(jobId),
      key,
    );
  }

  /** Yields items with what is planned or became of them on devices; one that cannot be used comes once, without a device. */
  *items(jobId: string, { which = 'all', positions }: Choice = {}): Generator<StoredItem<Types>> {
    const list = this.list(jobId);
    const now = "coalesce(r.outcome, r.plan, '')";
    const where = {
      all: '',
      bad: ` AND (i.error IS NOT NULL OR ${now} IN (${this.words('bad')}))`,
      moving: ` AND (i.error IS NOT NULL OR ${now} NOT IN ('', ${this.words('idle')}))`,
    }[which];
    const some =
      positions === undefined
        ? ''
        : ` AND (r.position IS NULL OR r.position IN (${positions.map(Number).join(', ')}))`;
    const read = ({ nth, position = NO_DEVICE }: Pick<StoredItem<Types>, 'nth' | 'position'>) =>
      this.#rows(
        jobId,
        `FROM items AS i LEFT JOIN item_results AS r INDEXED BY item_results_by_item ON r.list = i.list AND r.nth = i.nth
         WHERE i.list = ? AND i.nth >= ? AND (i.nth > ? OR coalesce(r.position, ${NO_DEVICE}) > ?)${where}${some}
         ORDER BY i.nth, r.position LIMIT ?`,
        list,
        nth,
        nth,
        position,
        AT_ONCE,
      );
    for (const batch of inBatches({ nth: 0 }, read, (last) => last)) yield* batch;
  }

  /** Returns one page of `items`. */
  page(
    jobId: string,
    { offset, limit, ...choice }: Choice & { readonly offset: number; readonly limit: number },
  ): readonly StoredItem<Types>[] {
    const page: StoredItem<Types>[] = [];
    let at = 0;
    for (const item of this.items(jobId, choice)) {
      if (at >= offset) page.push(item);
      at += 1;
      if (page.length >= limit) break;
    }
    return page;
  }

  /** Returns some usable items in the order of their keys, from the first behind `after` on, with what is known of them on devices. */
  byKey(jobId: string, after: string): readonly StoredItem<Types>[] {
    const list = this.list(jobId);
    return this.#rows(
      jobId,
      `FROM (SELECT * FROM items WHERE list = ? AND key > ? AND error IS NULL ORDER BY key LIMIT ?) AS i
       JOIN item_results AS r INDEXED BY item_results_by_item ON r.list = i.list AND r.nth = i.nth ORDER BY i.key, r.position`,
      list,
      after,
      AT_ONCE,
    );
  }

  /** Returns results that have a detail, behind the one with the number `after`, in the order in which they came. */
  results(jobId: string, after: number): readonly StoredItem<Types>[] {
    return this.#rows(
      jobId,
      `FROM item_results AS r JOIN items AS i ON i.list = r.list AND i.nth = r.nth
       WHERE r.list = ? AND r.seq > ? ORDER BY r.seq LIMIT ?`,
      this.list(jobId),
      after,
      AT_ONCE,
    );
  }

  #settle(
    list: number,
    { jobId, position, at }: { readonly jobId: string; readonly position: number; readonly at: string },
    { nth, outcome, detail, secret, error }: SettledItem<Types>,
  ): void {
    if (secret !== undefined) this.markSealed(list);
    this.store.run(
      `INSERT INTO item_results (list, position, nth, outcome, detail, secret, error, at, seq)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${detail === undefined ? 'NULL' : NEXT_SEQ})
       ON CONFLICT (list, position, nth) DO UPDATE SET outcome = excluded.outcome, error = excluded.error, at = excluded.at,
         detail = excluded.detail, secret = coalesce(excluded.secret, secret), seq = coalesce(seq, excluded.seq)`,
      list,
      position,
      nth,
      outcome ?? null,
      detail === undefined ? null : JSON.stringify(detail),
      this.#sealed(secret, jobId, nth, position) ?? null,
      error === undefined ? null : JSON.stringify(error),
      at,
      ...(detail === undefined ? [] : [list]),
    );
  }

  #rows(jobId: string, sql: string, ...values: (string | number)[]): readonly StoredItem<Types>[] {
    return this.store.all<Row>(`SELECT ${COLUMNS} ${sql}`, ...values).map((row) => this.#item(jobId, row));
  }

  #item(jobId: string, row: Row): StoredItem<Types> {
    const { nth, key, attempts, secret, resultSecret } = row;
    const position = row.position ?? undefined;
    return {
      nth,
      key,
      attempts: attempts ?? 0,
      secret: () => this.#opened(secret, jobId, nth),
      resultSecret: () => this.#opened(resultSecret, jobId, nth, position ?? NO_DEVICE),
      ...defined({
        line: row.line ?? undefined,
        position,
        plan: row.plan ?? undefined,
        outcome: row.outcome ?? undefined,
        at: row.at ?? undefined,
        seq: row.seq ?? undefined,
        detail: parsed<Types['detail']>(row.detail),
        resultDetail: parsed<Types['resultDetail']>(row.resultDetail),
        error: parsed<ErrorShape>(row.error),
      }),
    };
  }

  #sealed(value: unknown, jobId: string, ...place: readonly number[]): Uint8Array | undefined {
    return value === undefined
      ? undefined
      : this.vault.seal(JSON.stringify(value), this.context(jobId, ...place));
  }

  #opened<Value>(sealed: Uint8Array | null, jobId: string, ...place: readonly number[]): Value | undefined {
    return sealed === null
      ? undefined
      : (JSON.parse(this.vault.open(sealed, this.context(jobId, ...place))) as Value);
  }
}

const NEXT_SEQ = '(SELECT coalesce(max(seq), 0) + 1 FROM item_results WHERE list = ? AND seq IS NOT NULL)';

function parsed<Value>(text: string | null): Value | undefined {
  return text === null ? undefined : (JSON.parse(text) as Value);
}
