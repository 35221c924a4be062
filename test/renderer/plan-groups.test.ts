import { describe, expect, it } from 'vitest';
import { isApplicable, planGroups, planTotals } from '#renderer/common/jobs/plan/plan-groups.ts';
import { planDevice, planSection } from './samples.ts';

describe('planGroups', () => {
  it('puts what will be written first and what need not be last', () => {
    const devices = [
      planDevice('same', {
        state: 'unchanged',
        group: 1,
        sections: [planSection({ state: 'unchanged', changes: [] })],
      }),
      planDevice('a', { group: 2 }),
      planDevice('b', { group: 2 }),
      planDevice('blocked', { state: 'blocked', group: 3 }),
      planDevice('big', { group: 4 }),
    ];

    const groups = planGroups({ devices });

    expect(groups.map(({ group }) => group)).toEqual([2, 4, 3, 1]);
    expect(groups[0]).toMatchObject({ changes: 1, devices: [{ deviceId: 'a' }, { deviceId: 'b' }] });
  });
});

// Would catch: "4 changes" at devices that get nothing, while the total counts one device, and that one is
// last.
describe('groups that get nothing', () => {
  it('stand below those that are written to and count no change', () => {
    const blocked = planDevice('blocked', {
      state: 'blocked',
      group: 1,
      sections: [planSection({ state: 'blocked' }), planSection({ index: 1, state: 'blocked' })],
    });
    const partly = planDevice('partly', {
      state: 'unsupported',
      group: 2,
      sections: [planSection(), planSection({ index: 1, state: 'unsupported', changes: [] })],
    });

    const groups = planGroups({ devices: [blocked, partly] });

    expect(groups).toMatchObject([
      { group: 2, isApplicable: true, changes: 1 },
      { group: 1, isApplicable: false, changes: 0 },
    ]);
    expect(groups.reduce((sum, { changes, devices }) => sum + changes * devices.length, 0)).toBe(
      planTotals({ devices: [blocked, partly] }).changes,
    );
  });
});

describe('isApplicable', () => {
  const optional = planSection({ index: 1, state: 'unsupported', optional: true, changes: [] });
  const blocked = planSection({ index: 1, state: 'blocked', changes: [] });

  it('lets a device through that only lacks an optional section', () => {
    expect(isApplicable(planDevice('d', { state: 'unsupported', sections: [planSection(), optional] }))).toBe(
      true,
    );
  });
  it('lets through a device of which one section is blocked: the others are written', () => {
    expect(isApplicable(planDevice('d', { state: 'blocked', sections: [planSection(), blocked] }))).toBe(
      true,
    );
    expect(isApplicable(planDevice('d', { state: 'blocked', sections: [blocked] }))).toBe(false);
  });
  it('holds back a device that could not be read', () => {
    expect(isApplicable(planDevice('d', { state: 'failed' }))).toBe(false);
  });
});

describe('planTotals', () => {
  it('says that nothing is to do only where every device is as it should be', () => {
    const same = planDevice('same', {
      state: 'unchanged',
      sections: [planSection({ state: 'unchanged', changes: [] })],
    });

    expect(planTotals({ devices: [same] })).toEqual({ applicable: [], changes: 0, nothingToDo: true });
    expect(
      planTotals({ devices: [same, planDevice('failed', { state: 'failed', sections: [] })] }).nothingToDo,
    ).toBe(false);
    expect(planTotals({ devices: [] }).nothingToDo).toBe(false);
    expect(planTotals({ devices: [same, planDevice('a')] })).toEqual({
      applicable: ['a'],
      changes: 1,
      nothingToDo: false,
    });
  });
});
