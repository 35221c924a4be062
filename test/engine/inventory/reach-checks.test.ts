import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Clock } from '#engine/api.ts';
import { createReachChecks } from '#engine/inventory/reach-checks.ts';
import { listExceptions } from '#shared/device-status.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { Device } from '#shared/model.ts';
import { startSite } from '#test/helpers/strict-site.ts';
import { closeAll, openInventory, tempFolder } from './open-inventory.ts';

const servers: Server[] = [];
afterEach(async () => {
  closeAll();
  await Promise.all(
    servers.splice(0).map(
      (server) =>
        new Promise((resolve) => {
          server.close(resolve);
        }),
    ),
  );
});

/** Takes connections on the loopback interface and keeps what is said over them. */
async function listener(): Promise<{
  readonly url: string;
  readonly connections: () => number;
  readonly bytes: () => number;
  readonly server: Server;
}> {
  let connections = 0;
  let bytes = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('data', (chunk) => {
      bytes += chunk.byteLength;
    });
    socket.on('error', () => {});
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    connections: () => connections,
    bytes: () => bytes,
    server,
  };
}

/** Makes a clock whose time passes only during waits. */
function handClock(start = Date.parse('2026-03-01T10:00:00Z')): Clock & { pass(ms: number): void } {
  let now = start;
  return {
    now: () => new Date(now),
    delay: async (ms, signal) => {
      signal?.throwIfAborted();
      now += ms;
    },
    pass: (ms) => {
      now += ms;
    },
  };
}

/** Reads the fingerprint of the certificate that an address shows. */
async function readFingerprint(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const fingerprint = socket.getPeerX509Certificate()?.fingerprint256 ?? '';
  socket.destroy();
  return fingerprint;
}

async function world(clock: Clock, isNear: (host: string) => boolean = () => true) {
  const { inventory } = await openInventory(tempFolder(), undefined, clock);
  const rounds = createReachChecks({ list: inventory.list, directory: inventory.directory, clock, isNear });
  const only = (): Device => inventory.list()[0] ?? expect.fail('there is a device');
  async function round(): Promise<number> {
    for await (const { checked } of rounds(new AbortController().signal)) return checked;
    return expect.fail('a round comes to its end');
  }
  return { inventory, rounds, round, only };
}

