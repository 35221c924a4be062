import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DeviceEvent } from '#shared/model.ts';
import { closeAll, codeOf, openInventory, tempFolder } from './open-inventory.ts';

afterEach(closeAll);

const MANY = 5_000;
const addresses = Array.from(
  { length: MANY },
  (_, index) => `10.${index >> 14}.${(index >> 6) & 255}.${index & 63}`,
);

describe('many devices at once', () => {
  // Would catch: one commit per device (seconds to minutes on a real disk), or a change that only memory knows of.
  it('are added, tagged and put into a site with one commit each time', async () => {
    const folder = tempFolder();
    const first = await openInventory(folder);
    const hall = first.sites.save({ name: 'Hall' });
    const { added, failed } = first.inventory.addMany({
      devices: addresses.map((address) => ({ address, tags: ['old'] })),
    });
    const ids = added.map(({ id }) => id);

    const commits = vi.spyOn(first.store, 'transaction');
    const { changed } = first.inventory.updateMany({
      ids,
      addTags: ['new'],
      removeTags: ['old'],
      siteId: hall.id,
    });
    const committed = commits.mock.calls.length;
    const { changed: again } = first.inventory.updateMany({ ids, addTags: ['new'], siteId: hall.id });
    first.close();
    const second = await openInventory(folder);

    expect([added.length, failed.length, changed, again]).toEqual([MANY, 0, MANY, 0]);
    expect(committed).toBe(1);
    expect(new Set(second.inventory.list().map(({ tags, siteId }) => `${tags.join()} ${siteId}`))).toEqual(
      new Set([`new ${hall.id}`]),
    );
  });

  // Would catch: half of the devices changed, in memory or on disk, after a refusal in the middle.
  it('stay as they were when one cannot take the change', async () => {
    const folder = tempFolder();
    const { inventory, close } = await openInventory(folder);
    const full = Array.from({ length: 50 }, (_, index) => `tag ${index}`);
    const {
      added: [one, two],
    } = inventory.addMany({
      devices: [{ address: '10.0.0.1' }, { address: '10.0.0.2', name: 'Full', tags: full }],
    });
    const ids = [one?.id ?? '', two?.id ?? ''];

    const tooMany = (): unknown => inventory.updateMany({ ids, addTags: ['more'] });

    expect(tooMany).toThrow(
      expect.objectContaining({ shape: expect.objectContaining({ code: 'too-long', device: 'Full' }) }),
    );
    expect(codeOf(() => inventory.updateMany({ ids: [...ids, 'd-gone'], addTags: ['tag 1'] }))).toBe(
      'unknown-device',
    );
    expect(codeOf(() => inventory.updateMany({ ids, siteId: 'nowhere' }))).toBe('not-found');
    expect(inventory.list().map(({ tags }) => tags.length)).toEqual([0, 50]);
    close();
    expect((await openInventory(folder)).inventory.list().map(({ tags }) => tags.length)).toEqual([0, 50]);
  });

  // Would catch: a device refused that takes the others with it, or twins within one list.
  it('come back with the reason where they cannot be added', async () => {
    const { inventory } = await openInventory(tempFolder());
    inventory.add({ address: '10.0.0.1' });

    const { added, failed } = inventory.addMany({
      devices: ['10.0.0.1', '10.0.0.2', 'http://', '10.0.0.2'].map((address) => ({ address })),
    });

    expect(added.map(({ url }) => url)).toEqual(['http://10.0.0.2']);
    expect(failed.map(({ index, error }) => [index, error.code])).toEqual([
      [0, 'duplicate-device'],
      [2, 'usage'],
      [3, 'duplicate-device'],
    ]);
    expect(inventory.list()).toHaveLength(2);
  });

  // Would catch: a pause after a wrong password that outlives the tag which gave it, or is lifted where the sign-in is the same.
  it('start afresh only where the sign-in is another one, and watchers hear of each once', async () => {
    const { inventory, credentials, signInChanges } = await openInventory(tempFolder());
    const { id: credentialId } = credentials.save({ label: 'Gates', userName: 'admin', password: 'pw' });
    credentials.assignTo({ credentialId, scope: { kind: 'tag', tag: 'gate' } });
    const {
      added: [one, two],
    } = inventory.addMany({ devices: [{ address: '10.0.0.1' }, { address: '10.0.0.2', tags: ['gate'] }] });
    const ended = new AbortController();
    const events = inventory.watch(ended.signal)[Symbol.asyncIterator]();
    await events.next();
    signInChanges.length = 0;

    inventory.updateMany({ ids: [one?.id ?? '', two?.id ?? ''], addTags: ['gate', 'north'] });
    const heard = [(await events.next()).value, (await events.next()).value] as DeviceEvent[];
    ended.abort();

    expect(signInChanges).toEqual([one?.id]);
    expect(heard).toMatchObject([
      { type: 'changed', device: { tags: ['gate', 'north'], signInFrom: { kind: 'tag', tag: 'gate' } } },
      { type: 'changed', device: { id: two?.id } },
    ]);
  });
});
