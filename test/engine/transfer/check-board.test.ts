/** Reasons against a package on a device, from what the device shows. */
import { expect, it } from 'vitest';
import { checkBoard } from '#engine/transfer/check-step.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { EngineView, ModelBoard } from '#shared/ai-models/ai-models.ts';

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
    ...removeUndefined({ packagesPerEngine }),
  },
  supports: { url: 'true', push: 'false', reset: 'true' },
  problems: [],
});
const wanted = {
  mpid: 'new',
  mpName: 'Helmets',
  size: 1_000_000,
  engines: [1],
  mode: 'url',
  update: false,
} as const;

const named = (MPID: string, MPName = '') => ({ MPID, MPName });
// Would catch: a package said to be kept that goes with the engine (part 1, 4 unloads all of it), or one said to go that stays.
it.each([
  [
    'one of two is kept beside the new one',
    [holds(1, 'a')],
    2,
    { stays: [named('a')], reloads: false },
    ['stays'],
  ],
  [
    'one of two leaves where there is no room, and the other is loaded again',
    [holds(1, 'a'), holds(1, 'b')],
    2,
    { replaces: named('a'), stays: [named('b')], reloads: true },
    ['replaces', 'reloads'],
  ],
  [
    'an earlier package of the same name leaves first',
    [holds(1, 'a'), { ...holds(1, 'b'), MPName: 'Helmets' }],
    2,
    { replaces: named('b', 'Helmets'), stays: [named('a')], reloads: true },
    ['replaces', 'reloads'],
  ],
  [
    'an engine that holds more than the device says takes as many as it holds',
    [holds(1, 'a'), holds(1, 'b'), holds(1, 'c')],
    2,
    { replaces: named('a'), stays: [named('b'), named('c')], reloads: true },
    ['replaces', 'reloads', 'reloads'],
  ],
  ['the only one goes', [holds(1, 'a')], undefined, { replaces: named('a') }, ['replaces']],
  [
    'the package itself does not go',
    [holds(1, 'new'), holds(1, 'b')],
    2,
    { stays: [named('b')], reloads: false },
    ['stays'],
  ],
])('%s', (_name, engines, several, expected, said) => {
  const { engines: planned, notes } = checkBoard(board(engines, several), wanted);

  expect(planned).toEqual([{ engine: 1, status: 1, ...expected }]);
  expect(notes.flatMap(({ id }) => /^model\.(replaces|reloads|stays)$/.exec(id)?.[1] ?? [])).toEqual(said);
});

// Would catch: a package that only the list of packages names on the engine, unloaded without a word.
it('a package that only the list of packages shows on the engine counts', () => {
  const packages = [{ MPID: 'b', MPName: '', status: 1, engines: [1] }];

  const { engines } = checkBoard({ ...board([holds(1, 'a')], 2), packages }, wanted);

  expect(engines).toEqual([
    { engine: 1, status: 1, replaces: named('a'), stays: [named('b')], reloads: true },
  ]);
});

// Would catch: "0 MB left" of a device that left the number out.
it('room that the device does not tell is not taken for none', () => {
  const { storage: _none, ...untold } = board([holds(1, '')]);

  const { errors, notes } = checkBoard(untold, wanted);

  expect(errors).toEqual([]);
  expect(notes.map(({ id }) => id)).toContain('model.storage-unknown');
});
