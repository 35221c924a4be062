/** Results that a gate's flow computes from readings: counters, beams, fire, modes, parts, the drawing. */
import { describe, expect, it } from 'vitest';
import { getBeamResults, addBeamReading, NO_BEAMS } from '#engine/flow/gate/beam-walk.ts';
import {
  parseCounters,
  createTally,
  getPassesPerMinute,
  passVerdict,
  tallyWith,
} from '#shared/gate-counters.ts';
import { buildGateDrawing, locateFault } from '#engine/flow/gate/drawing.ts';
import { findGateFaults } from '#engine/flow/gate/faults.ts';
import { releaseWith } from '#engine/flow/gate/fire.ts';
import { checkModes } from '#engine/flow/gate/modes.ts';
import { createPresenceCheck } from '#engine/flow/common/read-if-any.ts';
import { checkParts } from '#engine/flow/gate/parts.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { parseIds, formatRanges } from '#engine/flow/gate/readings.ts';

const TOP = 0xffffffff;

function counters(entered: number, left: number, authentications = 1000) {
  return {
    inDoorPassCount: entered,
    outDoorPassCount: left,
    inDoorAuthCount: authentications,
    outDoorAuthCount: authentications,
  };
}

function tallied(...readings: readonly ReturnType<typeof counters>[]) {
  const [first = counters(0, 0), ...others] = readings;
  return others.reduce(tallyWith, createTally(first));
}

describe('counters', () => {
  // Would catch: a rate that is counted from the reading before the counter began again.
  it('gives the passages a minute, also past the end of the counter', () => {
    const rates = getPassesPerMinute(tallied(counters(TOP - 1, 5), counters(2, 8)), 30_000);

    expect(rates).toEqual({ in: 8, out: 6 });
    expect(getPassesPerMinute(tallied(counters(1, 1)), 0)).toEqual({ in: 0, out: 0 });
  });

  it.each([
    ['go on', [counters(10, 5), counters(13, 5)], { entered: 3, left: 0, wraps: 0, restarts: 0 }],
    ['stand still', [counters(10, 5), counters(10, 5)], { entered: 0, left: 0, wraps: 0, restarts: 0 }],
    ['wrap', [counters(TOP - 1, 5), counters(2, 5)], { entered: 4, left: 0, wraps: 1, restarts: 0 }],
    [
      'wrap from the last value',
      [counters(TOP, 5), counters(0, 5)],
      { entered: 1, left: 0, wraps: 1, restarts: 0 },
    ],
    [
      'begin at 0 after a restart',
      [counters(90_000, 70_000), counters(0, 0, 0)],
      { entered: 0, left: 0, wraps: 0, restarts: 1 },
    ],
    [
      'count on after a restart',
      [counters(90_000, 70_000), counters(90_002, 70_000), counters(1, 0, 1), counters(3, 0, 3)],
      { entered: 5, left: 0, wraps: 0, restarts: 1 },
    ],
    [
      // One of them alone looks like a wrap: the others tell that it is none.
      'restart next to where one would wrap',
      [counters(TOP, 70_000), counters(0, 0, 0)],
      { entered: 0, left: 0, wraps: 0, restarts: 1 },
    ],
    ['leap', [counters(10, 5), counters(TOP, 5)], { entered: 0, left: 5, wraps: 0, restarts: 1 }],
  ])('that %s', (_name, readings, expected) => {
    const { counted, wraps, restarts } = tallied(...readings);

    expect({ entered: counted.inDoorPassCount, left: counted.outDoorPassCount, wraps, restarts }).toEqual(
      expected,
    );
  });

  it.each([-1, 0.5, TOP + 1, Number.NaN, undefined])('are none where one is %s', (bad) => {
    expect(parseCounters({ ...counters(1, 2), inDoorAuthCount: bad as number })).toBeUndefined();
    expect(parseCounters(counters(TOP, 0))).toEqual(counters(TOP, 0));
  });

  it.each([
    ['in', counters(13, 5), 'right'],
    ['out', counters(10, 8), 'right'],
    ['in', counters(10, 8), 'swapped'],
    ['out', counters(13, 5), 'swapped'],
    ['in', counters(12, 5), 'wrong'],
    ['in', counters(14, 5), 'wrong'],
    ['in', counters(13, 6), 'wrong'],
    ['in', counters(10, 5), 'wrong'],
    ['in', counters(2, 0, 0), 'restarted'],
  ] as const)('of three passes %s', (direction, after, verdict) => {
    expect(passVerdict(direction, 3, tallied(counters(10, 5), after))).toBe(verdict);
  });
});

