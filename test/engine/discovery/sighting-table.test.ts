import { describe, expect, it } from 'vitest';
import { SightingTable } from '#engine/discovery/sighting-table.ts';
import { announced, swept } from './claims.ts';
import { growth } from '#test/helpers/growth.ts';

const [ONE, TWO, THREE] = ['http://10.0.0.1', 'http://10.0.0.2', 'http://10.0.0.3'];

describe('rows', () => {
  // Would catch: a new row, or a false conflict, for every DHCP lease.
  it('keeps the row of a device that changes its address, and says where it was', () => {
    const table = new SightingTable();
    table.heard(announced('Gate', ONE), 1_000);

    const events = table.heard(announced('Gate', TWO), 2_000);

    expect(events).toMatchObject([
      {
        type: 'sighting',
        sighting: { identity: 'name:gate', url: TWO, previousUrl: ONE, conflicts: [], state: 'present' },
      },
    ]);
    expect(table.sightings()).toHaveLength(1);
  });

  it('knows a device that vanished and returns elsewhere', () => {
    const table = new SightingTable();
    table.heard(announced('Gate', ONE), 1_000);

    const gone = table.gone(announced('Gate', ONE).key, 'unanswered', 50_000);
    const back = table.heard(announced('Gate', TWO), 90_000);

    expect(gone).toMatchObject([
      {
        type: 'vanished',
        reason: 'unanswered',
        sighting: { state: 'vanished', seenAt: new Date(1_000).toISOString() },
      },
    ]);
    expect(back).toMatchObject([
      { sighting: { state: 'present', previousUrl: ONE, firstSeenAt: new Date(1_000).toISOString() } },
    ]);
  });

  // Would catch: an address too long to type, because IPv6 happened to answer first; and a move reported for
  // a device that stayed.
  it('prefers IPv4 to a link-local address, whichever was heard first, and calls that no move', () => {
    const table = new SightingTable();
    table.heard(announced('Gate', 'http://[fe80::5]', { key: 'mdns:eth0|IPv6|gate' }), 1_000);

    table.heard(announced('Gate', ONE), 2_000);

    expect(table.sightings()).toMatchObject([
      { url: ONE, alternatives: ['http://[fe80::5]'], conflicts: [] },
    ]);
    expect(table.sightings()[0]).not.toHaveProperty('previousUrl');
  });

  // Would catch: an address of a stranger's choice that is offered beside, or before, one within reach.
  it('offers what is within reach, and says so where nothing is', () => {
    const table = new SightingTable();
    table.heard(
      announced('Gate', 'http://203.0.113.9', { key: 'mdns:eth1|IPv4|gate', outside: true }),
      1_000,
    );
    const alone = table.sightings()[0];

    table.heard(announced('Gate', ONE), 2_000);

    expect(alone).toMatchObject({ url: 'http://203.0.113.9', outside: true, alternatives: [] });
    expect(table.sightings()).toMatchObject([{ url: ONE, alternatives: [] }]);
    expect(table.sightings()[0]).not.toHaveProperty('outside');
  });

  it('is another web service only where nothing of it is a device', () => {
    const table = new SightingTable();
    table.heard(announced('Gate', ONE, { key: 'a', recognised: 'web' }), 1_000);
    const first = table.sightings()[0]?.recognised;

    table.heard(announced('Gate', `${ONE}:8000`, { key: 'b' }), 1_000);

    expect(first).toBe('web');
    expect(table.sightings()[0]).not.toHaveProperty('recognised');
  });

  // Would catch: an event for every packet, which drowns the screen at 1,000 sightings a second.
  it('says nothing about a mere sign of life, and remembers when it was', () => {
    const table = new SightingTable();
    table.heard(announced('Gate', ONE), 1_000);

    expect(table.heard(announced('Gate', ONE), 5_000)).toEqual([]);
    expect(table.sightings()[0]?.seenAt).toBe(new Date(5_000).toISOString());
  });

  it('shows a device heard by two interfaces once, and as present until neither hears it', () => {
    const table = new SightingTable();
    const [cable, radio] = [
      announced('Gate', ONE),
      announced('Gate', ONE, { key: 'mdns:wlan0|x', via: 'mdns:wlan0' }),
    ];
    table.heard(cable, 1_000);
    table.heard(radio, 1_001);

    const first = table.gone(cable.key, 'interface', 2_000);
    const second = table.gone(radio.key, 'interface', 3_000);

    expect(first).toMatchObject([
      { type: 'sighting', sighting: { via: 'mdns:wlan0', seenVia: ['mdns:wlan0'] } },
    ]);
    expect(second).toMatchObject([{ type: 'vanished', reason: 'interface' }]);
  });

  it('joins what a sweep found with the device that names itself there, whichever comes first', () => {
    const [early, late] = [new SightingTable(), new SightingTable()];
    early.heard(swept(ONE), 1_000);
    late.heard(announced('Gate', ONE), 1_000);

    const joined = early.heard(announced('Gate', ONE), 2_000);
    late.heard(swept(ONE), 2_000);

    expect(joined).toMatchObject([
      { type: 'merged', identity: `address:${ONE}`, into: 'name:gate' },
      {
        type: 'sighting',
        sighting: { via: 'mdns:eth0', seenVia: ['mdns:eth0', 'sweep'], recognised: 'sign-in' },
      },
    ]);
    for (const table of [early, late])
      expect(table.sightings()).toMatchObject([
        { identity: 'name:gate', recognised: 'sign-in', name: 'Gate' },
      ]);
  });

  it('follows a device that tells its serial number only later', () => {
    const table = new SightingTable();
    table.heard(announced('Gate', ONE), 1_000);

    const events = table.heard(announced('Gate', ONE, { identity: 'serial:4711' }), 1_200);

    expect(events[0]).toEqual({ type: 'merged', identity: 'name:gate', into: 'serial:4711' });
    expect(table.sightings().map(({ identity }) => identity)).toEqual(['serial:4711']);
  });

  it('names the device of the inventory once, and takes it back when that is removed', () => {
    const table = new SightingTable();
    table.heard(announced('Gate', ONE), 1_000);

    expect(table.link('name:gate', 'd-1', 1_000)).toMatchObject([
      { type: 'sighting', sighting: { deviceId: 'd-1' } },
    ]);
    expect([...table.link('name:gate', 'd-1', 1_100), ...table.heard(announced('Gate', ONE), 1_200)]).toEqual(
      [],
    );
    expect(table.link('name:gate', undefined, 1_300)[0]).toMatchObject({ sighting: { deviceId: undefined } });
  });

  // Would catch: memory that grows with every invented name, and a quadratic walk over them.
  it('stays bounded and quick under a flood of invented names at one address', () => {
    const flooded = (names: number) => {
      const table = new SightingTable();
      for (let index = 0; index < names; index += 1) table.heard(announced(`n${index}`, ONE), index);
      return table.sightings();
    };

    expect(flooded(12_000)).toHaveLength(10_000);
    expect(growth(flooded, 2_000)).toBeLessThan(3);
  });
});

