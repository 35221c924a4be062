/** The tabs of a device, and which one an address belongs to. */
import type { RouteLocationNormalizedLoaded } from 'vue-router';
import type { DeviceKind } from '#shared/model.ts';
import { findPage, type DevicePage } from './pages.ts';
import type { AreaPresence } from './presence.ts';

export const DEVICE_TABS = ['overview', 'settings', 'changes', 'records', 'interface'] as const;
type DeviceTab = (typeof DEVICE_TABS)[number];

export function linkToTab(deviceId: string, tab: DeviceTab): string {
  return `/devices/${encodeURIComponent(deviceId)}${tab === 'overview' ? '' : `/${tab}`}`;
}

/** Returns the tab of the address. Settings have a page on both tabs: with ids and paths under `interface`. */
export function findTab({ params }: Pick<RouteLocationNormalizedLoaded, 'params'>): DeviceTab {
  const named = DEVICE_TABS.find((tab) => tab === params['tab']);
  if (named !== undefined) return named;
  if (params['area'] === undefined) return 'overview';
  return findPage(params['area'], params['page'])?.kind === 'settings' ? 'settings' : 'interface';
}

/** The settings that a device of a kind is there for. */
const FIRST_SETTINGS: Readonly<Record<DeviceKind, readonly [area: string, slug: string]>> = {
  gate: ['accessControl', 'hostConfig'],
  thermal: ['thermal', 'thermometryBasic'],
  ai: ['humanRecognition', 'config'],
  counter: ['peopleCounting', 'shield'],
  recorder: ['passback', 'basic'],
};

/** Returns the page that the settings of a device begin with; undefined if it has none. */
export function findFirstSettings(
  kinds: readonly DeviceKind[],
  areas: readonly AreaPresence[],
): DevicePage | undefined {
  const there = areas
    .filter(({ isThere }) => isThere)
    .flatMap(({ pages }) => pages)
    .filter(({ kind }) => kind === 'settings');
  const own = kinds.flatMap((kind) => {
    const [area, slug] = FIRST_SETTINGS[kind];
    return there.find((page) => page.area === area && page.slug === slug) ?? [];
  });
  return own[0] ?? there[0];
}
