/** `device update`: name, address, tags, site, sign-in and connection settings of devices. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { ChangeOfMany, Engine } from '#engine/api.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { findCredential, findProfile, findSite } from '#cli/input/named.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { readProfileOptions } from '#cli/options.ts';
import { createUsageError } from '#cli/usage.ts';

interface UpdateOptions {
  readonly name?: string;
  readonly address?: string;
  readonly tag?: readonly string[];
  readonly untag?: readonly string[];
  /** False: taken away. */
  readonly site?: string | false;
  readonly credential?: string | false;
  readonly profile?: string;
  readonly prefix?: string;
  readonly namespace?: string;
  readonly auth?: string;
  readonly acceptWeaker?: boolean;
  readonly restarted?: boolean;
  readonly certificate?: string;
}

/** Everything named must be known before the first device is changed. */
export async function updateDevices(
  invocation: Invocation,
  references: readonly string[],
  options: UpdateOptions,
): Promise<number> {
  const { name, address } = options;
  return runWithEngine(invocation, async (engine) => {
    const ids = [...new Set(references.map((reference) => engine.devices.find(reference).id))];
    if (ids.length > 1 && (name !== undefined || address !== undefined))
      throw createUsageError(say('cli.one-device-only'), {
        path: name === undefined ? '--address' : '--name',
      });
    const change = changeOf(engine, options);
    if (Object.keys(change).length === 0) throw createUsageError(say('cli.no-change'));
    engine.devices.updateMany({ ids, ...change });
    const updated = ids.map((id) => engine.devices.find(id));
    if (invocation.out.asJson) invocation.out.json(updated);
    else
      invocation.out.line(
        invocation.out.say('cli.changed', { names: updated.map((device) => device.name).join(', ') }),
      );
    return EXIT.done;
  });
}

function changeOf(
  engine: Engine,
  {
    name,
    address,
    tag = [],
    untag = [],
    site,
    credential,
    profile,
    certificate,
    acceptWeaker,
    restarted,
    ...settings
  }: UpdateOptions,
): Omit<ChangeOfMany, 'ids'> {
  const laidOver = readProfileOptions(settings);
  return {
    ...removeUndefined({ name, address }),
    ...(tag.length === 0 ? {} : { addTags: tag }),
    ...(untag.length === 0 ? {} : { removeTags: untag }),
    ...removeUndefined({
      siteId: site === undefined ? undefined : site === false ? null : findSite(engine, site).id,
      credentialId:
        credential === undefined
          ? undefined
          : credential === false
            ? null
            : findCredential(engine, credential).id,
      profileId: profile === undefined ? undefined : findProfile(engine, profile).id,
      profile: laidOver,
      certificate,
      acceptWeaker: acceptWeaker || undefined,
      restarted: restarted || undefined,
    }),
  };
}
