/** `profile list|save|remove`: connection profiles with a name. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Action } from '#cli/declarations/all.ts';
import type { Engine } from '#engine/api.ts';
import { findProfile } from '#cli/input/named.ts';
import { listRows } from '#cli/outcome.ts';
import { formatProfileName } from '#cli/output/names.ts';
import type { NamedProfile } from '#shared/access.ts';
import { FieldwrightError } from '#shared/errors.ts';

export const listProfiles: Action<'profile list'> = async ({ open, out }) => {
  return listRows((await open()).profiles.list(), {
    NAME: {
      value: (profile) =>
        profile.isDefault
          ? out.say('cli.profile-default', { name: formatProfileName(out, profile) })
          : profile.name,
      flexible: true,
    },
    PREFIX: ({ profile }) => profile.pathPrefix,
    NAMESPACE: { value: ({ profile }) => profile.namespace, flexible: true },
    AUTH: ({ profile }) => profile.auth,
    DEADLINE: { value: ({ profile }) => `${profile.deadlineMs} ms`, align: 'right' },
    'IN FLIGHT': ({ profile }) => profile.inFlight,
    'ANNOUNCED AS': { value: ({ services }) => services.join(', ') || '—', flexible: true },
    PORTS: ({ ports }) => ports.join(', ') || '—',
    ID: 'id',
  });
};

/** Makes a profile, or changes the one of that name; what is not given is as in the default one, or as it was. */
export const saveProfile: Action<'profile save'> = async ({ open, out }, name, options) => {
  const engine = await open();
  const { rename, prefix, namespace, auth, deadline, inFlight, ports, services } = options;
  const before = findKnown(engine, name);
  if (before === undefined && rename !== undefined) findProfile(engine, name);
  const saved = engine.profiles.save({
    name: rename ?? before?.name ?? name,
    // The engine keeps what is not there.
    profile: removeUndefined({ pathPrefix: prefix, namespace, auth, deadlineMs: deadline, inFlight }),
    id: before?.id,
    ports,
    services,
    isDefault: options.default,
  });
  const words = before === undefined ? 'cli.profile-added' : 'cli.profile-changed';
  return { json: saved, text: out.say(words, { name: saved.name }) };
};

export const removeProfile: Action<'profile remove'> = async ({ open, out }, reference) => {
  const engine = await open();
  const { id, name } = findProfile(engine, reference);
  const { removed } = engine.profiles.remove({ id });
  return { json: { removed }, text: out.say('cli.profile-removed', { name }) };
};

function findKnown(engine: Engine, name: string): NamedProfile | undefined {
  try {
    return findProfile(engine, name);
  } catch (error) {
    if (error instanceof FieldwrightError && error.code === 'not-found') return undefined;
    throw error;
  }
}
