/** The engine's searches, on loopback only: every one names the interface `lo` or does without mDNS. */
import { afterEach, describe, expect, it } from 'vitest';
import type { DiscoveryEvent, Sighting } from '#shared/discovery.ts';
import type { DiscoveryOptions } from '#engine/api.ts';
import { hashRealm } from '#engine/device/sign-in/digest.ts';
import { createKnownDevices } from '#engine/discovery/known-devices.ts';
import { systemClock } from '#engine/host/clock.ts';
import { startSite } from '#test/helpers/strict-site.ts';
import { engineSite, never, type EngineSite } from '../device/engine-site.ts';
import { makeCertificate, startTlsServer } from '../device/tls-server.ts';
import { closeAll, openInventory, tempFolder } from '../inventory/open-inventory.ts';

let running: EngineSite | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
  closeAll();
});

async function all(options: DiscoveryOptions, signal = never): Promise<DiscoveryEvent[]> {
  const events: DiscoveryEvent[] = [];
  for await (const event of running?.engine.discovery.watch(options, signal) ?? []) events.push(event);
  return events;
}
const portOf = (url: string | undefined) => Number(new URL(url ?? '').port);

describe('a search of the engine', () => {
  it('finds a device by sweep, knows it from the inventory, and ends by itself', async () => {
    running = await engineSite({ host: '127.9.8.1' });

    const events = await all({
      mdns: false,
      sweep: { cidr: '127.9.8.0/29', ports: [portOf(running.site.devices[0]?.url)] },
      doctor: true,
    });

    const sightings = events.filter((event) => event.type === 'sighting').map((event) => event.sighting);
    expect(sightings.at(-1)).toMatchObject({
      via: 'sweep',
      url: running.site.devices[0]?.url,
      deviceId: running.ids[0],
      recognised: 'interface',
    });
    expect(events.findLast((event) => event.type === 'sweep')).toMatchObject({
      progress: { done: 6, total: 6, found: 1, ended: true },
    });
    expect(events.at(-1)).toMatchObject({ type: 'doctor', report: { devices: 1, interfaces: [] } });
  });

  it('looks at an address given by hand, also below another prefix of the inventory', async () => {
    running = await engineSite({ prefix: '/Other', auth: 'none' });

    const events = await all({ mdns: false, addresses: [running.site.devices[0]?.url ?? ''] });

    expect(events).toMatchObject([{ type: 'sighting', sighting: { via: 'manual', pathPrefix: '/Other' } }]);
  });

  it.each<[string, DiscoveryOptions, string]>([
    ['a range that is too wide', { sweep: { cidr: '127.0.0.0/19' } }, 'out-of-range'],
    ['a foreign network', { sweep: { cidr: '203.0.113.0/28' } }, 'not-allowed'],
    ['a foreign address in a small range', { sweep: { cidr: '203.0.113.1' } }, 'not-allowed'],
    ['an interface that is not there', { interfaces: ['lo0x'] }, 'usage'],
    ['no time', { seconds: 0 }, 'out-of-range'],
    ['a port that is none', { sweep: { cidr: '127.0.0.1', ports: [0] } }, 'usage'],
    ['too many ports', { sweep: { cidr: '127.0.0.1', ports: [1, 2, 3, 4, 5, 6, 7, 8, 9] } }, 'out-of-range'],
    ['a prefix that is none', { prefixes: ['API?x='] }, 'usage'],
    ['an address with a password', { addresses: ['http://admin:x@127.0.0.1'] }, 'usage'],
  ])('refuses %s before anything is sent', async (_what, options, code) => {
    running = await engineSite({});
    const { discovery } = running.engine;

    expect(() => discovery.watch({ mdns: false, ...options }, never)).toThrowError(
      expect.objectContaining({ code }),
    );
  });

  // Would catch: sockets and timers that outlive the reader, or a close that hangs.
  it('ends when it is cancelled, when its reader leaves, and when the engine closes', async () => {
    running = await engineSite({});
    const controller = new AbortController();
    const options = { interfaces: ['lo'], doctor: true };

    const cancelled = all(options, controller.signal);
    setImmediate(() => controller.abort());
    await cancelled;
    for await (const event of running.engine.discovery.watch(options, never))
      if (event.type === 'doctor') break;
    const open = all(options);
    await running.engine.close();

    expect((await open).at(-1)).toMatchObject({ type: 'doctor' });
  });

  it('tells per interface what was sent and heard', async () => {
    running = await engineSite({});

    const report = (await all({ interfaces: ['lo'], doctor: true, seconds: 0.3 }))
      .flatMap((event) => (event.type === 'doctor' ? [event.report] : []))
      .at(-1);

    expect(report?.interfaces.find(({ name, family }) => name === 'lo' && family === 'IPv4')).toMatchObject({
      address: '127.0.0.1',
      network: '127.0.0.0/8',
    });
    expect(
      report?.interfaces
        .filter(({ name }) => name !== 'lo')
        .every(({ state, queriesSent }) => state === 'skipped' && queriesSent === 0),
    ).toBe(true);
    expect(report?.text).toContain('lo IPv4 127.0.0.1');
  });
});

