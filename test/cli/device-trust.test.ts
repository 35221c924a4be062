import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { showFingerprint } from '#shared/text/certificate-fingerprint.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { ProbeReport } from '#shared/access.ts';
import type { Device, DeviceTest } from '#shared/model.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { atTerminal, errorOf, makeFolder, run, type Folder } from './helpers.ts';

const PASSWORD = 'Pa55-cli';
const env = { FIELDWRIGHT_PASSWORD: PASSWORD };
const ANY = '([0-9A-F]{2}:){31}[0-9A-F]{2}';
let site: Site;
let url: string;
let folder: Folder;

beforeAll(async () => {
  site = await startSite({ devices: 1, kinds: ['gate'], tls: true, password: PASSWORD });
  url = site.devices[0]?.url ?? '';
});
afterAll(() => site.close());
beforeEach(() => {
  folder = makeFolder();
  site.device(0).clearRequests();
  return () => folder.remove();
});

const call = (...more: string[]) =>
  run(folder, ['call', 'gate.status.get', '--device', url, ...more], { env });

describe('trust on first use', () => {
  // Would catch: a script that stops at every new device, and one that never says whom it trusted.
  it('pins the first certificate, tells its fingerprint once on stderr, and blocks another one', async () => {
    const first = await call('--json');
    const second = await call('--json');
    await site.device(0).renewCertificate();
    site.device(0).clearRequests();
    const changed = await call('--json');
    const forPeople = await call();

    expect(first).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(new RegExp(`^Trusted on first use: ${url} .*${ANY}\\.\\n$`)),
    });
    expect(first.json()).toMatchObject({ outcome: 'ok' });
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(changed.code).toBe(3);
    const { code, certificate } = errorOf(changed);
    expect(code).toBe('certificate-changed');
    expect(first.stderr).toContain(showFingerprint(certificate?.pinned?.fingerprint ?? ''));
    expect(certificate?.offered.fingerprint).not.toBe(certificate?.pinned?.fingerprint);
    expect(forPeople.stderr).toMatch(new RegExp(`accepted \\d{4}-\\d\\d-\\d\\d: ${ANY}.*\\n +now +: ${ANY}`));
    expect(site.device(0).requests).toHaveLength(0);
  });

  it('forgets on demand, and trusts the next one anew', async () => {
    await call();
    await site.device(0).renewCertificate();

    const distrusted = await run(folder, ['device', 'distrust', url, '--json']);
    const again = await call();

    expect(distrusted).toMatchObject({ code: 0, stdout: '{"changed":1}\n' });
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('Trusted on first use') });
  });

  it('a named certificate is strict, and nothing is pinned by it', async () => {
    const strict = await call('--json', '--certificate', 'ab'.repeat(32));

    expect(strict.code).toBe(3);
    expect(errorOf(strict)).toMatchObject({
      code: 'certificate-changed',
      certificate: { pinned: { how: 'given' } },
    });
    expect(site.device(0).requests).toHaveLength(0);
  });
});

describe('device trust', () => {
  it('takes a fingerprint, and the device has to show it', async () => {
    const added = (
      await run(folder, ['device', 'add', url, '--name', 'gate', '--json'], { env })
    ).json<Device>();
    const offered =
      (await run(folder, ['device', 'probe', url, '--json'])).json<ProbeReport>().findings[0]?.certificate ??
      '';

    const trusted = await run(folder, [
      'device',
      'trust',
      'gate',
      '--fingerprint',
      showFingerprint(offered),
      '--json',
    ]);
    const tested = await run(folder, ['device', 'test', 'gate', '--json']);

    expect(trusted.json<Device>()).toMatchObject({
      id: added.id,
      certificate: offered,
      trust: { how: 'person' },
    });
    expect(tested.json<DeviceTest[]>()).toMatchObject([{ ok: true }]);
    expect(tested.stderr).toBe('');
  });

  it('asks nobody where nobody sits', async () => {
    await run(folder, ['device', 'add', url, '--name', 'gate'], { env });

    const refused = await run(folder, ['device', 'trust', 'gate', '--json']);

    expect(refused.code).toBe(2);
    expect(errorOf(refused)).toMatchObject({ code: 'usage', path: '--fingerprint' });
    expect(site.device(0).requests).toHaveLength(0);
  });

  // Would catch: a yes that trusts what is shown next time, or a question that signs in while it is asked.
  it('shows a person what the device offers and trusts that, before anything is sent to it', async () => {
    await run(folder, ['device', 'add', url, '--name', 'gate'], { env });

    const no = await atTerminal(folder, ['device', 'trust', 'gate'], 'n');
    const untouched = (await run(folder, ['device', 'list', '--json'])).json<Device[]>()[0];
    const requests = site.device(0).requests.length;
    const yes = await atTerminal(folder, ['device', 'trust', 'gate'], 'y');
    const list = (await run(folder, ['device', 'list', '--json'])).json<Device[]>();

    expect(no.code).toBe(2);
    expect(no.shown).toMatch(new RegExp(`SHA-256: ${ANY}`));
    expect(untouched).not.toHaveProperty('trust');
    expect(requests).toBe(0);
    expect(yes.code).toBe(0);
    expect(list).toMatchObject([{ trust: { how: 'person', info: { selfSigned: true } } }]);
    expect(yes.shown).toContain(showFingerprint(list[0]?.certificate ?? '-'));
  });
});

