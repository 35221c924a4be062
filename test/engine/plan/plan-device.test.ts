/** Devices of a plan: strongest state, equal results together, drift. */
import { describe, expect, it } from 'vitest';
import { hasDrifted } from '../../../src/engine/plan/drift.ts';
import { groupDevices, strongestState } from '../../../src/engine/plan/plan-device.ts';
import type { PlanDevice, PlanSection } from '../../../src/shared/model.ts';

function section(state: PlanSection['state'], extra: Partial<PlanSection> = {}): PlanSection {
  return {
    index: 0,
    set: 's',
    label: 'S',
    params: {},
    optional: false,
    state,
    changes: [],
    adjustments: [],
    problems: [],
    ...extra,
  };
}
function device(
  deviceId: string,
  sections: readonly PlanSection[],
  extra: Partial<PlanDevice> = {},
): Omit<PlanDevice, 'group'> {
  return {
    deviceId,
    name: deviceId,
    url: `http://${deviceId}`,
    state: strongestState(sections),
    sections,
    values: {},
    ...extra,
  };
}
const change = (to: number, from = 1) => ({ path: 'a', label: 'A', from, to });

describe('the state of a device', () => {
  it.each([
    ['blocked', ['changes', 'blocked', 'adjusted']],
    ['unsupported', ['changes', 'unsupported']],
    ['adjusted', ['changes', 'adjusted', 'unchanged']],
    ['changes', ['unchanged', 'changes']],
    ['unchanged', ['unchanged', 'unchanged']],
  ] as const)('is %s where that is the strongest', (expected, states) => {
    expect(strongestState(states.map((state) => section(state)))).toBe(expected);
  });

  it('does not suffer from a section that is optional', () => {
    expect(strongestState([section('unsupported', { optional: true }), section('unchanged')])).toBe(
      'unchanged',
    );
    expect(strongestState([section('unsupported', { optional: true })])).toBe('unsupported');
  });
});

describe('groups', () => {
  it('hold the devices on which the same would happen', () => {
    const { devices, groups, counts } = groupDevices([
      device('a', [section('changes', { changes: [change(2)], baseline: '1' })]),
      device('b', [section('changes', { changes: [change(3)] })]),
      device('c', [section('changes', { changes: [change(2)], baseline: '2' })]),
      device('d', [], {
        state: 'failed',
        error: { code: 'timeout', source: 'device', message: 'x', device: 'd' },
      }),
      device('e', [], {
        state: 'failed',
        error: { code: 'timeout', source: 'device', message: 'x', device: 'e' },
      }),
    ]);

    expect(devices.map(({ group }) => group)).toEqual([1, 2, 1, 3, 3]);
    expect(groups).toEqual([
      { group: 1, devices: ['a', 'c'], state: 'changes' },
      { group: 2, devices: ['b'], state: 'changes' },
      { group: 3, devices: ['d', 'e'], state: 'failed' },
    ]);
    expect(counts).toMatchObject({ changes: 3, failed: 2, blocked: 0 });
  });
});

describe('drift', () => {
  const planned = section('changes', {
    changes: [change(2), { path: 'b', label: 'B', from: 1, to: 5 }],
    baseline: 'x',
  });

  it.each([
    ['another document with the same changes', { ...planned, baseline: 'y' }, false],
    [
      'a change that was made in the meantime',
      section('changes', { changes: [change(2)], baseline: 'y' }),
      false,
    ],
    ['nothing left to do', section('unchanged', { baseline: 'y' }), false],
    ['another old value', section('changes', { changes: [change(2, 7)], baseline: 'y' }), true],
    [
      'a further change',
      section('changes', { changes: [...planned.changes, { path: 'c', label: 'C', to: 1 }], baseline: 'y' }),
      true,
    ],
    ['a device that blocks now', section('blocked', { changes: planned.changes, baseline: 'y' }), true],
  ])('%s', (_what, now, expected) => {
    expect(hasDrifted(planned, now)).toBe(expected);
  });

  it('a device that needed nothing and now does', () => {
    expect(
      hasDrifted(
        section('unchanged', { baseline: 'x' }),
        section('changes', { changes: [change(2)], baseline: 'y' }),
      ),
    ).toBe(true);
  });

  it('a plan that was edited', () => {
    expect(
      hasDrifted(
        section('changes', { changes: [change(3)], baseline: 'x' }),
        section('changes', { changes: [change(2)], baseline: 'x' }),
      ),
    ).toBe(true);
  });
});
