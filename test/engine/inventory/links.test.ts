import { afterEach, describe, expect, it } from 'vitest';
import type { InterfaceAddress } from '#engine/discovery/types.ts';
import { createLinks } from '#engine/inventory/links.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { Device } from '#shared/model.ts';
import { closeAll, openInventory, tempFolder } from './open-inventory.ts';

const LO: InterfaceAddress = {
  name: 'lo',
  family: 'IPv4',
  address: '127.0.0.1',
  cidr: '127.0.0.1/8',
  internal: true,
};
const external = (name: string, address: string): InterfaceAddress => ({
  name,
  family: 'IPv4',
  address,
  cidr: `${address}/24`,
  internal: false,
});
const ETH = external('eth0', '10.77.0.9');
const WLAN = external('wlan0', '192.168.1.9');
const START = Date.parse('2026-03-01T18:22:00Z');

function world(urls: readonly string[]) {
  let now = START;
  let interfaces: readonly InterfaceAddress[] = [LO, ETH];
  const links = createLinks({
    list: () => urls.map((url, index) => ({ id: String(index), url }) as Device),
    listInterfaces: () => interfaces,
    clock: { now: () => new Date(now), delay: () => Promise.resolve() },
  });
  const ending = new AbortController();
  const watched = links.watch(ending.signal);
  return {
    links,
    /** Next report after these interfaces are there. */
    async report(...next: InterfaceAddress[]) {
      interfaces = [LO, ...next];
      now += 60_000;
      return (await watched.next()).value;
    },
  };
}

describe('a network that is gone', () => {
  // Would catch: a cable pulled that is shown as hundreds of devices that are away, or a device of another network among them.
  it('is one fact, with its time and the devices that only it led to', async () => {
    const { report, links } = world(['http://10.77.0.2:43000', 'http://192.168.1.7', 'http://127.0.0.1:80']);
    expect(await report(ETH, WLAN)).toEqual([]);

    const lost = await report(WLAN);

    expect(lost).toEqual([{ interface: 'eth0', since: '2026-03-01T18:24:00.000Z', deviceIds: ['0'] }]);
    expect(
      ['http://10.77.0.2', 'http://192.168.1.7', 'http://lobby.local'].map((url) => links.isCut(url)),
    ).toEqual([true, false, false]);
    expect(await report(ETH, WLAN)).toEqual([]);
  });

  it('cuts everything but this computer where it was the only one, also what is reached by a router or a name', async () => {
    const { report } = world([
      'http://10.77.0.2',
      'http://172.16.0.1',
      'http://lobby.local',
      'http://localhost:80',
    ]);
    await report(ETH);

    expect(await report()).toMatchObject([{ interface: 'eth0', deviceIds: ['0', '1', '2'] }]);
  });
});

afterEach(closeAll);

// Would catch: a device called unreachable because the laptop's own cable was out.
it('says nothing against a device that fails to answer meanwhile', async () => {
  let interfaces: readonly InterfaceAddress[] = [LO, ETH];
  let now = START;
  const clock = { now: () => new Date(now), delay: () => Promise.resolve() };
  const { inventory } = await openInventory(tempFolder(), undefined, clock, () => interfaces);
  const { id } = inventory.add({ address: 'http://10.77.0.2' });
  const error = new FieldwrightError({ code: 'unreachable', source: 'device', message: 'no route' });
  const failTo = (): string => {
    now += 60_000;
    inventory.directory.observe(id, { type: 'failed', error });
    return inventory.find(id).reach;
  };
  inventory.directory.observe(id, { type: 'sign-in', state: 'ok' });
  inventory.links.isCut('http://10.77.0.2');

  interfaces = [LO];
  const meanwhile = failTo();
  interfaces = [LO, ETH];
  const afterwards = failTo();

  expect([meanwhile, afterwards]).toEqual(['reachable', 'unreachable']);
});
