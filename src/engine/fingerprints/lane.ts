/** Processes the fingerprints of one device of a job, a few at a time, until the source is exhausted. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { UnitOutcome, UnitProgress } from '#shared/model.ts';
import { ATTENTION } from '#shared/outcomes.ts';
import { PRINT_OUTCOMES, type PrintStatus } from '#shared/people/fingerprints.ts';
import type { UnitVerdict } from '../jobs/unit-kind.ts';
import type { Aside } from './aside.ts';
import { listStatuses, type PrintItem, type PrintRows, type Settled } from './print-rows.ts';
import type { PrintSource } from './source.ts';

interface Turn {
  readonly maybeSent: boolean;
  readonly aside: Aside;
}

export interface LaneOptions {
  readonly rows: PrintRows;
  readonly jobId: string;
  readonly position: number;
  readonly source: Pick<PrintSource, 'reached'>;
  readonly inFlight: number;
  readonly stopped: AbortSignal;
  /** Processes one item. Throws if the device cannot be used any further. */
  readonly work: (item: PrintItem, turn: Turn) => Promise<Settled>;
  readonly progress: (progress: UnitProgress) => void;
}

interface LaneEnd {
  /** Number of readers by result, earlier runs included. */
  readonly counts: Readonly<Record<string, number>>;
  /** True if every result of this run was verified on the device. */
  readonly allSeen: boolean;
  /** Why it ended early. */
  readonly error?: ErrorShape;
}

/** Items journalled in advance as possibly sent; after a crash, so many at most must be read from the device. */
const WINDOW = 32;
/** Items at most that wait for the device to show them while others proceed. */
const MOST_ASIDE = 128;

/** Processes the items of one device. `filling` resolves with the error of the source that provides them, if any. */
export async function runLane(
  options: LaneOptions,
  filling?: Promise<ErrorShape | undefined>,
): Promise<UnitVerdict & { readonly detail: Pick<LaneEnd, 'counts'> }> {
  const lane = new Lane(options);
  // A failed source never closes its list, so stop waiting for more items.
  void filling?.then((failed) => {
    if (failed !== undefined) lane.stop(failed);
  });
  const { counts, allSeen, error } = await lane.run();
  const detail = { counts };
  if (options.stopped.aborted) return { outcome: 'pending', detail };
  if (error !== undefined) return { outcome: 'pending', detail, stop: error };
  const outcomes = new Set<UnitOutcome>(
    (Object.keys(counts) as PrintStatus[]).map((status) =>
      status === 'taken' && !allSeen ? 'accepted' : PRINT_OUTCOMES[status],
    ),
  );
  // `unknown` comes first, so that the job continues with this device.
  const outcome = outcomes.has('unknown')
    ? 'unknown'
    : ATTENTION.find((each) => outcomes.has(each as UnitOutcome));
  return { outcome: (outcome ?? 'unchanged') as UnitOutcome, detail };
}

class Lane {
  readonly #options: LaneOptions;
  readonly #inHand = new Set<number>();
  readonly #counts: Record<string, number>;
  /** Number of the last item that an earlier run may have sent. */
  readonly #before: number;
  #queue: PrintItem[] = [];
  #last = 0;
  #done: number;
  #total: number | undefined;
  #allSeen = true;
  #error: ErrorShape | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** Number of items in work, without those that wait for the device to show them. */
  #busy = 0;
  #changed = Promise.withResolvers<void>();
  #asked: number;
  #durable: number;
  #reserving: Promise<void> = Promise.resolve();

  constructor(options: LaneOptions) {
    const { rows, jobId, position } = options;
    this.#options = options;
    this.#before = this.#asked = this.#durable = rows.begunUpTo(jobId, position);
    const { items, counts } = rows.statuses(jobId, position);
    this.#done = items;
    this.#counts = { ...counts };
  }

  /** Stops with an error: no further item is begun. */
  stop(error: ErrorShape): void {
    this.#error ??= error;
    this.#wake();
  }

