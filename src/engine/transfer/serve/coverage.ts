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
