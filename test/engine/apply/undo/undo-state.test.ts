/** Values that an undo takes back, and the writes concerned: the pure part of it. */
import { describe, expect, it } from 'vitest';
import type { SettingsDevice, SettingsJob, SettingsUnit } from '#engine/apply/settings-documents.ts';
import { settle } from '#engine/apply/settle.ts';
import { listUndoableSections } from '#engine/apply/undo/undo-plan.ts';
import { computeUndoneState } from '#engine/apply/undo/undo-state.ts';
import { decode, int, json, list, object, text } from '#protocol/index.ts';
import type { UnitOutcome } from '#shared/model.ts';

const PAYLOAD = json(undefined, '1:1', [
  int('a', 'A'),
  int('b', 'B'),
  object('in', 'In', [int('x', 'X'), int('y', 'Y')]),
  list('rows', 'Rows', object('row', 'Row', [text('id', 'Id'), int('x', 'X')])),
]);
const stateOf = (value: unknown) => decode(PAYLOAD, JSON.stringify(value));

describe('taken back', () => {
  const undone = (before: unknown, ours: readonly unknown[], now: unknown) =>
    computeUndoneState(PAYLOAD, { before: stateOf(before), ours: ours.map(stateOf) }, stateOf(now));

  it.each([
    ['as the device showed it after the write', [{ a: 2, z: 1 }], { a: 2, z: 1 }],
    ['as it was sent, though it showed something else first', [{ a: 3 }, { a: 2, z: 1 }], { a: 2, z: 1 }],
  ])('byte for byte where the device still holds our write %s', (_what, ours, now) => {
    expect(undone({ a: 1, z: 1 }, ours, now)).toMatchObject({
      how: 'exactly',
      nothing: false,
      text: JSON.stringify({ a: 1, z: 1 }),
      value: { a: 1 },
      changes: [{ path: 'a', from: 2, to: 1 }],
      conflicts: [],
    });
  });

  it('nothing, where the device holds what was there before', () => {
    expect(undone({ a: 1 }, [{ a: 2 }], { a: 1 })).toMatchObject({
      how: 'exactly',
      nothing: true,
      changes: [],
    });
  });

  // Would catch: the work of a colleague taken back with ours.
  it.each([
    ['what somebody else changed stays', { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 2, b: 5 }, { a: 1, b: 5 }, []],
    ['what we changed and somebody else again is told', { a: 1 }, { a: 2 }, { a: 3 }, { a: 1 }, ['a']],
    [
      'what is as before already is left alone',
      { a: 1, b: 1 },
      { a: 2, b: 2 },
      { a: 1, b: 2, z: 1 },
      { a: 1, b: 1 },
      [],
    ],
    [
      'further in too',
      { in: { x: 1, y: 1 } },
      { in: { x: 2, y: 1 } },
      { in: { x: 2, y: 5 } },
      { in: { x: 1, y: 5 } },
      [],
    ],
    [
      'a conflict further in is told by its path',
      { in: { x: 1, y: 1 } },
      { in: { x: 2, y: 1 } },
      { in: { x: 3, y: 1 } },
      { in: { x: 1, y: 1 } },
      ['in.x'],
    ],
    ['what we added goes', { b: 1 }, { a: 2, b: 1 }, { a: 2, b: 5 }, { b: 5 }, []],
    ['what we removed comes back', { a: 1, b: 1 }, { b: 1 }, { b: 5 }, { a: 1, b: 5 }, []],
    [
      'a group that is gone comes back with our part of it, as a conflict',
      { in: { x: 1 }, b: 1 },
      { in: { x: 2 }, b: 1 },
      { b: 5 },
      { in: { x: 1 }, b: 5 },
      ['in.x'],
    ],
    [
      'a list is one',
      { rows: [{ id: 'a', x: 1 }], b: 1 },
      { rows: [{ id: 'a', x: 2 }], b: 1 },
      { rows: [{ id: 'a', x: 2 }], b: 5 },
      { rows: [{ id: 'a', x: 1 }], b: 5 },
      [],
    ],
  ])('field by field where somebody else changed it: %s', (_what, before, ours, now, value, conflicts) => {
    expect(undone(before, [ours], now)).toMatchObject({ how: 'merged', nothing: false, value, conflicts });
    expect(undone(before, [ours], now).value).toEqual(value);
  });

  it('nothing, where it is as before and nobody knows what was sent', () => {
    expect(undone({ a: 1 }, [], { a: 1, z: 1 })).toMatchObject({
      how: 'merged',
      nothing: true,
      conflicts: [],
    });
  });

  it('nothing, where only others changed it', () => {
    expect(undone({ a: 1, b: 1 }, [{ a: 1, b: 1, z: 1 }], { a: 1, b: 5 })).toMatchObject({
      how: 'merged',
      nothing: true,
      text: JSON.stringify({ a: 1, b: 5 }),
      changes: [],
    });
  });
});

