/**
 * What the database holds of jobs on fingerprints: whose they are, how far each device is, what became of them; and,
 * apart from it and sealed by the vault, the templates of those that come from a file. These are wiped with the job.
 */
import type { ErrorShape } from '../../../shared/errors.ts';
import { defined } from '../../../shared/defined.ts';
import { detailOf } from '../../../shared/details.ts';
import type { PrintResult, ReaderResult } from '../../../shared/prints.ts';
import type { Clock } from '../../api/host.ts';
import { createGroupCommit, type GroupCommit } from '../../jobs/group-commit.ts';
import type { Store } from '../../store/index.ts';
import type { Vault } from '../../inventory/access/vault.ts';
import type { Print, Whose } from './read-print.ts';
import { wordsOf } from './words.ts';

/** One fingerprint of a job; its template is to be had by `nth`. */
export interface PrintItem extends Omit<Print, 'fingerData'> {
  /** Place in the job, from 1. */
  readonly nth: number;
  readonly line?: number;
}

/** What became of an item on a device. */
export interface Settled {
  readonly readers: readonly ReaderResult[];
  readonly error?: ErrorShape;
}

interface StoredResult extends PrintResult {
  /** Order in which results came; grows. */
  readonly id: number;
  /** -1: a line of the file. */
  readonly position: number;
}

interface ItemRow {
  readonly nth: number;
  readonly line: number | null;
  readonly employee_no: string;
  readonly finger: number;
  readonly finger_type: string;
  readonly leader: string | null;
  readonly readers: string;
}

interface ResultRow {
  readonly id: number;
  readonly position: number;
  readonly readers: string;
  readonly error: string | null;
  readonly at: string;
  readonly line: number | null;
  readonly employee_no: string | null;
  readonly finger: number | null;
  readonly name: string | null;
  readonly device_id: string | null;
}

/** Rows of one transaction: a few milliseconds. */
const AT_ONCE = 200;
/** What is left of a job that nobody went on with is wiped after so long. */
export const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;
const BAD_LINE = -1;

export class PrintRows {
  readonly #store: Store;
  readonly #vault: Pick<Vault, 'seal' | 'open'>;
  readonly #clock: Clock;
  readonly #commits: GroupCommit;
  readonly #watchers = new Map<string, Set<() => void>>();

  constructor(store: Store, vault: Pick<Vault, 'seal' | 'open'>, clock: Clock) {
    this.#store = store;
    this.#vault = vault;
    this.#clock = clock;
    this.#commits = createGroupCommit(store);
  }

  /** Before its first fingerprint, and again when a job goes on. Throws `vault-locked` where templates are to be kept and cannot. */
  open(jobId: string, { sealed }: { readonly sealed: boolean }): void {
    if (sealed) this.#vault.seal('', contextOf(jobId, 0));
    this.#store.insert(
      'print_jobs',
      { job_id: jobId, created_at: this.#clock.now().toISOString(), closed: 0 },
      'ignore',
    );
  }

  /** Nothing more comes. */
  closeInput(jobId: string): void {
    this.#store.update('print_jobs', { closed: 1 }, { job_id: jobId });
    this.#wake(jobId);
  }

  /** Fingerprints are part of the job. */
  has(jobId: string): boolean {
    return this.#store.get('SELECT 1 FROM print_jobs WHERE job_id = ?', jobId) !== undefined;
  }

  isClosed(jobId: string): boolean {
    return (
      this.#store.get<{ readonly closed: number }>('SELECT closed FROM print_jobs WHERE job_id = ?', jobId)
        ?.closed !== 0
    );
  }

