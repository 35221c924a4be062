import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { signInInForce } from '#shared/access.ts';
import { systemClock } from '#engine/host/clock.ts';
import { Inventory } from '#engine/inventory/devices.ts';
import { closeAll, openInventory, tempFolder } from './open-inventory.ts';

afterEach(closeAll);

const TAGS = ['a', 'b', 'c'];
const nth = (most: number) => fc.nat({ max: most - 1 });
const optional = (most: number) => fc.option(nth(most), { nil: null });
const action = fc.oneof(
  fc.record({ do: fc.constant('tag' as const), credential: optional(3), tag: fc.constantFrom(...TAGS) }),
  fc.record({ do: fc.constant('site' as const), credential: optional(3), site: nth(2) }),
  fc.record({ do: fc.constant('own' as const), credential: optional(3), device: nth(4) }),
  fc.record({
    do: fc.constant('retag' as const),
    device: nth(4),
    tags: fc.uniqueArray(fc.constantFrom(...TAGS)),
  }),
  fc.record({ do: fc.constant('move' as const), device: nth(4), site: optional(2) }),
  fc.record({
    do: fc.constant('password' as const),
    credential: nth(3),
    password: fc.constantFrom('', 'p', 'q'),
  }),
  fc.record({ do: fc.constant('forget' as const), credential: nth(3) }),
  fc.record({ do: fc.constant('leave' as const), site: nth(2) }),
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

type Opened = Awaited<ReturnType<typeof openInventory>>;

/** Returns the sign-in of a device, or why it has none: the saved sign-in and its values. */
function signInOf({ inventory, credentials }: Opened, id: string): string {
  const saved = signInInForce(inventory.find(id), credentials.list())?.id;
  try {
    return JSON.stringify([saved, inventory.directory.signIn(id)]);
  } catch (error) {
    return String(error);
  }
}

// Would catch: a pause lifted for nothing or left in place, and what is in memory drifting from the rows.
it('after any changes exactly the devices with another sign-in start afresh, and memory is as a fresh start reads it', async () => {
  const here = await openInventory(tempFolder());
  fc.assert(
    fc.property(fc.array(action, { minLength: 1, maxLength: 12 }), (actions) => {
      const { inventory, credentials, sites, signInChanges, store, profiles, vault } = here;
      const siteIds = ['One', 'Two'].map((name) => sites.save({ name }).id);
      const credentialIds = ['x', 'y', 'z'].map(
        (label) => credentials.save({ label, userName: 'admin', password: 'p' }).id,
      );
      const ids = Array.from({ length: 4 }, (_, at) => inventory.add({ address: `10.0.0.${at}` }).id);
      const act = (step: Action): unknown => {
        const credential =
          'credential' in step && step.credential !== null ? (credentialIds[step.credential] ?? null) : null;
        const known =
          credential === null || credentials.list().some(({ id }) => id === credential) ? credential : null;
        const site = 'site' in step && step.site !== null ? (siteIds[step.site] ?? '') : '';
        const there = sites.list().some(({ id }) => id === site);
        const device = 'device' in step ? (ids[step.device] ?? '') : '';
        switch (step.do) {
          case 'tag':
            return credentials.assignTo({ credentialId: known, scope: { kind: 'tag', tag: step.tag } });
          case 'site':
            return (
              there && credentials.assignTo({ credentialId: known, scope: { kind: 'site', siteId: site } })
            );
          case 'own':
            return credentials.assign({ credentialId: known, deviceIds: [device] });
          case 'retag':
            return inventory.update({ id: device, tags: step.tags });
          case 'move':
            return inventory.update({ id: device, siteId: there ? site : null });
          case 'password':
            return (
              known !== null &&
              credentials.save({ id: known, label: 'l', userName: 'admin', password: step.password })
            );
          case 'forget':
            return known !== null && credentials.remove({ id: known });
          case 'leave':
            return sites.remove({ id: site });
        }
      };
      try {
        for (const step of actions) {
          for (const id of ids) inventory.directory.observe(id, { type: 'sign-in', state: 'failed' });
          const before = ids.map((id) => signInOf(here, id));
          signInChanges.length = 0;

          act(step);

          const changed = ids.filter((id, at) => signInOf(here, id) !== before[at]);
          expect([step, [...signInChanges].sort()]).toEqual([step, changed.sort()]);
          expect(ids.filter((id) => inventory.find(id).signIn !== 'failed').sort()).toEqual(changed);
        }
        // Writes what was only kept in memory.
        inventory.close();
        const fresh = new Inventory({
          store,
          vault,
          clock: systemClock,
          profiles,
          onSignInChanged: () => {},
          onRemoved: () => {},
        });
        expect(fresh.list()).toEqual(inventory.list());
        expect(fresh.use.counts()).toEqual(inventory.use.counts());
      } finally {
        inventory.remove({ ids });
        for (const id of credentialIds) credentials.remove({ id });
        for (const id of siteIds) sites.remove({ id });
      }
    }),
    { numRuns: 40 },
  );
});
