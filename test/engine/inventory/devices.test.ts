import { afterEach, describe, expect, it } from 'vitest';
import { FieldwrightError } from '#shared/errors.ts';
import type { DeviceEvent } from '#shared/model.ts';
import { closeAll, codeOf, openInventory, tempFolder } from './open-inventory.ts';

afterEach(closeAll);

describe('devices', () => {
  it('are kept with all that was said about them', async () => {
    const folder = tempFolder();
    const first = await openInventory(folder);
    const added = first.inventory.add({
      address: '10.0.0.5:80',
      name: 'Lobby',
      tags: ['hall', ' hall ', 'north'],
      profile: { pathPrefix: '/Other/' },
      certificate: 'AB:'.repeat(31) + 'AB',
    });
    first.inventory.learnKinds(added.id, ['thermal']);
    first.inventory.directory.observe(added.id, { type: 'offered', strength: 2 });
    first.inventory.directory.observe(added.id, { type: 'answered' });
    first.close();

    const second = await openInventory(folder);

    expect(second.inventory.list()).toMatchObject([
      {
        name: 'Lobby',
        url: 'http://10.0.0.5',
        tags: ['hall', 'north'],
        kinds: ['thermal'],
        reach: 'reachable',
        certificate: 'ab'.repeat(32),
        profile: { pathPrefix: '/Other', auth: 'auto' },
      },
    ]);
    expect(second.inventory.directory.settings(added.id).strength).toBe(2);
  });

  it('have one address each', async () => {
    const { inventory } = await openInventory(tempFolder());
    inventory.add({ address: '10.0.0.5' });

    expect(codeOf(() => inventory.add({ address: 'HTTP://10.0.0.5:80/' }))).toBe('duplicate-device');
    expect(inventory.list()).toHaveLength(1);
  });

  it('are found by id, name and address, else the nearest name is told', async () => {
    const { inventory } = await openInventory(tempFolder());
    const { id } = inventory.add({ address: '10.0.0.5', name: 'Lobby camera' });

    expect(
      [id, 'Lobby camera', '10.0.0.5', 'http://10.0.0.5:80'].map((reference) => inventory.find(reference).id),
    ).toEqual([id, id, id, id]);
    expect(() => inventory.find('Loby camera')).toThrow(
      expect.objectContaining({
        shape: expect.objectContaining({ code: 'unknown-device', nearest: 'Lobby camera' }),
      }),
    );
  });

  it('of the same name are not guessed between', async () => {
    const { inventory } = await openInventory(tempFolder());
    inventory.add({ address: '10.0.0.5', name: 'twin' });
    inventory.add({ address: '10.0.0.6', name: 'twin' });

    expect(codeOf(() => inventory.find('twin'))).toBe('unknown-device');
  });

  it.each<[object, string]>([
    [{ pathPrefix: 'API' }, 'usage'],
    [{ pathPrefix: '/a/../b' }, 'usage'],
    [{ deadlineMs: 1 }, 'out-of-range'],
    [{ inFlight: 9 }, 'out-of-range'],
    [{ inFlight: 1.5 }, 'out-of-range'],
    [{ auth: 'ntlm' }, 'not-allowed'],
    [{ namespace: 'a"b' }, 'usage'],
  ])('refuse the profile %j', async (profile, code) => {
    const { inventory } = await openInventory(tempFolder());

    expect(codeOf(() => inventory.add({ address: '10.0.0.5', profile }))).toBe(code);
    expect(inventory.list()).toEqual([]);
  });

  it('seen by two processes stay one list', async () => {
    const folder = tempFolder();
    const [one, two] = [await openInventory(folder), await openInventory(folder)];
    const { id } = one.inventory.add({ address: '10.0.0.5', name: 'before' });
    one.inventory.directory.observe(id, { type: 'answered' });

    two.inventory.update({ id, name: 'after' });
    one.inventory.list();

    // Would catch: what one process merely saw overwriting what a person changed in the other.
    expect(one.inventory.find(id)).toMatchObject({ name: 'after', reach: 'reachable' });
  });
});

