/** One section against one device: its changes, its obstacles, and the values that stay. */
import { describe, expect, it } from 'vitest';
import { planForOtherKind, planSection } from '#engine/planning/pure/plan-section.ts';
import { BASIC, limits, section, shows } from './documents.ts';

const SET = 'thermal.thermometryBasic';
const plan = (value: unknown, extra = {}, text = BASIC) =>
  planSection(section(SET, value, extra), shows(SET, text), {}, 'http://d');

describe('planning a section', () => {
  it('shows old and new value, and writes only that', () => {
    const planned = plan({ distance: 3 });

    expect(planned.plan).toMatchObject({
      state: 'changes',
      changes: [{ path: 'distance', label: 'Distance', unit: 'm', from: 7, to: 3 }],
      problems: [],
    });
    expect(planned.desired?.text).toBe(BASIC.replace('<distance>007<', '<distance>3<'));
  });

  it.each([
    ['a number in another spelling', { distance: 7, alarm: 37.5, emissivity: 0.95 }],
    ['a number that differs by less than a device can show', { alarm: 37.5000001 }],
    ['nothing', {}],
    ['the removal of what is not there', { alert: null }],
  ])('finds nothing to do for %s', (_what, value) => {
    const planned = plan(value);

    expect(planned.plan).toMatchObject({ state: 'unchanged', changes: [] });
    expect(planned.desired?.text).toBe(BASIC);
  });

  it('removes with null', () => {
    const planned = plan({ alarm: null });

    expect(planned.plan.changes).toMatchObject([{ path: 'alarm', from: 37.5 }]);
    expect(planned.plan.changes[0]).not.toHaveProperty('to');
    expect(planned.desired?.text).not.toContain('alarm>37');
  });

  it('never holds against the template what the device holds already', () => {
    // The device's alarmInterval is 999, beyond the specification's 300.
    expect(plan({ distance: 3 }).plan.state).toBe('changes');
  });

  it('blocks a change that brings two fields into contradiction, and says so', () => {
    const { plan: planned, desired } = plan({ emissivityMode: 'rough' });

    expect(planned).toMatchObject({
      state: 'blocked',
      problems: [
        {
          code: 'not-allowed',
          path: 'emissivity',
          device: 'http://d',
          operation: 'thermal.thermometryBasic.put',
        },
      ],
    });
    expect(desired).toBeUndefined();
  });

  // Would catch: limits that could not be read, without a note to the person who approves the plan.
  it('says that the limits of the device are unknown, where anything would change', () => {
    const unread = { code: 'answer-too-large', source: 'app', message: 'too large' } as const;
    const held = shows(SET, BASIC);

    expect(planSection(section(SET, { distance: 3 }), held, { unread }, 'd').plan.warnings).toEqual([unread]);
    expect(planSection(section(SET, {}), held, {}, 'd').plan.warnings).toBeUndefined();
  });

  it('blocks another wrong value in place of a wrong one', () => {
    expect(plan({ alarmInterval: 998 }).plan).toMatchObject({
      state: 'blocked',
      problems: [{ code: 'out-of-range', path: 'alarmInterval' }],
    });
  });

  it('is unsupported where the device refuses to show it for that reason, blocked where it refuses for another', () => {
    const error = { code: 'not-supported', source: 'app', message: 'no' } as const;

    expect(planSection(section(SET, {}), { kind: 'unsupported', error }, {}, 'd').plan).toMatchObject({
      state: 'unsupported',
      problems: [error],
    });
    expect(planSection(section(SET, {}), { kind: 'refused', error }, {}, 'd').plan).toMatchObject({
      state: 'blocked',
      problems: [error],
    });
  });
});