describe('beams', () => {
  const walked = (...readings: readonly (readonly number[])[]) => readings.reduce(addBeamReading, NO_BEAMS);

  it('pass once they were interrupted and clear after that', () => {
    const tally = walked([], [1], [1, 2], [2], []);

    expect(getBeamResults([1, 2], tally, [])).toEqual({ passed: [1, 2], untested: [], stuck: [] });
  });

  it('are untested when nobody saw them interrupted, or not clear again', () => {
    const tally = walked([1], [3]);

    expect(getBeamResults([1, 2, 3], tally, [])).toEqual({ passed: [1], untested: [2, 3], stuck: [] });
  });

  it('are stuck when they stay interrupted, also after they had passed', () => {
    const tally = walked([1, 2], [2], [1, 2]);

    expect(getBeamResults([1, 2], tally, [1, 2])).toEqual({ passed: [], untested: [], stuck: [1, 2] });
  });

  it('make no new tally where nothing is new: nothing is written then', () => {
    const tally = walked([1], []);

    expect(addBeamReading(tally, [1])).toBe(tally);
  });
});

describe('lists of numbers', () => {
  it.each([
    ['3,48', [3, 48]],
    [' 48 , 3,3 ', [3, 48]],
    ['', []],
    [undefined, []],
    ['0,49,-1,1.5,x,<b>', []],
  ])('of %s', (text, expected) => {
    expect(parseIds(text, 48)).toEqual(expected);
  });

  it('are told in runs', () => {
    expect(formatRanges([1, 2, 3, 7, 9, 10])).toBe('1–3, 7, 9–10');
    expect(formatRanges([])).toBe('');
  });
});

// Would catch: a gate that is open anyway, or an alarm that was there before, taken for a release.
// Would catch: a fault that is shown beside another part than the one that has it.
it.each([
  [{ path: 'SlaveChannelController.motorSensor' }, 'slave'],
  [{ path: 'MasterChannelController.lampBoardCommFailed', ids: [2, 4] }, 'master'],
  [{ path: 'IREmitter.triggeredTimeout', ids: [24, 48] }, 'master'],
  [{ path: 'slaveIRAdaptorCommFailed', ids: [2] }, 'slave'],
])('%j stands on a mark that the drawing shows as bad', (fault, side) => {
  const { ids = [], path } = fault as { readonly path: string; readonly ids?: readonly number[] };
  const [first = '', name = ''] = path.split('.');
  const text = ids.join(',');
  const reading = name === '' ? text : { [name]: name === 'motorSensor' ? 'Abnormal' : text };
  const model = path.includes('IR') ? { infrared: { [first]: reading } } : { parts: { [first]: reading } };
  const places = locateFault({ operation: '', ...fault });
  const marks = buildGateDrawing(model).shapes.filter((shape) => 'state' in shape && shape.state === 'bad');

  expect(places.length).toBe(Math.max(1, ids.length));
  for (const { x, y } of places) {
    expect(y > 180 ? 'slave' : 'master').toBe(side);
    const isOn = (shape: (typeof marks)[number]): boolean =>
      shape.shape === 'rect'
        ? x > shape.x && x < shape.x + shape.width && y > shape.y && y < shape.y + shape.height
        : shape.shape === 'circle' && shape.x === x && shape.y === y;
    expect(marks.some(isOn)).toBe(true);
  }
});

it('takes a release for proved only after the gate stood closed without an alarm', () => {
  const see = (...states: readonly (readonly [fire: boolean, open: boolean | undefined])[]) =>
    states.reduce((release, [fire, open], at) => releaseWith(release, { fire, open }, at), {});

  expect(see([true, true], [true, true])).toEqual({});
  expect(see([false, true], [true, true])).toEqual({});
  expect(see([false, false], [false, true])).toEqual({ idle: true });
  expect(see([false, false], [true, false], [true, false], [true, true])).toEqual({
    idle: true,
    alarmAt: 1,
    openAt: 3,
  });
  expect(see([false, undefined], [true, undefined])).toEqual({ idle: true, alarmAt: 1 });
});

it('compares with the dial only where the dial decides', () => {
  const reading = { wanted: 'Controlled', current: 'Controlled', dial: 'Free' } as const;
  const failed = (isDialled: boolean) =>
    checkModes('in', { ...reading, isDialled }).filter(({ check }) => check.result === 'failed').length;

  expect(failed(true)).toBe(1);
  expect(failed(false)).toBe(0);
});

const READINGS = {
  status: { gateCurrentStatus: 'Close', currentInDoorMode: 'Controlled', caseTempUnit: 'Fahrenheit' },
  infrared: { IREmitter: { triggered: '4,5', receiveBoardAbnormal: '7' }, slaveIRAdaptorCommFailed: '2' },
  parts: {
    MasterChannelController: { motorSensor: 'Normal', fireInput: 'Normal', caseTemp: 88.7 },
    SlaveChannelController: { motorSensor: 'Abnormal', lampBoardCommFailed: '1,2', fireInput: 'Alarm' },
  },
  dial: {},
} as const;

