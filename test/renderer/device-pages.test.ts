import { describe, expect, it } from 'vitest';
import { AREAS, operations } from '#protocol/index.ts';
import type { DeviceCapabilities } from '#shared/model.ts';
import chinese from '../../resources/locales/zh-CN/fields.json';
import { getConfirmation } from '#renderer/features/device/writing/confirmations.ts';
import { buildIndex, search } from '#renderer/features/device/search/field-search.ts';
import { countFlags } from '#renderer/features/device/pages/flags.ts';
import { findConstraints } from '#renderer/features/device/pages/limits-of.ts';
import { findPage, pages, listPages } from '#renderer/features/device/workspace/pages.ts';
import { getFirstChannel, buildRawParams, readParams } from '#renderer/features/device/pages/params.ts';
import { getAreaPresence } from '#renderer/features/device/workspace/presence.ts';

function report(more: Partial<DeviceCapabilities> = {}): DeviceCapabilities {
  return {
    deviceId: 'd',
    name: 'D',
    url: 'http://d',
    kinds: [],
    flags: [],
    limits: [],
    problems: [],
    ...more,
  };
}
function refusedBy(operation: string) {
  return {
    operation,
    answered: false,
    status: { http: 403, subStatusCode: 'notSupport' },
    error: { code: 'not-supported', source: 'device', message: 'no' },
  } as const;
}

describe('pages', () => {
  it('show every operation once: as a page of its own, the write of settings, or the limits of another', () => {
    const shown = new Set(pages.flatMap((page) => [page.operation.id, page.put?.id, page.capability]));

    expect(operations.map((operation) => operation.id).filter((id) => !shown.has(id))).toEqual([]);
    expect(new Set(pages.map((page) => `${page.area}/${page.slug}`)).size).toBe(pages.length);
    expect(AREAS.filter((area) => listPages(area).length === 0)).toEqual([]);
  });

  it('tell settings, status, queries and actions apart', () => {
    expect(findPage('storage', 'rwLock')).toMatchObject({
      kind: 'settings',
      put: { id: 'storage.rwLock.put' },
      capability: 'storage.rwLock.capabilities.get',
    });
    expect(findPage('gate', 'status')?.kind).toBe('status');
    expect(findPage('accessControl', 'users.search')?.kind).toBe('query');
    expect(findPage('storage', 'unlock.put')?.kind).toBe('action');
    expect(findPage('token', 'check')?.kind).toBe('unspecified');
    expect(findPage('system', 'capabilities')?.kind).toBe('report');
    expect(findPage('storage', '__proto__')).toBeUndefined();
  });

  it('ask for the name only where data is lost for good', () => {
    const kind = (area: string, slug: string, body?: unknown): string =>
      getConfirmation(findPage(area, slug) as never, body).kind;

    expect(kind('peopleCounting', 'count.reset')).toBe('type');
    expect(kind('accessControl', 'users.setUp', { deleteUser: true })).toBe('type');
    expect(kind('accessControl', 'users.setUp', { name: 'A' })).toBe('confirm');
    expect(kind('accessControl', 'users.search')).toBe('none');
    expect(
      pages.filter(
        (page) => page.operation.method === 'DELETE' && getConfirmation(page, undefined).kind === 'none',
      ),
    ).toEqual([]);
  });
});

describe('presence', () => {
  it('goes by the kinds until the device has answered', () => {
    expect(getAreaPresence('thermal', { kinds: ['thermal'] }, undefined).isThere).toBe(true);
    expect(getAreaPresence('gate', { kinds: ['thermal'] }, undefined).isThere).toBe(false);
    expect(getAreaPresence('gate', { kinds: [] }, undefined).isThere).toBe(true);
  });

  it('believes an answer more than the kind, and keeps what the device said', () => {
    const refused = report({ probes: [refusedBy('storage.status.get'), refusedBy('storage.rwLock.get')] });
    const answered = report({
      probes: [
        { operation: 'storage.status.get', answered: true, status: { http: 200 } },
        refusedBy('storage.rwLock.get'),
      ],
    });

    expect(getAreaPresence('storage', { kinds: ['thermal'] }, refused)).toMatchObject({
      isThere: false,
      error: { code: 'not-supported' },
    });
    const there = getAreaPresence('storage', { kinds: ['gate'] }, answered);
    expect(there.isThere).toBe(true);
    expect(there.refused.map(({ page }) => page.slug)).toEqual(['rwLock']);
    expect(there.pages.map((page) => page.slug)).not.toContain('rwLock');
  });

  it('does not take a busy device for one without the area', () => {
    const busy = report({
      probes: [
        {
          operation: 'storage.status.get',
          answered: false,
          status: { http: 503 },
          error: { code: 'device-busy', source: 'device', message: 'busy' },
        },
      ],
    });

    expect(getAreaPresence('storage', { kinds: ['thermal'] }, busy).isThere).toBe(true);
  });
});