describe('of a job', () => {
  const SET = 'thermal.thermometryBasic';
  const xml = (alarm: number, extra = '') =>
    `<ThermometryBasicParam><alarm>${alarm}</alarm>${extra}</ThermometryBasicParam>`;
  function unit(index: number, outcome: UnitOutcome, extra: Partial<SettingsUnit> = {}): SettingsUnit {
    return {
      key: { index },
      label: `L${index}`,
      outcome,
      detail: { set: SET, params: { channelID: 1 }, changes: [] },
      document: () => undefined,
      documents: () => ({ before: xml(1), sent: xml(2) }),
      attempts: 1,
      hasBefore: true,
      ...extra,
    } as unknown as SettingsUnit;
  }
  const undoableOf = (units: readonly SettingsUnit[], backwards = false) =>
    listUndoableSections(
      { body: { backwards } } as unknown as SettingsJob,
      { url: 'http://d', units } as unknown as SettingsDevice,
    );

  // Would catch: a write with an unknown outcome that an undo leaves on the device.
  it.each([
    ['effective', true],
    ['accepted', true],
    ['needs-reboot', true],
    ['ignored', true],
    ['unknown', true],
    ['refused', false],
    ['failed', false],
    ['blocked', false],
    ['skipped', false],
    ['unchanged', false],
    ['pending', false],
  ] as const)('a section that is %s is taken back: %s', (outcome, expected) => {
    expect(undoableOf([unit(0, outcome)]).length).toBe(expected ? 1 : 0);
  });

  it('one that was never begun is not', () => {
    expect(undoableOf([unit(0, 'unknown', { attempts: 0 })])).toEqual([]);
  });

  it('the last section comes first, and the first where the job was an undo itself', () => {
    const units = [unit(0, 'effective'), unit(1, 'effective')];
    const order = (backwards: boolean) => undoableOf(units, backwards).map(({ stored }) => stored.key.index);

    expect([order(false), order(true)]).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it('tells what comes back, and goes by what was shown before what was sent', () => {
    const [section] = undoableOf([
      unit(3, 'needs-reboot', { documents: () => ({ before: xml(1), sent: xml(2), after: xml(3) }) }),
    ]);

    expect(section).toMatchObject({
      changes: [{ path: 'alarm', from: 3, to: 1 }],
      lost: [],
      // The restored value was there before: it is not clamped, and not left out if the device cannot take
      // it.
      goal: {
        section: { index: 3, set: SET, params: { channelID: 1 }, optional: false, clamp: false },
        waitsForRestart: true,
      },
    });
    expect(section?.goal?.ours.map(({ value }) => value)).toEqual([{ alarm: 3 }, { alarm: 2 }]);
    expect(section).not.toHaveProperty('problem');
  });

  it('a device that still showed the old document may have taken what it was sent', () => {
    const [section] = undoableOf([
      unit(0, 'ignored', { documents: () => ({ before: xml(1), sent: xml(2), after: xml(1) }) }),
    ]);

    expect(section?.goal?.ours.map(({ value }) => value)).toEqual([{ alarm: 2 }]);
    expect(section?.goal?.waitsForRestart).toBe(false);
  });

  it.each([
    ['nothing was kept', { hasBefore: false }, 'state-not-kept'],
    ['what was there before is missing', { documents: () => ({ sent: xml(2) }) }, 'state-not-kept'],
    [
      'the setting is not known any more',
      { detail: { set: 'gone.setting', params: {}, changes: [] } },
      'no-state-to-restore',
    ],
  ])('cannot be taken back where %s, and says so', (_what, extra, id) => {
    const [section] = undoableOf([unit(0, 'effective', extra)]);

    expect(section).toMatchObject({
      changes: [],
      problem: {
        code: 'not-available',
        source: 'app',
        detail: { id },
        device: 'http://d',
        operation: `${section?.stored.detail.set}.put`,
      },
    });
    expect(section).not.toHaveProperty('goal');
  });

  it('tells which secrets it cannot bring back: those the device never shows', () => {
    const LOCK = 'storage.rwLock';
    const changes = [
      { path: 'passwd', label: 'P', sensitive: true },
      { path: 'id', label: 'I' },
    ];
    const lock = (more: string) => `<RWLock><enabled>true</enabled>${more}</RWLock>`;
    const [hidden, empty, shown] = [lock(''), lock('<passwd></passwd>'), lock('<passwd>old</passwd>')].map(
      (before) =>
        undoableOf([
          unit(0, 'effective', {
            detail: { set: LOCK, params: {}, changes },
            documents: () => ({ before, sent: lock('<passwd>hunter22</passwd>') }),
          }),
        ])[0],
    );

    expect([hidden?.lost, empty?.lost, shown?.lost]).toEqual([['passwd'], ['passwd'], []]);
    expect(shown?.secrets).toEqual(['old', 'hunter22']);
  });
});

describe('a write whose fate is open', () => {
  const change = (path: string, from = 1, sensitive = false) => ({
    path,
    label: path,
    from,
    to: 2,
    sensitive,
  });
  const [a, b, secret] = [change('a'), change('b'), change('s', 1, true)];

  it.each([
    ['all of it shows', [a], [], {}, 'arrived'],
    ['the device does not show it', [a], [a], { read: { kind: 'refused' } }, 'hidden'],
    ['nothing of it shows', [a, b], [a, b], {}, 'not-arrived'],
    ['half of it shows, and the rest is as it was', [a, b], [b], {}, 'not-arrived'],
    ['something else shows', [a], [change('a', 7)], {}, 'other'],
    ['something else shows beside it', [a], [a, b], {}, 'other'],
    ['it cannot be written any more', [a], [a], { desired: undefined }, 'other'],
    ['it was a secret alone, and all of it shows', [secret], [], {}, 'arrived'],
    ['what can be seen of it shows, and so tells of its secret', [a, secret], [secret], {}, 'arrived-unseen'],
    ['it was a secret alone', [secret], [secret], {}, 'hidden'],
  ])('%s', (_what, earlier, left, extra, expected) => {
    const now = { read: { kind: 'state' }, desired: {}, plan: { changes: left }, ...extra };

    expect(settle({ changes: earlier }, now as unknown as Parameters<typeof settle>[1])).toBe(expected);
  });
});
