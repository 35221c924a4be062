import { describe, expect, it } from 'vitest';
import { operations } from '#protocol/index.ts';
import { DEVICE_KINDS, type DeviceKind } from '#shared/model.ts';
import { ask, site } from './helpers.ts';

/** The command line's contract, "The virtual site", as beginnings of operation ids. */
const AREAS: Readonly<Record<DeviceKind, readonly string[]>> = {
  gate: ['accessControl.', 'gate.'],
  thermal: ['thermal.', 'events.thermometry', 'events.temperature', 'storage.'],
  ai: ['aiPlatform.', 'humanRecognition.', 'storage.'],
  counter: ['peopleCounting.', 'storage.'],
  recorder: [
    'passback.',
    'events.hdBadBlock',
    'events.severeHdFailure',
    'events.storageSchedule',
    'storage.',
  ],
};
const EVERY_KIND = ['system.', 'token.'];

const VALUES: Readonly<Record<string, string>> = {
  channelID: '1',
  engineID: '1',
  MPID: 'delivered-safety-helmet',
  taskID: 'task',
  localControllerID: '1',
  audioID: '1',
  presetID: '1',
  streamID: 'main',
  type: 'all',
};

function has(kind: DeviceKind, id: string): boolean {
  return [...EVERY_KIND, ...AREAS[kind]].some((beginning) => id.startsWith(beginning));
}

describe('kinds', () => {
  it('know all 104 operations between them', () => {
    const nowhere = operations.filter((operation) => !DEVICE_KINDS.some((kind) => has(kind, operation.id)));

    expect(operations).toHaveLength(104);
    expect(nowhere).toEqual([]);
  });

  it.each(DEVICE_KINDS)('%s answers its own areas and refuses all others with notSupport', async (kind) => {
    const started = await site({ kinds: [kind] });
    const wrong: string[] = [];

    for (const operation of operations) {
      const path = operation.path.replace(/<(\w+)>/g, (_, name: string) =>
        encodeURIComponent(VALUES[name] ?? ''),
      );
      const reply = await ask(
        started,
        operation.method,
        path,
        operation.method === 'PUT' || operation.method === 'POST' ? '' : undefined,
      );
      const refused = /subStatusCode(>|": ")notSupport/.test(reply.text);
      const json = operation.format === 'json';
      const family = json ? reply.text.startsWith('{') : reply.text.startsWith('<?xml');
      // the body of this one is not specified: the answer says so
      const expected = has(kind, operation.id) && operation.id !== 'token.check';
      if (
        refused === expected ||
        !family ||
        (refused && reply.http !== 403 && operation.id !== 'token.check')
      )
        wrong.push(`${operation.id} ${reply.http}`);
      if (expected && operation.method === 'GET' && reply.http !== 200)
        wrong.push(`${operation.id} ${reply.http}`);
    }

    expect(wrong).toEqual([]);
  });
});

it('dual is a thermal camera whose only thermal channel is 2, and its report names no channels', async () => {
  const started = await site({ kinds: ['thermal'], models: ['dual'] });
  const basic = (channel: number) =>
    ask(started, 'GET', `/API/Thermal/channels/${channel}/thermometry/basicParam`);

  const [first, second, third] = [await basic(1), await basic(2), await basic(3)];
  const report = await ask(started, 'GET', '/API/System/capabilities?type=all');

  expect([first.http, second.http, third.http]).toEqual([404, 200, 404]);
  expect(first.text).toContain('notExist');
  expect(report.text).not.toContain('supportImageChannel');
});
