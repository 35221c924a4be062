/** Gathers items and hands them over together, so that a flood of events costs one redraw. */
export interface Batch<T> {
  push(item: T): void;
  flush(): void;
}

export function createBatch<T>(deliver: (items: readonly T[]) => void, waitMs = 80): Batch<T> {
  let items: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (items.length === 0) return;
    const ready = items;
    items = [];
    deliver(ready);
  }

  return {
    push(item) {
      items.push(item);
      timer ??= setTimeout(flush, waitMs);
    },
    flush,
  };
}