  /**
   * Adds fingerprints in their order, with their templates sealed where `sealed`; gives the places of those that were
   * new, in the order given, and undefined with the line of the first for one that is there already.
   */
  add(
    jobId: string,
    prints: readonly { readonly print: Print; readonly line?: number }[],
    { sealed }: { readonly sealed: boolean },
  ): readonly ({ readonly nth: number } | { readonly twice: number | null })[] {
    const added = this.#store.transactionSoon(() => {
      let nth = this.count(jobId);
      return prints.map(({ print, line }) => {
        const readers = JSON.stringify(print.readers ?? []);
        const same = this.#store.get<{ readonly line: number | null }>(
          'SELECT line FROM print_items WHERE job_id = ? AND employee_no = ? AND finger = ? AND readers = ?',
          jobId,
          print.employeeNo,
          print.fingerPrintID,
          readers,
        );
        if (same !== undefined) return { twice: same.line };
        nth += 1;
        this.#store.insert('print_items', {
          job_id: jobId,
          nth,
          line,
          employee_no: print.employeeNo,
          finger: print.fingerPrintID,
          finger_type: print.fingerType,
          leader: JSON.stringify(print.leaderFP),
          readers,
        });
        if (sealed)
          this.#store.insert('print_data', {
            job_id: jobId,
            nth,
            sealed: this.#vault.seal(print.fingerData, contextOf(jobId, nth)),
          });
        return { nth };
      });
    });
    this.#wake(jobId);
    return added;
  }

  /** A line of a file that could not be used. */
  addBad(jobId: string, whose: Whose, error: ErrorShape): void {
    this.#store.insert('print_results', {
      job_id: jobId,
      position: BAD_LINE,
      nth: null,
      readers: JSON.stringify([whose]),
      error: JSON.stringify(error),
      at: this.#clock.now().toISOString(),
    });
    this.#wake(jobId);
  }

  count(jobId: string): number {
    return this.#number('SELECT coalesce(max(nth), 0) AS count FROM print_items WHERE job_id = ?', jobId);
  }

  people(jobId: string): number {
    return this.#number(
      'SELECT count(DISTINCT employee_no) AS count FROM print_items WHERE job_id = ?',
      jobId,
    );
  }

  bad(jobId: string): number {
    return this.#number(
      'SELECT count(*) AS count FROM print_results WHERE job_id = ? AND position = -1',
      jobId,
    );
  }

  /** The next items behind `after` that the device has no result for. */
  next(jobId: string, position: number, after: number): readonly PrintItem[] {
    return this.#store
      .all<ItemRow>(
        `SELECT nth, line, employee_no, finger, finger_type, leader, readers FROM print_items AS item
         WHERE job_id = ? AND nth > ? AND NOT EXISTS (
           SELECT 1 FROM print_results AS result WHERE result.job_id = item.job_id AND result.position = ? AND result.nth = item.nth)
         ORDER BY nth LIMIT 64`,
        jobId,
        after,
        position,
      )
      .map(itemOf);
  }

  /** The template of an item; undefined where it is no longer kept. Throws `vault-locked`. */
  data(jobId: string, nth: number): string | undefined {
    const row = this.#store.get<{ readonly sealed: Uint8Array }>(
      'SELECT sealed FROM print_data WHERE job_id = ? AND nth = ?',
      jobId,
      nth,
    );
    return row === undefined ? undefined : this.#vault.open(row.sealed, contextOf(jobId, nth));
  }

  /** The last item that may have been sent to the device; 0: none. */
  begun(jobId: string, position: number): number {
    return this.#number(
      'SELECT coalesce(max(begun), 0) AS count FROM print_lanes WHERE job_id = ? AND position = ?',
      jobId,
      position,
    );
  }

  /** On disk when it resolves: items up to `nth` may be sent. */
  begin(jobId: string, position: number, nth: number): Promise<void> {
    return this.#commits.durable(() =>
      this.#store.insert('print_lanes', { job_id: jobId, position, begun: nth }, 'replace'),
    );
  }

  settle(jobId: string, position: number, nth: number, { readers, error }: Settled): void {
    const at = this.#clock.now().toISOString();
    this.#commits.soon(() => {
      this.#store.insert(
        'print_results',
        { job_id: jobId, position, nth, readers: JSON.stringify(readers), error: JSON.stringify(error), at },
        'ignore',
      );
      this.#wake(jobId);
    });
  }

  flush(): void {
    this.#commits.flush();
  }

  /** How many readers of a device have which result, and how many items have one at all. */
  tally(
    jobId: string,
    position: number,
  ): {
    readonly items: number;
    readonly counts: Readonly<Record<string, number>>;
  } {
    const rows = this.#store.all<{ readonly status: string; readonly count: number }>(
      `SELECT json_extract(one.value, '$.status') AS status, count(*) AS count FROM print_results, json_each(readers) AS one
       WHERE job_id = ? AND position = ? GROUP BY 1`,
      jobId,
      position,
    );
    return {
      items: this.#number(
        'SELECT count(*) AS count FROM print_results WHERE job_id = ? AND position = ?',
        jobId,
        position,
      ),
      counts: Object.fromEntries(rows.map(({ status, count }) => [status, count])),
    };
  }

  /** Results behind `after`, in the order in which they came. */
  results(jobId: string, after: number): readonly StoredResult[] {
    return this.#store
      .all<ResultRow>(
        `SELECT result.id, result.position, result.readers, result.error, result.at, item.line, item.employee_no, item.finger, device.name, device.device_id
         FROM print_results AS result
         LEFT JOIN print_items AS item ON item.job_id = result.job_id AND item.nth = result.nth
         LEFT JOIN job_devices AS device ON device.job_id = result.job_id AND device.position = result.position
         WHERE result.job_id = ? AND result.id > ? AND result.readers <> '[]' ORDER BY result.id LIMIT ?`,
        jobId,
        after,
        AT_ONCE,
      )
      .flatMap(resultsOf);
  }

  /** Told of every change of a job; gives what ends that. */
  watch(jobId: string, wake: () => void): () => void {
    const watchers = this.#watchers.get(jobId) ?? new Set();
    this.#watchers.set(jobId, watchers.add(wake));
    return () => {
      watchers.delete(wake);
      if (watchers.size === 0) this.#watchers.delete(jobId);
    };
  }

  holdsData(jobId: string): boolean {
    return this.#store.get('SELECT 1 FROM print_data WHERE job_id = ? LIMIT 1', jobId) !== undefined;
  }

  /** Whether a unit of the job is still to be done. */
  hasWork(jobId: string): boolean {
    return (
      this.#store.get(
        "SELECT 1 FROM job_units WHERE job_id = ? AND outcome IN ('pending', 'unknown') LIMIT 1",
        jobId,
      ) !== undefined
    );
  }

  /**
   * Overwrites every template of the job, in the database and in its log; a few at a time, so that nothing else waits.
   * The rows that say whose they were stay.
   */
  async wipe(jobId: string): Promise<void> {
    if (!this.holdsData(jobId)) return;
    for (;;) {
      const { changes } = this.#store.run(
        'DELETE FROM print_data WHERE job_id = ? AND nth IN (SELECT nth FROM print_data WHERE job_id = ? LIMIT ?)',
        jobId,
        jobId,
        AT_ONCE,
      );
      if (changes === 0) break;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    this.#store.forgetLog();
  }

  /** Forgets a job that was never begun. */
  async discard(jobId: string): Promise<void> {
    await this.wipe(jobId);
    this.#store.transaction(() => {
      for (const table of ['print_items', 'print_results', 'print_lanes', 'print_jobs'])
        this.#store.remove(table, { job_id: jobId });
    });
  }

  /** Jobs whose templates nobody needs any more: ended with nothing left, left alone too long, or never begun. */
  leftOver(): readonly { readonly jobId: string; readonly begun: boolean }[] {
    const now = this.#clock.now().getTime();
    return this.#store
      .all<{ readonly jobId: string; readonly begun: number }>(
        `SELECT print_jobs.job_id AS jobId, jobs.id IS NOT NULL AS begun FROM print_jobs LEFT JOIN jobs ON jobs.id = print_jobs.job_id
         WHERE EXISTS (SELECT 1 FROM print_data WHERE print_data.job_id = print_jobs.job_id)
         AND iif(jobs.id IS NULL, print_jobs.created_at < ?, jobs.state NOT IN ('running', 'waiting') AND (coalesce(jobs.ended_at, jobs.created_at) < ?
           OR NOT EXISTS (SELECT 1 FROM job_units WHERE job_units.job_id = jobs.id AND outcome IN ('pending', 'unknown'))))`,
        new Date(now - DAY_MS).toISOString(),
        new Date(now - KEPT_DAYS * DAY_MS).toISOString(),
      )
      .map(({ jobId, begun }) => ({ jobId, begun: begun === 1 }));
  }

  #number(sql: string, ...values: (string | number)[]): number {
    return this.#store.get<{ readonly count: number }>(sql, ...values)?.count ?? 0;
  }

  #wake(jobId: string): void {
    for (const wake of this.#watchers.get(jobId) ?? []) wake();
  }
}

