import type { CredentialScope, Site } from '#shared/access.ts';
import type { Device } from '#shared/model.ts';

/** Scope that a sign-in can be given to from a choice of devices. */
export interface ScopeOption {
  readonly key: string;
  /** Absent: to these devices themselves. */
  readonly scope?: CredentialScope;
  readonly name: string;
  readonly devices: number;
}

/** These devices, every tag that all of them have, and the site where all of them are. */
export function scopeOptions(
  chosen: readonly Device[],
  all: readonly Device[],
  sites: readonly Site[],
): readonly ScopeOption[] {
  const own: ScopeOption = { key: 'devices', name: '', devices: chosen.length };
  const [first] = chosen;
  if (first === undefined) return [own];
  const tags = first.tags.filter((tag) => chosen.every((device) => device.tags.includes(tag)));
  const site =
    first.siteId !== undefined && chosen.every(({ siteId }) => siteId === first.siteId)
      ? sites.find(({ id }) => id === first.siteId)
      : undefined;
  return [
    own,
    ...tags.map((tag): ScopeOption => ({
      key: `tag ${tag}`,
      scope: { kind: 'tag', tag },
      name: tag,
      devices: all.filter((device) => device.tags.includes(tag)).length,
    })),
    ...(site === undefined
      ? []
      : [
          {
            key: 'site',
            scope: { kind: 'site' as const, siteId: site.id },
            name: site.name,
            devices: site.devices,
          },
        ]),
  ];
}
