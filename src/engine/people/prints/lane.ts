/** One device of a job on fingerprints: item after item, a few at a time, until nothing more comes. */
import { defined } from '../../../shared/defined.ts';
import { toErrorShape, type ErrorShape } from '../../../shared/errors.ts';
import type { UnitProgress } from '../../../shared/model.ts';
import { isGoodPrint, type PrintStatus } from '../../../shared/prints.ts';
import type { UnitVerdict } from '../../jobs/unit-kind.ts';
import type { PrintItem, PrintRows, Settled } from './print-rows.ts';
import type { PrintSource } from './source.ts';

export interface LaneOptions {
  readonly rows: PrintRows;
  readonly jobId: string;
  readonly position: number;
  readonly source: Pick<PrintSource, 'reached'>;
  /** Requests to the device at a time. */
  readonly inFlight: number;
  /** Somebody stops the job. */
  readonly stopped: AbortSignal;
  /** Throws where the device cannot be worked on any more. */
  readonly work: (item: PrintItem, maybeSent: boolean) => Promise<Settled>;
  readonly progress: (progress: UnitProgress) => void;
}

interface LaneEnd {
  /** Readers by what became of them, earlier runs included. */
  readonly counts: Readonly<Record<string, number>>;
  /** Everything of this run was read from the device afterwards. */
  readonly allSeen: boolean;
  /** Why it ended before everything was done. */
  readonly error?: ErrorShape;
}

/** Items that are on disk as "may have been sent" before one of them is: what a crash leaves to be found out by reading. */
const WINDOW = 32;

/** One device until nothing more comes; `filling` tells what went wrong with the source that its items come from. */
export async function runLane(
  options: LaneOptions,
  filling?: Promise<ErrorShape | undefined>,
): Promise<UnitVerdict & { readonly detail: Pick<LaneEnd, 'counts'> }> {
  const lane = new Lane(options);
  // A source that fails closes nothing: whoever waits for more is told so.
  void filling?.then((failed) => {
    if (failed !== undefined) lane.stop(failed);
  });
  const { counts, allSeen, error } = await lane.run();
  const detail = { counts };
  if (options.stopped.aborted) return { outcome: 'pending', detail };
  if (error !== undefined) return { outcome: 'pending', detail, stop: error };
  const statuses = Object.keys(counts) as PrintStatus[];
  const outcome =
    statuses.length === 0
      ? 'unchanged'
      : !statuses.every(isGoodPrint)
        ? 'refused'
        : allSeen
          ? 'effective'
          : 'accepted';
  return { outcome, detail };
}

class Lane {
  readonly #options: LaneOptions;
  readonly #inHand = new Set<number>();
  readonly #counts: Record<string, number>;
  /** Up to here an earlier run may have sent. */
  readonly #before: number;
  #queue: PrintItem[] = [];
  #last = 0;
  #done: number;
  #total: number | undefined;
  #allSeen = true;
  #error: ErrorShape | undefined;
  #turn: Promise<unknown> = Promise.resolve();
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

  /** Nothing more is begun. */
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
      await Promise.all(Array.from({ length: inFlight }, () => this.#worker()));
    } finally {
      end();
      stopped.removeEventListener('abort', wake);
      source.reached(position, undefined);
      rows.flush();
    }
    return { counts: this.#counts, allSeen: this.#allSeen, ...defined({ error: this.#error }) };
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
        const settled = await work(item, item.nth <= this.#before);
        rows.settlePrint(jobId, position, item.nth, settled);
        this.#count(settled);
      } catch (thrown) {
        // The item stays to be done, and so do all behind it.
        this.#error ??= toErrorShape(thrown);
      } finally {
        this.#inHand.delete(item.nth);
        source.reached(position, Math.min(this.#last, ...this.#inHand));
      }
    }
  }

  /** One after the other: each item goes to one worker. */
  #next(): Promise<PrintItem | undefined> {
    const turn = this.#turn.then(() => this.#take());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #take(): Promise<PrintItem | undefined> {
    const { rows, jobId, position, stopped } = this.#options;
    for (;;) {
      if (this.#error !== undefined || stopped.aborted) return undefined;
      const changed = this.#changed.promise;
      if (this.#queue.length === 0) {
        // Asked before looking: what comes after the look is still to come for the next one.
        const isClosed = rows.list(jobId)?.isClosed !== false;
        this.#queue = [...rows.nextPrints(jobId, position, this.#last)];
        if (this.#queue.length === 0 && isClosed) return undefined;
      }
      const item = this.#queue.shift();
      if (item !== undefined) {
        this.#last = item.nth;
        this.#inHand.add(item.nth);
        return item;
      }
      await changed;
    }
  }

  /** Resolves when this item may be sent; those behind it are made ready before they are needed. */
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
    for (const { status, seen } of readers) {
      this.#counts[status] = (this.#counts[status] ?? 0) + 1;
      if (!isGoodPrint(status) || seen !== true) this.#allSeen = false;
    }
    this.#done += 1;
    this.#tell();
  }

  #tell(): void {
    const { rows, jobId, progress } = this.#options;
    if (this.#total === undefined && rows.list(jobId)?.isClosed !== false)
      this.#total = rows.counts(jobId).items;
    progress({ done: this.#done, ...defined({ total: this.#total }) });
  }
}