/** A sealed template opens for its own place in its own job only. */
function contextOf(jobId: string, nth: number): string {
  return `print/${jobId}/${nth}`;
}

function itemOf(row: ItemRow): PrintItem {
  const readers = JSON.parse(row.readers) as readonly number[];
  return {
    nth: row.nth,
    employeeNo: row.employee_no,
    fingerPrintID: row.finger,
    fingerType: row.finger_type,
    ...defined({ line: row.line ?? undefined }),
    ...(row.leader === null ? {} : { leaderFP: JSON.parse(row.leader) as readonly number[] }),
    ...(readers.length === 0 ? {} : { readers }),
  };
}

function resultsOf(row: ResultRow): readonly StoredResult[] {
  const error = row.error === null ? undefined : (JSON.parse(row.error) as ErrorShape);
  const common = {
    id: row.id,
    position: row.position,
    at: row.at,
    ...defined({ error, line: error?.line ?? row.line ?? undefined }),
  };
  if (row.position === BAD_LINE) {
    const [whose = {}] = JSON.parse(row.readers) as readonly Whose[];
    return [{ ...common, ...whose, status: 'bad-line', says: detailOf('print-bad-line') }];
  }
  return (JSON.parse(row.readers) as readonly ReaderResult[]).map(({ reader, ...result }) => ({
    ...common,
    ...defined({
      employeeNo: row.employee_no ?? undefined,
      fingerPrintID: result.finger ?? (row.finger || undefined),
      device: row.name ?? undefined,
      deviceId: row.device_id ?? undefined,
    }),
    ...(reader === 0 ? {} : { reader }),
    ...result,
    says: wordsOf(result),
  }));
}
