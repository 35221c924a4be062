import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { deflateSync, gzipSync } from 'node:zlib';
import { Client } from 'undici';
import { describe, expect, it, vi, onTestFinished } from 'vitest';
import { mendAnswers } from '#engine/device/transport/mend-answer.ts';
import { LONGEST_KEEP_ALIVE_MS } from '#engine/device/transport/transport.ts';
import { TELLS_ATTEMPTS } from './digest-device.ts';
import { errorOf, oneDevice, type OneDevice } from './directory.ts';
import { startRawServer, startServer, type Handler, type HostileServer } from './hostile-server.ts';

function connect(url: string, options: Parameters<typeof oneDevice>[1] = {}): OneDevice {
  const device = oneDevice(url, options);
  onTestFinished(() => device.clients.close());
  return device;
}
async function site(
  handler: Handler,
  options: Parameters<typeof oneDevice>[1] = {},
): Promise<{ server: HostileServer; device: OneDevice }> {
  const server = await startServer(handler);
  onTestFinished(() => server.close());
  return { server, device: connect(server.url, options) };
}
async function rawSite(
  answer: string | undefined,
  options: Parameters<typeof oneDevice>[1] = {},
): Promise<OneDevice> {
  const server = await startRawServer((socket) =>
    socket.once('data', () => (answer === undefined ? socket.resetAndDestroy() : socket.end(answer))),
  );
  onTestFinished(() => server.close());
  return connect(server.url, options);
}
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return port;
}

describe('what goes wrong gets its own name', () => {
  it('a refused connection', async () => {
    const device = connect(`http://127.0.0.1:${await closedPort()}`);

    const error = await errorOf(device.get('/API/x'));

    expect(error.code).toBe('connection-refused');
    expect(error.shape.device).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(device.observations).toMatchObject([{ type: 'failed' }]);
  });

  it('a name that does not exist', async () => {
    expect((await errorOf(connect('http://no-such-device.invalid').get('/API/x'))).code).toBe('unreachable');
  });

  it('silence after the request was taken', async () => {
    const { device } = await site(() => {}, { profile: { deadlineMs: 200 } });

    const error = await errorOf(device.put('/API/x', '<A/>'));

    expect(error.code).toBe('timeout');
    expect(error.shape.sent).toBe(true);
  });

  it('says whether the answer had begun', async () => {
    const silent = await site(() => {}, { profile: { deadlineMs: 200 } });
    const begun = await site(
      (_request, response) => {
        response.writeHead(200, { 'content-length': 100 }).write('<A>');
      },
      { profile: { deadlineMs: 200 } },
    );

    const [nothing, half] = await Promise.all([
      errorOf(silent.device.get('/API/x')),
      errorOf(begun.device.get('/API/x')),
    ]);

    expect([nothing.code, half.code]).toEqual(['timeout', 'timeout']);
    expect(half.message).not.toBe(nothing.message);
  });

  // Would catch: a deadline that starts anew with each byte of a trickling answer.
  it('an answer that trickles past the deadline', async () => {
    const { device } = await site(
      (_request, response) => {
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      },
      { profile: { deadlineMs: 250 } },
    );

    // It would go on for as long as the device does.
    const error = await errorOf(device.get('/API/x'));

    expect(error.code).toBe('timeout');
  });

  it('a connection that breaks off after a write', async () => {
    const error = await errorOf((await rawSite(undefined)).put('/API/x', '<A/>'));

    expect(error.code).toBe('connection-lost');
    expect(error.shape.sent).toBe(true);
  });

  it('an answer that ends early', async () => {
    const error = await errorOf(
      (await rawSite('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<half>')).get('/API/x'),
    );

    expect(error.code).toBe('connection-lost');
  });

  it('an answer that is not HTTP', async () => {
    expect((await errorOf((await rawSite('SSH-2.0-dropbear\r\n')).get('/API/x'))).code).toBe(
      'malformed-answer',
    );
  });

  it('https where http is spoken', async () => {
    const { server } = await site((_request, response) => response.end());

    expect((await errorOf(connect(server.url.replace('http:', 'https:')).get('/API/x'))).shape).toMatchObject(
      { code: 'unreachable', reason: 'no-tls' },
    );
  });

  it('cancelling while waiting, and while still in the queue', async () => {
    const { server, device } = await site(() => {}, { profile: { inFlight: 1 } });
    const stop = new AbortController();

    const both = [
      errorOf(device.get('/API/1', { signal: stop.signal })),
      errorOf(device.get('/API/2', { signal: stop.signal })),
    ];
    stop.abort();

    expect((await Promise.all(both)).map((error) => error.code)).toEqual(['cancelled', 'cancelled']);
    expect(server.requests.length).toBeLessThan(2);
  });
});