describe('transient devices', () => {
  it('have a stable id and leave nothing behind', async () => {
    const folder = tempFolder();
    const { inventory } = await openInventory(folder);

    const one = inventory.addTransient({ url: 'http://10.0.0.9:80', userName: 'admin', password: 'once' });
    const two = inventory.addTransient({ url: '10.0.0.9' });

    expect(two.id).toBe(one.id);
    expect(inventory.list()).toEqual([]);
    expect(inventory.find(one.id).url).toBe('http://10.0.0.9');
    expect(inventory.directory.signIn(one.id)).toEqual({ userName: 'admin', password: 'once' });
    expect((await openInventory(folder)).inventory.list()).toEqual([]);
  });

  it('are no hindrance to adding the device', async () => {
    const { inventory } = await openInventory(tempFolder());
    const named = inventory.addTransient({ url: 'http://10.0.0.9', password: 'once' });

    const added = inventory.add({ address: '10.0.0.9' });

    expect([inventory.find('10.0.0.9').id, inventory.find(named.id).id]).toEqual([added.id, named.id]);
  });

  it('of a known address are that device with the sign-in laid over', async () => {
    const { inventory, credentials } = await openInventory(tempFolder());
    const { id } = inventory.add({ address: '10.0.0.9', name: 'Gate' });
    credentials.save({ label: '', userName: 'installer', password: 'stored', deviceIds: [id] });

    const named = inventory.addTransient({
      url: 'http://10.0.0.9',
      password: 'typed',
      profile: { deadlineMs: 500 },
    });

    expect(named).toMatchObject({ id, name: 'Gate', profile: { deadlineMs: 500 } });
    expect(inventory.directory.signIn(id)).toEqual({ userName: 'installer', password: 'typed' });
    expect(inventory.list()[0]?.profile.deadlineMs).toBe(10_000);
  });
});

describe('watching', () => {
  it('gives everything, then the latest of each device, then ends', async () => {
    const { inventory } = await openInventory(tempFolder());
    const kept = inventory.add({ address: '10.0.0.1' });
    const stop = new AbortController();
    const stream = inventory.watch(stop.signal)[Symbol.asyncIterator]();
    const first = await stream.next();

    // The events are not read meanwhile: would catch a backlog that grows with every change.
    for (let nth = 0; nth < 1000; nth += 1) inventory.update({ id: kept.id, name: `name ${nth}` });
    const gone = inventory.add({ address: '10.0.0.2' });
    inventory.remove({ ids: [gone.id] });
    const events: DeviceEvent[] = [];
    for (let nth = 0; nth < 2; nth += 1) events.push((await stream.next()).value as DeviceEvent);
    stop.abort();

    expect(first.value).toMatchObject({ type: 'all', devices: [{ id: kept.id }] });
    expect(events).toMatchObject([
      { type: 'changed', device: { name: 'name 999' } },
      { type: 'removed', id: gone.id },
    ]);
    expect((await stream.next()).done).toBe(true);
  });

  it('hears at once when a device is lost or found, not each time it answers', async () => {
    const { inventory } = await openInventory(tempFolder());
    const { id } = inventory.add({ address: '10.0.0.1' });
    const stop = new AbortController();
    const stream = inventory.watch(stop.signal)[Symbol.asyncIterator]();
    await stream.next();
    const error = new FieldwrightError({ code: 'unreachable', source: 'device', message: 'gone' });

    const heard: unknown[] = [];
    for (const observation of [
      { type: 'answered' },
      { type: 'failed', error },
      { type: 'answered' },
    ] as const) {
      inventory.directory.observe(id, observation);
      heard.push((await stream.next()).value);
    }
    inventory.directory.observe(id, { type: 'answered' });
    inventory.directory.observe(id, { type: 'answered' });
    inventory.update({ id, name: 'marker' });

    expect(heard).toMatchObject([
      { device: { reach: 'reachable' } },
      { device: { reach: 'unreachable', lastError: { code: 'unreachable' } } },
      { device: { reach: 'reachable' } },
    ]);
    expect((await stream.next()).value).toMatchObject({ device: { name: 'marker' } });
    stop.abort();
  });
});

