/** Long answers are dealt with one after the other, each in a turn of the event loop of its own. */

/** Shorter ones cost a few milliseconds at most. */
const LONG = 32 * 1024;

let last: Promise<void> = Promise.resolve();

/**
 * Resolves when an answer of that many bytes may be dealt with in one piece; undefined for a short one, which
 * need not wait. Timers, other devices and the window get time in between, however many long answers are
 * waiting.
 */
export function turnFor(length: number): Promise<void> | undefined {
  if (length < LONG) return undefined;
  last = last.then(nextTurn);
  return last;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