describe('limits', () => {
  it.each([
    ['declared', true],
    ['undeclared', false],
  ])('a huge body of %s length is cut off early', async (_name, declared) => {
    let written = 0;
    const { device } = await site((_request, response) => {
      if (declared) response.setHeader('content-length', 1_000_000_000);
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const more = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
        response.once('drain', more);
      };
      more();
    });

    expect((await errorOf(device.get('/API/x'))).code).toBe('answer-too-large');
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('keeps the connection and no more of them than allowed', async () => {
    const { server, device } = await site((_request, response) => response.end('<Ok/>'), {
      profile: { inFlight: 2 },
    });

    await Promise.all(Array.from({ length: 20 }, (_, nth) => device.get(`/API/${nth}`)));

    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it('asks for no compression and sends no more headers than needed', async () => {
    const { server, device } = await site((_request, response) => response.end());

    await device.put('/API/x', '<Ä/>');

    expect(Object.keys(server.requests[0]?.headers ?? {}).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
    ]);
    expect(server.requests[0]?.body).toBe('<Ä/>');
  });
});

describe('kept-alive connections that the device dropped', () => {
  /** Answers the first request of each socket and resets at its second. */
  const forgetful = async () => {
    let requests = 0;
    const server = await startRawServer((socket) => {
      let seen = 0;
      socket.on('data', () => {
        requests += 1;
        seen += 1;
        if (seen > 1) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
    });
    onTestFinished(() => server.close());
    return { device: connect(server.url, { profile: { inFlight: 1 } }), count: () => requests };
  };

  it('a read is asked again on a fresh one', async () => {
    const { device, count } = await forgetful();
    await device.get('/API/1');

    const answer = await device.get('/API/2');

    expect(answer.text).toBe('ok');
    expect(count()).toBe(3);
  });

  it('a write does not go over one that answered only once', async () => {
    const { device, count } = await forgetful();
    await device.get('/API/1');

    const answer = await device.put('/API/2', '<A/>');

    expect(answer.text).toBe('ok');
    expect(count()).toBe(2);
  });

  it('writes share a connection once the device has shown that it keeps one (else: a connection for each fingerprint)', async () => {
    const { server, device } = await site((_request, response) => response.end('ok'), {
      profile: { inFlight: 2 },
    });
    for (const path of ['/API/1', '/API/2']) await device.get(path);

    await Promise.all(Array.from({ length: 20 }, (_, nth) => device.put(`/API/${nth}`, '<A/>')));

    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it('writes alone share one as well: a read between them shows that it is kept (else: a TLS handshake for each fingerprint)', async () => {
    const { server, device } = await site((_request, response) => response.end('ok'), {
      profile: { inFlight: 1 },
    });

    for (let nth = 0; nth < 20; nth += 1) await device.put(`/API/${nth}`, '<A/>');

    expect(server.connections()).toBeLessThanOrEqual(5);
    expect(server.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
  });

  it('writes alone to a device that keeps none are neither lost nor repeated by that read', async () => {
    const writes: string[] = [];
    const seen = new Set<unknown>();
    const { device } = await site(
      (request, response) => {
        const isFirst = !seen.has(request.socket);
        seen.add(request.socket);
        if (!isFirst) return request.socket.resetAndDestroy();
        if (request.method === 'PUT') writes.push(request.url ?? '');
        response.end('ok');
      },
      { profile: { inFlight: 1 } },
    );

    for (let nth = 0; nth < 10; nth += 1) await device.put(`/API/${nth}`, '<A/>');

    expect(writes).toEqual(Array.from({ length: 10 }, (_, nth) => `/API/${nth}`));
  });

  it('and take a new one again after a loss, until the next is shown to be kept', async () => {
    const sockets = new Map<unknown, number>();
    const { device } = await site(
      (request, response) => {
        const seen = (sockets.get(request.socket) ?? 0) + 1;
        sockets.set(request.socket, seen);
        // The first connection lasts for three requests, the others for one.
        if (seen > (sockets.size === 1 ? 3 : 1)) request.socket.resetAndDestroy();
        else response.end('ok');
      },
      { profile: { inFlight: 1 } },
    );
    for (const path of ['/API/1', '/API/2', '/API/3']) await device.get(path);
    await errorOf(device.put('/API/4', '<A/>'));

    const answers = [];
    for (const path of ['/API/5', '/API/6', '/API/7']) answers.push((await device.put(path, '<A/>')).text);

    expect(answers).toEqual(['ok', 'ok', 'ok']);
  });

  // Would catch: a write that a device carries out twice.
  it('a write that was lost is never repeated', async () => {
    const writes: string[] = [];
    const { device } = await site((request, response) => {
      if (request.method !== 'PUT') return response.end('ok');
      writes.push(request.url ?? '');
      request.socket.resetAndDestroy();
    });
    for (const path of ['/API/1', '/API/2', '/API/3']) await device.get(path);

    const error = await errorOf(device.put('/API/4', '<A/>'));

    expect(error.code).toBe('connection-lost');
    expect(writes).toEqual(['/API/4']);
  });

  it('the second try opens a connection, where others are kept that the device dropped too', async () => {
    const sockets = new Map<unknown, number>();
    const { server, device } = await site(
      (request, response) => {
        const seen = (sockets.get(request.socket) ?? 0) + 1;
        sockets.set(request.socket, seen);
        if (request.url === '/API/last' && seen > 1) request.socket.resetAndDestroy();
        else response.end('ok');
      },
      { profile: { inFlight: 3 } },
    );
    await device.get('/API/first');
    await Promise.all([1, 2, 3].map((nth) => device.get(`/API/${nth}`)));

    const answer = await device.get('/API/last');

    expect(answer.text).toBe('ok');
    expect(server.requests.filter(({ path }) => path === '/API/last')).toHaveLength(2);
  });

  it('a read on a first connection is not repeated either', async () => {
    let requests = 0;
    const server = await startRawServer((socket) =>
      socket.on('data', () => {
        requests += 1;
        socket.resetAndDestroy();
      }),
    );
    onTestFinished(() => server.close());

    expect((await errorOf(connect(server.url).get('/API/1'))).code).toBe('connection-lost');
    expect(requests).toBe(1);
  });
});

describe('kept-alive connections that stay silent', () => {
  /** Answers so many requests of each socket, and never again; `signed`: asks for a sign-in first. */
  async function silentAfter(most: number, { signed = false } = {}) {
    const sockets = new Map<unknown, number>();
    const ignored: string[] = [];
    const { server, device } = await site(
      (request, response) => {
        const seen = (sockets.get(request.socket) ?? 0) + 1;
        sockets.set(request.socket, seen);
        if (seen > most) ignored.push(`${request.method} ${request.url}`);
        else if (signed && request.headers.authorization === undefined)
          response.writeHead(401, { 'www-authenticate': 'Digest realm="r", nonce="n", qop="auth"' }).end();
        else response.end('ok');
      },
      { password: 'Pa55-word', profile: { inFlight: 1, deadlineMs: 2_000 } },
    );
    return { server, device, ignored };
  }

  it('a read is asked again on a fresh one before its deadline, and the next ones at once', async () => {
    const { device, ignored } = await silentAfter(1);

    const answers = [];
    for (const path of ['/API/1', '/API/2', '/API/3', '/API/4']) answers.push((await device.get(path)).text);

    expect(answers).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(ignored).toEqual(['GET /API/2']);
  });

  it('a write behind one read, or behind a long pause, takes a fresh one', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { device, ignored } = await silentAfter(2);
      await device.get('/API/1');
      const first = await device.put('/API/2', '<A/>');
      await device.get('/API/3');
      vi.advanceTimersByTime(1_500);

      const second = await device.put('/API/4', '<A/>');

      expect([first.text, second.text]).toEqual(['ok', 'ok']);
      expect(ignored).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('a password that was not accepted yet goes out once (else: two of the attempts are used up)', async () => {
    const { server, device } = await silentAfter(1, { signed: true });

    const read = await device.get('/API/1');

    expect(read.text).toBe('ok');
    const signed = server.requests.filter(({ authorization }) => authorization !== undefined);
    expect(signed.map(({ path }) => path)).toEqual([...new Set(signed.map(({ path }) => path))]);
  });

  it('a device that is only slow is waited for, and its answer taken', async () => {
    const held: (() => void)[] = [];
    const { server, device } = await site(
      (_request, response, nth) => {
        const answer = () => void response.end(`${nth}`);
        if (nth === 1 || nth > 3) answer();
        else held.push(answer);
        if (nth === 3) held[0]?.();
      },
      { profile: { inFlight: 1, deadlineMs: 2_000 } },
    );
    await device.get('/API/1');

    const answer = await device.get('/API/2');

    expect(answer.text).toBe('2');
    expect((await device.get('/API/3')).text).toBe('4');
    expect(server.connections(), 'the first connection stays in use').toBe(2);
  });

  it('a device that is slow each time is asked once each time, as soon as that is known', async () => {
    const { server, device } = await site(
      (_request, response, nth) => {
        if (nth === 1) return response.end('1');
        const { promise, resolve } = Promise.withResolvers<void>();
        setTimeout(resolve, 800);
        return promise.then(() => void response.end(`${nth}`));
      },
      { profile: { inFlight: 1, deadlineMs: 2_000 } },
    );
    for (const path of ['/API/1', '/API/2', '/API/3', '/API/4']) await device.get(path);
    const asked = server.requests.map(({ path }) => path);
    // The client asked twice for the first slow answer alone.
    expect(asked).toEqual(['/API/1', '/API/2', '/API/2', '/API/3', '/API/4']);
  });
});

describe('a device that nobody talks to any more', () => {
  it('costs nothing: what was kept for its sockets goes, and comes back when it is asked again (else: 30 KB for each device ever seen)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const closed = vi.spyOn(Client.prototype, 'close');
    try {
      const { server, device } = await site((_request, response) => response.end('<A/>'));
      await device.get('/API/x');
      await vi.advanceTimersByTimeAsync(LONGEST_KEEP_ALIVE_MS - 1);
      await device.get('/API/x');
      await vi.advanceTimersByTimeAsync(LONGEST_KEEP_ALIVE_MS - 1);
      expect(closed).not.toHaveBeenCalled();

      await vi.advanceTimersByTimeAsync(1);

      expect(closed).toHaveBeenCalled();
      expect((await device.get('/API/x')).text).toBe('<A/>');
      expect(server.requests).toHaveLength(3);
    } finally {
      vi.useRealTimers();
      closed.mockRestore();
    }
  });
});

describe('connections that were ended with a request under way', () => {
  it('are left alone afterwards (else: an error that nobody catches ends the process a minute later)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const asked = Promise.withResolvers<void>();
      const { device } = await site(() => asked.resolve());
      const lost = errorOf(device.get('/API/x'));
      await asked.promise;
      await device.clients.close();
      await lost;

      await vi.advanceTimersByTimeAsync(LONGEST_KEEP_ALIVE_MS);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('connections that were let go', () => {
  /** Lets one request hang and releases its connection meanwhile. */
  async function hanging(): Promise<{
    device: OneDevice;
    profile: { deadlineMs: number };
    lost: Promise<string>;
  }> {
    const profile = { deadlineMs: 3000, inFlight: 2 };
    const asked = Promise.withResolvers<void>();
    const { device } = await site(
      (request, response, nth) => {
        if (request.url === '/API/hangs') asked.resolve();
        else if (request.url === '/API/stale' && nth === 5) request.socket.resetAndDestroy();
        else response.end('<A/>');
      },
      { profile },
    );
    await device.get('/API/x');
    await Promise.all([device.get('/API/x'), device.get('/API/x')]);
    const lost = errorOf(device.get('/API/hangs')).then(({ code }) => code);
    await asked.promise;
    return { device, profile, lost };
  }

  it.each<[string, (at: Awaited<ReturnType<typeof hanging>>) => unknown]>([
    ['one of them was stale', ({ device }) => device.get('/API/stale')],
    [
      'the settings changed',
      ({ device, profile }) => {
        profile.deadlineMs -= 1;
        return device.get('/API/y');
      },
    ],
    ['the device was removed', ({ device }) => device.clients.forget(['d-1'])],
  ])(
    'because %s end with all the others (else: the app waits for a deadline to close)',
    async (_why, letGo) => {
      const at = await hanging();
      await letGo(at);

      await at.device.clients.close();

      expect(await at.lost).toBe('cancelled');
    },
  );

  it('are not gone on with (else: a change of settings cancels what is under way)', async () => {
    const profile = { deadlineMs: 3000, inFlight: 2 };
    let other: Promise<unknown> | undefined;
    const { device } = await site(
      (request, response) => {
        if (request.url !== '/API/start') return response.end('<Arrived/>');
        profile.deadlineMs -= 1;
        other = device.get('/API/y');
        response.writeHead(302, { location: '/API/end' }).end();
      },
      { profile },
    );

    expect((await device.get('/API/start')).text).toBe('<Arrived/>');
    await other;
  });
});

it('a request that is cancelled before it is sent leaves the connection to the next (else: one more for each)', async () => {
  const { server, device } = await site((_request, response) => response.end('<A/>'));
  await device.get('/API/1');
  const cancel = new AbortController();
  const cancelled = errorOf(device.get('/API/2', { signal: cancel.signal }));
  cancel.abort();

  expect((await cancelled).shape).toMatchObject({ code: 'cancelled', sent: false });
  await device.get('/API/3');
  expect(server.requests).toHaveLength(2);
  expect(server.connections()).toBe(1);
});

describe('redirects', () => {
  const redirectTo =
    (location: string): Handler =>
    (request, response) => {
      if (request.url === '/API/end') response.end('<Arrived/>');
      else response.writeHead(302, { location }).end();
    };

  it('follows a read on the same device', async () => {
    const { device } = await site(redirectTo('/API/end'));

    expect((await device.get('/API/start')).text).toBe('<Arrived/>');
  });

  it('gives up on a loop', async () => {
    const { server, device } = await site(redirectTo('/API/start'));

    expect((await errorOf(device.get('/API/start'))).code).toBe('refused');
    expect(server.requests).toHaveLength(4);
  });

  it('does not repeat a write', async () => {
    const { server, device } = await site(redirectTo('/API/end'));

    expect((await errorOf(device.put('/API/start', '<A/>'))).code).toBe('refused');
    expect(server.requests).toHaveLength(1);
  });

  // Would catch: a sign-in that follows to another port or scheme of the same host, or to a host that only looks like it.
  it.each([
    ['another scheme', (port: number) => `https://127.0.0.1:${port}/API/end`],
    ['another port', (port: number) => `http://127.0.0.1:${port === 65_535 ? 65_534 : port + 1}/API/end`],
    ['no scheme', () => '//127.0.0.2/API/end'],
    ['another host', (port: number) => `http://127.0.0.2:${port}/API/end`],
    ['a user name that looks like the host', (port: number) => `http://127.0.0.1:${port}@127.0.0.2/API/end`],
    ['another protocol', () => 'ftp://127.0.0.1/API/end'],
    ['no address at all', () => 'http://[:::/API/end'],
  ])('refuses %s', async (_what, location) => {
    const { server, device } = await site(
      (request, response) => {
        if (request.headers.authorization === undefined)
          response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end(TELLS_ATTEMPTS);
        else response.writeHead(307, { location: location(server.port) }).end();
      },
      { password: 'secret', profile: { auth: 'basic' } },
    );

    expect((await errorOf(device.get('/API/start'))).code).toBe('refused');
    expect(server.requests.map(({ path }) => path)).toEqual(['/API/start', '/API/start']);
  });

  // Would catch: credentials handed to a host that the device names.
  it('never goes to another host, not even unsigned', async () => {
    const thief = await startServer((_request, response) =>
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end(),
    );
    onTestFinished(() => thief.close());
    const { device } = await site(redirectTo(`${thief.url}/API/end`), {
      password: 'secret',
      profile: { auth: 'basic' },
    });

    const error = await errorOf(device.get('/API/start'));

    expect(error.code).toBe('refused');
    expect(error.shape.hint).toContain(thief.url);
    expect(thief.requests).toHaveLength(0);
  });
});

describe('text of answers', () => {
  it.each<[string, string, Buffer]>([
    ['UTF-8 by default', 'application/xml', Buffer.from('<n>Tür</n>', 'utf8')],
    ['the charset of the header', 'application/xml; charset=ISO-8859-1', Buffer.from('<n>Tür</n>', 'latin1')],
    ['a quoted charset', 'text/xml;charset="utf-8"', Buffer.from('<n>Tür</n>', 'utf8')],
    [
      'the encoding of the declaration',
      'application/xml',
      Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><n>Tür</n>', 'latin1'),
    ],
    ['a byte order mark', '', Buffer.from('\uFEFF<n>Tür</n>', 'utf16le')],
    ['UTF-16 without a mark', 'application/xml', Buffer.from('<n>Tür</n>', 'utf16le').swap16()],
    ['a charset nobody knows', 'application/xml; charset=klingon', Buffer.from('<n>Tür</n>', 'utf8')],
  ])('%s', async (_name, contentType, bytes) => {
    const { device } = await site((_request, response) => {
      if (contentType !== '') response.setHeader('content-type', contentType);
      response.end(bytes);
    });

    expect((await device.get('/API/x')).text).toContain('<n>Tür</n>');
  });
});

describe('answers that are packed although nobody asked', () => {
  const packed = async (coding: string, body: Buffer) =>
    (await site((_request, response) => response.setHeader('content-encoding', coding).end(body))).device;

  // Would catch: "plain text where XML was due" for every answer of such a device.
  it.each<[string, string, Buffer]>([
    ['gzip', 'gzip', gzipSync('<n>Tür</n>')],
    ['deflate', 'deflate', deflateSync('<n>Tür</n>')],
    ['a header that is not true', 'gzip', Buffer.from('<n>Tür</n>')],
    ['a header that means something else', 'utf-8', Buffer.from('<n>Tür</n>')],
  ])('%s', async (_name, coding, body) => {
    expect((await (await packed(coding, body)).get('/API/x')).text).toBe('<n>Tür</n>');
  });

  // Would catch: a few kilobytes that fill the memory.
  it('are unpacked no further than an answer may be large', async () => {
    const device = await packed('gzip', gzipSync(Buffer.alloc(64 * 1024 * 1024)));

    expect((await errorOf(device.get('/API/x'))).code).toBe('answer-too-large');
  });

  it('and broken are said to be so', async () => {
    const device = await packed('gzip', gzipSync('<n>Tür</n>').subarray(0, 20));

    const error = await errorOf(device.put('/API/x', '<A/>'));

    expect(error.code).toBe('malformed-answer');
    expect(error.shape.sent).toBe(true);
  });
});

describe('a device that says 100 Continue unasked', () => {
  // Would catch: every write to such a device counting as lost (RFC 9110, 15.2).
  it.each([
    [
      'in one piece with the answer',
      ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ],
    [
      'before it, twice',
      [
        'HTTP/1.1 100 Continue\r\n\r\n',
        'HTTP/1.0 100 \r\nServer: x\r\n\r\n',
        'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      ],
    ],
    // Would catch: the same of a small server that sends a line at a time, or a byte.
    ['byte by byte', [...'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok']],
  ])('%s', async (_how, pieces) => {
    let requests = 0;
    const server = await startRawServer((socket) =>
      socket.on('data', async () => {
        requests += 1;
        for (const piece of pieces)
          await new Promise<void>((sent) => {
            socket.write(piece, () => setImmediate(sent));
          });
      }),
    );
    onTestFinished(() => server.close());
    const device = connect(server.url, { profile: { inFlight: 1 } });

    const answers = [await device.put('/API/x', '<A/>'), await device.put('/API/x', '<B/>')];

    expect(answers).toMatchObject([
      { http: 200, text: 'ok' },
      { http: 200, text: 'ok' },
    ]);
    expect(requests).toBe(2);
  });
});

// Would catch: what a device says in its document taken out of it, or held back until the deadline.
it('a body may hold the same words, in pieces of its own', () => {
  const came: string[] = [];
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() }) as Socket;
  socket.push = (chunk: unknown) => came.push(String(chunk)) > 0;
  mendAnswers(socket);
  const body = ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 100 H', 'H'];
  for (const _request of [1, 2]) {
    came.length = 0;
    socket.write('GET / HTTP/1.1\r\n');
    for (const piece of ['HTTP/1.1 100 \r\n\r\nHTTP/1', '.1 200 OK\r\n\r\n', ...body])
      socket.push(Buffer.from(piece));

    expect(came.join('')).toBe(`HTTP/1.1 200 OK\r\n\r\n${body.join('')}`);
  }
});

// Would catch: an answer that contradicts itself reported as a broken cable.
it.each(['Content-Length: 2\r\nContent-Length: 20', 'Content-Length: 2\r\nTransfer-Encoding: chunked'])(
  'an answer with %j is no answer',
  async (lengths) => {
    const device = await rawSite(`HTTP/1.1 200 OK\r\n${lengths}\r\n\r\nok`);
    const error = await errorOf(device.put('/API/x', '<A/>'));

    expect(error.shape).toMatchObject({ code: 'malformed-answer', sent: true });
  },
);

describe('order', () => {
  it('what a person waits for overtakes background reads', async () => {
    const held: (() => void)[] = [];
    const { server, device } = await site(
      (_request, response, nth) => {
        if (nth === 1) held.push(() => response.end());
        else response.end();
        if (nth === 1) arrived();
      },
      { profile: { inFlight: 1 } },
    );
    let arrived = () => {};
    const first = new Promise<void>((resolve) => {
      arrived = resolve;
    });

    const all = [
      device.get('/API/first'),
      device.get('/API/background-1'),
      device.get('/API/background-2'),
      device.get('/API/urgent', { priority: 1 }),
    ];
    await first;
    held.forEach((release) => release());
    await Promise.all(all);

    expect(server.requests.map((request) => request.path)).toEqual([
      '/API/first',
      '/API/urgent',
      '/API/background-1',
      '/API/background-2',
    ]);
  });
});

describe('paths', () => {
  it.each([
    ['/API/System/x', '/Other/v1/System/x'],
    ['/Other/v1/System/x?a=/API/b', '/Other/v1/System/x?a=/API/b'],
    ['/API/x/API/y', '/Other/v1/x/API/y'],
  ])('%s goes out as %s', async (path, expected) => {
    const { server, device } = await site((_request, response) => response.end(), {
      profile: { pathPrefix: '/Other/v1' },
    });

    await device.get(path);

    expect(server.requests[0]?.path).toBe(expected);
  });

  it.each([
    '/',
    '/etc/passwd',
    '/API/../admin',
    '/API/%2e%2e/admin',
    '/APIx/y',
    'http://elsewhere/API/x',
    '/API/a b',
    '/API/a\r\nX: y',
  ])('%j is refused before anything is sent', async (path) => {
    const { server, device } = await site((_request, response) => response.end());

    expect((await errorOf(device.get(path))).shape.source).toBe('user');
    expect(server.requests).toHaveLength(0);
  });
});