describe('device probe', () => {
  it('says what is there, sends no sign-in, and adds nothing', async () => {
    const probed = await run(folder, ['device', 'probe', url, '--json'], { env });
    const list = await run(folder, ['device', 'list', '--json']);

    expect(probed).toMatchObject({ code: 0, stderr: '' });
    expect(probed.json<ProbeReport>().findings).toMatchObject([
      { url, offers: [expect.stringMatching(/^digest/)] },
    ]);
    expect(list.json()).toEqual([]);
    expect(site.device(0).requests.every((request) => request.http === 401)).toBe(true);
  });

  it('device add --probe takes the scheme and the prefix that answer', async () => {
    const open = await startSite({ devices: 1, kinds: ['gate'], tls: true, auth: 'none', prefix: '/Rare' });
    try {
      const { port } = open.device(0);
      await run(folder, ['profile', 'save', 'Rare', '--prefix', '/Rare']);

      const added = await run(folder, ['device', 'add', `http://127.0.0.1:${port}`, '--probe', '--json']);

      expect(added.json<Device>()).toMatchObject({
        url: `https://127.0.0.1:${port}`,
        profile: { pathPrefix: '/Rare' },
      });
    } finally {
      await open.close();
    }
  });

  it('device add --probe adds nothing where nothing is', async () => {
    const gone = await startSite({ devices: 1 });
    const address = gone.devices[0]?.url ?? '';
    await gone.close();

    const added = await run(folder, ['device', 'add', address, '--probe', '--json']);

    expect(added.code).toBe(3);
    expect(added.json<ErrorShape>()).toMatchObject({ code: 'unreachable', source: 'device' });
  });
});

describe('a device that asks for Basic behind a self-signed certificate', () => {
  let basic: Site;
  beforeAll(async () => {
    basic = await startSite({ devices: 1, kinds: ['gate'], tls: true, auth: 'basic', password: PASSWORD });
  });
  afterAll(() => basic.close());
  beforeEach(() => basic.device(0).clearRequests());
  const ask = (...more: string[]) =>
    run(folder, ['call', 'gate.status.get', '--device', basic.devices[0]?.url ?? '', '--json', ...more], {
      env,
    });

  // Would catch: a stranger at first contact reading the password because the line to him is encrypted.
  it('gets no password at first contact', async () => {
    const refused = await ask();

    expect(refused.code).toBe(3);
    expect(errorOf(refused)).toMatchObject({ code: 'basic-refused', reason: 'not-agreed' });
    expect(basic.device(0).requests.map(({ http }) => http)).toEqual([401]);
  });

  it('gets it where somebody agreed, for a run or for the device', async () => {
    const once = await ask('--auth', 'basic');
    const after = await ask();
    await run(folder, ['device', 'add', basic.devices[0]?.url ?? ''], {});
    await run(folder, ['device', 'update', basic.devices[0]?.url ?? '', '--auth', 'basic'], {});
    const agreed = await ask();

    expect([once.code, after.code, agreed.code]).toEqual([0, 3, 0]);
  });
});
