import { describe, expect, it } from 'vitest';
import { formatDetail } from '#shared/details.ts';
import type { DeviceKind } from '#shared/model.ts';
import { nameSelection } from '#shared/selection-name.ts';

const SITES = [
  { id: 's-1', name: 'Plant South' },
  { id: 's-2', name: 'Harbour' },
];
const device = (name: string, siteId?: string, ...kinds: readonly DeviceKind[]) => ({
  name,
  kinds,
  ...(siteId !== undefined && { siteId }),
});
const many = (count: number, siteId?: string, ...kinds: readonly DeviceKind[]) =>
  Array.from({ length: count }, (_none, nth) => device(`D${nth}`, siteId, ...kinds));
const say = (devices: Parameters<typeof nameSelection>[0]): string => {
  const name = nameSelection(devices, SITES);
  return typeof name === 'string' ? name : formatDetail(name);
};

describe('the name of a selection', () => {
  // Would catch: a kind or a site in the name that only the first of the devices has.
  it.each([
    ['nothing', [], '0 devices'],
    ['one device', [device('T01 North gate 1', 's-1', 'thermal')], 'T01 North gate 1'],
    ['two devices', many(2, 's-1', 'gate'), 'D0, D1'],
    ['one kind', many(3, undefined, 'gate'), '3 gates'],
    ['one kind of one site', many(40, 's-1', 'thermal'), '40 thermal of Plant South'],
    [
      'a kind beside another',
      [...many(2, 's-2', 'ai', 'thermal'), ...many(2, 's-2', 'thermal')],
      '4 thermal of Harbour',
    ],
    ['several kinds', [...many(2, 's-1', 'gate'), ...many(1, 's-1', 'ai')], '3 devices of Plant South'],
    ['several sites', [...many(2, 's-1', 'ai'), ...many(2, 's-2', 'ai')], '4 AI devices'],
    [
      'a kind that is not known yet',
      [...many(3, 's-1', 'gate'), device('New', 's-1')],
      '4 devices of Plant South',
    ],
    ['a site that is gone', many(3, 's-9', 'recorder'), '3 recorders'],
  ] as const)('says %s', (_what, devices, name) => {
    expect(say(devices)).toBe(name);
  });
});
