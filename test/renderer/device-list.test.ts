import { describe, expect, it } from 'vitest';
import {
  applyDeviceEvents,
  confirmWord,
  matchesSearch,
  sortDevices,
} from '#renderer/common/devices/device-list.ts';
import { device } from './samples.ts';

describe('applyDeviceEvents', () => {
  it('keeps the place of a device that changes, so that rows do not jump', () => {
    const before = applyDeviceEvents(new Map(), [
      { type: 'all', devices: [device('1'), device('2'), device('3')] },
    ]);

    const after = applyDeviceEvents(before, [
      { type: 'changed', device: device('2', { reach: 'unreachable' }) },
    ]);

    expect([...after.keys()]).toEqual(['1', '2', '3']);
    expect(after.get('2')?.reach).toBe('unreachable');
    expect(before.get('2')?.reach, 'the earlier list is not changed in place').toBe('reachable');
  });

  it('forgets what a whole list after a reconnect does not hold any more', () => {
    const before = applyDeviceEvents(new Map(), [{ type: 'all', devices: [device('1'), device('2')] }]);

    const after = applyDeviceEvents(before, [
      { type: 'changed', device: device('9') },
      { type: 'all', devices: [device('2')] },
      { type: 'removed', id: '7' },
    ]);

    expect([...after.keys()]).toEqual(['2']);
  });
});

describe('matchesSearch', () => {
  const lobby = device('1', {
    name: 'Lobby North',
    url: 'http://10.0.0.7:8080',
    tags: ['Floor 1', '地下室'],
    kinds: ['gate'],
  });

  it.each([
    ['', true],
    ['  ', true],
    ['lobby', true],
    ['10.0.0.7', true],
    ['FLOOR', true],
    ['地下', true],
    ['gate', true],
    ['lobby floor', true],
    ['lobby south', false],
  ])('%j: %s', (search, found) => {
    expect(matchesSearch(lobby, search)).toBe(found);
  });
});

describe('sortDevices', () => {
  it('sorts names as people count: 2 before 10', () => {
    const sorted = sortDevices([device('10'), device('2'), device('1')], { key: 'name', descending: false });

    expect(sorted.map(({ id }) => id)).toEqual(['1', '2', '10']);
  });

  it('leaves equal devices in their order, also descending', () => {
    const devices = [
      device('a', { reach: 'unknown' }),
      device('b', { reach: 'unknown' }),
      device('c', { reach: 'reachable' }),
    ];

    expect(sortDevices(devices, { key: 'state', descending: false }).map(({ id }) => id)).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(sortDevices(devices, { key: 'state', descending: true }).map(({ id }) => id)).toEqual([
      'c',
      'a',
      'b',
    ]);
  });
});

// Would catch: a device without a name, whose data is lost for good without a word typed.
it('asks for the name of a device before something is lost, and for its address where that cannot be typed', () => {
  const url = 'https://10.0.0.7';
  const words = ['Gate 1 ', ' ', 'Gate\u202e1', 'A very long name of a gate in the hall'];

  expect(words.map((name) => confirmWord({ name, url }))).toEqual([
    'Gate 1',
    '10.0.0.7',
    '10.0.0.7',
    '10.0.0.7',
  ]);
});
