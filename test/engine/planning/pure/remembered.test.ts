/** Five thousand alike devices are worked out once, and no device gets the answer of another. */
import { expect, it } from 'vitest';
import { rememberByPair } from '#engine/planning/pure/remembered.ts';

const [patch, otherPatch, held, otherHeld] = [{}, {}, {}, {}];

it.each([
  ['the same two', [patch, held], [patch, held], [1, 1, 1]],
  ['another patch for the same document', [patch, held], [otherPatch, held], [1, 2, 1]],
  ['another document for the same patch', [patch, held], [patch, otherHeld], [1, 2, 1]],
  ['a patch that is no object', ['x', held], ['x', held], [1, 2, 3]],
  ['a patch that is nothing', [null, held], [null, held], [1, 2, 3]],
  ['no limits', [patch, undefined], [patch, undefined], [1, 2, 3]],
] as const)('%s', (_what, one, other, computed) => {
  const remembered = rememberByPair<number>();
  let count = 0;

  expect([one, other, one].map(([first, second]) => remembered(first, second, () => (count += 1)))).toEqual(
    computed,
  );
});