describe('a device at another address', () => {
  // Would catch: tags, sign-in and pinned certificate lost with every DHCP lease.
  it('keeps its row, who it is and everything known of it, and starts its sign-in afresh', async () => {
    const folder = tempFolder();
    const { inventory, signInChanges, close } = await openInventory(folder);
    const added = inventory.add({
      address: 'https://10.0.0.5',
      name: 'Gate',
      tags: ['hall'],
      certificate: 'ab'.repeat(32),
      identity: 'serial:4711',
    });

    inventory.update({ id: added.id, address: 'https://10.0.0.6' });
    close();
    const again = await openInventory(folder);

    expect(again.inventory.list()).toMatchObject([
      {
        id: added.id,
        url: 'https://10.0.0.6',
        name: 'Gate',
        tags: ['hall'],
        certificate: 'ab'.repeat(32),
        identity: 'serial:4711',
        reach: 'unknown',
        signIn: 'unknown',
      },
    ]);
    expect(signInChanges).toEqual([added.id]);
  });

  it('never takes the address of another one, nor an identity that is none', async () => {
    const { inventory } = await openInventory(tempFolder());
    const [one, two] = [inventory.add({ address: '10.0.0.5' }), inventory.add({ address: '10.0.0.6' })];

    expect(codeOf(() => inventory.update({ id: one.id, address: 'http://10.0.0.6:80' }))).toBe(
      'duplicate-device',
    );
    expect(codeOf(() => inventory.update({ id: one.id, identity: 'a\nb' }))).toBe('too-long');
    expect(inventory.update({ id: two.id, address: '10.0.0.6' }).url).toBe('http://10.0.0.6');
  });
});

describe('CSV', () => {
  it.each<[string, string]>([
    ['commas', 'address,name,tags\n10.0.0.1,One,"a,b"\n10.0.0.2,Two,'],
    ['semicolons and a byte order mark', '\uFEFFAddress;Name;Tags\r\n10.0.0.1;One;a|b\r\n10.0.0.2;Two;\r\n'],
    ['tabs and blank lines', 'url\tname\ttags\n10.0.0.1\tOne\ta;b\n\n10.0.0.2\tTwo\t\n'],
  ])('with %s', async (_name, text) => {
    const { inventory } = await openInventory(tempFolder());

    const { added, failed } = inventory.importCsv({ text });

    expect(failed).toEqual([]);
    expect(added.map((device) => [device.name, device.tags])).toEqual([
      ['One', ['a', 'b']],
      ['Two', []],
    ]);
  });

  it('gives bad rows back with row and reason and takes the others', async () => {
    const { inventory, credentials } = await openInventory(tempFolder());
    const { id } = credentials.save({ label: 'Site', userName: 'admin', password: 'x' });

    const { added, failed } = inventory.importCsv({
      text: 'address,user\n10.0.0.1,admin\nhttp://a:b@c,\n10.0.0.1,\n10.0.0.2,nobody\n,\n10.0.0.3,admin,extra\n',
    });

    expect(added).toMatchObject([{ url: 'http://10.0.0.1', credentialId: id }]);
    expect(failed.map(({ row, error }) => [row, error.code])).toEqual([
      [3, 'usage'],
      [4, 'duplicate-device'],
      [5, 'not-found'],
      [7, 'unreadable-file'],
    ]);
    expect(failed[2]?.cells).toEqual(['10.0.0.2', 'nobody']);
  });

  it.each([
    ['', 'unreadable-file'],
    ['name\nx', 'unreadable-file'],
    ['address,password\n10.0.0.1,pw', 'not-allowed'],
    ['address,adress2\n1,2', 'unknown-field'],
  ])('refuses the file %j', async (text, code) => {
    const { inventory } = await openInventory(tempFolder());

    expect(codeOf(() => inventory.importCsv({ text }))).toBe(code);
    expect(inventory.list()).toEqual([]);
  });
});
