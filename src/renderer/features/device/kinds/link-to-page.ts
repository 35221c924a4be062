import { findPage, pageLink } from '../workspace/pages.ts';

/** Returns the address of a page of the device; its overview if there is no such page. */
export function linkToPage(
  deviceId: string,
  area: string,
  slug: string,
  query: Readonly<Record<string, string>> = {},
) {
  const page = findPage(area, slug);
  return page === undefined ? `/devices/${encodeURIComponent(deviceId)}` : pageLink(deviceId, page, query);
}
