import { once } from 'node:events';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '#server/index.ts';
import { PAGE, startTestServer, type TestServer } from '../rpc/helpers/running-server.ts';

let running: TestServer;
beforeAll(async () => {
  running = await startTestServer();
});
afterAll(() => running.close());

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Paths and headers exactly as given: no client tidies them up. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { hostname, port } = new URL(running.origin);
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method, headers: { host: `${hostname}:${port}`, ...headers } },
      (response) => {
        let body = '';
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => {
            body += chunk;
          })
          .on('end', () => {
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
          });
      },
    );
    sent.on('error', reject).end();
  });
}

function linkPath(url = running.server.newUrl()): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** Redeems the token of an address like the page does. */
function redeem(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(
    '/session',
    {
      origin: running.origin,
      authorization: `Bearer ${new URL(url).searchParams.get('token') ?? ''}`,
      ...headers,
    },
    'POST',
  );
}

describe('the one-time link', () => {
  test('opens the page, whose script turns the token into the session of its tab; no cookie is set', async () => {
    const url = running.server.newUrl();

    const page = await ask(linkPath(url));
    const answer = await redeem(url);

    expect(page).toMatchObject({ status: 200, body: PAGE });
    expect(answer).toMatchObject({ status: 200, body: expect.stringMatching(/^[\w-]{43}$/) as string });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect([page, answer].map(({ headers }) => headers['set-cookie'])).toEqual([undefined, undefined]);
  });

  test('works once; the second time a page says how to get a new one (else: a leaked link is a key)', async () => {
    const url = running.server.newUrl();
    await redeem(url);

    const second = await redeem(url);
    const page = await ask(linkPath(url));

    expect(second).toMatchObject({ status: 401, body: '' });
    expect(page.status).toBe(403);
    expect(page.body).toContain('start it again');
  });

  test.each([
    ['HEAD', {}, 200],
    ['GET', { 'sec-purpose': 'prefetch;prerender' }, 503],
    ['GET', { purpose: 'preview' }, 503],
  ])('is not used up by a %s with %o (else: a preview takes it)', async (method, headers, status) => {
    const url = running.server.newUrl();

    const preview = await ask(linkPath(url), headers as Record<string, string>, method);

    expect(preview.status).toBe(status);
    expect((await redeem(url)).status).toBe(200);
  });

  test.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ])('a page that says %o gets no session for it', async (headers) => {
    const url = running.server.newUrl();

    expect((await redeem(url, headers)).status).toBe(401);
    expect((await redeem(url)).status).toBe(200);
  });

  test.each(['', 'x', 'A'.repeat(43), 'é'.repeat(5000)])(
    'a wrong token (%#) gives no session',
    async (token) => {
      const page = await ask(`/?token=${encodeURIComponent(token)}`);
      const answer = await ask(
        '/session',
        { origin: running.origin, authorization: `Bearer ${encodeURIComponent(token)}` },
        'POST',
      );

      expect(page.status).toBeOneOf([403, 431]);
      expect(answer.status).toBeOneOf([401, 431]);
    },
  );
});