  async run(): Promise<LaneEnd> {
    const { source, position, inFlight, rows, jobId, stopped } = this.#options;
    const wake = (): void => this.#wake();
    const end = rows.watch(jobId, wake);
    stopped.addEventListener('abort', wake);
    source.reached(position, 0);
    this.#tell();
    try {
      await Promise.all(Array.from({ length: inFlight + MOST_ASIDE }, () => this.#worker()));
    } finally {
      end();
      stopped.removeEventListener('abort', wake);
      source.reached(position, undefined);
      rows.flush();
    }
    return { counts: this.#counts, allSeen: this.#allSeen, error: this.#error };
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  async #worker(): Promise<void> {
    const { work, rows, jobId, position, source } = this.#options;
    for (;;) {
      const item = await this.#next();
      if (item === undefined) return;
      try {
        await this.#reserve(item.nth);
        const settled = await work(item, {
          maybeSent: item.nth <= this.#before,
          aside: (wait) => this.#aside(wait),
        });
        rows.settlePrint(jobId, position, item.nth, settled);
        this.#count(settled);
      } catch (thrown) {
        // This item and all later ones stay open.
        this.#error ??= toErrorShape(thrown);
      } finally {
        this.#inHand.delete(item.nth);
        this.#busy -= 1;
        this.#wake();
        source.reached(position, Math.min(this.#last, ...this.#inHand));
      }
    }
  }

  async #aside(wait: () => Promise<void>): Promise<void> {
    this.#busy -= 1;
    this.#wake();
    try {
      await wait();
    } finally {
      // Continue without waiting for a free slot: the other items may be waiting for this one.
      this.#busy += 1;
    }
  }

  /** Takes the next item; calls are queued, so that each item goes to one worker. */
  #next(): Promise<PrintItem | undefined> {
    const turn = this.#turn.then(() => this.#take());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #take(): Promise<PrintItem | undefined> {
    const { rows, jobId, position, stopped, inFlight } = this.#options;
    for (;;) {
      if (this.#error !== undefined || stopped.aborted) return undefined;
      const changed = this.#changed.promise;
      if (this.#busy >= inFlight) {
        await changed;
        continue;
      }
      if (this.#queue.length === 0) {
        // Read `isClosed` before the rows: rows added in between are found in the next round.
        const isClosed = rows.list(jobId)?.isClosed !== false;
        this.#queue = [...rows.nextPrints(jobId, position, this.#last)];
        if (this.#queue.length === 0 && isClosed) return undefined;
      }
      const item = this.#queue.shift();
      if (item !== undefined) {
        this.#last = item.nth;
        this.#inHand.add(item.nth);
        this.#busy += 1;
        return item;
      }
      await changed;
    }
  }

  /** Resolves when the intent of an item is on disk; journals later items in advance. */
  async #reserve(nth: number): Promise<void> {
    if (nth + WINDOW / 2 > this.#asked) {
      const { rows, jobId, position } = this.#options;
      const upTo = nth + WINDOW;
      this.#asked = upTo;
      this.#reserving = this.#reserving
        .then(() => rows.beginUpTo(jobId, position, upTo))
        .then(() => {
          this.#durable = upTo;
        });
      this.#reserving.catch(() => undefined);
    }
    if (nth > this.#durable) await this.#reserving;
  }

  #count({ readers }: Settled): void {
    for (const status of listStatuses(readers)) this.#counts[status] = (this.#counts[status] ?? 0) + 1;
    if (readers.some(({ seen }) => seen !== true)) this.#allSeen = false;
    this.#done += 1;
    this.#tell();
  }

  #tell(): void {
    const { rows, jobId, progress } = this.#options;
    if (this.#total === undefined && rows.list(jobId)?.isClosed !== false)
      this.#total = rows.counts(jobId).items;
    progress({ done: this.#done, ...removeUndefined({ total: this.#total }) });
  }
}
