import {
  appendFileSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { Agent, get, request, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#engine/host/clock.ts';
import { FileServer } from '#engine/transfer/serve/file-server.ts';
import { openPackage } from '#engine/transfer/serve/package-file.ts';
import { MOST_ANSWERS } from '#engine/transfer/serve/shares.ts';
import type { Offer } from '#engine/transfer/serve/types.ts';
import { door, eventually, offered } from './offer.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** The body ended before its length. */
  readonly broken: boolean;
}

/** Sends a request. `until`: hangs up after so many bytes. */
function ask(url: string, options: RequestOptions & { readonly until?: number } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      let ended = false;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= (options.until ?? Infinity)) response.destroy();
      });
      response.on('end', () => {
        ended = true;
      });
      response.on('error', () => undefined);
      response.on('close', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
          broken: !ended,
        }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}
const range = (text: string): RequestOptions => ({ headers: { range: text } });

describe('a file that is served', () => {
  it('arrives whole, and what arrived is told with its hash', async () => {
    const { offer, content, sha256, told, lines } = await offered();

    const { status, headers, body } = await ask(offer.url);
    await eventually(() => offer.served().complete);

    expect([status, headers['content-length'], headers['etag']]).toEqual([
      200,
      String(content.length),
      `"${sha256}"`,
    ]);
    expect([headers['transfer-encoding'], headers['content-encoding']]).toEqual([undefined, undefined]);
    expect(body.equals(content)).toBe(true);
    expect(offer.served()).toMatchObject({
      bytes: content.length,
      total: content.length,
      requests: 1,
      open: 0,
      sha256,
    });
    expect(told.at(-1)).toMatchObject({ complete: true, firstAt: expect.any(String) as string });
    expect(lines).toEqual(['GET –: answered with 200']);
    expect(offer.url.length).toBeLessThanOrEqual(256);
  });

  it('HEAD sends nothing and counts as nothing', async () => {
    const { offer, content } = await offered();

    const { status, headers, body } = await ask(offer.url, { method: 'HEAD' });

    expect([status, headers['content-length'], body.length]).toEqual([200, String(content.length), 0]);
    expect(offer.served()).toMatchObject({ bytes: 0, requests: 0 });
  });

  // Would catch: a resume that is off by one, and progress that counts what never arrived.
  it('goes on where a connection broke off, as often as it breaks', async () => {
    const { offer, content, sha256 } = await offered({ size: 12_000_000 });
    let got = Buffer.alloc(0);

    while (got.length < content.length) {
      const { status, headers, body } = await ask(offer.url, {
        headers: got.length === 0 ? {} : { range: `bytes=${got.length}-`, 'if-range': `"${sha256}"` },
        until: 1_700_000,
      });
      if (got.length > 0)
        expect([status, headers['content-range']]).toEqual([
          206,
          `bytes ${got.length}-${content.length - 1}/${content.length}`,
        ]);
      got = Buffer.concat([got, body]);
      await eventually(() => offer.served().open === 0);
    }
    await eventually(() => offer.served().complete);

    expect(got.equals(content)).toBe(true);
    expect(offer.served()).toMatchObject({ sha256, bytes: content.length });
  });

  it.each([
    ['parallel', (ranges: readonly string[]) => ranges],
    ['reordered', (ranges: readonly string[]) => ranges.toReversed()],
    ['repeated and overlapping', (ranges: readonly string[]) => [...ranges, ...ranges, 'bytes=0-999999']],
  ])('arrives in ranges that are %s', async (_name, order) => {
    const { offer, content, sha256 } = await offered();
    const piece = 333_333;
    const ranges = Array.from(
      { length: Math.ceil(content.length / piece) },
      (_, at) => `bytes=${at * piece}-${at * piece + piece - 1}`,
    );

    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const answers = await Promise.all(order(ranges).map((text) => ask(offer.url, { agent, ...range(text) })));
    agent.destroy();
    await eventually(() => offer.served().complete);

    for (const { status, headers, body } of answers) {
      const start = Number(/^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1]);
      expect([status, body.equals(content.subarray(start, start + body.length))]).toEqual([206, true]);
    }
    expect(offer.served()).toMatchObject({ bytes: content.length, sha256 });
  });

  it('several ranges at once come as parts of exactly the length announced', async () => {
    const { offer, content } = await offered();

    const { status, headers, body } = await ask(offer.url, range('bytes=0-9,1000000-1000009'));

    expect([status, headers['content-length']]).toEqual([206, String(body.length)]);
    expect(
      body.includes(content.subarray(0, 10)) && body.includes(content.subarray(1_000_000, 1_000_010)),
    ).toBe(true);
  });

  it('nothing behind the end', async () => {
    const { offer, content } = await offered();

    const { status, headers } = await ask(offer.url, range(`bytes=${content.length}-`));

    expect([status, headers['content-range']]).toEqual([416, `bytes */${content.length}`]);
  });

  it('another method is refused and the connection is of use afterwards', async () => {
    const { offer } = await offered();

    const { status, headers } = await ask(offer.url, { method: 'PUT' });

    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  // Would catch: a server that stops in the middle where the client closes its sending side early, as some devices do.
  it('to a client that sends no more after its request', async () => {
    const { offer, content } = await offered();
    const { pathname, port } = new URL(offer.url);

    const chunks: Buffer[] = [];
    await new Promise((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.end(`GET ${pathname} HTTP/1.0\r\n\r\n`));
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('close', resolve);
      socket.on('error', reject);
    });

    expect(Buffer.concat(chunks).subarray(-content.length).equals(content)).toBe(true);
  });

  it('two offers share a port and are not mixed up; the last one closes it', async () => {
    const first = await offered();
    const second = await offered({ server: first.server, device: first.device });
    const crossed = second.offer.url.replace(second.offer.token, first.offer.token);

    const [one, other, none] = [await ask(first.offer.url), await ask(second.offer.url), await ask(crossed)];
    await first.offer.close();
    const closed = await ask(first.offer.url);
    await second.offer.close();

    expect(second.offer.port).toBe(first.offer.port);
    expect([one.body.equals(first.content), other.body.equals(second.content)]).toEqual([true, true]);
    expect([closed.status, none.status]).toEqual([404, crossed === first.offer.url ? 200 : 404]);
    await expect(ask(second.offer.url)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('nobody but the device', () => {
  it('gets anything: another address, another path, no path', async () => {
    const { offer, lines } = await offered();
    const { origin, port } = new URL(offer.url);
    const raw = (text: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
        socket.once('data', (chunk) => {
          resolve(chunk.toString('latin1').slice(0, 12));
          socket.destroy();
        });
      });

    const elsewhere = await ask(offer.url, { localAddress: '127.0.0.2' });
    const others = await Promise.all(
      [
        '/',
        `/${offer.token}`,
        `/${offer.token}/`,
        `/${offer.token}/other.bin`,
        `/${'a'.repeat(22)}/helmet_v2.bin`,
      ].map(async (path) => (await ask(origin + path)).status),
    );
    const star = await raw('OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n');
    const garbage = await raw('hello\r\n\r\n');

    expect([elsewhere.status, elsewhere.body.length, ...others]).toEqual([404, 0, 404, 404, 404, 404, 404]);
    expect([star, garbage]).toEqual(['HTTP/1.1 404', 'HTTP/1.1 400']);
    expect(offer.served()).toMatchObject({ requests: 0, stranger: { address: '127.0.0.2', count: 1 } });
    expect(lines.some((line) => line.startsWith('127.0.0.2 asked for the address of this device'))).toBe(
      true,
    );
    expect(lines.filter((line) => line.includes('something else than the package')).length).toBe(6);
  });

  it('fills the log, whoever asks how often', async () => {
    const { offer, lines } = await offered();
    const { origin } = new URL(offer.url);

    for (let times = 0; times < 150; times += 1) await ask(`${origin}/${times}`);

    expect(lines.length).toBeLessThanOrEqual(60);
  });

  // Would catch: strangers who open connections until the device finds none.
  it('keeps the device out by holding connections open', async () => {
    const { offer, content } = await offered();
    const { port } = new URL(offer.url);
    const held = Array.from({ length: 60 }, () =>
      connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' }).on(
        'error',
        () => undefined,
      ),
    );
    await eventually(() => held.filter((socket) => socket.destroyed).length >= 28);

    const { body } = await ask(offer.url);
    for (const socket of held) socket.destroy();

    expect(body.equals(content)).toBe(true);
  });
});

/** Connections of a device that ask for the file and never read a byte of it. */
function neverReading(url: string, localAddress: string, count: number): readonly Socket[] {
  const { port, pathname, hostname } = new URL(url);
  return Array.from({ length: count }, () => {
    const socket = connect({ port: Number(port), host: hostname, localAddress });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined).pause();
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return socket;
  });
}

describe('devices that fetch and never read', () => {
  // Would catch: answers, or memory, that four devices keep for themselves; an honest one that is asked to
  // come again.
  it.each([4, 12])('%i of them keep no other device out', async (devices) => {
    const server = new FileServer({ clock: systemClock });
    const honest = await offered({ server, size: 12_000_000 });
    const file = await openPackage(honest.path);
    const greedy: Offer[] = [];
    for (let at = 0; at < devices; at += 1) {
      const host = `127.0.0.${at + 2}`;
      const offer = await server.offer({ file, peer: { url: await door(host) } });
      neverReading(offer.url, host, 16);
      greedy.push(offer);
    }
    const open = (): number => greedy.reduce((sum, offer) => sum + offer.served().open, 0);
    await eventually(() => open() >= Math.min(devices * 8, MOST_ANSWERS));

    const bodies: Buffer[] = [];
    const statuses: number[] = [];
    // The server makes room after a second without reads if all have their share.
    for (const start = performance.now(); bodies.length < 12 && performance.now() - start < 30_000;) {
      const { status, body } = await ask(honest.offer.url, { localAddress: '127.0.0.1' });
      statuses.push(status);
      if (status === 200) bodies.push(body);
    }

    expect(bodies).toHaveLength(12);
    expect(bodies.every((body) => body.equals(honest.content))).toBe(true);
    // A client that was admitted stays admitted.
    expect(statuses.slice(statuses.indexOf(200))).toEqual(Array(12).fill(200));
    if (devices === 4) expect(statuses).toHaveLength(12);
  });
});

describe('a client that is slow', () => {
  it('or reads nothing at all holds nobody up and is closed after a while', async () => {
    const { offer, content, server, device } = await offered({
      size: 20_000_000,
      serverOptions: { stuckMs: 300 },
    });
    const other = await offered({ server, device });
    const stuck = await new Promise<IncomingMessage>((resolve) => {
      get(offer.url, { agent: false }, resolve);
    });

    const { body } = await ask(other.offer.url);
    await eventually(() => offer.served().open === 0);
    stuck.on('error', () => undefined);
    stuck.destroy();

    expect(body.equals(other.content)).toBe(true);
    expect(offer.served()).toMatchObject({ complete: false, open: 0 });
    expect(offer.served().bytes).toBeLessThan(content.length);
  });

  // Would catch: a file that is read to its end for a client that disconnected at its beginning.
  it('and hangs up costs no more than it took', async () => {
    const { offer } = await offered({ size: 60_000_000 });

    const { body } = await ask(offer.url, { until: 1 });
    await eventually(() => offer.served().open === 0);

    expect(body.length).toBeGreaterThan(0);
    expect(offer.served().bytes).toBeLessThan(30_000_000);
  });

  it('and interrupts itself gets everything, later', async () => {
    const { offer, content } = await offered({ size: 8_000_000 });

    const chunks: Buffer[] = [];
    await new Promise((resolve) => {
      get(offer.url, { agent: false }, (response) => {
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          response.pause();
          setImmediate(() => response.resume());
        });
        response.on('close', resolve);
      });
    });

    expect(Buffer.concat(chunks).equals(content)).toBe(true);
  });
});

