/** Devices of a plan: strongest state, equal results together, drift. */
import { describe, expect, it } from 'vitest';
import { hasDrifted } from '#engine/planning/pure/drift.ts';
import { groupDevices, getStrongestState } from '#engine/planning/pure/plan-device.ts';
import type { PlanDevice, PlanSection } from '#shared/model.ts';

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
    state: getStrongestState(sections),
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
    ['blocked', ['unsupported', 'blocked']],
    ['unchanged', []],
  ] as const)('is %s where that is the strongest', (expected, states) => {
    expect(getStrongestState(states.map((state) => section(state)))).toBe(expected);
  });

  it('does not suffer from a section that is optional', () => {
    expect(getStrongestState([section('unsupported', { optional: true }), section('unchanged')])).toBe(
      'unchanged',
    );
    expect(getStrongestState([section('unsupported', { optional: true })])).toBe('unsupported');
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

// Would catch: devices shown as one, of which the person reads the reasons of the first alone.
describe('devices are told apart', () => {
  const error = (code: 'timeout' | 'not-supported', message = 'm') =>
    ({ code, source: 'device', message }) as const;
  const problem = { ...error('timeout'), path: 'a' };
  const planned = (extra: Partial<PlanSection>) => device('x', [section('changes', extra)]);
  const groupsOf = (...devices: Omit<PlanDevice, 'group'>[]) =>
    groupDevices(devices).devices.map(({ group }) => group);

  it.each([
    ['by what is lost', planned({ lost: ['a'] }), planned({})],
    ['by their problems', planned({ problems: [problem] }), planned({})],
    [
      'by the code of a problem',
      planned({ problems: [problem] }),
      planned({ problems: [{ ...problem, code: 'not-supported' }] }),
    ],
    [
      'by the place of a problem',
      planned({ problems: [problem] }),
      planned({ problems: [{ ...problem, path: 'b' }] }),
    ],
    [
      'by the words of a problem',
      planned({ problems: [problem] }),
      planned({ problems: [{ ...problem, message: 'n' }] }),
    ],
    ['by their warnings', planned({ warnings: [problem] }), planned({})],
    [
      'by why they failed',
      device('x', [], { state: 'failed', error: error('timeout') }),
      device('x', [], { state: 'failed', error: error('not-supported') }),
    ],
    [
      'by the words of why they failed',
      device('x', [], { state: 'failed', error: error('timeout') }),
      device('x', [], { state: 'failed', error: error('timeout', 'n') }),
    ],
  ])('%s', (_what, one, other) => {
    expect(groupsOf(one, other)).toEqual([1, 2]);
  });

  it('not by what says nothing', () => {
    expect(groupsOf(planned({}), planned({ lost: [], warnings: [] }))).toEqual([1, 1]);
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
    [
      'a device that blocks now by what it allows',
      section('blocked', { changes: planned.changes, baseline: 'x' }),
      true,
    ],
    ['a device that does not know the setting now', section('unsupported'), true],
    [
      'less to do on the same document, as after another state',
      section('adjusted', { changes: [change(2)], baseline: 'x' }),
      false,
    ],
    [
      'the same, with its members in another order',
      {
        ...planned,
        changes: planned.changes.map(({ path, label, from, to }) => ({ to, from, label, path })),
      },
      false,
    ],
    ['less to do than was confirmed, on the same document', { ...planned, changes: [change(2)] }, true],
    ['more that is lost', { ...planned, baseline: 'y', lost: ['extra'] }, true],
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

  it.each([
    ['what was confirmed is lost', ['a', 'b'], ['b'], false],
    ['one that was not confirmed is lost too', ['a'], ['a', 'b'], true],
    ['nothing is lost any more', ['a'], undefined, false],
  ])('%s', (_what, confirmed, lost, expected) => {
    expect(
      hasDrifted(
        { ...planned, lost: confirmed },
        { ...planned, baseline: 'y', ...(lost !== undefined && { lost }) },
      ),
    ).toBe(expected);
  });

  it('blocked and unsupported are both out of reach', () => {
    expect(hasDrifted(section('unsupported', { baseline: 'x' }), section('blocked', { baseline: 'y' }))).toBe(
      false,
    );
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
