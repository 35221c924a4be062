/**
 * Remembers when a database was last found sound: the time of a file beside it. For the check SQLite reads
 * the whole database, about a second per gigabyte that is in memory and many seconds otherwise. A small one
 * is checked with every start, a large one once a day and after damage was found.
 */
import { closeSync, openSync, rmSync, statSync, utimesSync } from 'node:fs';
import type { Clock } from '../api/host.ts';

const SMALL_BYTES = 4 * 1024 * 1024;
const HOLDS_MS = 24 * 3_600_000;
export const CHECKED_SUFFIX = '-checked';

export interface Soundness {
  /** It has to be looked at now. */
  isDue(): boolean;
  /** It was found sound. */
  found(): void;
  /** It is looked at with the next start. */
  doubt(): void;
}

export function createSoundness(file: string, clock: Clock): Soundness {
  const mark = `${file}${CHECKED_SUFFIX}`;
  const isSmall = (): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= SMALL_BYTES;
  return {
    isDue() {
      const checkedAt = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
      const age = clock.now().getTime() - checkedAt;
      return isSmall() || !(age >= 0 && age < HOLDS_MS);
    },
    found() {
      if (isSmall()) return;
      const now = clock.now();
      try {
        closeSync(openSync(mark, 'a', 0o600));
        utimesSync(mark, now, now);
      } catch {
        // A full disk: the next start looks again.
      }
    },
    doubt() {
      try {
        rmSync(mark, { force: true });
      } catch {
        // The damage that was found is to be reported, not this error.
      }
    },
  };
}