type Change = [name: string, change: (path: string) => void];
/** Windows keeps a file that is open from both. */
const REPLACED: readonly Change[] = [
  [
    'is replaced by a copy',
    (path) => {
      writeFileSync(`${path}.new`, readFileSync(path));
      renameSync(`${path}.new`, path);
    },
  ],
  ['is gone', (path) => unlinkSync(path)],
];

describe('a file that changes while it is served', () => {
  const large = 30_000_000;
  it.each<Change>([
    ['grows', (path) => appendFileSync(path, 'more')],
    ['shrinks', (path) => truncateSync(path, 20_000_000)],
    ['is written over', (path) => writeFileSync(path, Buffer.alloc(large))],
    [
      'is written over and has its time put back',
      (path) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, Buffer.alloc(large));
        utimesSync(path, atime, mtime);
      },
    ],
    ...(process.platform === 'win32' ? [] : REPLACED),
  ])('and %s is never taken for whole: the offer ends with a reason', async (_name, change) => {
    const { offer, path, content, lines } = await offered({ size: large });
    const response = await new Promise<IncomingMessage>((resolve) => {
      get(offer.url, { agent: false }, resolve);
    });

    change(path);
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', () => undefined);
    await new Promise((resolve) => response.once('close', resolve));
    const after = await ask(offer.url).then(({ status }) => status);

    const got = Buffer.concat(chunks);
    expect(response.complete).toBe(false);
    expect(got.equals(content.subarray(0, got.length))).toBe(true);
    expect(after).toBe(404);
    expect(offer.served()).toMatchObject({
      complete: false,
      end: expect.stringMatching(/^file-/) as string,
      problem: { message: expect.stringContaining('helmet v2.bin') as string },
    });
    expect(lines.some((line) => line.startsWith('Nothing is served any more'))).toBe(true);
  });

  it('before it is asked for: nothing of it goes out', async () => {
    const { offer, path } = await offered();
    appendFileSync(path, 'x');

    await expect(ask(offer.url)).rejects.toThrow();

    expect(offer.served()).toMatchObject({ end: 'file-changed', requests: 0 });
  });
});

