/** Tracks which bytes of a file reached a device, as far as HTTP and TCP show it. */

const WINDOW_MS = 5_000;
const SAMPLE_MS = 100;
/**
 * Number of spans kept; if a device fetches in a thousand pieces, the rest is fetched again after a crash.
 */
const MOST_TOLD = 64;

/** One answer with some of the file. */
export interface Pass {
  /** Bytes `[start, end)` were given to the system. */
  sent(start: number, end: number): void;
  /** The client took everything and went on, or closed the connection in good order. */
  arrived(): void;
  /** The connection broke: the last of what was sent may never have arrived. */
  lost(): void;
}

/**
 * Derives what arrived from the next request. Bytes in the system's buffers are lost when a connection
 * breaks, and their number is unknown. A device that continues at some byte has those before it; one that
 * requests bytes again has lost them.
 */
export class Delivery {
  readonly #total: number;
  readonly #now: () => number;
  /** Handed over and not asked for again. */
  readonly #sent = new Coverage();
  readonly #arrived = new Coverage();
  readonly #lost = new Coverage();
  #samples: { at: number; bytes: number }[] = [];
  #requests = 0;
  #open = 0;
  #complete = false;
  /** Nothing was asked for since an earlier offer. */
  #isContinued: boolean;

  /**
   * `now`: milliseconds that never run backwards. `before`: what an earlier offer of the same address handed over; how
   * much of it arrived shows where the device goes on.
   */
  constructor(
    total: number,
    now: () => number,
    before: readonly (readonly [start: number, end: number])[] = [],
  ) {
    this.#total = total;
    this.#now = now;
    this.#isContinued = before.length > 0;
    for (const [start, end] of before) {
      this.#sent.add(start, Math.min(end, total));
      this.#lost.add(start, Math.min(end, total));
    }
  }

  /** Half-open spans that were handed over and not asked for again, the first few. */
  get spans(): readonly (readonly [start: number, end: number])[] {
    return [...this.#sent].slice(0, MOST_TOLD);
  }

  get bytes(): number {
    return this.#complete ? this.#total : this.#sent.size;
  }

  get requests(): number {
    return this.#requests;
  }

  get open(): number {
    return this.#open;
  }

  get complete(): boolean {
    return this.#complete;
  }

  /** Bytes a second. */
  get rate(): number {
    const now = this.#now();
    const recent = this.#samples.filter(({ at }) => now - at <= WINDOW_MS);
    const [first] = recent;
    if (first === undefined) return 0;
    const bytes = recent.reduce((sum, sample) => sum + sample.bytes, 0);
    return Math.round((bytes / Math.max(SAMPLE_MS, now - first.at)) * 1000);
  }

  /** A request for these spans is answered from now on. */
  begin(spans: readonly { readonly start: number; readonly end: number }[]): Pass {
    this.#requests += 1;
    this.#open += 1;
    for (const { start, end } of spans) this.#askedFor(start, end);
    const own = new Coverage();
    let ended = false;
    const once = (then: () => void): void => {
      if (ended) return;
      ended = true;
      this.#open -= 1;
      then();
    };
    return {
      sent: (start, end) => {
        own.add(start, end);
        this.#sent.add(start, end);
        this.#sample(end - start);
      },
      arrived: () =>
        once(() => {
          for (const [start, end] of own) this.#has(start, end);
        }),
      lost: () =>
        once(() => {
          for (const [start, end] of own) this.#lost.add(start, end);
        }),
    };
  }

  #askedFor(start: number, end: number): void {
    this.#fillGap(start);
    const before = this.#lost.before(start);
    if (before !== undefined) {
      this.#lost.remove(before.start, before.end);
      // It goes on here: what it was sent behind this place it never got.
      this.#sent.remove(start, before.end);
      this.#has(before.start, start);
    }
    this.#lost.remove(start, end);
    this.#sent.remove(start, end);
    this.#arrived.remove(start, end);
  }

  /** An earlier offer handed over more than it could note; a device that goes on behind that has it. */
  #fillGap(start: number): void {
    if (!this.#isContinued) return;
    this.#isContinued = false;
    const known = [...this.#sent].filter(([, end]) => end < start).at(-1);
    if (known === undefined) return;
    this.#sent.add(known[1], start);
    this.#lost.add(known[1], start);
  }

  #has(start: number, end: number): void {
    this.#arrived.add(start, end);
    this.#sent.add(start, end);
    this.#complete ||= this.#arrived.size === this.#total;
  }

  #sample(bytes: number): void {
    const now = this.#now();
    const last = this.#samples.at(-1);
    if (last !== undefined && now - last.at < SAMPLE_MS) last.bytes += bytes;
    else {
      this.#samples = this.#samples.filter(({ at }) => now - at <= WINDOW_MS);
      this.#samples.push({ at: now, bytes });
    }
  }
}
/** Set of byte ranges of a file. Ranges are kept instead of sums, so that bytes sent twice count once. */

/** A client that asks for single bytes far apart must not fill the memory: beyond this a new island is not noted. */
const MOST_SPANS = 4096;

interface Span {
  start: number;
  end: number;
}

/** Half-open spans `[start, end)`, sorted, apart from each other. */
export class Coverage {
  #spans: Span[] = [];

  /** Bytes. */
  get size(): number {
    return this.#spans.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  add(start: number, end: number): void {
    if (end <= start) return;
    const first = this.#firstEndingFrom(start);
    let behind = first;
    let from = start;
    let to = end;
    for (; behind < this.#spans.length; behind += 1) {
      const span = this.#spans[behind];
      if (span === undefined || span.start > end) break;
      from = Math.min(from, span.start);
      to = Math.max(to, span.end);
    }
    if (behind === first && this.#spans.length >= MOST_SPANS) return;
    this.#spans.splice(first, behind - first, { start: from, end: to });
  }

  remove(start: number, end: number): void {
    if (end <= start) return;
    this.#spans = this.#spans.flatMap((span) =>
      span.end <= start || span.start >= end
        ? [span]
        : [
            ...(span.start < start ? [{ start: span.start, end: start }] : []),
            ...(span.end > end ? [{ start: end, end: span.end }] : []),
          ],
    );
  }

  /** The span that holds the byte before `position`, or none. */
  before(position: number): { readonly start: number; readonly end: number } | undefined {
    return this.#spans.find(({ start, end }) => start < position && position <= end);
  }

  *[Symbol.iterator](): Generator<readonly [start: number, end: number]> {
    for (const { start, end } of this.#spans) yield [start, end];
  }

  /** Returns the index of the first span that ends at `position` or later. */
  #firstEndingFrom(position: number): number {
    let low = 0;
    let high = this.#spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#spans[middle]?.end ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
