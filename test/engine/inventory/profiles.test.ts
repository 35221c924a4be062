import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_PROFILE } from '#shared/model.ts';
import { collectSearchOptions } from '#engine/discovery/options.ts';
import { closeAll, codeOf, openInventory, tempFolder } from './open-inventory.ts';

afterEach(closeAll);

describe('connection profiles', () => {
  it('begin with one, the default, as the product is delivered', async () => {
    const { profiles } = await openInventory(tempFolder());

    expect(profiles.list()).toEqual([
      {
        id: 'p-default',
        name: 'Default',
        profile: DEFAULT_PROFILE,
        ports: [80, 443, 8080, 8443],
        services: ['_http._tcp', '_https._tcp', '_psia._tcp'],
        isDefault: true,
      },
    ]);
  });

  it('take what is not said from the default, and keep it when changed', async () => {
    const { profiles } = await openInventory(tempFolder());
    profiles.save({ id: 'p-default', name: 'Default', profile: { deadlineMs: 5_000 } });

    const made = profiles.save({
      name: 'Old gates',
      profile: { pathPrefix: '/Old/', namespace: 'urn:old' },
      ports: [8000, 80, 8000],
    });
    const changed = profiles.save({
      id: made.id,
      name: 'Old gates',
      profile: { namespace: '', inFlight: 1 },
    });

    expect(made).toEqual({
      id: made.id,
      name: 'Old gates',
      profile: { pathPrefix: '/Old', namespace: 'urn:old', auth: 'auto', deadlineMs: 5_000, inFlight: 2 },
      ports: [8000, 80],
      services: ['_http._tcp', '_https._tcp', '_psia._tcp'],
      isDefault: false,
    });
    expect(changed).toEqual({
      ...made,
      profile: { pathPrefix: '/Old', auth: 'auto', deadlineMs: 5_000, inFlight: 1 },
    });
  });

  it('have exactly one default, which nobody removes or unmakes', async () => {
    const { profiles } = await openInventory(tempFolder());
    const other = profiles.save({ name: 'Other', profile: {}, isDefault: true });

    const codes = [
      codeOf(() => profiles.remove({ id: other.id })),
      codeOf(() => profiles.save({ id: other.id, name: 'Other', profile: {}, isDefault: false })),
    ];

    expect(profiles.list().map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['Other', true],
      ['Default', false],
    ]);
    expect(codes).toEqual(['not-allowed', 'not-allowed']);
    expect([profiles.remove({ id: 'p-default' }), profiles.remove({ id: 'p-default' })]).toEqual([
      { removed: true },
      { removed: false },
    ]);
  });

  it.each<[object, string]>([
    [{ name: 'dEFAULT' }, 'not-allowed'],
    [{ name: '' }, 'missing-field'],
    [{ name: 'a\u202eb' }, 'not-allowed'],
    [{ id: 'p-no' }, 'not-found'],
    [{ profile: { pathPrefix: '/a/../b' } }, 'usage'],
    [{ profile: { deadlineMs: 1 } }, 'out-of-range'],
    [{ ports: [0] }, 'out-of-range'],
    [{ ports: [1.5] }, 'out-of-range'],
    [{ ports: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, 'out-of-range'],
  ])('refuse %j', async (wrong, code) => {
    const { profiles } = await openInventory(tempFolder());

    expect(codeOf(() => profiles.save({ name: 'New', profile: {}, ...wrong }))).toBe(code);
    expect(profiles.list()).toHaveLength(1);
  });

  it('are what new devices begin with: the default one, or the one named', async () => {
    const { profiles, inventory } = await openInventory(tempFolder());
    const old = profiles.save({ name: 'Old', profile: { pathPrefix: '/Old' } });
    profiles.save({ id: 'p-default', name: 'Default', profile: { namespace: 'urn:x', auth: 'digest' } });

    const plain = inventory.add({ address: '10.0.0.1' });
    const named = inventory.add({ address: '10.0.0.2', profileId: old.id, profile: { inFlight: 1 } });
    const transient = inventory.addTransient({ url: 'http://10.0.0.3' });

    expect(plain.profile).toEqual({ ...DEFAULT_PROFILE, namespace: 'urn:x', auth: 'digest' });
    // Would catch: a namespace of the default profile that leaks into a device of a profile without one.
    expect(named.profile).toEqual({ ...DEFAULT_PROFILE, pathPrefix: '/Old', inFlight: 1 });
    expect(transient.profile).toEqual(plain.profile);
    expect(inventory.update({ id: plain.id, profileId: old.id }).profile).toEqual(old.profile);
    profiles.remove({ id: old.id });
    expect(inventory.find(named.id).profile.pathPrefix).toBe('/Old');
    expect(codeOf(() => inventory.add({ address: '10.0.0.4', profileId: old.id }))).toBe('not-found');
  });

  // Would catch: devices that announce themselves under a type of their own, which no search asks for.
  it('say what is asked for by mDNS, each type once, and take nothing else than types', async () => {
    const { profiles } = await openInventory(tempFolder());

    const made = profiles.save({
      name: 'Cameras',
      profile: {},
      services: ['_Camera-X._tcp', '_http._tcp', '_camera-x._tcp'],
    });

    expect(made.services).toEqual(['_camera-x._tcp', '_http._tcp']);
    expect(collectSearchOptions(profiles.list(), []).services).toEqual([
      '_http._tcp',
      '_https._tcp',
      '_psia._tcp',
      '_camera-x._tcp',
    ]);
    expect(
      collectSearchOptions(
        profiles.list().map((profile) => ({ ...profile, services: [] })),
        [],
      ).services,
    ).toEqual(['_http._tcp', '_https._tcp', '_psia._tcp']);
    for (const wrong of ['http', '_http._tcp.local', '_a.b._tcp', '_way-too-long-for-it._tcp', '_http._udp'])
      expect(codeOf(() => profiles.save({ name: 'X', profile: {}, services: [wrong] }))).toBe('usage');
    expect(
      codeOf(() =>
        profiles.save({
          name: 'X',
          profile: {},
          services: Array.from({ length: 9 }, (_, at) => `_t${at}._tcp`),
        }),
      ),
    ).toBe('out-of-range');
  });

  it('say where a search looks that was not told where, the default first, then the inventory, within bounds', async () => {
    const { profiles, inventory } = await openInventory(tempFolder());
    for (const name of ['A', 'B', 'C'])
      profiles.save({ name, profile: { pathPrefix: `/${name}` }, ports: [80, name.charCodeAt(0)] });
    inventory.add({ address: '10.0.0.1', profile: { pathPrefix: '/Device' } });
    profiles.save({ name: 'First', profile: { pathPrefix: '/First' }, ports: [9000], isDefault: true });

    expect(collectSearchOptions(profiles.list(), inventory.list())).toEqual({
      prefixes: ['/First', '/A', '/B', '/C'],
      ports: [9000, 80, 65, 66, 67, 443, 8080, 8443],
      services: ['_http._tcp', '_https._tcp', '_psia._tcp'],
    });
    expect(collectSearchOptions(profiles.list().slice(0, 1), inventory.list()).prefixes).toEqual([
      '/First',
      '/Device',
    ]);
  });
});
