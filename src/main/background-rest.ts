/** Times at which the desktop app does nothing by itself. */

/** Milliseconds after which a window that cannot be seen counts as left. */
const LEFT_MS = 10 * 60_000;

interface RestOptions {
  readonly isHidden: () => boolean;
  readonly now?: () => number;
}

/** Creates a check that answers false with the window hidden for long; it has to be asked again and again. */
export function createRestCheck({ isHidden, now = Date.now }: RestOptions): () => boolean {
  let hiddenSince: number | undefined;
  return () => {
    hiddenSince = isHidden() ? (hiddenSince ?? now()) : undefined;
    return hiddenSince === undefined || now() - hiddenSince < LEFT_MS;
  };
}
