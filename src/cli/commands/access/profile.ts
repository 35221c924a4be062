/** `profile list|save|remove`: connection profiles with a name. */
import { formatProfileName } from '#cli/output/names.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Engine } from '#engine/api.ts';
import type { NamedProfile } from '#shared/access.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { ConnectionProfile } from '#shared/model.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { findProfile } from '#cli/input/named.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { parseAuth } from '#cli/options.ts';
import { parseWholeNumber } from '#cli/usage.ts';

export async function listProfiles(invocation: Invocation): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const profiles = engine.profiles.list();
    if (invocation.out.asJson) invocation.out.json(profiles);
    else {
      invocation.out.table<NamedProfile>(
        [
          {
            title: 'NAME',
            cell: (profile) =>
              profile.isDefault
                ? invocation.out.say('cli.profile-default', {
                    name: formatProfileName(invocation.out, profile),
                  })
                : profile.name,
            flexible: true,
          },
          { title: 'PREFIX', cell: ({ profile }) => profile.pathPrefix },
          { title: 'NAMESPACE', cell: ({ profile }) => profile.namespace ?? '—', flexible: true },
          { title: 'AUTH', cell: ({ profile }) => profile.auth },
          { title: 'DEADLINE', align: 'right', cell: ({ profile }) => `${profile.deadlineMs} ms` },
          { title: 'IN FLIGHT', align: 'right', cell: ({ profile }) => String(profile.inFlight) },
          { title: 'ANNOUNCED AS', cell: ({ services }) => services.join(', ') || '—', flexible: true },
          { title: 'PORTS', cell: ({ ports }) => ports.join(', ') || '—' },
          { title: 'ID', cell: ({ id }) => id },
        ],
        profiles,
      );
    }
    return EXIT.done;
  });
}

interface ProfileOptions {
  readonly rename?: string;
  readonly prefix?: string;
  readonly namespace?: string;
  readonly auth?: string;
  readonly deadline?: string;
  readonly inFlight?: string;
  readonly ports?: string;
  readonly services?: string;
  readonly default?: boolean;
}

/** Makes a profile, or changes the one of that name; what is not said is as in the default one, or as it was. */
export async function saveProfile(
  invocation: Invocation,
  name: string,
  options: ProfileOptions,
): Promise<number> {
  const profile = changesOf(options);
  const ports = options.ports === undefined ? undefined : portsOf(options.ports);
  return runWithEngine(invocation, async (engine) => {
    const before = known(engine, name);
    if (before === undefined && options.rename !== undefined) findProfile(engine, name);
    const saved = engine.profiles.save({
      ...removeUndefined({ id: before?.id }),
      name: options.rename ?? before?.name ?? name,
      profile,
      ...removeUndefined({
        ports,
        services: options.services === undefined ? undefined : listOf(options.services),
        isDefault: options.default === true || undefined,
      }),
    });
    if (invocation.out.asJson) invocation.out.json(saved);
    else
      invocation.out.line(
        invocation.out.say(before === undefined ? 'cli.profile-added' : 'cli.profile-changed', {
          name: saved.name,
        }),
      );
    return EXIT.done;
  });
}

export async function removeProfile(invocation: Invocation, reference: string): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const profile = findProfile(engine, reference);
    const { removed } = engine.profiles.remove({ id: profile.id });
    if (invocation.out.asJson) invocation.out.json({ removed });
    else invocation.out.line(invocation.out.say('cli.profile-removed', { name: profile.name }));
    return EXIT.done;
  });
}

function known(engine: Engine, name: string): NamedProfile | undefined {
  try {
    return findProfile(engine, name);
  } catch (error) {
    if (error instanceof FieldwrightError && error.code === 'not-found') return undefined;
    throw error;
  }
}

function changesOf({
  prefix,
  namespace,
  auth,
  deadline,
  inFlight,
}: ProfileOptions): Partial<ConnectionProfile> {
  return removeUndefined({
    pathPrefix: prefix,
    namespace,
    auth: auth === undefined ? undefined : parseAuth(auth),
    deadlineMs:
      deadline === undefined
        ? undefined
        : parseWholeNumber(deadline, '--deadline', { min: 200, max: 600_000 }),
    inFlight:
      inFlight === undefined ? undefined : parseWholeNumber(inFlight, '--in-flight', { min: 1, max: 8 }),
  });
}

function portsOf(list: string): number[] {
  return listOf(list).map((text) => parseWholeNumber(text, '--ports', { min: 1, max: 65_535 }));
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
