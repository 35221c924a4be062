/** Sweeps over loopback only. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#engine/host/clock.ts';
import { parseCidr } from '#engine/discovery/network.ts';
import { AT_ONCE, createSweep, type SweepOptions } from '#engine/discovery/sweep/sweep.ts';
import type { Claim } from '#engine/discovery/types.ts';
import { startSite, type SiteOptions } from '#test/helpers/strict-site.ts';
import { never } from '../device/engine-site.ts';

/** Starts a virtual device at `host`; returns its port, which others may then use at other hosts. */
async function device(host: string, options: SiteOptions = {}): Promise<number> {
  const site = await startSite({ host, ...options });
  onTestFinished(() => site.close());
  return Number(new URL(site.devices[0]?.url ?? '').port);
}

/** Listens and answers every connection as configured. */
async function listener(
  host: string,
  port: number,
  onConnection: Parameters<typeof createServer>[1],
): Promise<Server> {
  const server = createServer({}, onConnection);
  await new Promise<void>((resolve) => {
    server.listen(port, host, resolve);
  });
  onTestFinished(() => void server.close());
  return server;
}

function sweepOf(cidr: string, port: number, extra: Partial<SweepOptions> = {}) {
  const found: Claim[] = [];
  const sweep = createSweep({
    range: parseCidr(cidr),
    ports: [port],
    prefixes: ['/API'],
    clock: systemClock,
    onFound: (claim) => found.push(claim),
    onProgress: () => {},
    ...extra,
  });
  return { sweep, found };
}

describe('a sweep', () => {
  it('finds the devices of a range, plain and encrypted, and says what else it met', async () => {
    const port = await device('127.9.0.1');
    await device('127.9.0.2', { port, tls: true });
    await device('127.9.0.3', { port, auth: 'none' });
    await device('127.9.0.4', { port, auth: 'none', prefix: '/Other' });
    await listener('127.9.0.5', port, (socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'),
    );
    await listener('127.9.0.6', port, (socket) => socket.end('SSH-2.0-x\r\n'));
    const { sweep, found } = sweepOf('127.9.0.0/29', port);

    await sweep.run(never);

    expect(found.map(({ url }) => url).toSorted()).toEqual([
      `http://127.9.0.1:${port}`,
      `http://127.9.0.3:${port}`,
      `http://127.9.0.4:${port}`,
      `https://127.9.0.2:${port}`,
    ]);
    expect(found.find(({ url }) => url.includes('127.9.0.2'))?.certificate).toMatch(/^[0-9a-f]{64}$/);
    expect(found.map(({ pathPrefix }) => pathPrefix).filter((prefix) => prefix !== undefined)).toEqual([
      '/API',
    ]);
    expect(sweep.report()).toMatchObject({
      total: 6,
      done: 6,
      found: 4,
      silent: 0,
      refused: 0,
      cancelled: false,
      tlsOnly: [`https://127.9.0.2:${port}`],
      otherPrefix: [`http://127.9.0.4:${port}`],
      otherWeb: [`http://127.9.0.5:${port}`],
      notHttp: [`http://127.9.0.6:${port}`],
    });
  });

  it('finds a device below one of several prefixes', async () => {
    const port = await device('127.9.1.1', { auth: 'none', prefix: '/Other' });
    const { sweep, found } = sweepOf('127.9.1.1', port, { prefixes: ['/API', '/Other'] });

    await sweep.run(never);

    expect(found).toMatchObject([{ pathPrefix: '/Other', recognised: 'interface' }]);
  });

  it('sends one read without any sign-in and nothing else', async () => {
    const site = await startSite({ host: '127.9.2.1' });
    onTestFinished(() => site.close());
    const { sweep } = sweepOf('127.9.2.1', Number(new URL(site.devices[0]?.url ?? '').port));

    await sweep.run(never);

    expect(site.device(0).requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /API/System/capabilities',
    ]);
  });

  // Would catch: a cancel that lets 64 connections run on, or goes through the rest of the range.
  it('asks at most 64 at a time and stops at once when it is cancelled', async () => {
    const controller = new AbortController();
    let open = 0;
    let most = 0;
    const full = Promise.withResolvers<void>();
    const hold = (socket: Socket): void => {
      open += 1;
      most = Math.max(most, open);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          open -= 1;
        })
        .resume();
      if (open === AT_ONCE) full.resolve();
    };
    const first = await listener('127.9.4.1', 0, hold);
    const { port } = first.address() as AddressInfo;
    await Promise.all(
      Array.from({ length: 125 }, (_, index) => listener(`127.9.4.${index + 2}`, port, hold)),
    );
    const { sweep } = sweepOf('127.9.4.0/25', port);

    const running = sweep.run(controller.signal);
    await full.promise;
    controller.abort();
    await running;

    expect(most).toBe(AT_ONCE);
    expect(sweep.report()).toMatchObject({ done: 0, cancelled: true, total: 126 });
  });

  it('keeps to its pace: no more than 320 new addresses a second', async () => {
    const port = await device('127.9.5.1');
    let slices = 0;
    const { sweep } = sweepOf('127.9.5.0/24', port, {
      clock: {
        now: () => new Date(),
        delay: (ms, signal) => {
          if (ms === 100) slices += 1;
          return systemClock.delay(ms === 100 ? 1 : ms, signal);
        },
      },
    });

    await sweep.run(never);

    expect(sweep.report().done).toBe(254);
    expect(slices).toBeGreaterThanOrEqual(Math.floor(254 / 32));
  });
});
