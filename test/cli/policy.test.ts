/** Rules of an organisation, obeyed by whatever sends: a template, a call, a request by its path. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { pngOf } from '#test/helpers/png.ts';
import { makeCertificate, startTlsServer } from '../engine/device/tls-server.ts';
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
  expect(errorOf(ran)).toMatchObject({ code: 'not-available', detail: { id: 'policy-unknown-name' } });
});

it('the language of the organisation is the one of every command, and one that was asked for is not passed over in silence', async () => {
  writeFileSync(folder.file('german.json'), '{"language":"de"}');
  const env = { FIELDWRIGHT_POLICY: folder.file('german.json') };

  const plain = await start(folder, ['version', '--check'], env).ended;
  const asked = await start(folder, ['version', '--check', '--lang', 'en'], env).ended;

  expect(plain.stderr).toBe(
    'Fieldwright sucht nicht nach neueren Versionen. Die Richtlinie Ihrer Organisation kann das einschalten.\n',
  );
  expect(asked.stderr).toBe(`Ihre Organisation hat die Sprache auf Deutsch festgelegt.\n${plain.stderr}`);
});

it('version --check says what the organisation announces, and fails only for a file that says nothing', async () => {
  const release = {
    version: '999.0.0',
    date: '2030-01-31',
    notes: 'Faster.',
    address: 'https://updates.example/setup.exe',
    sha256: 'ab'.repeat(32),
  };
  writeFileSync(folder.file('release.json'), JSON.stringify(release));
  writeFileSync(folder.file('broken.json'), '{}');
  const check = (updates: string): Promise<Ran> => {
    writeFileSync(folder.file('updates.json'), JSON.stringify({ updates }));
    return start(folder, ['version', '--check', '--json'], {
      FIELDWRIGHT_POLICY: folder.file('updates.json'),
    }).ended;
  };

  const newer = await check(folder.file('release.json'));
  const broken = await check(folder.file('broken.json'));
  const away = await check(folder.file('none.json'));

  expect([newer.code, broken.code, away.code]).toEqual([0, 1, 0]);
  expect(newer.json()).toMatchObject({ state: 'newer', release });
  expect(broken.json()).toMatchObject({ state: 'unreadable' });
  expect(away.json()).toMatchObject({ state: 'unreachable' });
});

it('a search obeys the oldest TLS too (a password that then goes where the search had been)', async () => {
  const server = await startTlsServer(await makeCertificate(), {
    maxVersion: 'TLSv1.2',
    handler: (_request, response) =>
      response.writeHead(401, { 'www-authenticate': 'Digest realm="x", nonce="y", qop="auth"' }).end(),
  });
  onTestFinished(() => server.close());
  writeFileSync(folder.file('tls.json'), '{"minimumTls":"1.3"}');
  const probe = async (env: Record<string, string>): Promise<unknown> =>
    (await start(folder, ['device', 'probe', server.url, '--json'], env).ended).json();

  expect(await probe({})).toMatchObject({ findings: [{ recognised: 'sign-in' }] });
  expect(await probe({ FIELDWRIGHT_POLICY: folder.file('tls.json') })).toMatchObject({ findings: [] });
});

it('a document carries the logo of the organisation, and one that cannot be shown is named while work goes on', async () => {
  writeFileSync(folder.file('logo.png'), pngOf(300, 100));
  writeFileSync(folder.file('logo.json'), '{"logo":"logo.png"}');
  writeFileSync(folder.file('script.svg'), '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
  writeFileSync(folder.file('svg.json'), '{"logo":"script.svg"}');
  const report = (policy: string): Promise<Ran> =>
    runUnder(policy, 'report', 'capabilities', '--format', 'json', '--out', '-');

  const shown = await report('logo.json');
  const refused = await report('svg.json');

  expect(shown.json()).toMatchObject({
    document: { cover: { logo: { type: 'image/png', width: 300, height: 100 } } },
  });
  expect(refused.code).toBe(0);
  expect(refused.json()).not.toHaveProperty('document.cover');
  expect(refused.stderr).toContain('script.svg');
});