describe('a device of the inventory that announces itself elsewhere', () => {
  async function moving(options: {
    readonly signedIn?: 'device' | 'tag' | 'site';
    readonly oldAnswers: boolean;
    readonly realm?: string;
  }) {
    const house = await openInventory(tempFolder());
    const [before, after] = [await startSite({ host: '127.9.7.1' }), await startSite({ host: '127.9.7.2' })];
    const [oldUrl, newUrl] = [before.devices[0]?.url ?? '', after.devices[0]?.url ?? ''];
    const { id: siteId } = house.sites.save({ name: 'Depot' });
    const device = house.inventory.add({
      address: oldUrl,
      name: 'Gate',
      identity: 'serial:4711',
      tags: ['hall'],
      siteId,
    });
    const { id: credentialId } = house.credentials.save({ label: 'Site', userName: 'admin', password: 'x' });
    if (options.signedIn === 'device') house.credentials.assign({ credentialId, deviceIds: [device.id] });
    if (options.signedIn === 'tag')
      house.credentials.assignTo({ credentialId, scope: { kind: 'tag', tag: 'hall' } });
    if (options.signedIn === 'site')
      house.credentials.assignTo({ credentialId, scope: { kind: 'site', siteId } });
    if (options.realm !== undefined) {
      house.inventory.directory.observe(device.id, { type: 'offered', strength: 2 });
      house.inventory.directory.observe(device.id, { type: 'realm', realm: hashRealm(options.realm) });
    }
    if (!options.oldAnswers) await before.close();
    const known = createKnownDevices({ inventory: house.inventory, clock: systemClock, signal: never });

    const match = known.match(sightingOf(newUrl));
    await known.settled();
    const { url, tags, siteId: site } = house.inventory.find(device.id);
    expect([tags, site]).toEqual([['hall'], siteId]);
    await Promise.all([before.close(), after.close()]);
    return {
      matched: match === device.id,
      followed: url === newUrl,
      requests: after.device(0).requests.map(({ method }) => method),
    };
  }

  it('is followed when the old address is silent', async () => {
    expect(await moving({ oldAnswers: false })).toEqual({ matched: true, followed: true, requests: ['GET'] });
  });

  // Would catch: a program that gets the requests for a device by announcing its serial number.
  it('is not followed while the old address still answers', async () => {
    expect(await moving({ oldAnswers: true })).toMatchObject({ matched: true, followed: false });
  });

  // Would catch: a program that gets a device's sign-in by announcing its serial number, as Digest to guess
  // at or readable.
  it.each(['device', 'tag', 'site'] as const)(
    'is not followed without a person where a sign-in of its %s would go along',
    async (signedIn) => {
      expect(await moving({ signedIn, oldAnswers: false })).toEqual({
        matched: true,
        followed: false,
        requests: [],
      });
    },
  );

  // Would catch: a neighbour that announces the serial number and copies the realm, and waits for the device to be off.
  it.each(['device', 'tag', 'site'] as const)(
    'is not followed in the clear without a person, though serial number and realm fit, with a sign-in of its %s',
    async (signedIn) => {
      const site = await startSite({ host: '127.9.7.3' });
      const realm =
        /realm="([^"]+)"/.exec(
          (await fetch(`${site.devices[0]?.url ?? ''}/API/System/capabilities`)).headers.get(
            'www-authenticate',
          ) ?? '',
        )?.[1] ?? '';
      await site.close();

      expect(await moving({ signedIn, oldAnswers: false, realm })).toEqual({
        matched: true,
        followed: false,
        requests: [],
      });
    },
  );

  // Would catch: a pin that is only compared when the sign-in is about to leave, or a device that is lost after each new lease.
  it.each([
    [true, true],
    [false, false],
  ])('over https is followed where it shows the pinned certificate (%s)', async (isPinned, followed) => {
    const house = await openInventory(tempFolder());
    const [certificate, another] = [await makeCertificate(), await makeCertificate({ name: 'Spoof' })];
    const server = await startTlsServer(certificate, {
      handler: (_request, response) =>
        response.writeHead(401, { 'www-authenticate': 'Digest realm="x", nonce="n"' }).end(),
    });
    const device = house.inventory.add({
      address: 'https://127.9.7.9:1',
      identity: 'serial:4711',
      certificate: isPinned ? certificate.fingerprint : another.fingerprint,
    });
    house.credentials.save({ label: 'Site', userName: 'admin', password: 'x', deviceIds: [device.id] });
    const known = createKnownDevices({ inventory: house.inventory, clock: systemClock, signal: never });

    known.match(sightingOf(server.url));
    await known.settled();
    await server.close();

    expect(house.inventory.find(device.id).url === server.url).toBe(followed);
    expect(server.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
  });
});

