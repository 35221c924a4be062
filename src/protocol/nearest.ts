/** The nearest known name to a mistyped one, for messages. */
import { distance } from 'fastest-levenshtein';

/** Number of differing letters at most, for names of any length. */
const MOST_STEPS = 8;
const LONGEST = 100;

/** Returns the candidate nearest to a mistyped name; undefined if none is near. */
export function findNearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.slice(0, LONGEST).toLowerCase();
  let best: string | undefined;
  let limit = Math.min(MOST_STEPS, Math.max(2, Math.floor(wanted.length / 3))) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= limit) continue;
    const steps = distance(wanted, candidate.toLowerCase());
    // Names that share no letter are not near, however short they are.
    if (steps < Math.min(limit, Math.max(wanted.length, candidate.length)))
      [best, limit] = [candidate, steps];
  }
  return best;
}