describe('the checks whether devices are still there', () => {
  // Would catch: a device just switched off that goes on being shown as reachable, and one that is back as unreachable.
  it('notice that a device went away, since when, and that it is back, without saying a word to it', async () => {
    const clock = handClock();
    const { inventory, round, only } = await world(clock);
    const there = await listener();
    const gone = await listener();
    inventory.add({ address: gone.url, name: 'goes' });
    inventory.directory.observe(only().id, { type: 'sign-in', state: 'ok' });
    await new Promise((resolve) => {
      gone.server.close(resolve);
    });

    clock.pass(60_000);
    await round();
    const away = only();
    inventory.update({ id: away.id, address: there.url });
    clock.pass(60_000);
    await round();

    expect(away).toMatchObject({
      reach: 'unreachable',
      signIn: 'ok',
      lastSeen: '2026-03-01T10:00:00.000Z',
      lastError: { code: 'connection-refused' },
    });
    expect(Date.parse(away.reachSince ?? '')).toBeGreaterThanOrEqual(Date.parse('2026-03-01T10:01:00Z'));
    expect(only()).toMatchObject({ reach: 'reachable' });
    expect(only().lastError, 'that it was away says nothing any more').toBeUndefined();
    expect([there.connections(), there.bytes()], 'somebody knocked, nobody spoke').toEqual([1, 0]);
  });

  // Would catch: a changed certificate that shows only at the next sign-in, a password sent by looking, one that stays in doubt after the old certificate is back.
  it('meet a certificate that changed, and its return, without a request', async () => {
    const clock = handClock();
    const { inventory, round, only } = await world(clock);
    const site = await startSite({ devices: 1, kinds: ['gate'], tls: true });
    onTestFinished(() => site.close());
    const { url } = site.devices[0] ?? expect.fail('there is a device');
    const shown = await readFingerprint(url);
    const { id } = inventory.add({ address: url, certificate: shown });
    await round();
    const before = only();

    await site.device(0).renewCertificate();
    clock.pass(200_000);
    await round();
    const changed = only();
    inventory.trust({ items: [{ id, fingerprint: await readFingerprint(url) }] });
    clock.pass(200_000);
    await round();

    expect(before.lastError).toBeUndefined();
    expect(changed).toMatchObject({ reach: 'reachable', lastError: { code: 'certificate-changed' } });
    expect(listExceptions(changed)).toEqual(['certificate-changed']);
    expect(only().lastError).toBeUndefined();
    expect(site.device(0).requests, 'nothing is asked').toEqual([]);
  });

  // Would catch: one lost packet taken for an absence.
  it('try a second time before they call a device away', async () => {
    const clock = handClock();
    const { inventory, only } = await world(clock);
    const { url, server } = await listener();
    inventory.add({ address: url });
    inventory.directory.observe(only().id, { type: 'answered' });
    await new Promise((resolve) => {
      server.close(resolve);
    });
    clock.pass(60_000);
    const isBack: Clock = {
      now: clock.now,
      delay: async (ms) => {
        if (ms < 15_000 && !server.listening)
          await new Promise<void>((resolve) => {
            server.listen(Number(new URL(url).port), '127.0.0.1', resolve);
          });
      },
    };

    for await (const _ of createReachChecks({
      list: inventory.list,
      directory: inventory.directory,
      clock: isBack,
      isNear: () => true,
    })(new AbortController().signal))
      break;

    expect(only()).toMatchObject({
      reach: 'reachable',
      reachSince: '2026-03-01T10:00:00.000Z',
      checkedAt: '2026-03-01T10:01:00.000Z',
    });
  });

  // Would catch: a check that makes what the device itself complained about go away.
  it('leave what the device itself said', async () => {
    const clock = handClock();
    const { inventory, round, only } = await world(clock);
    const { url } = await listener();
    inventory.add({ address: url });
    const { id } = only();
    inventory.directory.observe(id, {
      type: 'sign-in',
      state: 'failed',
      error: new FieldwrightError({ code: 'sign-in-failed', source: 'device', message: 'no' }),
    });

    clock.pass(60_000);
    await round();

    expect(only()).toMatchObject({
      reach: 'reachable',
      signIn: 'failed',
      lastError: { code: 'sign-in-failed' },
    });
    expect(Date.parse(only().checkedAt ?? '')).toBeGreaterThanOrEqual(Date.parse('2026-03-01T10:01:00Z'));
  });

  // Would catch: devices of another site looked for at addresses that belong to others here, and devices seen
  // a moment ago asked again.
  it('leave alone who was heard of a moment ago, and who belongs to a network that this computer is not in', async () => {
    const clock = handClock();
    const { inventory, round } = await world(clock, () => false);
    const [fresh, foreign, routed] = await Promise.all([listener(), listener(), listener()]);
    for (const { url } of [fresh, foreign, routed]) inventory.add({ address: url });
    const [freshId, foreignId, routedId] = inventory.list().map(({ id }) => id);
    inventory.directory.observe(foreignId ?? '', { type: 'answered' });
    clock.pass(3_600_000);
    inventory.directory.observe(routedId ?? '', { type: 'answered' });
    clock.pass(60_000);
    inventory.directory.observe(freshId ?? '', { type: 'answered' });

    const checked = await round();

    expect(checked).toBe(1);
    expect([fresh, foreign, routed].map((each) => each.connections())).toEqual([0, 0, 1]);
  });

  // Would catch: checks that go on after the window was hidden, or a round for each window.
  it('are shared by their readers, and end with the last of them', async () => {
    const clock = handClock();
    const { inventory, rounds } = await world(clock);
    const { url, connections } = await listener();
    inventory.add({ address: url });
    const [one, two] = [new AbortController(), new AbortController()];
    const readers = [rounds(one.signal), rounds(two.signal)];

    await Promise.all(readers.map((reader) => reader.next()));
    const shared = connections();
    one.abort();
    two.abort();
    const ends = await Promise.all(readers.map((reader) => reader.next()));

    expect(shared).toBe(1);
    expect(ends.map(({ done }) => done)).toEqual([true, true]);
    expect(connections()).toBe(1);
  });
});
