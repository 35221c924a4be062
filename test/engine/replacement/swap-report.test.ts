/** Report to the person before a saved state is written to another device: each fact once, none left out. */
import { describe, expect, it } from 'vitest';
import { listSwapItems, createLostItem, listNeverCaptured } from '#engine/replacement/swap-report.ts';
import { createDetail, formatDetail } from '#shared/details.ts';
import { section } from '../planning/pure/documents.ts';

const SET = 'thermal.thermometryBasic';
const value = {
  distance: 3,
  TemperatureSuddenChange: { mode: 'close', alarm: 5 },
  AlarmOutputIOPortList: [{ portID: '1' }],
};
const saved = section(SET, value, { params: { channelID: 2 } });
const head = { set: SET, label: saved.resource.get.label, params: { channelID: 2 } };
const [gone, moved] = [createDetail('not-on-device'), createDetail('device-takes', { min: 1, max: 5 })];

describe('of a section', () => {
  it('that nothing happened to, one line tells it', () => {
    expect(listSwapItems(saved, { value, converted: [], lost: [] })).toEqual({
      kept: [head],
      converted: [],
      lost: [],
    });
  });

  it('that something happened to, each setting is told once, a list as one', () => {
    const { kept, converted, lost } = listSwapItems(saved, {
      value,
      converted: [{ path: 'TemperatureSuddenChange.alarm', from: 9, to: 5, reasons: [gone, moved] }],
      lost: [{ path: 'distance', from: 3, reasons: [gone] }],
    });

    expect(kept.map(({ path, from, to }) => [path, from, to])).toEqual([
      ['AlarmOutputIOPortList', value.AlarmOutputIOPortList, value.AlarmOutputIOPortList],
      ['TemperatureSuddenChange.mode', 'close', 'close'],
    ]);
    expect(converted).toEqual([
      {
        ...head,
        path: 'TemperatureSuddenChange.alarm',
        label: expect.stringContaining(' › ') as string,
        from: 9,
        to: 5,
        reason: `${formatDetail(gone)} ${formatDetail(moved)}`,
        details: [gone, moved],
      },
    ]);
    expect(lost).toEqual([
      { ...head, path: 'distance', label: 'Distance', from: 3, reason: formatDetail(gone), details: [gone] },
    ]);
  });

  it('a setting that is lost in part is not told as kept', () => {
    const { kept } = listSwapItems(saved, {
      value,
      converted: [],
      lost: [{ path: 'AlarmOutputIOPortList[0]', from: {}, reasons: [gone] }],
    });

    expect(kept.map(({ path }) => path)).not.toContain('AlarmOutputIOPortList');
  });

  it('that is lost whole nothing is kept, and its values stand nowhere', () => {
    expect(
      listSwapItems(saved, {
        value: undefined,
        converted: [],
        lost: [{ path: '', from: value, reasons: [gone] }],
      }),
    ).toEqual({
      kept: [],
      converted: [],
      lost: [{ ...head, reason: formatDetail(gone), details: [gone] }],
    });
  });

  it('that could not be read on the other device the reason is its own', () => {
    const error = { code: 'timeout', source: 'device', message: 'too late' } as const;

    expect(createLostItem(saved, error)).toEqual({ ...head, reason: 'too late', error });
  });
});

describe('what was never kept', () => {
  const captured = { set: SET, label: 'L', params: {}, variables: [], left: [] };
  const error = { code: 'timeout', source: 'device', message: 'too late' } as const;

  it.each([
    ['a section that is all secret', { state: 'secret' }, [{ details: [{ id: 'section-needs-secret' }] }]],
    ['a section that could not be read', { state: 'failed', error }, [{ reason: 'too late', error }]],
    [
      'a section that could not be read, nobody knows why',
      { state: 'failed' },
      [{ details: [{ id: 'not-read-then' }] }],
    ],
    [
      'secrets and what was wrong, but nothing that a template cannot set anyway',
      {
        state: 'captured',
        left: [
          { path: 'a', reason: 'secret' },
          { path: 'b', reason: 'read-only' },
          { path: 'c', reason: 'invalid' },
          { path: 'd', reason: 'not-described' },
        ],
      },
      [
        { path: 'a', details: [{ id: 'secret-not-kept' }] },
        { path: 'c', details: [{ id: 'shown-not-allowed' }] },
      ],
    ],
    ['nothing of one that is captured whole', { state: 'captured' }, []],
    ['nothing of one that the device does not have', { state: 'unsupported' }, []],
  ] as const)('%s', (_what, extra, expected) => {
    expect(listNeverCaptured([{ ...captured, ...extra }])).toMatchObject(
      expected.map((item) => ({ set: SET, label: 'L', params: {}, ...item })),
    );
  });
});
