/** Rules of an organisation, obeyed by whatever sends: a template, a call, a request by its path. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { errorOf, makeFolder, start, type Folder, type Ran } from './helpers.ts';

let site: Site;
let folder: Folder;
beforeAll(async () => {
  site = await startSite({ devices: 1, kinds: ['thermal'] });
  folder = makeFolder();
  writeFileSync(folder.file('mode.json'), '{"mode":"expert","thermometryROIEnabled":false}');
  writeFileSync(folder.file('mode.xml'), '<ThermometryMode/>');
  writeFileSync(
    folder.file('policy.json'),
    JSON.stringify({ allowBasic: false, forbiddenSections: ['thermal.thermometryMode'] }),
  );
  writeFileSync(
    folder.file('mode.yaml'),
    'fieldwright: template/1\nname: Mode\nsections:\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: expert }\n',
  );
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

/** A process of its own: the rules are read once in each. */
function runUnder(policy: string, ...args: readonly string[]): Promise<Ran> {
  const [{ url = '', user = '', password = '' } = {}] = site.devices;
  return start(folder, [...args, '--device', url, '--user', user, '--json'], {
    FIELDWRIGHT_PASSWORD: password,
    FIELDWRIGHT_POLICY: folder.file(policy),
  }).ended;
}

it('a forbidden setting is read, and written by nothing: no template, no call, no request by its path', async () => {
  const mode = ['thermal.thermometryMode.put', '--param', 'channelID=1'];
  const read = await runUnder('policy.json', 'call', 'thermal.thermometryMode.get', '--param', 'channelID=1');
  const applied = await runUnder('policy.json', 'apply', '--template', folder.file('mode.yaml'), '--yes');
  const called = await runUnder('policy.json', 'call', ...mode, '--body', folder.file('mode.json'), '--yes');
  const path = site
    .device(0)
    .requests.find(({ operation }) => operation === 'thermal.thermometryMode.get')?.path;
  const requested = await runUnder(
    'policy.json',
    'request',
    'PUT',
    path ?? '',
    '--body',
    folder.file('mode.xml'),
    '--yes',
  );

  expect(read.code).toBe(0);
  expect([applied.code, called.code, requested.code]).toEqual([2, 2, 2]);
  expect([applied, called, requested].map((ran) => errorOf(ran).code)).toEqual([
    'not-allowed',
    'not-allowed',
    'not-allowed',
  ]);
  expect(site.device(0).requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});

it('rules that cannot be read allow nothing (a slip of the pen that counts as no rule)', async () => {
  writeFileSync(folder.file('wrong.json'), '{"allowbasic":false}');

  const ran = await runUnder('wrong.json', 'call', 'thermal.thermometryMode.get', '--param', 'channelID=1');

  expect(ran.code).not.toBe(0);
  expect(errorOf(ran)).toMatchObject({ code: 'not-available', detail: { id: 'policy-unreadable' } });
});