describe('the page', () => {
  test('is served with its policy; it holds nothing of anybody', async () => {
    const page = await ask('/');

    expect(page).toMatchObject({ status: 200, body: PAGE });
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/script-src 'self'(;|$)/);
  });

  test.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//secret.txt',
    '/%',
    '/%00',
    '//',
    '/?x',
    '*',
  ])('the path %s leads nowhere (else: files outside the page)', async (path) => {
    const answer = await ask(path);

    expect(answer.status).toBeOneOf(path === '/?x' ? [200] : [404]);
    expect(answer.body).not.toContain('outside the page');
  });

  test.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost.evil.example',
    '127.0.0.1:99999',
    'a b',
    '[::1',
  ])('the host %j is refused (else: a foreign name that points here reads the page)', async (host) => {
    const answer = await ask('/', { host });

    expect(answer.status).toBe(421);
  });

  test('two hosts are refused, though the first is ours (else: a proxy between looks at the other)', async () => {
    const { host, port } = new URL(running.origin);
    const socket = connect(Number(port), '127.0.0.1').end(
      `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    );

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 421 /);
  });

  test.each(['localhost', 'LOCALHOST', '[::1]'])('the host %s with our port is accepted', async (name) => {
    const { port } = new URL(running.origin);

    expect((await ask('/', { host: `${name}:${port}` })).status).toBe(200);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])(
    '%s is refused (else: something changes by HTTP)',
    async (method) => {
      expect((await ask('/', {}, method)).status).toBe(405);
    },
  );

  test('tells a page whether its session is still valid', async () => {
    expect((await ask('/session')).status).toBe(401);
    expect((await ask('/session', { authorization: `Bearer ${await running.signIn()}` })).status).toBe(204);
  });
});

describe('starting', () => {
  test.each(['0.0.0.0', '::', '192.0.2.1', '::ffff:192.0.2.1', 'gate.example'])(
    '%s is refused with the reason (else: passwords cross the network readable, with a link as the only key)',
    async (bindHost) => {
      await expect(
        startServer({ engine: running.engine, bindHost, rendererDir: `${running.folder}/renderer` }),
      ).rejects.toMatchObject({
        shape: {
          code: 'not-allowed',
          source: 'user',
          message: expect.stringContaining('TLS and a passphrase') as string,
        },
      });
    },
  );

  test('a port in use is a clear error, not a crash', async () => {
    const port = Number(new URL(running.origin).port);

    await expect(
      startServer({ engine: running.engine, port, rendererDir: `${running.folder}/renderer` }),
    ).rejects.toMatchObject({ shape: { code: 'not-available', source: 'user' } });
  });

  test('without a built renderer the error says so', async () => {
    await expect(
      startServer({ engine: running.engine, rendererDir: `${running.folder}/nowhere` }),
    ).rejects.toMatchObject({
      shape: { code: 'not-available', detail: { id: 'screens-not-built' } },
    });
  });
});

describe('a file of fingerprints', () => {
  async function send(jobId: string, headers: Record<string, string>, body: string): Promise<Response> {
    return fetch(`${running.origin}/fingerprints/${jobId}`, { method: 'POST', headers, body });
  }
  const file = [
    JSON.stringify({ employeeNo: '1001', fingerPrintID: 1, fingerType: 'normalFP', fingerData: 'QUJD' }),
    'no line of a file',
  ].join('\n');

  test('is read into the prepared job, for our own page with its session alone (else: any page fills a job with fingers)', async () => {
    const authorization = `Bearer ${await running.signIn()}`;
    const { id } = running.engine.devices.add({ address: '127.0.0.1:9' });
    const { jobId } = running.engine.prints.prepare({ deviceIds: [id] });

    const strangers = await Promise.all([
      send(jobId, { origin: running.origin }, file),
      send(jobId, { authorization, origin: 'http://127.0.0.1:1' }, file),
      send(jobId, { authorization, origin: running.origin, 'sec-fetch-site': 'cross-site' }, file),
    ]);
    const unknown: unknown = await (
      await send('j-none', { authorization, origin: running.origin }, file)
    ).json();
    const taken: unknown = await (await send(jobId, { authorization, origin: running.origin }, file)).json();
    await running.engine.prints.discard({ jobId });

    expect(strangers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(unknown).toMatchObject({ ok: false, error: { code: 'not-found' } });
    expect(taken).toMatchObject({ ok: true, value: { prints: 1, people: 1, bad: 1 } });
  });
});

test('300 connections that say nothing, or are refused and stay, do not keep the page away, and end by themselves (else: any program on this computer locks the person out)', async () => {
  const { hostname, port } = new URL(running.origin);
  const said = [
    '',
    'GET / HTTP/1.1\r\nHost: ',
    'GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  ];
  const halfOpen = Array.from({ length: 300 }, (_none, index) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => {
      socket.write(said[index % said.length] ?? '');
    });
    // The system reports an error to a client that goes on writing after the end.
    const goOn = (): void => void (socket.destroyed || socket.write('more', () => setImmediate(goOn)));
    socket.on('end', goOn);
    socket.on('error', () => undefined).resume();
    return socket;
  });
  const ended = Promise.all(
    halfOpen.map((socket) => new Promise((resolve) => socket.once('close', resolve))),
  );
  await Promise.all(halfOpen.map((socket) => once(socket, 'connect')));

  const page = await ask('/');

  expect(page.status).toBe(200);
  expect(await ended).toHaveLength(300);
});
