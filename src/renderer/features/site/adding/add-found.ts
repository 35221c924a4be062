import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Sighting } from '#shared/discovery.ts';
import type { InputAt } from '#shared/contract.ts';

/**
 * Returns whether a device is known by its address only, without name or serial number: another device that
 * gets the address would be taken for it.
 */
export function isKnownByAddress({ identity }: Pick<Sighting, 'identity'>): boolean {
  return identity.startsWith('address:');
}

/**
 * A sighting as a device to add. What is known by its address only has neither a name nor an identity
 * that would follow it; and where two claim to be the same one, the row must not follow either.
 */
export function toNewDevice(
  sighting: Sighting,
  more: { readonly siteId: string; readonly tags: readonly string[] },
): InputAt<'devices.addMany'>['devices'][number] {
  const isNamed = !isKnownByAddress(sighting);
  const isSure = isNamed && !sighting.conflicts.some(({ kind }) => kind === 'identity');
  const name = sighting.name.slice(0, 200).trim();
  return {
    address: sighting.url,
    ...(isNamed && name !== '' ? { name } : {}),
    ...(isSure ? { identity: sighting.identity } : {}),
    ...(more.siteId === '' ? {} : { siteId: more.siteId }),
    ...(more.tags.length === 0 ? {} : { tags: [...more.tags] }),
    ...removeUndefined({
      profile: sighting.pathPrefix === undefined ? undefined : { pathPrefix: sighting.pathPrefix },
    }),
  };
}
