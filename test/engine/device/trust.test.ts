import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEngine, createKeyFileProtection, type Engine, type EngineOptions } from '#engine/index.ts';
import type { CertificateTrust } from '#shared/trust.ts';
import { digestDevice } from './digest-device.ts';
import { errorOf } from './directory.ts';
import {
  makeCertificate,
  startTlsServer,
  type TlsServer,
  type TlsServerOptions,
  type TestCertificate,
} from './tls-server.ts';

const PASSWORD = 'never-to-strangers';
const never = new AbortController().signal;

const [first, other] = await Promise.all([makeCertificate(), makeCertificate({ name: 'Gate 01' })]);

async function server(
  certificate: TestCertificate = first,
  options: TlsServerOptions = {},
): Promise<TlsServer> {
  const made = await startTlsServer(certificate, options);
  onTestFinished(() => made.close());
  return made;
}
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'fieldwright-trust-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
interface Opened {
  readonly engine: Engine;
  readonly told: { readonly url: string; readonly trust: CertificateTrust }[];
}
async function open(
  certificates: NonNullable<EngineOptions['certificates']>,
  dataDir = folder(),
): Promise<Opened> {
  const told: Opened['told'] = [];
  const engine = await createEngine({
    dataDir,
    resourcesDir: dataDir,
    face: 'cli',
    version: '0',
    protections: [createKeyFileProtection(join(dataDir, 'vault.key'))],
    certificates,
    onTrusted: (trusted) => told.push(trusted),
  });
  onTestFinished(() => engine.close());
  return { engine, told };
}
function add(
  { engine }: Opened,
  address: string,
  more: { readonly certificate?: string; readonly inFlight?: number } = {},
): string {
  const { id } = engine.devices.add({
    address,
    ...(more.certificate === undefined ? {} : { certificate: more.certificate }),
    profile: { inFlight: more.inFlight ?? 2 },
  });
  engine.credentials.save({ label: 'x', userName: 'admin', password: PASSWORD, deviceIds: [id] });
  return id;
}
const ask = ({ engine }: Opened, deviceId: string) =>
  engine.operations.request({ deviceId, method: 'GET', path: '/API/x' }, never);

