import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it } from 'vitest';
import { findOperation, operations } from '#protocol/catalogue.ts';
import type { Operation, Payload } from '#protocol/definition.ts';
import { useConsole } from '#renderer/features/console/console.store.ts';
import {
  HISTORY_ENTRIES,
  HISTORY_SIZE,
  addEntry,
  type HistoryEntry,
} from '#renderer/features/console/history.ts';
import { getCare, groupOperations } from '#renderer/features/console/operation-list.ts';
import {
  buildInitialParams,
  checkParam,
  buildRequestPath,
  readParams,
} from '#renderer/features/console/params.ts';
import {
  formatMaskedBody,
  removeSecretsAndMasks,
  restoreSecrets,
} from '#renderer/features/console/secrets.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { MASK } from '#shared/exchange.ts';
import { DEFAULT_PROFILE, type Device } from '#shared/model.ts';
import { useFakeClient } from './fake-client.ts';

function operation(id: string): Operation {
  const found = findOperation(id);
  if (found === undefined) throw new Error(`There is no ${id}.`);
  return found;
}
const lock = operation('storage.rwLock.put').request as Payload;
const users = operation('accessControl.users.record').request as Payload;
const device: Device = {
  id: 'd1',
  name: 'Door',
  url: 'http://10.0.0.2:80',
  kinds: [],
  tags: [],
  profile: DEFAULT_PROFILE,
  reach: 'reachable',
  signIn: 'ok',
  addedAt: '2026-01-01T00:00:00Z',
};

function entry(id: number, more: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    id,
    at: '2026-01-01T00:00:00Z',
    sent: {
      deviceId: 'd1',
      deviceName: 'Door',
      deviceUrl: device.url,
      operation: 'x',
      method: 'GET',
      path: '/API/x',
      params: {},
    },
    result: { answer: { outcome: 'ok', status: { http: 200 }, value: {}, notes: [] } },
    ...more,
  };
}

describe('the list of operations', () => {
  it('has every operation once under its area (else: one cannot be reached)', () => {
    const groups = groupOperations('', {});

    expect(groups).toHaveLength(11);
    expect(groups.flatMap((group) => group.operations.map(({ id }) => id)).sort()).toEqual(
      operations.map(({ id }) => id).sort(),
    );
  });

  // Would catch: an installer who looks through eleven areas for the three that the device has.
  it('begins with what the device has, and still holds the rest', () => {
    const groups = groupOperations('', {}, ['counter']);

    expect(groups.map(({ isThere }) => isThere)).toEqual([
      ...Array.from({ length: 4 }, () => true),
      ...Array.from({ length: 7 }, () => false),
    ]);
    expect(groups.slice(0, 4).map(({ area }) => area)).toContain('peopleCounting');
  });

  it('is searched by id, method, path and both languages', () => {
    const ids = (search: string): readonly string[] =>
      groupOperations(search, { 'storage.unlock.put': '解锁存储卡' }).flatMap((group) =>
        group.operations.map(({ id }) => id),
      );

    expect(ids('put STORAGE.unlock')).toEqual(['storage.unlock.put']);
    expect(ids('解锁')).toEqual(['storage.unlock.put']);
    expect(ids('/fingerprintupload')).toEqual(['accessControl.fingerprints.query']);
    expect(ids('no such thing')).toEqual([]);
  });

  it('sends reads at once, asks before writes, and wants a name typed before anything is removed', () => {
    const cares = (
      [
        'system.capabilities.get',
        'accessControl.users.search',
        'accessControl.users.record',
        'thermal.thermometryBasic.put',
        'accessControl.localController.deleteAll',
      ] as const
    ).map((id) => getCare(operation(id), {}));

    expect(cares).toEqual(['none', 'none', 'confirm', 'confirm', 'type']);
    expect(getCare(operation('accessControl.users.setUp'), { employeeNo: '1', deleteUser: true })).toBe(
      'type',
    );
    expect(getCare(operation('accessControl.fingerprints.setUp'), { deleteFingerPrint: false })).toBe(
      'confirm',
    );
    expect(
      operations.filter((known) => known.method === 'DELETE' && getCare(known, undefined) !== 'type'),
    ).toEqual([]);
  });
});

