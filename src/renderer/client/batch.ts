/** Gathers items and hands them over together, so that a flood of events costs one redraw. */
export interface Batch<T> {
  push(item: T): void;
  flush(): void;
}

interface BatchOptions {
  readonly waitMs?: number;
  /** Handed over at once at most; the rest follows after another wait, so that no single turn takes long. */
  readonly most?: number;
}

export function createBatch<T>(
  deliver: (items: readonly T[]) => void,
  { waitMs = 80, most = Number.POSITIVE_INFINITY }: BatchOptions = {},
): Batch<T> {
  let items: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function plan(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      hand(most);
    }, waitMs);
  }

  function hand(count: number): void {
    if (items.length === 0) return;
    const ready = items.length <= count ? items : items.slice(0, count);
    items = ready === items ? [] : items.slice(count);
    if (items.length > 0) plan();
    deliver(ready);
  }

  return {
    push(item) {
      items.push(item);
      plan();
    },
    flush() {
      clearTimeout(timer);
      timer = undefined;
      hand(Number.POSITIVE_INFINITY);
    },
  };
}