describe('the first certificate of a device', () => {
  // Would catch: a window that accepts the first certificate.
  it('is refused with all that a person compares, and nothing is sent', async () => {
    const device = await server();
    const opened = await open('ask');
    const id = add(opened, device.url);

    const error = await errorOf(ask(opened, id));

    expect(error.code).toBe('certificate-untrusted');
    expect(error.shape.certificate).toMatchObject({
      reason: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      offered: {
        fingerprint: first.fingerprint,
        subject: 'CN=Gate 01',
        issuer: 'CN=Gate 01',
        names: ['127.0.0.1'],
        selfSigned: true,
        validFrom: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    });
    expect(error.shape.certificate).not.toHaveProperty('pinned');
    expect(device.requests).toHaveLength(0);
    expect(opened.engine.devices.find(id)).toMatchObject({
      lastError: {
        code: 'certificate-untrusted',
        certificate: { offered: { fingerprint: first.fingerprint } },
      },
    });
    expect(opened.told).toHaveLength(0);
  });

  // Would catch: a second handshake for the request that led to the pin, and one message for each parallel connection.
  it('is pinned by first use, told once, on the connection that showed it', async () => {
    const device = await server();
    const opened = await open('first-use');
    const id = add(opened, device.url, { inFlight: 1 });

    await ask(opened, id);
    await ask(opened, id);

    expect(device.counts.connections).toBe(1);
    expect(opened.told).toMatchObject([
      {
        url: device.url,
        trust: { fingerprint: first.fingerprint, how: 'first-use', info: { subject: 'CN=Gate 01' } },
      },
    ]);
    expect(opened.engine.devices.find(id)).toMatchObject({
      certificate: first.fingerprint,
      trust: { how: 'first-use' },
    });
  });

  // Would catch: two first connections, each pinning its own.
  it('is one certificate, however many connections are the first', async () => {
    const device = await server();
    device.show(first, other, first, other, first);
    const opened = await open('first-use');
    const id = add(opened, device.url, { inFlight: 8 });

    const results = await Promise.allSettled(Array.from({ length: 8 }, () => ask(opened, id)));

    const shown = new Set(device.requests.map((request) => request.shown));
    expect(shown.size).toBe(1);
    expect(opened.told).toHaveLength(1);
    expect([...shown]).toEqual([opened.told[0]?.trust.fingerprint]);
    expect(
      results
        .filter((result) => result.status === 'rejected')
        .map((result) => (result.reason as { code: string }).code),
    ).not.toContain('certificate-untrusted');
  });

  // Would catch: another process that pinned first being overruled.
  it('is the one that another process pinned meanwhile', async () => {
    const [device, data] = [await server(), folder()];
    const [one, two] = [await open('first-use', data), await open('first-use', data)];
    const id = add(one, device.url);
    expect(two.engine.devices.find(id).certificate).toBeUndefined();
    await ask(one, id);

    device.show(other);
    const error = await errorOf(ask(two, id));

    expect(error.code).toBe('certificate-changed');
    expect(two.told).toHaveLength(0);
    expect(device.requests.filter((request) => request.shown === other.fingerprint)).toHaveLength(0);
  });

  it('needs no pin where the system trusts it', async () => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, first.cert]);
    onTestFinished(() => setDefaultCACertificates(before));
    const device = await server();
    const opened = await open('first-use');
    const id = add(opened, device.url);

    await ask(opened, id);

    expect(opened.told).toHaveLength(0);
    expect(opened.engine.devices.find(id).certificate).toBeUndefined();
  });

  // Would catch: a stranger's own certificate taken for a first one where a good one was shown before.
  it('is no first one where the system trusted what was shown before', async () => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, first.cert]);
    onTestFinished(() => setDefaultCACertificates(before));
    const device = await server();
    const opened = await open('first-use');
    const id = add(opened, device.url, { inFlight: 1 });
    await ask(opened, id);
    opened.engine.devices.update({ id, profile: { deadlineMs: 9_000 } });

    device.show(other);
    const error = await errorOf(ask(opened, id));
    opened.engine.devices.trust({ items: [{ id, fingerprint: other.fingerprint }] });
    await ask(opened, id);

    expect(error.code).toBe('certificate-untrusted');
    expect(opened.told).toHaveLength(0);
    expect(device.requests.map((request) => request.shown)).toEqual([first.fingerprint, other.fingerprint]);
  });

  // Would catch: text of a stranger that reorders or floods what a person reads.
  it('is shown without characters that deceive, and short', async () => {
    const device = await server(await makeCertificate({ name: `safe\u202egnp\u0007${'x'.repeat(3_000)}` }));
    const opened = await open('ask');

    const { certificate } = (await errorOf(ask(opened, add(opened, device.url)))).shape;

    expect(certificate?.offered.subject).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(certificate?.offered.subject.length).toBeLessThanOrEqual(300);
  });
});

