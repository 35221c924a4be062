/** The nearest known name to a mistyped one, for messages. */

/** Number of differing letters at most, for names of any length. */
const MOST_STEPS = 8;
const LONGEST = 100;

/** The candidate nearest to a mistyped name; undefined where none is near. */
export function findNearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.slice(0, LONGEST).toLowerCase();
  let best: string | undefined;
  let distance = Math.min(MOST_STEPS, Math.max(2, Math.floor(wanted.length / 3))) + 1;
  for (const candidate of candidates) {
    // Names that share no letter are not near, however short they are.
    const steps = editDistance(
      wanted,
      candidate.toLowerCase(),
      Math.min(distance, Math.max(wanted.length, candidate.length)),
    );
    if (steps !== undefined) [best, distance] = [candidate, steps];
  }
  return best;
}

/** Letters to change, add or leave out; undefined where they are not below `limit`, which is seen early. */
function editDistance(a: string, b: string, limit: number): number | undefined {
  if (Math.abs(a.length - b.length) >= limit) return undefined;
  let row = Array.from({ length: b.length + 2 }, (_, index) => index);
  let next = row.map(() => limit);
  for (let i = 1; i <= a.length; i += 1) {
    // Further from the diagonal it takes more steps than the limit just to get back.
    const [low, high] = [Math.max(1, i - limit), Math.min(b.length, i + limit)];
    next[low - 1] = low === 1 ? i : limit;
    let least = next[low - 1] ?? limit;
    for (let j = low; j <= high; j += 1) {
      const swap = (row[j - 1] ?? limit) + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      const steps = Math.min((row[j] ?? limit) + 1, (next[j - 1] ?? limit) + 1, swap);
      next[j] = steps;
      if (steps < least) least = steps;
    }
    if (least >= limit) return undefined;
    next[high + 1] = limit;
    [row, next] = [next, row];
  }
  const steps = row[b.length] ?? limit;
  return steps < limit ? steps : undefined;
}
