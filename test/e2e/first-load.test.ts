/** The window must not wait for what its first screen does not need. */
import { expect, it } from 'vitest';
import { firstLoadBytes } from '../helpers/first-load.ts';
import { buildRenderer } from './build-renderer.ts';

// Would catch: an editor, a table of words or a whole library that a start pulls in by one import too many.
it('loads at most 400 KB before its first screen', async () => {
  const renderer = await buildRenderer();

  const kilobytes = firstLoadBytes(renderer.dir) / 1024;
  await renderer.remove();

  expect(kilobytes).toBeLessThanOrEqual(400);
});
