import { afterEach, describe, expect, it } from 'vitest';
import { closeAll, codeOf, openInventory, tempFolder } from './open-inventory.ts';

afterEach(closeAll);

describe('sites', () => {
  it('have one name each, whatever its case or width', async () => {
    const { sites } = await openInventory(tempFolder());
    const depot = sites.save({ name: ' Depot Süd ' });
    sites.save({ name: 'Ａtrium' });

    expect(['depot süd', 'DEPOT SÜD', 'atrium'].map((name) => codeOf(() => sites.save({ name })))).toEqual([
      'not-allowed',
      'not-allowed',
      'not-allowed',
    ]);
    expect(sites.save({ id: depot.id, name: 'DEPOT Süd' })).toEqual({
      id: depot.id,
      name: 'DEPOT Süd',
      devices: 0,
    });
    expect(sites.list().map(({ name }) => name)).toEqual(['Ａtrium', 'DEPOT Süd']);
  });

  it.each([
    ['', 'missing-field'],
    [' ', 'missing-field'],
    ['a\nb', 'not-allowed'],
    ['a\u0007b', 'not-allowed'],
    ['a\u202eb', 'not-allowed'],
    ['a\u2066b', 'not-allowed'],
    ['\ud800', 'not-allowed'],
    ['x'.repeat(201), 'too-long'],
  ])('refuse the name %j', async (name, code) => {
    const { sites } = await openInventory(tempFolder());

    expect(codeOf(() => sites.save({ name }))).toBe(code);
    expect(sites.list()).toEqual([]);
  });

  it('count their devices and leave them in the inventory when they go', async () => {
    const folder = tempFolder();
    const { sites, inventory, close } = await openInventory(folder);
    const { id } = sites.save({ name: 'Depot' });
    const added = inventory.add({ address: '10.0.0.1', siteId: id });
    inventory.add({ address: '10.0.0.2' });
    const other = inventory.update({ id: inventory.add({ address: '10.0.0.3' }).id, siteId: id });
    const counted = sites.list();

    const removed = [sites.remove({ id }).removed, sites.remove({ id }).removed];
    close();
    const again = await openInventory(folder);

    expect([added.siteId, other.siteId, counted[0]?.devices]).toEqual([id, id, 2]);
    expect(removed).toEqual([true, false]);
    expect(again.inventory.list().map(({ siteId }) => siteId)).toEqual([undefined, undefined, undefined]);
  });

  it('that are not there take no devices and no name', async () => {
    const { sites, inventory } = await openInventory(tempFolder());
    const { id } = inventory.add({ address: '10.0.0.1' });

    expect([
      codeOf(() => inventory.add({ address: '10.0.0.2', siteId: 's-no' })),
      codeOf(() => inventory.update({ id, siteId: 's-no' })),
      codeOf(() => sites.save({ id: 's-no', name: 'X' })),
    ]).toEqual(['not-found', 'not-found', 'not-found']);
    expect(inventory.list()).toHaveLength(1);
  });

  // Would catch: a device that a new lease takes out of its site, away from the site's sign-in.
  it('keep a device that moves to another address', async () => {
    const { sites, inventory, credentials } = await openInventory(tempFolder());
    const { id } = sites.save({ name: 'Depot' });
    const device = inventory.add({ address: '10.0.0.1', siteId: id, tags: ['hall'], identity: 'serial:1' });
    credentials.assignTo({
      credentialId: credentials.save({ label: 'A', userName: 'a', password: 'a' }).id,
      scope: {
        kind: 'site',
        siteId: id,
      },
    });

    expect(inventory.update({ id: device.id, address: '10.0.0.9' })).toMatchObject({
      siteId: id,
      tags: ['hall'],
      signInFrom: { kind: 'site', siteId: id },
    });
  });
});
