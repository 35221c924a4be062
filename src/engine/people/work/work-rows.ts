/** Rows of work on people, in the database: a plan of any length in constant memory, personal data sealed. */
import { defined } from '../../../shared/defined.ts';
import { say } from '../../../shared/details.ts';
import { userError, type ErrorShape } from '../../../shared/errors.ts';
import type { PersonChange, PersonPlan } from '../../../shared/people.ts';
import type { Clock } from '../../api/host.ts';
import type { Vault } from '../../inventory/access/vault.ts';
import { inBatches, type Store } from '../../store/index.ts';
import type {
  DueRow,
  ListedRow,
  NewResult,
  NewRow,
  Outcome,
  RowDocument,
  Settled,
  WorkHead,
} from './rows.ts';

interface Columns {
  readonly row: number;
  readonly line: number;
  readonly employee_no: string;
  readonly document: Uint8Array | null;
  readonly row_error: string | null;
  readonly device: number | null;
  readonly plan: PersonPlan | null;
  readonly detail: Uint8Array | null;
  readonly outcome: Outcome | null;
  readonly attempts: number | null;
  readonly error: string | null;
}

const COLUMNS = `r.row, r.line, r.employee_no, r.document, r.error AS row_error, d.device, d.plan, d.detail, d.outcome, d.attempts, d.error`;
/** Rows whose file of failures nobody fetched are forgotten after that. */
const KEPT_DAYS = 30;
const GOOD = "('done', 'accepted')";
/** On the device, even if it did not keep every field. */
const THERE = `(d.plan = 'unchanged' OR coalesce(d.outcome, '') IN ${GOOD} OR (d.outcome IS 'ignored' AND d.error ->> '$.detail.id' IS 'people-not-kept'))`;
/** Nothing went wrong with it, and nothing is open. Never null, which would be neither. */
const FINE = `(d.plan IN ('unchanged', 'absent') OR coalesce(d.outcome, '') IN ${GOOD})`;
/** It went wrong; what is open did not. */
const FAILED = `(d.plan = 'refused' OR coalesce(d.outcome, 'sent') NOT IN ('done', 'accepted', 'sending', 'sent'))`;

export class WorkRows {
  readonly #store: Store;
  readonly #vault: Pick<Vault, 'seal' | 'open'>;
  readonly #clock: Clock;

  constructor(store: Store, vault: Pick<Vault, 'seal' | 'open'>, clock: Clock) {
    this.#store = store;
    this.#vault = vault;
    this.#clock = clock;
    this.#forgetOld();
  }