describe('limits and flags', () => {
  it('are those of one document', () => {
    const answer = report({
      limits: [
        { operation: 'a', path: 'x', label: 'X', min: 1 },
        { operation: 'b', path: 'x', label: 'X', min: 2 },
      ],
    });

    expect(findConstraints(answer, 'b')?.get('x')).toEqual({ state: 'reported', min: 2 });
    expect(findConstraints(answer, 'c')).toBeUndefined();
  });

  it('never count "not reported" as "no"', () => {
    expect(countFlags([{ state: 'true' }, { state: 'not-reported' }, { state: 'not-reported' }])).toEqual({
      true: 1,
      false: 0,
      'not-reported': 2,
    });
  });
});

describe('parameters', () => {
  const basic = findPage('thermal', 'thermometryBasic');
  const remove = findPage('aiPlatform', 'models.delete');

  it('begin with channel 1, and never guess an id', () => {
    expect(buildRawParams(basic?.operation as never, {})).toEqual({ channelID: '1' });
    expect(buildRawParams(remove?.operation as never, {}, 2)).toEqual({ MPID: '' });
    expect(readParams(remove?.operation as never, { MPID: '' })).toEqual({ ok: false, name: 'MPID' });
  });

  // Would catch: a device whose only channel is 2, whose pages all begin with a refusal.
  it('begin with the first channel that the device names', () => {
    const named = (options?: readonly string[]) =>
      getFirstChannel({
        deviceId: 'd-1',
        flags: [],
        problems: [],
        limits: [{ operation: 'system.capabilities.get', path: 'supportImageChannel', label: '', options }],
      } as never);

    expect([named(['3', '2']), named(['', 'x', '0']), named(), getFirstChannel(undefined)]).toEqual([
      2, 1, 1, 1,
    ]);
    expect(buildRawParams(basic?.operation as never, {}, 2)).toEqual({ channelID: '2' });
    expect(buildRawParams(basic?.operation as never, { channelID: '4' }, 2)).toEqual({ channelID: '4' });
  });

  it('are typed as the operation wants them', () => {
    expect(
      readParams(basic?.operation as never, buildRawParams(basic?.operation as never, { channelID: '2' })),
    ).toEqual({ ok: true, params: { channelID: 2 } });
    expect(readParams(basic?.operation as never, { channelID: '0.5' }).ok).toBe(false);
    expect(readParams(basic?.operation as never, { channelID: '1e3' }).ok).toBe(false);
  });
});

describe('the search over fields', () => {
  const index = buildIndex(pages, [{}, chinese]);

  it.each([
    ['emissivity', 'thermal/thermometryBasic', 'emissivity'],
    ['coutingRemove', 'peopleCounting/flashStorage.remove', 'coutingRemove'],
    ['发射率', 'thermal/thermometryBasic', 'emissivity'],
    ['capture interv', 'humanRecognition/config', 'analysisParam.captureInterval'],
    // A field of an entry leads to its list.
    ['notificationMethod', 'events/hdBadBlockTrigger', 'EventTriggerNotificationList'],
  ])('finds %s', (query, place, target) => {
    const found = search(index, query, 20).map((entry) => [
      `${entry.page.area}/${entry.page.slug}`,
      entry.target,
    ]);

    expect(found).toContainEqual([place, target]);
  });

  it('finds a page by its name, and help by its words', () => {
    expect(search(index, 'terminal settings')[0]).toMatchObject({ page: { slug: 'hostConfig' } });
    expect(search(index, 'card becomes unusable').map((entry) => entry.name)).toContain('passwd');
    expect(search(index, '  ')).toEqual([]);
  });
});