describe('another certificate than the pinned one', () => {
  it.each(['ask', 'first-use'] as const)(
    'blocks before a byte is written, old and new side by side (%s)',
    async (mode) => {
      const device = await server(other);
      const opened = await open(mode);
      const id = add(opened, device.url, { certificate: first.fingerprint });

      const error = await errorOf(ask(opened, id));

      expect(error.code).toBe('certificate-changed');
      expect(error.shape.certificate).toMatchObject({
        reason: 'changed',
        offered: { fingerprint: other.fingerprint },
        pinned: { fingerprint: first.fingerprint, how: 'given', since: expect.stringMatching(/^\d{4}-/) },
      });
      expect(device.requests).toHaveLength(0);
      expect(opened.told).toHaveLength(0);
    },
  );

  // Would catch: a session that is resumed without its certificate being shown again.
  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'blocks on the very next connection although tickets were handed out (%s)',
    async (maxVersion) => {
      const { handler } = digestDevice({
        password: PASSWORD,
        answer: (_request, response) => {
          response.writeHead(200, { connection: 'close' }).end('<Ok/>');
        },
      });
      const device = await server(first, { maxVersion, handler });
      const opened = await open('first-use');
      const id = add(opened, device.url, { inFlight: 1 });
      await ask(opened, id);
      await ask(opened, id);

      device.show(other);
      const error = await errorOf(ask(opened, id));

      expect(error.code).toBe('certificate-changed');
      expect(error.shape.certificate?.pinned).toMatchObject({
        how: 'first-use',
        info: { fingerprint: first.fingerprint },
      });
      expect(device.counts).toMatchObject({ resumed: 0 });
      expect(device.counts.connections).toBeGreaterThan(2);
      expect(device.requests.filter((request) => request.shown === other.fingerprint)).toHaveLength(0);
    },
  );

  it('stays blocked for a trusted one too: a pin is a pin', async () => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, other.cert]);
    onTestFinished(() => setDefaultCACertificates(before));
    const device = await server(other);
    const opened = await open('first-use');

    expect(
      (await errorOf(ask(opened, add(opened, device.url, { certificate: first.fingerprint })))).code,
    ).toBe('certificate-changed');
  });
});

describe('a pin holds where the chain is wrong', () => {
  it.each([
    ['expired', { from: new Date('2019-01-01'), to: new Date('2020-01-01') }],
    ['not valid yet', { from: new Date('2090-01-01'), to: new Date('2099-01-01') }],
    ['made by a clock at 1970', { from: new Date('1970-01-01'), to: new Date('1971-01-01') }],
    ['issued for another address', { host: '10.9.8.7' }],
  ])('%s', async (_what, options) => {
    const certificate = await makeCertificate(options);
    const device = await server(certificate);
    const opened = await open('ask');

    const answer = await ask(opened, add(opened, device.url, { certificate: certificate.fingerprint }));

    expect(answer.outcome).toBe('ok');
  });
});

describe('a person decides', () => {
  // Would catch: a decision that only counts for new connections, or after a restart.
  it('trusts what was shown, with its details, and the next request goes', async () => {
    const device = await server();
    const opened = await open('ask');
    const id = add(opened, device.url);
    await errorOf(ask(opened, id));

    const { changed } = opened.engine.devices.trust({
      items: [{ id, fingerprint: first.fingerprint.toUpperCase() }],
    });
    const trusted = opened.engine.devices.find(id);
    const answer = await ask(opened, id);

    expect(changed).toBe(1);
    expect(trusted).toMatchObject({
      certificate: first.fingerprint,
      trust: { how: 'person', info: { subject: 'CN=Gate 01' } },
    });
    expect(trusted).not.toHaveProperty('lastError');
    expect(answer.outcome).toBe('ok');
    expect(opened.engine.devices.trust({ items: [{ id, fingerprint: first.fingerprint }] }).changed).toBe(0);
  });

  it('trusts the new one after a change; the connections of the old one are not used any more', async () => {
    const device = await server();
    const opened = await open('ask');
    const id = add(opened, device.url, { certificate: first.fingerprint, inFlight: 1 });
    await ask(opened, id);

    device.show(other);
    opened.engine.devices.trust({ items: [{ id, fingerprint: other.fingerprint }] });
    await ask(opened, id);

    expect(device.requests.map((request) => request.shown)).toEqual([first.fingerprint, other.fingerprint]);
  });

  it('forgets a pin: the next certificate is a first one again', async () => {
    const device = await server();
    const opened = await open('ask');
    const id = add(opened, device.url, { certificate: first.fingerprint });
    await ask(opened, id);

    expect(opened.engine.devices.distrust({ ids: [id, id] }).changed).toBe(1);

    expect(opened.engine.devices.find(id)).not.toHaveProperty('certificate');
    expect((await errorOf(ask(opened, id))).code).toBe('certificate-untrusted');
    expect(opened.engine.devices.distrust({ ids: [id] }).changed).toBe(0);
  });

  it('cannot pin nonsense, nothing, or where no certificate is shown', async () => {
    const { engine } = await open('ask');
    const [plain, secure] = [
      engine.devices.add({ address: 'http://10.0.0.1' }),
      engine.devices.add({ address: 'https://10.0.0.2' }),
    ];

    const code = (...items: Parameters<Engine['devices']['trust']>[0]['items']) => {
      try {
        engine.devices.trust({ items });
        return undefined;
      } catch (error) {
        return (error as { code?: string }).code;
      }
    };

    expect(code({ id: secure.id, fingerprint: 'ab' })).toBe('usage');
    expect(code({ id: 'd-none', fingerprint: first.fingerprint })).toBe('unknown-device');
    expect(
      code(
        { id: secure.id, fingerprint: first.fingerprint },
        { id: plain.id, fingerprint: first.fingerprint },
      ),
    ).toBe('not-allowed');
    expect(engine.devices.find(secure.id)).not.toHaveProperty('certificate');
  });

  it('names a fingerprint beforehand: its details are kept once it was met', async () => {
    const device = await server();
    const opened = await open('ask');
    const id = add(opened, device.url, { certificate: first.fingerprint });
    expect(opened.engine.devices.find(id).trust).toMatchObject({
      how: 'given',
      fingerprint: first.fingerprint,
    });

    await ask(opened, id);

    expect(opened.engine.devices.find(id).trust).toMatchObject({
      how: 'given',
      info: { subject: 'CN=Gate 01' },
    });
  });
});

