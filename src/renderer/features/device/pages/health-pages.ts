/** Selects the states of a device that its overview shows. */
import type { DevicePage } from '../workspace/pages.ts';
import type { AreaPresence } from '../workspace/presence.ts';

const HEALTH = [
  ['gate', 'status'],
  ['storage', 'status'],
  ['aiPlatform', 'engines.list'],
  ['aiPlatform', 'modelStorage'],
  ['peopleCounting', 'status'],
  ['gate', 'irStatus'],
] as const;

/** Lists the state pages that the device has, in this order. */
export function listHealthPages(areas: readonly AreaPresence[]): readonly DevicePage[] {
  const there = areas.filter((area) => area.isThere).flatMap((area) => area.pages);
  return HEALTH.flatMap(
    ([area, slug]) => there.find((page) => page.area === area && page.slug === slug) ?? [],
  );
}