function sightingOf(url: string, identity = 'serial:4711'): Sighting {
  return {
    identity,
    name: 'Gate',
    url,
    alternatives: [],
    addresses: [],
    via: 'mdns:eth0',
    seenVia: ['mdns:eth0'],
    state: 'present',
    conflicts: [],
    firstSeenAt: '',
    seenAt: '',
  };
}

describe('who is at the address of a device of the inventory', () => {
  // Would catch: after a lease the stranger at the old address shown as the device that was there.
  it('is not that device when it has another serial number, but may have another name', async () => {
    const house = await openInventory(tempFolder());
    const [gate, lobby] = [
      house.inventory.add({ address: '10.0.0.1', identity: 'serial:4711' }),
      house.inventory.add({ address: '10.0.0.2', identity: 'name:lobby' }),
    ];
    const known = createKnownDevices({ inventory: house.inventory, clock: systemClock, signal: never });

    expect(known.match(sightingOf(gate.url, 'serial:4712'))).toBeUndefined();
    expect(known.match(sightingOf(lobby.url, 'name:hall'))).toBe(lobby.id);
    expect(house.inventory.find(gate.id).identity).toBe('serial:4711');
  });

  // Would catch: a serial number that the factory gave twice moves one device to the address of the other.
  it('is the one of two with the same serial number that has this address', async () => {
    const house = await openInventory(tempFolder());
    const twins = ['10.0.0.1', '10.0.0.2'].map((address) =>
      house.inventory.add({ address, identity: 'serial:0000' }),
    );
    const known = createKnownDevices({ inventory: house.inventory, clock: systemClock, signal: never });

    expect([
      ...twins.map(({ url }) => known.match(sightingOf(url, 'serial:0000'))),
      known.match(sightingOf('http://10.0.0.3', 'serial:0000')),
    ]).toEqual([...twins.map(({ id }) => id), undefined]);
  });
});
