/** Faults of a device while its people are read: its answer to a search, distorted. */
import type { SearchFault } from '#simulator/faults.ts';
import type { DeviceState } from '#simulator/state/device-state.ts';
import { PEOPLE } from './people.ts';
import { readOwnJson } from '#shared/read-json.ts';

type Page = Record<string, unknown>;

export function applySearchFault(fault: SearchFault, body: string, device: DeviceState): string {
  const whole = readOwnJson(body) as { UserInfoSearch: Page };
  return JSON.stringify({ UserInfoSearch: pageOf(fault, whole.UserInfoSearch, device) });
}

function pageOf(fault: SearchFault, page: Page, device: DeviceState): Page {
  const people = page['UserInfo'] as readonly unknown[] | undefined;
  const { pageBefore: before } = device.part(PEOPLE);
  switch (fault) {
    case 'more-forever':
      return withPeople({ ...page, responseStatusStrg: 'MORE' }, people ?? before);
    case 'page-repeated':
      return withPeople(page, before.length > 0 ? before : (people ?? []));
    case 'person-lost':
      return withPeople(page, (people ?? []).slice(1));
    case 'total-changed':
      return { ...page, totalMatches: Number(page['totalMatches']) + 1 };
    case 'totals-untold': {
      const { responseStatusStrg: _status, totalMatches: _total, ...rest } = page;
      return rest;
    }
    case 'people-change':
      device.part(PEOPLE).leaveMidway();
      return page;
  }
}

function withPeople(page: Page, people: readonly unknown[]): Page {
  return { ...page, numOfMatches: people.length, UserInfo: people };
}
