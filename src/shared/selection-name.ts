/** Names devices that are worked on together, for every face. */
import { createDetail, type Detail } from './details.ts';
import { DEVICE_KINDS, type Device } from './model.ts';

/** Devices up to this number are named one by one. */
const MOST_NAMED = 2;

type Named = Pick<Device, 'name' | 'kinds' | 'siteId'>;

/**
 * Returns the name of a selection as an installer would say it: "T01 North gate 1", "3 gates", "40 thermal of Plant
 * South". A kind or a site is named if all devices have it.
 */
export function nameSelection(
  devices: readonly Named[],
  sites: readonly { readonly id: string; readonly name: string }[],
): Detail | string {
  const names = devices.map(({ name }) => name);
  if (names.length > 0 && names.length <= MOST_NAMED) return names.join(', ');
  const kind = DEVICE_KINDS.find((each) => devices.every(({ kinds }) => kinds.includes(each)));
  const site = sites.find(({ id }) => devices.every(({ siteId }) => siteId === id));
  const isEmpty = devices.length === 0;
  return createDetail('selection', {
    n: devices.length,
    kind: isEmpty ? 'any' : (kind ?? 'any'),
    place: isEmpty || site === undefined ? 'any' : 'site',
    site: site?.name ?? '',
  });
}
