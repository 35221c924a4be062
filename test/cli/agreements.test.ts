/** `site status|put-right|accept`, as scripts use them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readFileSync, writeFileSync } from 'node:fs';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { makeFolder, run, start, type Folder } from './helpers.ts';

let site: Site;
let folder: Folder;
let other: Folder;
const template = (distance: number): string =>
  `fieldwright: template/1\nname: Lanes\nsections:\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: { distance: ${distance} }\n`;

beforeAll(async () => {
  site = await startSite({ devices: 2, kinds: ['thermal'] });
  folder = makeFolder();
  other = makeFolder();
  writeFileSync(folder.file('4.yaml'), template(4));
  writeFileSync(folder.file('9.yaml'), template(9));
  for (const [nth, { url, user, password }] of site.devices.entries())
    await run(folder, ['device', 'add', url, '--name', `T${nth}`, '--user', user], {
      env: { FIELDWRIGHT_PASSWORD: password },
    });
});
afterAll(async () => {
  await site.close();
  folder.remove();
  other.remove();
});

interface Row {
  readonly name: string;
  readonly state: string;
  readonly differences: readonly object[];
}

it('says what differs, plans without a yes, puts right and accepts, with the exit codes of the contract', async () => {
  const [, { url = '', user = '', password = '' } = {}] = site.devices;
  const drift = () =>
    run(other, ['apply', '--template', folder.file('9.yaml'), '--device', url, '--user', user, '--yes'], {
      env: { FIELDWRIGHT_PASSWORD: password },
    });
  const siteCommand = (...args: readonly string[]) => run(folder, ['site', ...args, '--json']);
  const none = await siteCommand('status');
  await run(folder, [
    'apply',
    '--template',
    folder.file('4.yaml'),
    '--device',
    'T0',
    '--device',
    'T1',
    '--yes',
  ]);
  await drift();

  const unread = await siteCommand('status');
  const read = await siteCommand('status', '--read', '--device', 'T0', '--device', 'T1');
  const plan = await siteCommand('put-right', '--device', 'T1');
  const still = await siteCommand('status');
  const right = await siteCommand('put-right', '--device', 'T1', '--yes');
  const after = await siteCommand('status');
  await drift();
  await siteCommand('status', '--read');
  const later = await siteCommand('later', '--device', 'T1');
  const quiet = await siteCommand('status', '--device', 'T1');
  const accepted = await siteCommand('accept', '--device', 'T1', '--reason', 'the owner wants it');
  const refused = await siteCommand('accept', '--device', 'T1', '--reason', 'once more');

  expect(none.json<readonly Row[]>().map(({ state }) => state)).toEqual(['nothing-agreed', 'nothing-agreed']);
  expect([none.code, unread.code, read.code, plan.code, still.code, right.code, after.code]).toEqual([
    0, 0, 1, 0, 1, 0, 0,
  ]);
  expect(read.json<readonly Row[]>()).toMatchObject([
    { name: 'T0', state: 'as-agreed', differences: [] },
    {
      name: 'T1',
      device: url,
      state: 'drifted',
      differences: [
        {
          section: 'thermal.thermometryBasic',
          params: { channelID: 1 },
          path: 'distance',
          agreed: 4,
          shown: 9,
          by: 'outside',
        },
      ],
    },
  ]);
  expect(plan.json()).toMatchObject({ fieldwright: 'plan/1', counts: { changes: 1 } });
  expect(right.json()).toMatchObject({ kind: 'apply', counts: { effective: 1 } });
  expect(later.json()).toEqual({ putOff: 1 });
  expect(quiet.code).toBe(1);
  expect(quiet.json()).toMatchObject([{ differences: [{ path: 'distance', later: { user: 'tester' } }] }]);
  expect(accepted.json()).toEqual({ accepted: 1 });
  expect(refused.code).toBe(2);
});

it('keeps snapshots of a device, shows it as it was, and lists what changed with who did it', async () => {
  const taken = await run(folder, ['snapshot', 'T1', '--json']);
  await run(folder, ['apply', '--template', folder.file('4.yaml'), '--device', 'T1', '--yes']);
  const again = await run(folder, ['snapshot', 'take', 'T1', '--json']);
  const listed = await run(folder, ['snapshot', 'list', 'T1', '--json']);
  const { at = '' } = taken.json<{ readonly at: string }>();
  const before = await run(folder, ['snapshot', 'show', 'T1', '--at', at, '--json']);
  const written = await run(folder, ['snapshot', 'show', 'T1', '--out', folder.file('t1.json'), '--json']);
  const timeline = await run(folder, ['timeline', 'T1', '--since', at, '--json']);

  const compared = await run(folder, ['snapshot', 'compare', 'T1', '--from', at, '--json']);
  const back = await run(folder, ['snapshot', 'restore', 'T1', '--at', at, '--json']);
  const restored = await run(folder, ['snapshot', 'restore', 'T1', '--at', at, '--yes', '--json']);

  expect([compared.code, back.code, restored.code]).toEqual([0, 0, 0]);
  expect(compared.json()).toMatchObject([{ path: 'distance', before: 9, after: 4 }]);
  expect(back.json()).toMatchObject({ fieldwright: 'plan/1', counts: { changes: 1 } });
  expect(back.stderr).toContain('Passwords and keys are in no snapshot');
  expect(restored.json()).toMatchObject({ kind: 'apply', counts: { effective: 1 } });
  expect([taken.code, again.code, listed.code, before.code, written.code, timeline.code]).toEqual([
    0, 0, 0, 0, 0, 0,
  ]);
  expect(listed.json<readonly object[]>()).toHaveLength(2);
  expect(before.stdout.includes('<distance>9</distance>')).toBe(true);
  expect(readFileSync(folder.file('t1.json'), 'utf8').includes('<distance>4</distance>')).toBe(true);
  expect(timeline.json<readonly object[]>()).toMatchObject([
    { section: 'thermal.thermometryBasic', path: 'distance', before: 9, after: 4, by: 'tester' },
  ]);
});

// Would catch: what was put right before the kill is written again, or what was not is forgotten.
it('puts right what is left after a kill, and writes nothing twice', async () => {
  const devices = ['--device', 'T0', '--device', 'T1'];
  await run(folder, ['apply', '--template', folder.file('4.yaml'), ...devices, '--yes']);
  for (const { url, user, password } of site.devices)
    await run(
      other,
      ['apply', '--template', folder.file('9.yaml'), '--device', url, '--user', user, '--yes'],
      {
        env: { FIELDWRIGHT_PASSWORD: password },
      },
    );
  const drifted = await run(folder, ['site', 'status', '--read', '--json']);
  const writes = (): readonly number[] =>
    [0, 1].map(
      (nth) => site.device(nth).requests.filter(({ method, applied }) => method === 'PUT' && applied).length,
    );
  const [first = 0, second = 0] = writes();
  const killed = start(folder, ['site', 'put-right', ...devices, '--yes', '--json']);
  await expect.poll(() => writes().join()).not.toBe(`${first},${second}`);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const [job] = (await run(folder, ['jobs', 'list', '--json'])).json<readonly { readonly id: string }[]>();
  const resumed = await run(folder, ['jobs', 'resume', job?.id ?? '', '--json']);
  const after = await run(folder, ['site', 'status', '--read', '--json']);

  expect([drifted.code, resumed.code, after.code]).toEqual([1, 0, 0]);
  expect(writes()).toEqual([first + 1, second + 1]);
});

it('a site of which no device answers is unknown, and exit 3', async () => {
  await site.close();

  const read = await run(folder, ['site', 'status', '--read', '--json']);

  expect(read.code).toBe(3);
  expect(read.json<readonly Row[]>().map(({ state }) => state)).toEqual(['unknown', 'unknown']);
});
