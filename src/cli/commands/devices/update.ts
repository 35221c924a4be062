/** `device update`: name, address, tags, site, sign-in and connection settings of devices. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Action } from '#cli/declarations/all.ts';
import { findBelongings } from '#cli/input/named.ts';
import { readProfileOptions } from '#cli/declarations/options.ts';
import { createUsageError } from '#cli/usage.ts';
import { say } from '#shared/details.ts';

/** Everything named must be known before the first device is changed. */
export const updateDevices: Action<'device update'> = async ({ open, out }, references, options) => {
  const { name, address, tag, untag, certificate, acceptWeaker, restarted } = options;
  const engine = await open();
  const ids = [...new Set(references.map((reference) => engine.devices.find(reference).id))];
  if (ids.length > 1 && (name !== undefined || address !== undefined))
    throw createUsageError(say('cli.one-device-only'), {
      path: name === undefined ? '--address' : '--name',
    });
  const { site, credential, profile } = options;
  const change = removeUndefined({
    ...findBelongings(engine, {
      profile,
      site: site === false ? undefined : site,
      credential: credential === false ? undefined : credential,
    }),
    ...(site === false && { siteId: null }),
    ...(credential === false && { credentialId: null }),
    name,
    address,
    addTags: tag,
    removeTags: untag,
    profile: readProfileOptions(options),
    certificate,
    acceptWeaker,
    restarted,
  });
  if (Object.keys(change).length === 0) throw createUsageError(say('cli.no-change'));
  engine.devices.updateMany({ ids, ...change });
  const updated = ids.map((id) => engine.devices.find(id));
  const names = updated.map((device) => device.name).join(', ');
  return { json: updated, text: out.say('cli.changed', { names }) };
};
