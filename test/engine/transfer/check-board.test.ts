/** What stands against a package on a device, from what the device shows. */
import { expect, it } from 'vitest';
import { checkBoard } from '../../../src/engine/transfer/check-step.ts';
import { defined } from '../../../src/shared/defined.ts';
import type { EngineView, ModelBoard } from '../../../src/shared/models.ts';

const holds = (engine: number, MPID: string): EngineView => ({
  engine,
  status: MPID === '' ? 0 : 1,
  MPID,
  MPName: '',
});
const board = (engines: readonly EngineView[], packagesPerEngine?: number): ModelBoard => ({
  deviceId: 'd',
  name: 'd',
  url: 'http://d',
  at: '',
  engines,
  engineNumbers: [1],
  packages: [],
  storage: { total: 100, free: 50 },
  platform: {
    name: '',
    algorithmVersion: '',
    firmware: '',
    ...defined({ packagesPerEngine }),
  },
  supports: { url: 'true', push: 'false', reset: 'true' },
  problems: [],
});
const wanted = { mpid: 'new', size: 1_000_000, engines: [1], mode: 'url', update: false } as const;

// Would catch: a package said to be kept that goes with the engine (part 1, 3 unloads all of it), or one said to go that stays.
it.each([
  ['one of two is kept beside the new one', [holds(1, 'a')], 2, { engine: 1, status: 1 }],
  [
    'both of two go where there is no room',
    [holds(1, 'a'), holds(1, 'b')],
    2,
    {
      engine: 1,
      status: 1,
      replaces: { MPID: 'a', MPName: '' },
      alsoReplaces: [{ MPID: 'b', MPName: '' }],
    },
  ],
  [
    'the only one goes',
    [holds(1, 'a')],
    undefined,
    { engine: 1, status: 1, replaces: { MPID: 'a', MPName: '' } },
  ],
  ['the package itself does not go', [holds(1, 'new'), holds(1, 'b')], 2, { engine: 1, status: 1 }],
])('%s', (_name, engines, several, expected) => {
  const { engines: planned, notes } = checkBoard(board(engines, several), wanted);

  expect(planned).toEqual([expected]);
  expect(notes.filter(({ id }) => id === 'model.replaces')).toHaveLength(
    'alsoReplaces' in expected ? 2 : 'replaces' in expected ? 1 : 0,
  );
});

// Would catch: "0 MB left" of a device that left the number out.
it('room that the device does not tell is not taken for none', () => {
  const { storage: _none, ...untold } = board([holds(1, '')]);

  const { errors, notes } = checkBoard(untold, wanted);

  expect(errors).toEqual([]);
  expect(notes.map(({ id }) => id)).toContain('model.storage-unknown');
});
