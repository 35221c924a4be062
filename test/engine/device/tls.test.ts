import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server, type TlsOptions, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { normalizeFingerprint } from '#engine/device/transport/certificate.ts';
import { findAcceptedCiphers, getOnce } from '#engine/discovery/sweep/get-once.ts';
import { startSite } from '#test/helpers/strict-site.ts';
import { errorOf, oneDevice, type OneDevice } from './directory.ts';
import { makeCertificate, startTlsServer } from './tls-server.ts';

const PATH = '/API/System/capabilities?type=all';

async function secureSite() {
  const site = await startSite({ devices: 1, kinds: ['gate'], tls: true, password: 'secret-1' });
  onTestFinished(() => site.close());
  return site;
}
function connect(url: string, certificate?: string): OneDevice {
  const device = oneDevice(url, {
    password: 'secret-1',
    ...removeUndefined({ certificate }),
  });
  onTestFinished(() => device.clients.close());
  return device;
}
/** Returns the server's address; it is closed with all its connections after the test, however that ends. */
async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('https', () => {
  // Would catch: the whole program ended by one device, because its socket was closed before it failed and undici throws at that.
  it('says that a connection was reset, and goes on', async () => {
    const certificate = await makeCertificate();
    const raw: Socket[] = [];
    const server = createServer({ key: certificate.key, cert: certificate.cert }, (socket) => {
      socket.on('error', () => {});
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<A/>', () =>
          raw.at(-1)?.resetAndDestroy(),
        ),
      );
    });
    server.on('connection', (socket) => raw.push(socket));
    const url = await listening(server);
    const device = connect(url, certificate.fingerprint);

    const first = await errorOf(device.get(PATH));
    const second = await errorOf(device.get(PATH));

    expect([first.code, second.code]).toEqual(['connection-lost', 'connection-lost']);
    expect(raw).toHaveLength(2);
  });

  // Would catch: an installer who looks for a wrong port when an old camera only knows outdated TLS.
  it.each<[string, TlsOptions]>([
    ['a version before 1.2', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }],
    ['a cipher that is broken', { maxVersion: 'TLSv1.2', ciphers: 'NULL-SHA256:@SECLEVEL=0' }],
  ])('says so where the device knows only %s', async (_what, weak) => {
    const { key, cert } = await makeCertificate();
    const server = createServer({ key, cert, ...weak });
    server.on('tlsClientError', () => {});
    const url = await listening(server);

    const error = await errorOf(connect(url).get(PATH));

    expect(error.shape).toMatchObject({ code: 'unreachable', reason: 'old-tls' });
  });

  // Would catch: each handshake of such a device freezing the window for a second.
  it('agrees on no numbers whose length the device chooses', async () => {
    const { key, cert, fingerprint } = await makeCertificate({ kind: 'rsa' });
    const server = createServer({
      key,
      cert,
      maxVersion: 'TLSv1.2',
      ciphers: 'DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-SHA:@SECLEVEL=0',
      dhparam: 'auto',
    });
    let agreed = 0;
    server.on('secureConnection', (socket) => {
      agreed += 1;
      socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    server.on('tlsClientError', () => {});
    const url = await listening(server);

    const error = await errorOf(connect(url, fingerprint).get(PATH));
    const swept = await getOnce(
      { host: '127.0.0.1', port: Number(new URL(url).port), secure: true },
      '/',
      { connectMs: 20_000, totalMs: 20_000 },
      new AbortController().signal,
    );

    expect(error.shape).toMatchObject({ code: 'unreachable', reason: 'old-tls' });
    expect(swept.kind).toBe('garbled');
    expect(agreed).toBe(0);
  });

  // Would catch: a device, or an attacker behind it, that shows a second certificate inside a connection that
  // was judged by its first.
  it('takes no second handshake inside a connection', async () => {
    const again: string[] = [];
    const certificate = await makeCertificate();
    const server = await startTlsServer(certificate, {
      maxVersion: 'TLSv1.2',
      handler: (request, response) => {
        const socket = request.socket as TLSSocket;
        const finish = (how: string): void => {
          again.push(how);
          response.end('<Ok/>');
        };
        socket.once('error', () => finish('refused'));
        socket.renegotiate({}, (error) => finish(error === null ? 'done' : 'refused'));
      },
    });
    onTestFinished(() => server.close());

    const ended = await connect(server.url, certificate.fingerprint)
      .get(PATH)
      .then(
        ({ http }) => http,
        (error: unknown) => (error as { code?: string }).code,
      );

    expect(again).not.toContain('done');
    expect([200, 'connection-lost']).toContain(ended);
  });

  // Would catch: a password sent to an unknown server.
  it('refuses a self-signed certificate, shows its fingerprint, and takes it once pinned', async () => {
    const site = await secureSite();
    const url = site.devices[0]?.url ?? '';

    const error = await errorOf(connect(url).get(PATH));
    const answer = await connect(url, error.shape.certificate?.offered.fingerprint).get(PATH);

    expect(error.code).toBe('certificate-untrusted');
    expect(answer.http).toBe(200);
    expect(site.device(0).requests.every((request) => request.http !== undefined)).toBe(true);
  });

  // Would catch: a pin that any certificate passes, or that holds on the first connection only.
  it('refuses every other certificate than the pinned one on every connection', async () => {
    const site = await secureSite();
    const device = connect(site.devices[0]?.url ?? '', '0'.repeat(64));

    for (let nth = 0; nth < 3; nth += 1)
      expect((await errorOf(device.get(PATH))).code).toBe('certificate-changed');
    expect(site.device(0).requests).toHaveLength(0);
  });
});

describe('normalizeFingerprint', () => {
  const hex = 'ab'.repeat(32);

  it.each([
    hex,
    hex.toUpperCase(),
    (hex.match(/../g) ?? []).join(':'),
    `SHA256:${hex}`,
    `sha-256 ${hex}`,
    ` ${hex} `,
  ])('takes %s', (text) => {
    expect(normalizeFingerprint(text)).toBe(hex);
  });

  it.each(['', 'ab', 'zz'.repeat(32), 'ab'.repeat(20), 'ab'.repeat(33)])('refuses %j', (text) => {
    expect(() => normalizeFingerprint(text)).toThrow(/SHA-256/);
  });
});

// Would catch: no device found over https where TLS is not Node's own, as in Electron: it refuses a list that it knows a part of.
it('devices are looked for with the ciphers that TLS takes here', () => {
  expect(findAcceptedCiphers(['DEFAULT:@NOSUCHLEVEL=0', 'DEFAULT'])).toBe('DEFAULT');
});
