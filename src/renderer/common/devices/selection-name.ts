import { useI18n } from 'vue-i18n';
import type { Site } from '#shared/access.ts';
import type { Device } from '#shared/model.ts';
import { revealHiddenCharacters } from '../labels/format.ts';

/** Devices up to this number are named one by one. */
const NAMED = 3;

/** Returns a function that names a selection as a person would: "40 thermal of Plant South". */
export function useSelectionName(): (devices: readonly Device[], sites: readonly Site[]) => string {
  const { t, n } = useI18n();

  return (devices, sites) => {
    if (devices.length <= NAMED) return devices.map(({ name }) => revealHiddenCharacters(name)).join(', ');
    const [first] = devices;
    const kind = first?.kinds[0];
    const what =
      kind !== undefined && devices.every(({ kinds }) => kinds.includes(kind))
        ? t('devices.ofKind', { n: n(devices.length), kind: t(`kind.${kind}`) })
        : t('site.count', { n: devices.length });
    const site = sites.find(({ id }) => id === first?.siteId);
    return site !== undefined && devices.every(({ siteId }) => siteId === site.id)
      ? t('devices.ofSite', { what, site: revealHiddenCharacters(site.name) })
      : what;
  };
}
