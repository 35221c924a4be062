/** Gathers items and hands them over together, so that a flood of events costs one redraw. */
export interface Batch<T> {
  push(item: T): void;
  flush(): void;
}

export interface BatchOptions {
  readonly waitMs?: number;
  /** Handed over at once at most; the rest follows after the next redraw, so that no single turn takes long. */
  readonly most?: number;
}

/** What a page has and plain Node, where stores run too, has not. */
interface Page {
  readonly requestAnimationFrame?: (work: () => void) => number;
  readonly document?: { readonly visibilityState: string };
}

/** A page that is not shown draws nothing: there the wait alone counts. */
function beforeNextFrame(work: () => void): void {
  const page = globalThis as Page;
  if (page.requestAnimationFrame !== undefined && page.document?.visibilityState === 'visible') page.requestAnimationFrame(work);
  else work();
}

export function createBatch<T>(deliver: (items: readonly T[]) => void, { waitMs = 80, most = Number.POSITIVE_INFINITY }: BatchOptions = {}): Batch<T> {
  let items: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function plan(): void {
    timer ??= setTimeout(() => beforeNextFrame(() => {
      timer = undefined;
      hand(most);
    }), waitMs);
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