describe('where a file is served', () => {
  it('the same address again after a restart, so that a device goes on with its range', async () => {
    const first = await offered();
    const { body } = await ask(first.offer.url, { until: 1_000_000 });
    await first.server.close();

    const server = new FileServer({ clock: systemClock });
    const { token, port } = first.offer;
    const again = await offered({ server, device: first.device, path: first.path, token, port });
    const rest = await ask(again.offer.url, {
      headers: { range: `bytes=${body.length}-`, 'if-range': `"${first.sha256}"` },
    });

    expect(again.offer.url).toBe(first.offer.url);
    expect(Buffer.concat([body, rest.body]).equals(first.content)).toBe(true);
  });

  it('another port where the one asked for is taken', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => {
      holder.listen(0, '127.0.0.1', resolve);
    });
    const { port } = holder.address() as AddressInfo;

    const { offer, content } = await offered({ port });
    const { body } = await ask(offer.url);
    holder.close();

    expect(offer.port).not.toBe(port);
    expect(body.equals(content)).toBe(true);
  });

  it('an address that is not of this computer is refused in words', async () => {
    await expect(offered({ address: '192.0.2.77' })).rejects.toMatchObject({
      shape: { code: 'not-available', detail: { id: 'serve.not-own-address' } },
    });
  });

  it('a device that is away at the moment is served all the same', async () => {
    const { offer, content } = await offered({ device: 'http://127.0.0.1:1' });

    expect((await ask(offer.url)).body.equals(content)).toBe(true);
  });

  it('IPv6, with the address in brackets', async (context) => {
    const entries = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    if (!entries.some(({ address }) => address === '::1')) return context.skip('no IPv6 on this computer');

    const { offer, content } = await offered({
      device: (await door('::1')).replace('http://::1', 'http://[::1]'),
    });

    expect(offer.url).toMatch(/^http:\/\/\[::1\]:\d+\//);
    expect((await ask(offer.url)).body.equals(content)).toBe(true);
  });

  const outward = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

  it.skipIf(outward === undefined)('an address that goes away ends the offer with a reason', async () => {
    let own = [outward ?? ''];
    const { offer, told } = await offered({
      device: await door(outward),
      serverOptions: { ownAddresses: () => own, lookMs: 10 },
    });
    const address = offer.address;

    own = [];
    await eventually(() => offer.served().end !== undefined);

    expect(address).toBe(outward);
    expect(told.at(-1)).toMatchObject({ end: 'address-gone', problem: { code: 'not-available' } });
  });

  it('many at once stay within the buffers, and all of it arrives', async () => {
    const server = new FileServer({ clock: systemClock });
    const one = await offered({ server, size: 4_000_000 });
    const file = await openPackage(one.path);
    const offers = await Promise.all(
      Array.from({ length: 40 }, () => server.offer({ file, peer: { url: one.device } })),
    );

    const bodies = await Promise.all(
      offers.map(({ url }, at) =>
        ask(url, { localAddress: '127.0.0.1', agent: at % 2 === 0 ? false : new Agent() }),
      ),
    );

    expect(bodies.every(({ body, status }) => status === 200 && body.equals(one.content))).toBe(true);
  });
});
