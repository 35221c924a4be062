/**
 * Guards where saved sign-ins may go: to which address, under which certificate, how well protected. A change
 * of devices, tags, sites or sign-ins may send one to a new place; that is seen here before it counts,
 * whichever change it was.
 */
import type { ConnectionProfile } from '#shared/model.ts';
import type { Guarded, SignInPlace, SignInPlaces } from '#engine/api/routes.ts';
import type { Store } from '#engine/store/index.ts';
import { readCredentialNames } from './credential-rows.ts';
import type { DeviceRecord } from '../device-rows.ts';
import type { DeviceRecords } from '../records.ts';
import type { Scopes } from './scopes.ts';

/** How readable a password may become: what is agreed for one is agreed for those before it. */
const OPENNESS: Readonly<Record<ConnectionProfile['auth'], number>> = {
  none: 0,
  digest: 1,
  auto: 2,
  basic: 3,
};

interface SignInPlacesOptions {
  readonly store: Store;
  readonly records: Pick<DeviceRecords, 'all' | 'atomically'>;
  readonly scopes: Pick<Scopes, 'inForce'>;
}

interface Place {
  readonly credentialId: string;
  readonly device: DeviceRecord;
}

/** Ends a change that was only looked at. */
class LookedAt extends Error {}

/** Ends a change that was not agreed to; nothing of it stays. */
class NotAgreed extends Error {
  readonly places: readonly SignInPlace[];
  constructor(places: readonly SignInPlace[]) {
    super('not agreed');
    this.places = places;
  }
}

export function createSignInPlaces({ store, records, scopes }: SignInPlacesOptions): SignInPlaces {
  const keyOf = ({ credentialId, device }: Place): string => `${credentialId} ${device.url}`;

  function places(): Place[] {
    return records.all().flatMap((device) => {
      const { credentialId } = scopes.inForce(device);
      return credentialId === undefined || device.profile.auth === 'none' ? [] : [{ credentialId, device }];
    });
  }

  /** Returns the sign-ins that now go to a place where they did not go before. */
  function beyond(before: ReadonlyMap<string, Place>): readonly SignInPlace[] {
    const added = places().filter((place) => !isCovered(place, before.get(keyOf(place))));
    if (added.length === 0) return [];
    const names = new Map(readCredentialNames(store).map((credential) => [credential.id, credential]));
    return added.map(
      ({
        credentialId,
        device: {
          name,
          url,
          profile: { auth },
          certificate,
          strength,
        },
      }) => {
        const { label = '', userName = '' } = names.get(credentialId) ?? {};
        return {
          key: [credentialId, url, auth, certificate ?? '', strength].join(' '),
          credentialId,
          label,
          userName,
          device: name,
          url,
          auth,
          certificate,
        };
      },
    );
  }

  return {
    change(work, { typed, agreed = new Set(), ahead = false } = {}): Guarded<ReturnType<typeof work>> {
      const before = new Map(places().map((place) => [keyOf(place), place]));
      const known = new Set(readCredentialNames(store).map(({ id }) => id));
      try {
        const value = records.atomically(() => {
          const done = work();
          // A caller that gives the password itself learns nothing from where it goes.
          const open = beyond(before).filter(
            ({ credentialId, key }) => known.has(credentialId) && credentialId !== typed && !agreed.has(key),
          );
          if (open.length > 0) throw new NotAgreed(open);
          if (ahead) throw new LookedAt();
          return done;
        });
        return { kind: 'done', value };
      } catch (error) {
        if (error instanceof LookedAt) return { kind: 'ahead' };
        if (error instanceof NotAgreed) return { kind: 'not-agreed', places: error.places };
        throw error;
      }
    },
  };
}

/**
 * Returns true if the sign-in went there before, under the same certificate, and no less protected. A pin
 * that was merely removed lets no new holder in.
 */
function isCovered({ device: now }: Place, before: Place | undefined): boolean {
  if (before === undefined) return false;
  const { device } = before;
  return (
    (now.certificate === undefined || now.certificate === device.certificate) &&
    OPENNESS[now.profile.auth] <= OPENNESS[device.profile.auth] &&
    now.strength >= device.strength
  );
}
