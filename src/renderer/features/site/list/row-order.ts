import { collator } from '#renderer/common/devices/device-list.ts';
import { getRowName, getRowUrl, listRowExceptions, ROW_STATES, type ListRow } from './site-rows.ts';

import type { ListColumn } from './columns.ts';

export type SiteSortKey = ListColumn | 'name';
export interface SiteSort {
  readonly key: SiteSortKey;
  readonly descending: boolean;
}
/** Text that a column shows for a row, for columns whose words the row itself does not hold. */
export type ShownText = (row: ListRow, column: 'site' | 'signInFrom') => string;

/** Returns when the device was last seen, in any way; ISO times of one form sort as text. */
export function getLastSeen(row: ListRow): string {
  const seen = row.sighting?.seenAt ?? '';
  const known = row.kind === 'device' ? (row.device.lastSeen ?? '') : '';
  return seen > known ? seen : known;
}

function by(a: ListRow, b: ListRow, key: SiteSortKey, shown: ShownText): number {
  switch (key) {
    case 'name':
      return collator.compare(getRowName(a), getRowName(b));
    case 'address':
      return collator.compare(getRowUrl(a), getRowUrl(b));
    case 'lastSeen':
      return Number(getLastSeen(a) > getLastSeen(b)) - Number(getLastSeen(a) < getLastSeen(b));
    case 'site':
    case 'signInFrom':
      return collator.compare(shown(a, key), shown(b, key));
    case 'tags':
      return collator.compare(
        a.kind === 'device' ? a.device.tags.join(' ') : '',
        b.kind === 'device' ? b.device.tags.join(' ') : '',
      );
    case 'kinds':
      return collator.compare(getKinds(a), getKinds(b));
    case 'state':
      return rankOf(a) - rankOf(b);
  }
}

function getKinds(row: ListRow): string {
  return row.kind === 'device' ? row.device.kinds.join(' ') : '';
}
/** The worst first, healthy devices last, then what was found. */
function rankOf(row: ListRow): number {
  const [worst] = listRowExceptions(row);
  if (worst !== undefined && worst !== 'outside') return ROW_STATES.indexOf(worst);
  return row.kind === 'device' ? ROW_STATES.length : ROW_STATES.length + 1;
}

/** Equal rows keep the order of first sight in both directions, so they do not jump. */
export function createRowOrder(sort: SiteSort, shown: ShownText): (a: ListRow, b: ListRow) => number {
  const direction = sort.descending ? -1 : 1;
  return (a, b) => direction * by(a, b, sort.key, shown) || a.seq - b.seq;
}
