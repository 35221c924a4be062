/** The name that a person meant who mistyped one. */
import { describe, expect, it } from 'vitest';
import { findNearestName } from '#protocol/index.ts';

/** Letters to change, add or leave out, by the plain table. */
function stepsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}

describe('the nearest name', () => {
  it.each([
    ['distnace', ['alarm', 'distance', 'resistance'], 'distance'],
    ['DISTANCE', ['alarm', 'Distance'], 'Distance'],
    ['mode', ['node', 'mode'], 'mode'],
    ['mide', ['mode', 'made'], 'mode'],
    ['ab', ['cd', 'b'], 'b'],
    ['ab', ['cd', 'xy'], undefined],
    ['a', ['ab', 'bcd'], 'ab'],
    ['x', ['y', 'z'], undefined],
    ['alarm', ['alarmIn'], 'alarmIn'],
    ['alarm', ['alarmIns'], undefined],
    ['alarms', ['rms', 'arms'], 'arms'],
    ['', ['', 'a'], undefined],
    ['anything', [], undefined],
  ] as const)('to "%s" among %j is %s', (name, candidates, nearest) => {
    expect(findNearestName(name, candidates)).toBe(nearest);
  });

  // Would catch: a long name for which any other one is offered, or one of thousands of letters that holds up a check.
  it('is never more than eight letters away, and the rest of a very long one does not count', () => {
    const name = 'temperatureCompensation';
    expect(findNearestName(`${name}12345678`, [name])).toBe(name);
    expect(findNearestName(`${name}123456789`, [name])).toBeUndefined();
    expect(findNearestName('x'.repeat(50_000), ['x'.repeat(100)])).toBe('x'.repeat(100));
    expect(findNearestName('x'.repeat(50_000), ['x'.repeat(109)])).toBeUndefined();
  });

  // Would catch: a search that stops early too early, so that another name than the nearest is offered.
  it('is the one with the fewest letters to change', () => {
    const letters = 'aab';
    const names = Array.from({ length: 240 }, (_, at) =>
      Array.from(
        { length: 3 + (at % 7) },
        (_none, place) => letters[(at * (place + 3) + (at >> place)) % 3],
      ).join(''),
    );
    for (const [at, name] of names.entries()) {
      const others = names.slice(at + 1, at + 12).filter((other) => other !== name);
      const far = Math.max(2, Math.floor(name.length / 3));
      const steps = others.map((other) => stepsBetween(name, other));
      const least = Math.min(far + 1, ...steps);
      const expected = least > far ? undefined : others[steps.indexOf(least)];
      const isNothingAlike = expected !== undefined && least >= Math.max(name.length, expected.length);

      expect(findNearestName(name, others), `${name} among ${others.join()}`).toBe(
        isNothingAlike ? undefined : expected,
      );
    }
  });
});