describe('parameters', () => {
  it('become a path, or a complaint by name', () => {
    const basic = operation('thermal.thermometryBasic.get');
    const [channel] = basic.params;

    expect(buildInitialParams(basic)).toEqual({ channelID: '1' });
    expect(buildRequestPath(basic, { channelID: ' 2 ' }, '/Own').path).toMatch(/^\/Own\/.*\/2\//);
    expect(readParams(basic, { channelID: '2' })).toEqual({ channelID: 2 });
    expect(channel && checkParam(basic, channel, { channelID: 'two' })?.code).toBe('wrong-type');
    expect(channel && checkParam(basic, channel, { channelID: '' })?.code).toBe('missing-parameter');
    expect(channel && checkParam(basic, channel, { channelID: '1' })).toBeUndefined();
  });
});

describe('secrets', () => {
  it('are taken out of what is kept, also where they came masked', () => {
    expect(removeSecretsAndMasks(lock, { enabled: true, passwd: 'abc', originalPasswd: 'old' })).toEqual({
      enabled: true,
    });
    expect(removeSecretsAndMasks(users, { employeeNo: '7', name: 'Ann', password: '1234' })).toEqual({
      employeeNo: '7',
      name: 'Ann',
    });
    expect(removeSecretsAndMasks(lock, { enabled: true, other: MASK })).toEqual({ enabled: true });
  });

  it('stay while the text around them is edited (else: six dots become the card password)', () => {
    const held = { enabled: true, passwd: 'abc' };
    const text = formatMaskedBody(lock, held);

    expect(text).not.toContain('abc');
    expect(restoreSecrets(held, JSON.parse(text.replace('true', 'false')))).toEqual({
      enabled: false,
      passwd: 'abc',
    });
    expect(restoreSecrets(held, JSON.parse(text.replace(MASK, 'new')))).toEqual({
      enabled: true,
      passwd: 'new',
    });
    expect(restoreSecrets({}, { passwd: MASK })).toEqual({ passwd: MASK });
  });
});

describe('the history', () => {
  it('keeps the newest hundred (else: a long session grows without end)', () => {
    let all: readonly HistoryEntry[] = [];
    for (let id = 1; id <= HISTORY_ENTRIES + 20; id += 1) all = addEntry(all, entry(id));

    expect(all).toHaveLength(HISTORY_ENTRIES);
    expect([all[0]?.id, all.at(-1)?.id]).toEqual([120, 21]);
  });

  it('is bounded in size too, and drops long values before whole entries', () => {
    const big = entry(1, {
      result: {
        answer: {
          outcome: 'ok',
          status: { http: 200 },
          value: { text: 'x'.repeat(300_000) },
          notes: [],
          raw: 'y'.repeat(300_000),
        },
      },
    });
    let all: readonly HistoryEntry[] = [];
    for (let id = 1; id <= 60; id += 1) all = addEntry(all, { ...big, id });
    const result = all[0]?.result;

    expect(JSON.stringify(all).length).toBeLessThan(HISTORY_SIZE * 1.1);
    expect(all.length).toBeLessThan(60);
    expect(
      result && 'answer' in result ? [result.answer.value, result.answer.raw?.length] : undefined,
    ).toEqual([undefined, 262_144]);
  });
});

describe('sending', () => {
  beforeEach(() => {
    setActivePinia(createPinia());
  });

  it('sends the secret and remembers the rest (else: a password stays in the window)', async () => {
    const client = useFakeClient({
      'operations.call': () => ({ outcome: 'ok', status: { http: 200 }, value: undefined, notes: [] }),
    });
    const store = useConsole();
    await store.call(device, {
      operation: 'storage.rwLock.put',
      params: {},
      body: { enabled: true, passwd: 'abc' },
    });

    expect(client.calls).toEqual([
      {
        name: 'operations.call',
        input: {
          deviceId: 'd1',
          operation: 'storage.rwLock.put',
          params: {},
          body: { enabled: true, passwd: 'abc' },
          trace: true,
        },
      },
    ]);
    expect(JSON.stringify(store.history)).not.toContain('abc');
    expect(store.shown?.sent).toMatchObject({
      operation: 'storage.rwLock.put',
      method: 'PUT',
      body: { enabled: true },
    });
  });

  it('remembers free requests redacted, and failures with their error', async () => {
    useFakeClient({
      'operations.request': () => {
        throw new FieldwrightError({ code: 'timeout', source: 'device', message: 'No answer.' });
      },
    });
    const store = useConsole();
    await store.request(device, {
      method: 'PUT',
      path: '/API/x?token=hunter2',
      body: '<a><password>hunter2</password></a>',
    });

    expect(store.busy).toBe(false);
    expect(store.shown?.result).toMatchObject({ error: { code: 'timeout' } });
    expect(JSON.stringify(store.history)).not.toContain('hunter2');
    store.clear();
    expect([store.history, store.shown]).toEqual([[], undefined]);
  });
});