describe('what a plan says of a section', () => {
  const error = { code: 'not-supported', source: 'app', message: 'no' } as const;
  const named = {
    index: 4,
    set: SET,
    label: section(SET, {}).resource.get.label,
    params: { channel: 2 },
    optional: true,
  };
  const asked = section(SET, { distance: 3 }, { index: 4, params: { channel: 2 }, optional: true });

  it('which one it is, where it could be read and where it could not', () => {
    expect(planSection(asked, shows(SET, BASIC), {}, 'd').plan).toEqual({
      ...named,
      state: 'changes',
      changes: [{ path: 'distance', label: 'Distance', unit: 'm', from: 7, to: 3 }],
      adjustments: [],
      problems: [],
      baseline: '0'.repeat(64),
    });
    expect(planSection(asked, { kind: 'unsupported', error }, {}, 'd').plan).toEqual({
      ...named,
      state: 'unsupported',
      changes: [],
      adjustments: [],
      problems: [error],
    });
  });

  it('that it asks nothing of devices of another kind', () => {
    expect(planForOtherKind(section(SET, {}), ['thermal', 'gate'])).toMatchObject({
      state: 'unsupported',
      optional: true,
      problems: [
        {
          code: 'not-supported',
          source: 'app',
          message: 'The template is for Gate, Thermal; this device is none of them.',
          detail: { id: 'for-other-kinds' },
        },
      ],
    });
  });

  it('what goes with an item that is removed, which the specification does not know', () => {
    const SCHEDULE = 'events.thermometrySchedule';
    const held = shows(
      SCHEDULE,
      '<Schedule><id>1</id><TimeBlockList><TimeBlock><dayOfWeek>1</dayOfWeek><vendor>1</vendor></TimeBlock></TimeBlockList></Schedule>',
    );

    expect(planSection(section(SCHEDULE, { TimeBlockList: [] }), held, {}, 'd').plan.lost).toEqual([
      'TimeBlockList[0].vendor',
    ]);
    expect(planSection(section(SCHEDULE, {}), held, {}, 'd').plan).not.toHaveProperty('lost');
  });

  it('nothing against a secret that is still to be given', () => {
    const LOCK = 'storage.rwLock';
    const held = shows(LOCK, '<RWLock><enabled>false</enabled></RWLock>');
    const plan = (open: readonly string[]) =>
      planSection(section(LOCK, { passwd: 'x'.repeat(99) }, { open: new Set(open) }), held, {}, 'd').plan;

    expect(plan([]).state).toBe('blocked');
    expect(plan(['passwd'])).toMatchObject({ state: 'changes', problems: [] });
  });

  // Would catch: an endless attempt to move a value inside a limit that cannot be, or a number that can be
  // moved but is not.
  it('what clamping moved, where something else cannot be moved', () => {
    expect(plan({ distance: 3, alarmInterval: 400, emissivityMode: 'odd' }, { clamp: true })).toMatchObject({
      patch: { alarmInterval: 300, distance: 3, emissivityMode: 'odd' },
      plan: {
        state: 'blocked',
        adjustments: [{ path: 'alarmInterval', asked: 400, given: 300 }],
        problems: [{ path: 'emissivityMode' }],
      },
    });
  });
});

describe('the limits of a device', () => {
  const MODE = 'thermal.thermometryMode';
  const mode = (value: unknown, report: string) =>
    planSection(
      section(MODE, value),
      shows(MODE, '<ThermometryMode><mode>normal</mode></ThermometryMode>'),
      { constraints: limits(MODE, report) },
      'd',
    ).plan;

  it('narrow those of the specification', () => {
    expect(
      mode({ mode: 'AI' }, '<ThermometryMode><mode opt="normal,expert"/></ThermometryMode>'),
    ).toMatchObject({ state: 'blocked', problems: [{ code: 'not-allowed', path: 'mode' }] });
    expect(mode({ mode: 'AI' }, '<ThermometryMode><mode opt="normal,AI"/></ThermometryMode>').state).toBe(
      'changes',
    );
  });

  it('do not matter where nothing changes', () => {
    expect(mode({ mode: 'normal' }, '<ThermometryMode><mode opt="expert"/></ThermometryMode>').state).toBe(
      'unchanged',
    );
  });

  it('leave a number alone unless the section says clamp', () => {
    const PASSBACK = 'passback.basic';
    const held = shows(
      PASSBACK,
      '<RecordPassBackBasicCfg><beginTime>1</beginTime><endTime>2</endTime><maxTotalConcurrenceNum>200</maxTotalConcurrenceNum><maxDvrConcurrenceNum>4</maxDvrConcurrenceNum></RecordPassBackBasicCfg>',
    );
    const report = limits(
      PASSBACK,
      '<RecordPassBackBasicCfg><maxDvrConcurrenceNum min="2" max="8"/></RecordPassBackBasicCfg>',
    );
    const with_ = (clamp: boolean, value: unknown) =>
      planSection(section(PASSBACK, value, { clamp }), held, { constraints: report }, 'd');

    expect(with_(false, { maxDvrConcurrenceNum: 16 }).plan).toMatchObject({
      state: 'blocked',
      adjustments: [],
    });
    expect(with_(true, { maxDvrConcurrenceNum: 16 })).toMatchObject({
      patch: { maxDvrConcurrenceNum: 8 },
      plan: {
        state: 'adjusted',
        adjustments: [{ path: 'maxDvrConcurrenceNum', asked: 16, given: 8 }],
        changes: [{ from: 4, to: 8 }],
        problems: [],
      },
    });
  });
});

