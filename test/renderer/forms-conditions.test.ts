import { describe, expect, it } from 'vitest';
import {
  getControllerPath,
  findField,
  findUnmetCondition,
  findOperation,
  narrow,
  type Constraints,
  type Field,
  type Payload,
} from '#protocol/index.ts';
import { findIssues } from '#renderer/common/forms/model/complaints.ts';
import { getFieldLimits, readNumber } from '#renderer/common/forms/model/limits.ts';

function payloadOf(id: string): Payload {
  return findOperation(id)?.request as Payload;
}
function field(payload: Payload, path: string): Field {
  return findField(payload, path) as Field;
}
const human = payloadOf('humanRecognition.config.put');
const task = payloadOf('aiPlatform.picturePollingTasks.create');
const plan = payloadOf('passback.historyPlan.put');

describe('conditions', () => {
  it.each([
    [human, 'analysisParam.captureInterval', { analysisParam: { analysisMode: 'groupBehavior' } }, true],
    [human, 'analysisParam.captureInterval', { analysisParam: { analysisMode: 'normal' } }, false],
    [human, 'analysisParam.captureInterval', { analysisParam: {} }, false],
    [
      plan,
      'ScheduleActionList[1].InquestParam',
      { ScheduleActionList: [{ eventType: 'inquest' }, { eventType: 'VMD' }] },
      false,
    ],
    [plan, 'ScheduleActionList[0].InquestParam', { ScheduleActionList: [{ eventType: 'inquest' }] }, true],
    // Absent counts as live video, in which arming periods mean something.
    [task, 'TimeRange', {}, true],
    [task, 'TimeRange', { Stream: { streamType: 'historyVideo' } }, false],
    [
      task,
      'Stream.StreamSourceList[0].URL',
      { Stream: { streamSourceType: 'URL', StreamSourceList: [{}] } },
      true,
    ],
  ])('%#: %o %s', (payload, path, root, counts) => {
    expect(findUnmetCondition(field(payload, path), path, root) === undefined).toBe(counts);
  });

  it('name the field that decides as seen from the root', () => {
    const inquest = field(plan, 'ScheduleActionList[1].InquestParam');
    const [condition] = inquest.when ?? [];

    expect(condition && getControllerPath(condition, 'ScheduleActionList[1].InquestParam')).toBe(
      'ScheduleActionList[1].eventType',
    );
  });
});

describe('limits', () => {
  const constraints: Constraints = new Map([
    ['pollingTime', { state: 'reported', min: 10, max: 86_400 }],
    ['engine', { state: 'reported', options: ['1', '2'] }],
  ]);

  it('of the device stand beside those of the specification, which both hold', () => {
    const limits = getFieldLimits(field(task, 'pollingTime'), 'pollingTime', constraints);

    expect(limits.specified).toEqual({ kind: 'value', min: 1, max: 65_535 });
    expect(limits.device).toEqual({ kind: 'value', min: 10, max: 65_535 });
  });

  it('turn a number with options into a choice, and say where nothing is left', () => {
    const nothing: Constraints = new Map([['pollingTime', { state: 'reported', min: 70_000 }]]);

    expect(getFieldLimits(field(task, 'engine'), 'engine', constraints).field.kind).toBe('choice');
    expect(getFieldLimits(field(task, 'pollingTime'), 'pollingTime', nothing).nothingLeft).toBe(true);
    expect(narrow(field(task, 'engine'), 'engine', constraints).kind).toBe('choice');
  });

  it.each([
    ['1,5', 1.5],
    [' 7 ', 7],
    ['', undefined],
    ['7x', '7x'],
    ['1e3', '1e3'],
    ['-', '-'],
    ['.5', 0.5],
  ])('a typed %s is read as %o', (typed, value) => {
    expect(readNumber(typed)).toBe(value);
  });
});

describe('complaints', () => {
  const basic = payloadOf('thermal.thermometryBasic.put');
  const odd = { id: 1, enabled: true, emissivity: 0.95, emissivityMode: 'rougher', alarmInterval: 9000 };

  it('are about what was changed, never about what the device holds itself', () => {
    expect([
      ...findIssues({ payload: basic, original: odd, edited: { ...odd, distance: 3 } }).keys(),
    ]).toEqual([]);
    expect([
      ...findIssues({ payload: basic, original: odd, edited: { ...odd, emissivity: 7 } }).keys(),
    ]).toContain('emissivity');
    expect([...findIssues({ payload: basic, original: odd, edited: odd }).keys()]).toEqual([]);
  });

  it('hear rules between fields although the device holds something odd elsewhere', () => {
    expect(
      findIssues({ payload: basic, original: odd, edited: { ...odd, emissivity: 0.5 } }).size,
    ).toBeGreaterThan(0);
  });

  it('want a secret with the first change where every write needs it', () => {
    const lock = payloadOf('storage.rwLock.put');

    expect([
      ...findIssues({ payload: lock, original: { enabled: false }, edited: { enabled: true } }).keys(),
    ]).toEqual(['passwd']);
    expect([
      ...findIssues({
        payload: lock,
        original: { enabled: false },
        edited: { enabled: true, passwd: 'abc' },
      }).keys(),
    ]).toEqual([]);
  });

  it('judge a request whole, and text where a number is due', () => {
    const found = findIssues({
      payload: task,
      original: undefined,
      edited: { taskID: 'a', pollingTime: 'soon', channel: [1] },
    });

    expect(found.get('engine')?.code).toBe('missing-field');
    expect(found.get('pollingTime')?.code).toBe('wrong-type');
  });
});