  create(id: string, head: WorkHead): void {
    // Says at once where nothing can be sealed.
    this.#vault.seal('', `people/${id}`);
    this.#store.insert('people_work', {
      id,
      created_at: this.#clock.now().toISOString(),
      kept: JSON.stringify(head),
    });
  }

  /** Throws `not-found`. */
  head(id: string): WorkHead {
    const row = this.#store.get<{ readonly kept: string }>('SELECT kept FROM people_work WHERE id = ?', id);
    if (row === undefined) throw userError('not-found', say('people-no-plan', { id }));
    return JSON.parse(row.kept) as WorkHead;
  }

  update(id: string, change: Partial<WorkHead>): WorkHead {
    const head = { ...this.head(id), ...change };
    this.#store.update('people_work', { kept: JSON.stringify(head) }, { id });
    return head;
  }

  /** Everything of it; a plan that nobody carries out. */
  drop(id: string): void {
    this.#store.transaction(() => {
      this.#store.remove('people_results', { work_id: id });
      this.#store.remove('people_rows', { work_id: id });
      this.#store.remove('people_seen', { work_id: id });
      this.#store.remove('people_work', { id });
    });
  }

  addRows(id: string, from: number, rows: readonly NewRow[]): void {
    this.#store.transactionSoon(() => {
      rows.forEach(({ line, employeeNo, error, mayHavePrints: _counted, ...document }, at) =>
        this.#store.insert('people_rows', {
          work_id: id,
          row: from + at,
          line,
          employee_no: employeeNo,
          document: this.#vault.seal(JSON.stringify(document), rowContext(id, from + at)),
          error: JSON.stringify(error),
        }),
      );
    });
  }

  /** Rows that devices may get, in their order. */
  good(
    id: string,
    after: number,
    limit: number,
  ): readonly (Omit<DueRow, 'plan' | 'outcome' | 'attempts'> & { readonly line: number })[] {
    return this.#store
      .all<Columns>(
        'SELECT row, line, employee_no, document FROM people_rows WHERE work_id = ? AND row > ? AND error IS NULL ORDER BY row LIMIT ?',
        id,
        after,
        limit,
      )
      .map((row) => ({
        row: row.row,
        line: row.line,
        employeeNo: row.employee_no,
        document: this.#document(id, row),
      }));
  }

  /** Of everybody that the work is about, whatever becomes of them. */
  *numbers(id: string): Generator<string> {
    const read = (after: number): readonly Pick<Columns, 'row' | 'employee_no'>[] =>
      this.#store.all(
        'SELECT row, employee_no FROM people_rows WHERE work_id = ? AND row > ? AND error IS NULL ORDER BY row LIMIT 500',
        id,
        after,
      );
    for (const batch of inBatches(-1, read, ({ row }) => row))
      for (const { employee_no } of batch) yield employee_no;
  }

  clearResults(id: string, device: number): void {
    this.#store.remove('people_results', { work_id: id, device });
  }

  addResults(id: string, device: number, results: readonly NewResult[]): void {
    this.#store.transactionSoon(() => {
      for (const { row, plan, error, changes, state } of results)
        this.#store.insert(
          'people_results',
          {
            work_id: id,
            device,
            row,
            plan,
            detail:
              changes === undefined && state === undefined
                ? null
                : this.#vault.seal(JSON.stringify({ changes, state }), resultContext(id, device, row)),
            error: JSON.stringify(error),
          },
          'replace',
        );
    });
  }

  /** Rows with one of these outcomes (`null`: none yet), of what is to be sent. */
  due(
    id: string,
    device: number,
    {
      after,
      limit,
      outcomes,
    }: { readonly after: number; readonly limit: number; readonly outcomes: readonly (Outcome | null)[] },
  ): readonly DueRow[] {
    const named = outcomes.filter((outcome) => outcome !== null);
    const none = outcomes.includes(null) ? 'd.outcome IS NULL OR ' : '';
    return this.#store
      .all<Columns>(
        `SELECT ${COLUMNS} FROM people_results AS d JOIN people_rows AS r ON r.work_id = d.work_id AND r.row = d.row
         WHERE d.work_id = ? AND d.device = ? AND d.row > ? AND d.plan IN ('added', 'changed', 'removed')
         AND (${none}d.outcome IN (${named.map(() => '?').join(', ')})) ORDER BY d.row LIMIT ?`,
        id,
        device,
        after,
        ...named,
        limit,
      )
      .map((row) => {
        const { state } = this.#detail(id, row);
        return {
          row: row.row,
          employeeNo: row.employee_no,
          plan: row.plan as PersonPlan,
          outcome: row.outcome ?? undefined,
          attempts: row.attempts ?? 0,
          document: this.#document(id, row),
          ...defined({ state }),
        };
      });
  }

  /** On their way from now on; on disk when it resolves. */
  async sending(id: string, device: number, rows: readonly number[]): Promise<void> {
    this.#store.transactionSoon(() => {
      for (const row of rows)
        this.#store.run(
          "UPDATE people_results SET outcome = 'sending', attempts = attempts + 1 WHERE work_id = ? AND device = ? AND row = ?",
          id,
          device,
          row,
        );
    });
    await this.#store.onDisk();
  }

  /** Losing it with the power costs a look at the device, never a second write. */
  settle(id: string, device: number, settled: readonly Settled[]): void {
    if (settled.length === 0) return;
    this.#store.transactionSoon(() => {
      for (const { row, outcome, error, changes } of settled) {
        this.#store.update(
          'people_results',
          { outcome, error: JSON.stringify(error) },
          { work_id: id, device, row },
        );
        if (changes !== undefined)
          this.#store.update(
            'people_results',
            { detail: this.#vault.seal(JSON.stringify({ changes }), resultContext(id, device, row)) },
            { work_id: id, device, row },
          );
      }
    });
  }

  /** The person is on the device, even if it did not keep every field. */
  isThere(id: string, device: number, employeeNo: string): boolean {
    return (
      this.#store.get(
        `SELECT 1 FROM people_rows AS r JOIN people_results AS d ON d.work_id = r.work_id AND d.row = r.row AND d.device = ?
         WHERE r.work_id = ? AND r.employee_no = ? AND r.error IS NULL AND ${THERE} LIMIT 1`,
        device,
        id,
        employeeNo,
      ) !== undefined
    );
  }

  /** Numbers of people who may have fingerprints and are, or may yet come, on a device. */
  *withPrints(id: string): Generator<string> {
    const devices = this.head(id).deviceIds.length;
    const read = (after: number): readonly Columns[] =>
      this.#store.all(
        `SELECT row, employee_no, document FROM people_rows AS r WHERE work_id = ? AND row > ? AND error IS NULL AND
         (SELECT count(*) FROM people_results AS d INDEXED BY people_results_by_row WHERE d.work_id = r.work_id AND d.row = r.row
          AND (d.plan = 'refused' OR d.outcome IN ('refused', 'ignored')) AND NOT ${THERE}) < ? ORDER BY row LIMIT 200`,
        id,
        after,
        devices,
      );
    for (const batch of inBatches(-1, read, ({ row }) => row))
      for (const row of batch) if (this.#document(id, row).prints !== 0) yield row.employee_no;
  }

  /** By plan and outcome (`open` where it has none). */
  counts(
    id: string,
    device: number,
  ): readonly { readonly plan: PersonPlan; readonly outcome: Outcome | null; readonly count: number }[] {
    return this.#store.all(
      'SELECT plan, outcome, count(*) AS count FROM people_results WHERE work_id = ? AND device = ? GROUP BY plan, outcome',
      id,
      device,
    );
  }

  /** Rows with what is meant or became of them on devices; bad ones once, without a device. */
  *list(
    id: string,
    {
      devices,
      only = 'all',
    }: { readonly devices?: readonly number[]; readonly only?: 'all' | 'failed' | 'moving' } = {},
  ): Generator<ListedRow> {
    const where = {
      all: '1',
      failed: `(r.error IS NOT NULL OR (d.plan IS NOT NULL AND ${FAILED}))`,
      moving: "(r.error IS NOT NULL OR d.plan NOT IN ('unchanged', 'absent'))",
    }[only];
    const some =
      devices === undefined
        ? ''
        : ` AND (d.device IS NULL OR d.device IN (${devices.map(Number).join(', ')}))`;
    const read = ({ row, device }: Pick<Columns, 'row' | 'device'>): readonly Columns[] =>
      this.#store.all(
        `SELECT ${COLUMNS} FROM people_rows AS r LEFT JOIN people_results AS d INDEXED BY people_results_by_row ON d.work_id = r.work_id AND d.row = r.row
         WHERE r.work_id = ? AND r.row >= ? AND (r.row > ? OR coalesce(d.device, 0) > ?) AND ${where}${some} ORDER BY r.row, d.device LIMIT 200`,
        id,
        row,
        row,
        device ?? 0,
      );
    for (const batch of inBatches({ row: -1, device: -1 }, read, (last) => last))
      for (const row of batch) yield this.#listed(id, row);
  }

  /** One page of `list`, by an offset. */
  page(
    id: string,
    {
      only,
      devices,
      offset,
      limit,
    }: {
      readonly only: 'all' | 'failed' | 'moving';
      readonly devices?: readonly number[];
      readonly offset: number;
      readonly limit: number;
    },
  ): readonly ListedRow[] {
    const page: ListedRow[] = [];
    let at = 0;
    for (const row of this.list(id, { only, ...defined({ devices }) })) {
      if (at >= offset) page.push(row);
      at += 1;
      if (page.length >= limit) break;
    }
    return page;
  }

  /** Personal data of what went well on every device; of everything where `all`. */
  wipe(id: string, all: boolean): void {
    // One that was never reached has no result, and its turn is still to come.
    const devices = this.head(id).deviceIds.length;
    const isFine = `error IS NULL AND (SELECT count(*) FROM people_results AS d INDEXED BY people_results_by_row WHERE d.work_id = people_rows.work_id AND d.row = people_rows.row AND ${FINE}) >= ${devices}`;
    this.#store.transaction(() => {
      this.#store.run(
        `UPDATE people_results AS d SET detail = NULL WHERE work_id = ?${all ? '' : ` AND ${FINE}`}`,
        id,
      );
      this.#store.run(
        `UPDATE people_rows SET document = NULL WHERE work_id = ?${all ? '' : ` AND ${isFine}`}`,
        id,
      );
    });
    this.#store.forgetLog();
  }

  #forgetOld(): void {
    const before = new Date(this.#clock.now().getTime() - KEPT_DAYS * 86_400_000).toISOString();
    const yesterday = new Date(this.#clock.now().getTime() - 86_400_000).toISOString();
    for (const { id } of this.#store.all<{ readonly id: string }>(
      'SELECT id FROM people_work WHERE created_at < ? AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = people_work.id)',
      yesterday,
    ))
      this.drop(id);
    for (const { id } of this.#store.all<{ readonly id: string }>(
      `SELECT id FROM people_work WHERE created_at < ? AND EXISTS (SELECT 1 FROM people_rows WHERE work_id = people_work.id AND document IS NOT NULL)
       AND EXISTS (SELECT 1 FROM jobs WHERE jobs.id = people_work.id AND jobs.state NOT IN ('running', 'waiting'))`,
      before,
    ))
      this.wipe(id, true);
  }

  #listed(id: string, row: Columns): ListedRow {
    const error = row.row_error ?? row.error;
    return {
      row: row.row,
      line: row.line,
      employeeNo: row.employee_no,
      device: row.device ?? undefined,
      ...(row.plan === null ? {} : { plan: row.plan }),
      ...(row.outcome === null ? {} : { outcome: row.outcome }),
      ...(error === null ? {} : { error: JSON.parse(error) as ErrorShape }),
      detail: () => this.#detail(id, row),
      document: () => this.#document(id, row),
    };
  }

  #document(id: string, { row, document }: Columns): RowDocument {
    return document === null
      ? {}
      : (JSON.parse(this.#vault.open(document, rowContext(id, row))) as RowDocument);
  }

  #detail(
    id: string,
    { row, device, detail }: Columns,
  ): { readonly changes?: readonly PersonChange[]; readonly state?: string } {
    if (detail === null || device === null) return {};
    return JSON.parse(this.#vault.open(detail, resultContext(id, device, row))) as {
      readonly state?: string;
    };
  }
}

function rowContext(id: string, row: number): string {
  return `people/${id}/${row}`;
}
function resultContext(id: string, device: number, row: number): string {
  return `people/${id}/${device}/${row}`;
}
