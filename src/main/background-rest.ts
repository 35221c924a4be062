/** Times at which the desktop app does nothing by itself. */

/** Milliseconds after which a window that cannot be seen counts as left. */
const LEFT_MS = 10 * 60_000;

interface RestOptions {
  readonly isHidden: () => boolean;
  /** True on a computer whose charge is not known, while it runs on its battery. */
  readonly isOnUnknownBattery: () => boolean;
  readonly now?: () => number;
}

/** Creates a check that answers false on battery and with the window hidden for long; it has to be asked again and again. */
export function createRestCheck({
  isHidden,
  isOnUnknownBattery,
  now = Date.now,
}: RestOptions): () => boolean {
  let hiddenSince: number | undefined;
  return () => {
    hiddenSince = isHidden() ? (hiddenSince ?? now()) : undefined;
    return !isOnUnknownBattery() && (hiddenSince === undefined || now() - hiddenSince < LEFT_MS);
  };
}
