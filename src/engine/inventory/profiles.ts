/** Connection profiles with a name: what new devices start with and where a search looks. */
import { randomBytes } from 'node:crypto';
import { SERVICE_TYPE, type NamedProfile } from '#shared/access.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import { DEFAULT_PROFILE, type ConnectionProfile } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { ProfilesApi } from '../api/routes.ts';
import { findNearestName } from '#protocol/index.ts';
import type { Store } from '../store/index.ts';
import { nameKey, requireName } from './device-text.ts';
import { mergeProfile } from './profile.ts';
import { readOwnJson } from '#shared/read-json.ts';

const MOST_PORTS = 8;
const MOST_SERVICES = 8;

export interface Profiles extends ProfilesApi {
  /** Returns the profile of a new device. */
  standard(): NamedProfile;
  /** Throws `not-found`. */
  get(id: string): NamedProfile;
  /** Finds a profile by name, whatever its case. @throws `not-found` with the nearest name */
  named(name: string): NamedProfile;
}

interface ProfileRow {
  readonly id: string;
  readonly name: string;
  readonly profile: string;
  readonly ports: string;
  readonly services: string;
  readonly is_default: number;
}

export function createProfiles({ store, clock }: { readonly store: Store; readonly clock: Clock }): Profiles {
  const list = () =>
    store
      .all<ProfileRow>(
        'SELECT id, name, profile, ports, services, is_default FROM profiles ORDER BY is_default DESC, name_key, id',
      )
      .map(toProfile);
  const first = (where: string, ...values: string[]) => {
    const row = store.get<ProfileRow>(
      `SELECT id, name, profile, ports, services, is_default FROM profiles WHERE ${where}`,
      ...values,
    );
    return row === undefined ? undefined : toProfile(row);
  };

  function standard(): NamedProfile {
    const found = first('is_default = 1');
    if (found === undefined) throw new Error('no profile is the default');
    return found;
  }
  function get(id: string): NamedProfile {
    const found = first('id = ?', id);
    if (found === undefined) throw userError('not-found', say('no-profile'), { path: 'profileId' });
    return found;
  }

  return {
    list,
    standard,
    get,
    named(name) {
      const found = first('name_key = ?', nameKey(name.trim()));
      if (found !== undefined) return found;
      const nearest = findNearestName(
        name,
        list().map((profile) => profile.name),
      );
      throw userError('not-found', say('no-such-profile', { name: name.slice(0, 60) }), {
        path: 'profile',
        nearest,
      });
    },
    save: ({ id: given, name: written, profile: change, ports, services, isDefault }) =>
      store.transaction(() => {
        const before = given === undefined ? { ...standard(), isDefault: false } : get(given);
        const name = requireName(written);
        const twin = first('name_key = ?', nameKey(name));
        if (twin !== undefined && twin.id !== given)
          throw userError('not-allowed', say('profile-taken', { name: twin.name }), { path: 'name' });
        if (before.isDefault && isDefault === false)
          throw userError('not-allowed', say('one-default-profile'), { path: 'isDefault' });
        const id = given ?? `p-${randomBytes(8).toString('hex')}`;
        const columns = {
          name,
          name_key: nameKey(name),
          profile: JSON.stringify(mergeProfile(before.profile, change)),
          ports: JSON.stringify(checkPorts(ports ?? before.ports)),
          services: JSON.stringify(checkServices(services ?? before.services)),
          is_default: (isDefault ?? before.isDefault) ? 1 : 0,
        };
        if (isDefault === true) store.update('profiles', { is_default: 0 }, { is_default: 1 });
        if (given === undefined) {
          store.insert('profiles', { id, ...columns, created_at: clock.now().toISOString() });
        } else {
          store.update('profiles', columns, { id });
        }
        return get(id);
      }),
    remove: ({ id }) =>
      store.transaction(() => {
        if (first('id = ?', id)?.isDefault === true)
          throw userError('not-allowed', say('default-profile-stays'), { path: 'id' });
        return { removed: store.remove('profiles', { id }).changes > 0 };
      }),
  };
}

/** Returns the ports, each once, in the order given. */
function checkPorts(ports: readonly number[]): number[] {
  const unique = [...new Set(ports)];
  if (unique.length > MOST_PORTS)
    throw userError('out-of-range', say('too-many-ports', { max: MOST_PORTS }), { path: 'ports' });
  if (unique.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535))
    throw userError('out-of-range', say('port-form'), { path: 'ports' });
  return unique;
}

/** Returns the services, each once, lower case, in the order given. */
function checkServices(services: readonly string[]): string[] {
  const unique = [...new Set(services.map((service) => service.toLowerCase()))];
  if (unique.length > MOST_SERVICES)
    throw userError('out-of-range', say('too-many-services', { max: MOST_SERVICES }), { path: 'services' });
  const wrong = unique.find((service) => !SERVICE_TYPE.test(service));
  if (wrong !== undefined) throw userError('usage', say('service-form'), { path: 'services' });
  return unique;
}

function toProfile({ id, name, profile, ports, services, is_default: isDefault }: ProfileRow): NamedProfile {
  return {
    id,
    name,
    profile: { ...DEFAULT_PROFILE, ...(readOwnJson(profile) as Partial<ConnectionProfile>) },
    ports: readOwnJson(ports) as readonly number[],
    services: readOwnJson(services) as readonly string[],
    isDefault: isDefault === 1,
  };
}
