/**
 * `clamp: true` takes the nearest value that the device accepts, never one that it refuses, and reports the
 * original.
 */
import { expect, it } from 'vitest';
import { float, int, object, xml } from '#test/protocol/words.ts';
import { clampIssue } from '#engine/planning/pure/clamp.ts';
import type { Issue } from '#protocol/index.ts';

const PAYLOAD = xml('Root', '1:1', [object('deep', 'Deep', [float('x', 'X'), int('y', 'Y')])]);

function clamped(asked: unknown, allowed?: Issue['allowed']) {
  const patch = { deep: { x: asked, y: 1 } };
  const path = 'deep.x';
  return clampIssue(PAYLOAD, patch, {
    code: 'out-of-range',
    path,
    message: '',
    ...(allowed !== undefined && { allowed }),
  });
}

it.each([
  ['down', 16, { min: 2, max: 8 }, 8, 'device-takes', { min: 2, max: 8 }],
  ['up', 1, { min: 2, max: 8 }, 2, 'device-takes', { min: 2, max: 8 }],
  ['down where there is no lowest', 16, { max: 8 }, 8, 'device-takes-up-to', { max: 8 }],
  ['up where there is no highest', 1, { min: 2 }, 2, 'device-takes-from', { min: 2 }],
  ['to zero', 5, { min: -3, max: 0 }, 0, 'device-takes', { min: -3, max: 0 }],
  ['a whole number up to a whole number', 1, { min: 2.2, max: 8 }, 3, 'device-takes', { min: 2.2, max: 8 }],
  ['a whole number down to a whole number', 16, { max: 8.7 }, 8, 'device-takes-up-to', { max: 8.7 }],
  ['a fraction to the very limit', 16.5, { max: 8.7 }, 8.7, 'device-takes-up-to', { max: 8.7 }],
  ['a fraction up to the very limit', 0.5, { min: 0.75 }, 0.75, 'device-takes-from', { min: 0.75 }],
  ['to the only value', 5, { min: 3, max: 3 }, 3, 'device-takes', { min: 3, max: 3 }],
] as const)('moves %s', (_what, asked, allowed, given, id, values) => {
  expect(clamped(asked, allowed)).toMatchObject({
    patch: { deep: { x: given, y: 1 } },
    adjustment: { path: 'deep.x', asked, given, detail: { id, values } },
  });
});

it.each([
  ['no number', 'abc', { min: 2, max: 8 }],
  ['a list with too many entries', [1, 2, 3], { min: 0, max: 2 }],
  ['a number without limits (too many decimals)', 1.23, undefined],
  ['a number that is inside', 5, { min: 2, max: 8 }],
  ['limits that have nothing in common', 5, { min: 8, max: 2 }],
  ['limits without a whole number between them', 5, { min: 2.2, max: 2.8 }],
] as const)('leaves alone: %s', (_what, asked, allowed) => {
  expect(clamped(asked, allowed as Issue['allowed'])).toBeUndefined();
});
