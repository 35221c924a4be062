import { expect, it } from 'vitest';
import { estimatePace } from '#renderer/components/ui/pace.ts';

it('estimates what is left by what was done since the clock began', () => {
  expect(estimatePace({ done: 60, total: 100, elapsedMs: 2_000, doneBefore: 20 })).toEqual({
    done: 60,
    total: 100,
    perSecond: 20,
    secondsLeft: 2,
  });
});

// Would catch: "about 0:00 left", and a speed, for the minutes in which devices still work on what they were sent.
it('says neither how fast nor how long once all was counted and the work goes on', () => {
  expect(estimatePace({ done: 100, total: 100, elapsedMs: 9_000 })).toEqual({ done: 100, total: 100 });
});