describe('conflicts', () => {
  it('shows two devices that both keep claiming one address', () => {
    const table = new SightingTable();
    table.heard(announced('Gate', ONE), 1_000);
    const first = table.heard(announced('Lobby', ONE), 1_010);

    const again = table.heard(announced('Gate', ONE), 2_000);

    expect(first).toMatchObject([{ sighting: { identity: 'name:lobby', conflicts: [] } }]);
    expect(again).toMatchObject([
      { sighting: { identity: 'name:gate', conflicts: [{ kind: 'address', with: 'name:lobby' }] } },
      { sighting: { identity: 'name:lobby', conflicts: [{ kind: 'address', with: 'name:gate' }] } },
    ]);
  });

  it('takes the conflict back when one of them leaves', () => {
    const table = new SightingTable();
    for (const now of [1_000, 2_000])
      for (const name of ['Gate', 'Lobby']) table.heard(announced(name, ONE), now);

    const events = table.gone(announced('Lobby', ONE).key, 'goodbye', 3_000);

    expect(events).toMatchObject([
      { type: 'vanished' },
      { type: 'sighting', sighting: { identity: 'name:gate', conflicts: [] } },
    ]);
  });

  it('does not suspect a device that was renamed, nor two services of one host', () => {
    const table = new SightingTable();
    table.heard(announced('Old', ONE), 1_000);
    for (const now of [2_000, 3_000, 4_000]) table.heard(announced('New', ONE), now);
    for (const now of [1_000, 2_000, 3_000])
      for (const name of ['Files', 'Photos']) table.heard(announced(name, TWO, { host: 'store.local' }), now);

    expect(table.sightings().flatMap(({ conflicts }) => conflicts)).toEqual([]);
  });

  it('shows a name announced from two places in turns, without the row jumping between them', () => {
    const table = new SightingTable();
    table.heard(announced('Gate', ONE), 1_000);
    const urls = [TWO, ONE, TWO, ONE].map((url, turn) => {
      table.heard(announced('Gate', url), 2_000 + turn * 1_000);
      return table.sightings()[0]?.url;
    });

    expect(table.sightings()[0]).toMatchObject({ conflicts: [{ kind: 'identity', with: ONE }] });
    expect(new Set(urls).size).toBe(1);
  });

  // Would catch: one of two factory-new devices on two networks hidden behind the other.
  it('shows a name that two hosts on two interfaces bear, but not one host that is on both', () => {
    const [two, one] = [new SightingTable(), new SightingTable()];
    const elsewhere = { key: 'mdns:wlan0|x', via: 'mdns:wlan0' } as const;
    for (const table of [two, one]) table.heard(announced('Gate', ONE), 1_000);
    two.heard(announced('Gate', TWO, { ...elsewhere, host: 'another.local' }), 1_100);
    one.heard(announced('Gate', TWO, elsewhere), 1_100);

    expect(two.sightings()).toMatchObject([
      { conflicts: [{ kind: 'identity', with: TWO }], alternatives: [TWO] },
    ]);
    expect(one.sightings()).toMatchObject([{ conflicts: [], alternatives: [TWO] }]);
  });

  // Would catch: a device with IPv6 alone taken for a further address of its namesake with IPv4 alone: who adds it gets the other one.
  it('shows a name that two hosts bear on one wire, one over IPv4 and one over IPv6', () => {
    const table = new SightingTable();
    table.heard(announced('Gate', ONE), 1_000);
    table.heard(
      announced('Gate', 'http://[fd00::2]', { key: 'mdns:eth0|IPv6|gate', host: 'another.local' }),
      1_100,
    );

    expect(table.sightings()).toMatchObject([
      { url: ONE, conflicts: [{ kind: 'identity', with: 'http://[fd00::2]' }] },
    ]);
  });

  // Would catch: a program that repeats a device's serial number and takes its row over, or hides behind it
  // as one more address of it.
  it('shows a serial number that two hosts bear on one interface, and keeps the address that was there first', () => {
    const table = new SightingTable();
    const identity = 'serial:4711';
    table.heard(announced('Gate', 'https://10.0.0.1', { identity }), 1_000);
    table.heard(announced('Spoof', 'http://10.0.0.66', { identity, host: 'spoof.local' }), 1_100);

    expect(table.sightings()).toMatchObject([
      { url: 'https://10.0.0.1', conflicts: [{ kind: 'identity', with: 'http://10.0.0.66' }] },
    ]);
    expect(table.sightings()[0]).not.toHaveProperty('previousUrl');
  });

  it('ends that conflict when only one place was heard for a minute', () => {
    const table = new SightingTable();
    for (const [url, now] of [
      [ONE, 1_000],
      [TWO, 2_000],
      [ONE, 3_000],
      [ONE, 30_000],
    ] as const)
      table.heard(announced('Gate', url), now);

    const early = table.tick(40_000);
    const late = table.tick(64_000);

    expect(early).toEqual([]);
    expect(late).toMatchObject([{ type: 'sighting', sighting: { url: ONE, conflicts: [] } }]);
    expect(table.tick(65_000)).toEqual([]);
  });

  it('takes a device that moves on twice for one that moves', () => {
    const table = new SightingTable();
    for (const [url, now] of [
      [ONE, 1_000],
      [TWO, 2_000],
      [THREE, 3_000],
    ] as const)
      table.heard(announced('Gate', url), now);

    expect(table.sightings()).toMatchObject([{ url: THREE, previousUrl: TWO, conflicts: [] }]);
  });
});
