/** Taking a long document apart once, though several look at it: its reader, its limits, a trace, an error. */
import { DEFAULT_LIMITS, type Limits } from './limits.ts';

/** Shorter ones are taken apart anew in less than a millisecond. */
const LONG = 16 * 1024;

interface Latest<R> {
  readonly text: string;
  readonly outcome: { readonly result: R } | { readonly thrown: unknown };
}

/**
 * Wraps `read` so that its outcome for the latest long text is reused. The outcome is held weakly: it lasts
 * at least until the running code pauses, and no text, which may hold secrets, is kept for it. `read` must be
 * pure, with immutable results.
 */
export function rememberLatest<R>(
  read: (text: string, limits: Limits) => R,
): (text: string, limits: Limits) => R {
  let latest: WeakRef<Latest<R>> | undefined;
  return (text, limits) => {
    if (text.length < LONG || limits !== DEFAULT_LIMITS) return read(text, limits);
    const known = latest?.deref();
    const { outcome } = known?.text === text ? known : keep(text, limits);
    if ('thrown' in outcome) throw outcome.thrown;
    return outcome.result;
  };

  function keep(text: string, limits: Limits): Latest<R> {
    const made: Latest<R> = { text, outcome: outcomeOf(() => read(text, limits)) };
    latest = new WeakRef(made);
    return made;
  }
}

function outcomeOf<R>(run: () => R): Latest<R>['outcome'] {
  try {
    return { result: run() };
  } catch (thrown) {
    return { thrown };
  }
}
