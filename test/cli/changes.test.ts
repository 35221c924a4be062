/** Changes one by one, and why an alarm does not fire, through the command line. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AlarmReport } from '#shared/alarm-chain.ts';
import type { ChangeEntry } from '#shared/history.ts';
import { errorOf, makeFolder, run, startSite, type StartedSite } from './helpers.ts';

const folder = makeFolder();
let site: StartedSite;

beforeAll(async () => {
  site = await startSite(folder, ['--devices', '1', '--kinds', 'thermal', '--fault', 'not-told']);
});
afterAll(async () => {
  await site.stop();
  folder.remove();
});

const call = (...args: readonly string[]) => run(folder, args, { env: site.env });

// Would catch: a change that a script can see and cannot name, or an undo that takes its neighbour along.
it('lists changes with ids, and undoes one of them by its id', async () => {
  const url = site.devices[0]?.url ?? '';
  const file = folder.file('two.yaml');
  writeFileSync(
    file,
    'fieldwright: template/1\nname: Two\nsections:\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: { distance: 7, alarm: 40 }\n',
  );
  await call('apply', '--template', file, '--device', url, '--yes', '--json');
  const listed = (await call('changes', 'list', '--device', url, '--json')).json<readonly ChangeEntry[]>();
  const alarm = listed.find(({ path }) => path === 'alarm');

  expect(listed.map(({ path }) => path)).toEqual(['distance', 'alarm']);
  expect((await call('changes', 'list', '--device', url)).stdout).toMatch(/Alarm temperature.*37\.5 → 40/);
  const unasked = await call('changes', 'undo', alarm?.id ?? '', '--json');
  expect([unasked.code, errorOf(unasked).code]).toEqual([2, 'confirmation-needed']);
  const undone = await call('changes', 'undo', alarm?.id ?? '', '--yes', '--json');

  expect(undone.code).toBe(0);
  const after = (await call('changes', 'list', '--device', url, '--json')).json<readonly ChangeEntry[]>();
  expect(
    after.filter(({ kind }) => kind === 'apply').map(({ path, undoneBy }) => [path, typeof undoneBy]),
  ).toEqual([
    ['distance', 'undefined'],
    ['alarm', 'string'],
  ]);
  expect(errorOf(await call('changes', 'undo', 'j-000000000000:0:0:alarm', '--yes', '--json')).code).toBe(
    'not-found',
  );
});

it('says why no alarm comes, in words and as data', async () => {
  const url = site.devices[0]?.url ?? '';
  const words = await call('device', 'why-no-alarm', '--device', url);
  const data = (await call('device', 'why-no-alarm', '--device', url, '--json')).json<AlarmReport>();

  expect(words.stdout).toMatch(/And tells someone\s+no\s+No linkage is set/);
  expect(data.chains.map(({ state }) => state)).toEqual(['bad', 'bad']);
});
