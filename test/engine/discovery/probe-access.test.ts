import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAccessProbe } from '#engine/discovery/probe-access.ts';
import { findOperation } from '#protocol/index.ts';
import { startSite, type SiteOptions } from '#test/helpers/strict-site.ts';
import type { NamedProfile } from '#shared/access.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { DEFAULT_PROFILE } from '#shared/model.ts';
import { startServer, type Handler } from '../device/hostile-server.ts';
import { makeCertificate, startTlsServer } from '../device/tls-server.ts';

const never = new AbortController().signal;

function profile(id: string, pathPrefix: string, ports: readonly number[] = []): NamedProfile {
  return {
    id,
    name: id,
    ports,
    services: [],
    isDefault: id === 'standard',
    profile: { ...DEFAULT_PROFILE, pathPrefix },
  };
}
const PROFILES = [profile('standard', '/API'), profile('other', '/Other/v1'), profile('twin', '/Other/v1')];
const probing = (profiles: readonly NamedProfile[] = PROFILES, prefixes: readonly string[] = []) =>
  createAccessProbe({ profiles: () => profiles, prefixes: () => prefixes });

async function device(options: SiteOptions) {
  const site = await startSite({ devices: 1, kinds: ['gate'], ...options });
  onTestFinished(() => site.close());
  return { site, url: site.devices[0]?.url ?? '', port: site.device(0).port };
}
async function server(handler: Handler) {
  const made = await startServer(handler);
  onTestFinished(() => made.close());
  return made;
}
async function silentPort(): Promise<number> {
  const made = createServer();
  await new Promise<void>((resolve) => {
    made.listen(0, '127.0.0.1', resolve);
  });
  const { port } = made.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    made.close(() => resolve());
  });
  return port;
}

describe('the prefix among the profiles', () => {
  it('is found where the device answers without a sign-in, with its namespace', async () => {
    const { site, url } = await device({
      auth: 'none',
      prefix: '/Other/v1',
      namespace: 'http://example.net/ns',
    });

    const report = await probing()({ address: url }, never);

    expect(report.findings).toEqual([
      {
        url,
        pathPrefix: '/Other/v1',
        profileIds: ['other', 'twin'],
        recognised: 'interface',
        namespace: 'http://example.net/ns',
        offers: [],
      },
    ]);
    expect(site.device(0).requests.every((request) => request.method === 'GET')).toBe(true);
  });

  it('is tried below what the inventory knows too', async () => {
    const { url } = await device({ auth: 'none', prefix: '/Rare' });

    const report = await probing(PROFILES, ['/Rare'])({ address: url }, never);

    expect(report.findings).toMatchObject([{ pathPrefix: '/Rare', profileIds: [] }]);
  });

  // Would catch: the first prefix claimed as found by a device that asks for a sign-in whatever the path.
  it('stays open where the device asks for a sign-in below any', async () => {
    const { url } = await device({ auth: 'digest-sha256', prefix: '/Other/v1' });

    const { findings } = await probing()({ address: url }, never);

    expect(findings).toMatchObject([
      { pathPrefix: '/API', recognised: 'sign-in', offers: [expect.stringMatching(/^digest SHA-256/)] },
    ]);
  });

  it('is proven by a device that asks for a sign-in below one of them only', async () => {
    const made = await server((request, response) => {
      if (request.url?.startsWith('/Other/v1/'))
        response
          .writeHead(401, {
            'www-authenticate': ['Digest realm="d", nonce="n", qop="auth"', 'Basic realm="d"'],
          })
          .end();
      else response.writeHead(404).end('nothing here');
    });

    const { findings, tried } = await probing()({ address: made.url }, never);

    expect(findings).toEqual([
      {
        url: made.url,
        pathPrefix: '/Other/v1',
        profileIds: ['other', 'twin'],
        recognised: 'interface',
        offers: ['digest MD5', 'basic'],
      },
    ]);
    expect(tried).toEqual([
      { url: made.url, pathPrefix: '/API', result: 'not-found' },
      { url: made.url, pathPrefix: '/Other/v1', result: 'recognised' },
    ]);
    expect(
      made.requests.every((request) => request.authorization === undefined && request.method === 'GET'),
    ).toBe(true);
  });
});

