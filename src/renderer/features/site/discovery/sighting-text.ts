import type { Sighting, Via } from '#shared/discovery.ts';
import type { Translate } from '#renderer/common/labels/translate.ts';

/** `mdns:eth0` as `announced on eth0`. */
export function formatVia(via: Via, t: Translate): string {
  return via.startsWith('mdns:')
    ? t('found.via.mdns', { interface: via.slice('mdns:'.length) })
    : t(via === 'sweep' ? 'found.via.sweep' : 'found.via.manual');
}

interface ConflictText {
  readonly title: string;
  /** Both parties, as they show themselves. */
  readonly parties: readonly [string, string];
  readonly next: string;
}

/** Formats claims that two devices share, with both of them; other names come from their sightings. */
export function formatConflicts(
  sighting: Sighting,
  seen: ReadonlyMap<string, Sighting>,
  t: Translate,
): readonly ConflictText[] {
  return sighting.conflicts.map(({ kind, with: other }) => {
    if (kind === 'identity') {
      return {
        title: t('found.conflict.identity'),
        parties: [`${sighting.name} · ${sighting.url}`, `${sighting.name} · ${other}`],
        next: t('found.conflict.identityNext'),
      };
    }
    const rival = seen.get(other);
    return {
      title: t('found.conflict.address'),
      next: t('found.conflict.addressNext'),
      parties: [
        `${sighting.name} · ${sighting.url}`,
        rival === undefined
          ? other
          : `${rival.name} · ${[rival.url, ...rival.alternatives].find((url) => [sighting.url, ...sighting.alternatives].includes(url)) ?? rival.url}`,
      ],
    };
  });
}

/** A fingerprint in pairs, as certificates are compared. */
export function formatFingerprint(hex: string): string {
  return (hex.match(/../g) ?? []).join(':').toUpperCase();
}
