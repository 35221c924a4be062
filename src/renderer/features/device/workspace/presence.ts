/**
 * Determines the areas of a device: its claims and answers decide, and its kinds until those are received.
 */
import { AREAS, type Area } from '#protocol/definition.ts';
import { isExpectedArea } from '#protocol/kinds.ts';
import type { Device, DeviceCapabilities } from '#shared/model.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { listPages, type DevicePage } from './pages.ts';

interface Presence {
  readonly state: 'there' | 'refused' | 'unknown';
  readonly error?: ErrorShape;
}
export interface AreaPresence {
  readonly area: Area;
  readonly pages: readonly DevicePage[];
  readonly refused: readonly { readonly page: DevicePage; readonly error?: ErrorShape }[];
  readonly isThere: boolean;
  /** Why the area is not there. */
  readonly error?: ErrorShape;
}

/** One page: read successfully, refused, or nothing is known (it needs an id, or only writes). */
function pagePresence(page: DevicePage, capabilities: DeviceCapabilities): Presence {
  const probe = capabilities.probes?.find((one) => one.operation === page.operation.id);
  if (probe !== undefined) {
    if (probe.answered) return { state: 'there' };
    // A device that was busy, or whose answer was odd, has not said that it does not have it.
    const code = probe.error?.code;
    const isNo = code === 'not-supported' || code === 'not-found' || code === 'invalid-operation';
    return { state: isNo ? 'refused' : 'unknown', ...(probe.error !== undefined && { error: probe.error }) };
  }
  return reports(page, capabilities) ? { state: 'there' } : { state: 'unknown' };
}

/** A capability document of the page was read. */
function reports(page: DevicePage, { flags, limits }: DeviceCapabilities): boolean {
  const ids = [page.capability, page.operation.id];
  return (
    flags.some((flag) => ids.includes(flag.operation)) ||
    limits.some((limit) => ids.includes(limit.operation))
  );
}

export function getAreaPresence(
  area: Area,
  device: Pick<Device, 'kinds'>,
  capabilities: DeviceCapabilities | undefined,
): AreaPresence {
  const pages = listPages(area);
  if (capabilities === undefined)
    return { area, pages, refused: [], isThere: isExpectedArea(area, device.kinds) };
  const found = pages.map((page) => ({ page, ...pagePresence(page, capabilities) }));
  const refused = found
    .filter(({ state }) => state === 'refused')
    .map(({ page, error }) => ({ page, ...(error !== undefined && { error }) }));
  const isThere =
    found.some(({ state }) => state === 'there') ||
    (refused.length === 0 && isExpectedArea(area, device.kinds));
  const [first] = refused;
  return {
    area,
    isThere,
    refused: isThere ? refused : [],
    pages: isThere ? found.filter(({ state }) => state !== 'refused').map(({ page }) => page) : pages,
    ...(!isThere && first?.error !== undefined && { error: first.error }),
  };
}

export function listAreas(
  device: Pick<Device, 'kinds'>,
  capabilities: DeviceCapabilities | undefined,
): readonly AreaPresence[] {
  return AREAS.map((area) => getAreaPresence(area, device, capabilities));
}