describe('numbers in the unit of the device', () => {
  const FEET = BASIC.replace('<distance>007<', '<distanceUnit>feet</distanceUnit><distance>10<');

  it('a number set alone counts in the unit that the device is set to, and the plan says so', () => {
    expect(plan({ distance: 3 }, {}, FEET).plan.changes).toEqual([
      { path: 'distance', label: 'Distance', unit: 'ft', from: 10, to: 3 },
    ]);
  });

  it('a number set with its unit shows both as they are', () => {
    expect(plan({ distance: 3, distanceUnit: 'meter' }, {}, FEET).plan.changes).toMatchObject([
      { path: 'distanceUnit' },
      { path: 'distance', from: 10, fromUnit: 'ft', to: 3, unit: 'm' },
    ]);
  });

  it('the unit set alone changes what the number means, and the plan says so', () => {
    const { plan: planned, desired } = plan({ distanceUnit: 'meter' }, {}, FEET);

    expect(planned.changes).toMatchObject([
      { path: 'distanceUnit' },
      { path: 'distance', from: 10, fromUnit: 'ft', to: 10, unit: 'm' },
    ]);
    expect(desired?.text).toBe(FEET.replace('feet', 'meter'));
  });
});

describe('secrets', () => {
  const LOCK = 'storage.rwLock';
  const held = shows(LOCK, '<RWLock><enabled>false</enabled></RWLock>');

  it('are masked in the changes', () => {
    const planned = planSection(section(LOCK, { enabled: true, passwd: 'hunter22' }), held, {}, 'd');

    expect(planned.plan.changes.at(-1)).toMatchObject({ path: 'passwd', sensitive: true });
    expect(JSON.stringify(planned.plan)).not.toContain('hunter22');
    expect(planned.desired?.text).toContain('hunter22');
  });

  it('are not quoted when they do not fit', () => {
    const planned = planSection(section(LOCK, { enabled: true, passwd: 'hunter22-hunter22' }), held, {}, 'd');

    expect(planned.plan).toMatchObject({ state: 'blocked', problems: [{ path: 'passwd' }] });
    expect(JSON.stringify(planned.plan)).not.toContain('hunter22');
  });
});

it("a value that only another setting makes wrong is not excused for being the device's own (a corner outside of the plane that a template made smaller)", () => {
  const SET_2 = 'humanRecognition.config';
  const corner = (x: number, y: number) =>
    `<RegionCoordinates><positionX>${x}</positionX><positionY>${y}</positionY></RegionCoordinates>`;
  const held = shows(
    SET_2,
    `<HumanRecognition><id>1</id><normalizedScreenSize><normalizedScreenWidth>1000</normalizedScreenWidth><normalizedScreenHeight>1000</normalizedScreenHeight></normalizedScreenSize><HumanRecognitionRegionList><HumanRecognitionRegion><id>1</id><RegionCoordinatesList>${corner(900, 0)}${corner(10, 0)}${corner(10, 10)}</RegionCoordinatesList></HumanRecognitionRegion></HumanRecognitionRegionList></HumanRecognition>`,
  );
  const planned = planSection(
    section(SET_2, { normalizedScreenSize: { normalizedScreenWidth: 704 } }),
    held,
    {},
    'd',
  ).plan;

  expect(planned).toMatchObject({
    state: 'blocked',
    problems: [
      { code: 'out-of-range', path: 'HumanRecognitionRegionList[0].RegionCoordinatesList[0].positionX' },
    ],
  });
});