describe('a device that was never activated', () => {
  // Would catch: "no way to this device", or "asks for a sign-in", said of a device that has no password yet.
  it.each([
    [
      '401, isActivated false',
      401,
      '<userCheck><statusValue>401</statusValue><isActivated>false</isActivated></userCheck>',
    ],
    [
      '403, notActivated',
      403,
      '{"statusCode":4,"statusString":"Invalid Operation","subStatusCode":"notActivated"}',
    ],
  ])('is found as that (%s)', async (_what, http, body) => {
    const { url } = await server((_request, response) => response.writeHead(http).end(body));

    const { findings } = await probing()({ address: url }, never);

    expect(findings).toMatchObject([{ url, recognised: 'not-activated' }]);
  });
});

describe('scheme and port', () => {
  it('https is found where http was written, and its certificate told, not trusted', async () => {
    const { url, port } = await device({ auth: 'none', tls: true });

    const { findings, tried } = await probing()({ address: `http://127.0.0.1:${port}` }, never);

    expect(findings).toMatchObject([
      { url, recognised: 'interface', certificate: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(tried[0]).toEqual({ url: `http://127.0.0.1:${port}`, result: 'tls-only' });
  });

  // Would catch: an old camera reported as "something else than HTTP", although it only knows an outdated
  // TLS.
  it('a device is found behind an outdated TLS too', async () => {
    const { key, cert, fingerprint } = await makeCertificate();
    const old = createHttpsServer(
      { key, cert, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' },
      (_request, response) =>
        response.writeHead(401, { 'www-authenticate': 'Digest realm="cam", nonce="n", qop="auth"' }).end(),
    );
    old.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => {
      old.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(
      () =>
        new Promise<void>((resolve) => {
          old.close(() => resolve());
        }),
    );

    const { findings } = await probing()(
      { address: `https://127.0.0.1:${(old.address() as AddressInfo).port}` },
      never,
    );

    expect(findings).toMatchObject([{ recognised: 'sign-in', certificate: fingerprint }]);
  });

  it('without a port those of the profiles are tried; https comes first, an interface before a sign-in', async () => {
    const [plain, secure, locked] = [
      await device({ auth: 'none' }),
      await device({ auth: 'none', tls: true }),
      await device({ auth: 'digest' }),
    ];

    const { findings } = await probing([profile('standard', '/API', [locked.port, plain.port, secure.port])])(
      { address: '127.0.0.1' },
      never,
    );

    expect(
      findings.filter(({ url }) => [plain.url, secure.url, locked.url].includes(url)).map(({ url }) => url),
    ).toEqual([secure.url, plain.url, locked.url]);
  });

  it('a written port is the only one', async () => {
    const { url } = await device({ auth: 'none' });
    const port = await silentPort();

    const report = await probing([profile('standard', '/API', [Number(new URL(url).port)])])(
      { address: `127.0.0.1:${port}` },
      never,
    );

    expect(report).toEqual({
      address: `http://127.0.0.1:${port}`,
      findings: [],
      tried: [{ url: `http://127.0.0.1:${port}`, result: 'refused' }],
    });
  });

  it('something else is said to be something else', async () => {
    const web = await server((_request, response) => response.end('<html><body>Printer</body></html>'));

    const { findings, tried } = await probing()({ address: web.url }, never);

    expect(findings).toEqual([]);
    expect(new Set(tried.map(({ result }) => result))).toEqual(new Set(['other-web']));
  });
});

describe('a device that sends on', () => {
  async function secure(handler: Handler) {
    const certificate = await makeCertificate();
    const made = await startTlsServer(certificate, { handler: (q, s) => handler(q, s, 0) });
    onTestFinished(() => made.close());
    return { url: made.url.replace('localhost', '127.0.0.1'), certificate };
  }
  const asksForSignIn: Handler = (_request, response) =>
    response.writeHead(401, { 'WWW-Authenticate': 'Digest realm="x", qop="auth", nonce="n"' }).end();
  const sendingTo = (location: string) =>
    server((_request, response) => response.writeHead(302, { Location: location }).end());

  it('is found at its https address, with what was followed', async () => {
    const there = await secure(asksForSignIn);
    const made = await sendingTo(`${there.url}/doc/page?x=1`);

    const { findings, tried } = await probing()({ address: made.url }, never);

    expect(findings).toMatchObject([{ url: there.url, certificate: there.certificate.fingerprint }]);
    expect(tried[0]).toEqual({ url: made.url, result: 'moved', to: there.url });
  });

  it('is not asked at another host, which is told', async () => {
    const there = await server(asksForSignIn);
    const made = await sendingTo(`https://localhost:${there.port}/`);

    const { findings, tried } = await probing()({ address: made.url }, never);

    expect(findings).toEqual([]);
    expect(tried).toEqual([
      { url: made.url, result: 'moved-elsewhere', to: `https://localhost:${there.port}` },
    ]);
    expect(there.connections()).toBe(0);
  });

  it.each([
    'https://127.1:PORT/',
    'https:127.1:PORT/',
    'https:/\\127.1:PORT/',
    'https://127.0.0.01:PORT/',
    'https://me:pw@127.0.0.1:PORT/',
    'javascript:go(PORT)',
  ])('is not asked at %s, which is no address of it', async (location) => {
    const there = await server(asksForSignIn);
    const made = await sendingTo(location.replace('PORT', String(there.port)));

    const { findings, tried } = await probing()({ address: made.url }, never);

    expect([findings, there.connections()]).toEqual([[], 0]);
    expect(tried).toEqual([{ url: made.url, result: 'moved-nowhere' }]);
  });

  it('is left where two ports send to each other', async () => {
    const ports: number[] = [];
    const turn = (to: number) =>
      server((_request, response) =>
        response.writeHead(307, { Location: `http://127.0.0.1:${ports[to] ?? 0}/` }).end(),
      );
    const [one, two] = [await turn(1), await turn(0)];
    ports.push(one.port, two.port);

    const { findings } = await probing()({ address: one.url }, never);

    expect(findings).toEqual([]);
    expect(one.requests.length + two.requests.length).toBeLessThan(6);
  });
});

describe('bounds', () => {
  // Would catch: a probe that goes on after its dialog was closed.
  it('ends at once when it is cancelled', async () => {
    const stop = new AbortController();
    let arrived = () => {};
    const waiting = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const made = await server(() => arrived());
    const report = probing()({ address: made.url }, stop.signal);
    await waiting;

    stop.abort();

    await expect(report).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('asks a bounded number of times, whatever the profiles say', async () => {
    const made = await server((_request, response) => response.writeHead(404).end());
    const many = Array.from({ length: 200 }, (_, nth) => profile(`p-${nth}`, `/P${nth}`));

    await probing(many)({ address: made.url }, never);

    expect(made.requests.length).toBeLessThanOrEqual(16);
  });

  it.each(['ftp://10.0.0.1', 'http://user:word@10.0.0.1', 'http://10.0.0.1/path', ''])(
    'refuses %j before anything is sent',
    async (address) => {
      await expect(probing()({ address: address }, never)).rejects.toBeInstanceOf(FieldwrightError);
    },
  );

  it('takes the namespace of a root with a prefix', async () => {
    const root = findOperation('system.capabilities.get')?.response?.root ?? '';
    const made = await server((_request, response) =>
      response.end(`<d:${root} xmlns="urn:other" xmlns:d='urn:own'/>`),
    );

    expect((await probing()({ address: made.url }, never)).findings[0]).toMatchObject({
      recognised: 'interface',
      namespace: 'urn:own',
    });
  });

  it('takes no namespace that a profile could not hold', async () => {
    const root = findOperation('system.capabilities.get')?.response?.root ?? '';
    const made = await server((_request, response) =>
      response.end(`<?xml version="1.0"?><${root} xmlns="http://x/${'n'.repeat(400)}"/>`),
    );

    const { findings } = await probing()({ address: made.url }, never);

    expect(findings).toMatchObject([{ recognised: 'interface' }, { recognised: 'interface' }]);
    expect(findings.every(({ namespace }) => namespace === undefined)).toBe(true);
  });
});
