import { expect, it } from 'vitest';
import { findTourStep, getTourPlace, TOUR_STEPS } from '#renderer/app/tour/tour-steps.ts';

const AT = { path: '/devices', query: {}, chosen: 0, applied: false };

// Would catch: a tour that stays behind the person, or runs ahead of them.
it.each([
  [AT, 'choose'],
  [{ ...AT, chosen: 3 }, 'template'],
  [{ ...AT, path: '/changes/apply', query: { step: 'devices' }, chosen: 3 }, 'template'],
  [{ ...AT, path: '/changes/apply', query: { step: 'plan', plan: 'p' } }, 'plan'],
  [{ ...AT, path: '/changes/apply', query: { step: 'apply' } }, 'apply'],
  [{ ...AT, path: '/changes/apply', query: { job: 'j' } }, 'apply'],
  [{ ...AT, path: '/changes/apply', query: { job: 'j' }, applied: true }, 'undo'],
  [{ ...AT, path: '/work/history/j/undo' }, 'undo'],
] as const)('%o is step %s', (doing, step) => {
  expect(findTourStep(doing)).toBe(step);
});

it('has five steps, each with an address', () => {
  expect(TOUR_STEPS.map(getTourPlace)).toEqual([
    '/devices',
    '/changes/apply',
    '/changes/apply',
    '/changes/apply',
    '/work/history',
  ]);
});