it('names the parts that the gate says are not well', () => {
  const failed = checkParts(READINGS).filter(({ check }) => check.result === 'failed');

  expect(failed.map(({ check }) => check.reason)).toEqual([
    { id: 'flow-gate-slave-bad', values: { parts: 'motorSensor; lampBoardCommFailed 1–2' } },
    { id: 'flow-gate-boards-bad', values: { parts: 'receiveBoardAbnormal 7; slaveIRAdaptorCommFailed 2' } },
    { id: 'flow-gate-fire-on' },
  ]);
});

// Would catch: a gate that tells nothing of a part, on record as one whose part is well.
it('calls nothing well, and nothing bad, of which the gate tells nothing', () => {
  const results = [
    ...checkParts({ status: {}, infrared: {}, parts: {}, dial: {} }),
    ...checkModes('in', { wanted: 'Free', current: undefined, dial: 'Free', isDialled: true }),
  ].map(({ check }) => check.result);

  expect(new Set(results)).toEqual(new Set(['skipped']));
});

// Would catch: one answer that was lost, taken for a gate that is off.
it('takes a gate for away by more than one lost answer', async () => {
  const answers = [1, 'connection-lost', 2, 'timeout', 'unreachable', 3, 'connection-refused'] as const;
  let at = 0;
  const presence = (): ReturnType<typeof createPresenceCheck<number>> => {
    const look = createPresenceCheck(() => {
      const answer = answers[at] ?? 0;
      at += 1;
      if (typeof answer === 'number') return Promise.resolve(answer);
      return Promise.reject(new FieldwrightError({ code: answer, source: 'device', message: '' }));
    });
    return look;
  };
  const look = presence();
  const seen: unknown[] = [];
  for (let nth = 0; nth < 5; nth += 1) seen.push((await look()).isAway);

  expect(seen).toEqual([false, false, false, false, true]);
  // A refused connection is no lost answer: nothing listens there.
  at = 6;
  expect((await presence()()).isAway).toBe(true);
});

describe('the drawing', () => {
  const statesOf = (model: Parameters<typeof buildGateDrawing>[0]) =>
    buildGateDrawing(model)
      .shapes.filter(({ shape }) => shape === 'circle')
      .map((shape) => ('state' in shape ? shape.state : undefined));

  it('shows each beam as it is', () => {
    const states = statesOf({ ...READINGS, fitted: [1, 2, 3, 4, 5, 6, 7], tested: [1, 4] });

    expect(states.slice(0, 8)).toEqual([
      'good',
      'plain',
      'plain',
      'warning',
      'warning',
      'plain',
      'bad',
      'off',
    ]);
    expect(states).toHaveLength(48);
  });

  it('says in its twin what it shows, with the unit that the gate names', () => {
    const twin = JSON.stringify(buildGateDrawing(READINGS).twin);

    expect(twin).toContain('"number":88.7,"decimals":1,"unit":"°F"');
    expect(twin).toContain('"4,5"');
    expect(buildGateDrawing({}).twin).toHaveLength(1);
  });
});

// Would catch: a part that is struck out in the drawing and in no list, or a good gate with a fault.
describe('faults in words', () => {
  it('are the fields that say them, with the numbers of their parts', () => {
    const faults = findGateFaults({
      status: { busSync: 'BusCommFailed', powerSupplyMode: 'Battery', remoteControlRecvModule: 'NotFitted' },
      dial: { workMode: 'Debug' },
      parts: {
        SlaveChannelController: { dropArm: 'Abnormal', fireInput: 'Alarm', lampBoardCommFailed: '2,9' },
      },
      infrared: {
        IREmitter: { triggeredTimeout: '7', sendBoardAbnormal: '1,2' },
        slaveIRAdaptorCommFailed: '',
      },
    });

    expect(faults.map(({ path, ids }) => [path, ids])).toEqual([
      ['busSync', undefined],
      ['powerSupplyMode', undefined],
      ['workMode', undefined],
      ['SlaveChannelController.dropArm', undefined],
      ['SlaveChannelController.lampBoardCommFailed', [2]],
      ['SlaveChannelController.fireInput', undefined],
      ['IREmitter.triggeredTimeout', [7]],
      ['IREmitter.sendBoardAbnormal', [1, 2]],
    ]);
  });

  it('are none where all is well, or nothing is said', () => {
    const well = { busSync: 'Normal', powerSupplyMode: 'ACPower', remoteControlRecvModule: 'Normal' };

    expect(findGateFaults({ status: well, dial: { workMode: 'Normal' }, parts: {}, infrared: {} })).toEqual(
      [],
    );
    expect(findGateFaults({})).toEqual([]);
  });
});