describe('pins of addresses', () => {
  // Would catch: a command line that accepts another certificate with every run.
  it('outlive the run that named a device by its address', async () => {
    const [device, data] = [await server(), folder()];
    const one = await open('first-use', data);
    await ask(one, one.engine.devices.addTransient({ url: device.url }).id);
    await one.engine.close();

    device.show(other);
    const two = await open('first-use', data);
    const named = two.engine.devices.addTransient({ url: device.url, userName: 'admin', password: PASSWORD });
    const error = await errorOf(ask(two, named.id));

    expect(named).toMatchObject({ certificate: first.fingerprint, trust: { how: 'first-use' } });
    expect(error.code).toBe('certificate-changed');
    expect(device.requests).toHaveLength(1);
  });

  it('are taken over by the device that is added, and left behind by the one that is removed', async () => {
    const device = await server();
    const opened = await open('first-use');
    await ask(opened, opened.engine.devices.addTransient({ url: device.url }).id);

    const added = opened.engine.devices.add({ address: device.url });
    opened.engine.devices.remove({ ids: [added.id] });
    const again = opened.engine.devices.add({ address: device.url });

    expect(added).toMatchObject({
      certificate: first.fingerprint,
      trust: { how: 'first-use', info: { subject: 'CN=Gate 01' } },
    });
    expect(again.certificate).toBe(first.fingerprint);
    device.show(other);
    expect((await errorOf(ask(opened, again.id))).code).toBe('certificate-changed');
  });

  it('move with their device, and leave the address free for another', async () => {
    const opened = await open('ask');
    const { id } = opened.engine.devices.add({ address: 'https://10.0.0.1', certificate: first.fingerprint });

    const moved = opened.engine.devices.update({ id, address: 'https://10.0.0.2' });

    expect(moved).toMatchObject({
      url: 'https://10.0.0.2',
      certificate: first.fingerprint,
      trust: { how: 'given' },
    });
    expect(opened.engine.devices.add({ address: 'https://10.0.0.1' })).not.toHaveProperty('certificate');
  });

  it('named for one run are strict and not kept', async () => {
    const [device, data] = [await server(), folder()];
    const one = await open('first-use', data);
    const { id } = one.engine.devices.addTransient({ url: device.url, certificate: other.fingerprint });

    const error = await errorOf(ask(one, id));

    expect(error.shape.certificate).toMatchObject({
      pinned: { fingerprint: other.fingerprint, how: 'given' },
    });
    await one.engine.close();
    const two = await open('ask', data);
    expect(two.engine.devices.addTransient({ url: device.url })).not.toHaveProperty('certificate');
  });
});
