import { describe, expect, it } from 'vitest';
import { collectConstraints, decode, validate, listWarnings, type Constraints } from '#protocol/index.ts';
import { createDetail } from '#shared/details.ts';
import { convertTimesToUtc } from '#protocol/utc.ts';
import { operationById } from './definition-walk.ts';
import { float, int, list, object, when, xml } from './words.ts';

const REGIONS = 'humanRecognition.regions.put';
const corners = (x: number, y = 1) => [
  { positionX: x, positionY: y },
  { positionX: 0, positionY: 0 },
  { positionX: 0, positionY: 1 },
];
const regions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index + 1), RegionCoordinatesList: corners(1) }));
const shield = (x: number, y = 1) => ({
  enabled: true,
  RegionList: [{ id: '1', enabled: true, RegionCoordinatesList: corners(x, y) }],
});
const day = (count: number) =>
  Array.from({ length: count }, () => ({
    dayOfWeek: 1,
    TimeRange: { beginTime: '00:00:00', endTime: '01:00:00' },
  }));
const plan = (count: number) => ({
  enable: true,
  ScheduleActionList: Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    ScheduleActionStartTime: { DayOfWeek: 'Monday', TimeOfDay: '08:00:00Z' },
  })),
});

/**
 * Returns the limits of a write in a device's document: in the twin's form, or as the write's own definition
 * takes it from another document.
 */
function reportedIn(id: string, xml: string): Constraints {
  const { capability, reported } = operationById(id);
  const by = operationById(reported?.by ?? capability ?? '');
  if (by.response === undefined) throw new Error(`${by.id} answers nothing.`);
  const found = collectConstraints(by.response, decode(by.response, xml).document);
  return reported === undefined ? found : reported.limits(found);
}

function issues(id: string, value: unknown, constraints?: Constraints): readonly string[] {
  const { request } = operationById(id);
  if (request === undefined) throw new Error(`${id} takes nothing.`);
  return validate(request, value, { mode: 'whole', ...(constraints && { constraints }) }).map(
    ({ code, path }) => `${code} ${path}`,
  );
}

const plane = (width: number, height: number) =>
  `<normalizedScreenSize><normalizedScreenWidth>${width}</normalizedScreenWidth><normalizedScreenHeight>${height}</normalizedScreenHeight></normalizedScreenSize>`;

describe('limits that a device reports', () => {
  it('a list of regions takes eight, and has the capability of the configuration as its twin', () => {
    const { capability } = operationById(REGIONS);

    expect(issues(REGIONS, regions(8))).toEqual([]);
    expect(issues(REGIONS, regions(9))).toEqual(['out-of-range ']);
    expect(capability).toBe('humanRecognition.capabilities.get');
  });

  it('the twin narrows regions by its own paths', () => {
    const { request, capability } = operationById(REGIONS);
    const { response } = operationById(capability ?? '');
    const text =
      '<HumanRecognition><HumanRecognitionRegionList size="2"><HumanRecognitionRegion><regionName min="1" max="3"/></HumanRecognitionRegion></HumanRecognitionRegionList></HumanRecognition>';
    const constraints =
      response === undefined ? new Map() : collectConstraints(response, decode(response, text).document);

    const found =
      request === undefined
        ? []
        : [regions(3), [{ id: '1', regionName: 'long' }]].map((value) =>
            validate(request, value, { mode: 'whole', constraints }).map(
              ({ code, path }) => `${code} ${path}`,
            ),
          );

    expect(found).toEqual([['out-of-range '], ['too-long [0].regionName']]);
  });

  it('individual behavior in the configuration leaves room for one region', () => {
    const individual = reportedIn(
      REGIONS,
      '<HumanRecognition><analysisParam><analysisMode>individualBehavior</analysisMode></analysisParam></HumanRecognition>',
    );
    const group = reportedIn(
      REGIONS,
      '<HumanRecognition><analysisParam><analysisMode>groupBehavior</analysisMode></analysisParam></HumanRecognition>',
    );

    expect([
      issues(REGIONS, regions(1), individual),
      issues(REGIONS, regions(2), individual),
      issues(REGIONS, regions(2), group),
    ]).toEqual([[], ['out-of-range '], []]);
  });

  it.each([
    [704, 576],
    [1920, 1080],
  ])('corners end where the plane of %i by %i does', (width, height) => {
    const constraints = reportedIn('peopleCounting.shield.put', `<Shield>${plane(width, height)}</Shield>`);
    const place = 'RegionList[0].RegionCoordinatesList[0]';

    expect(issues('peopleCounting.shield.put', shield(width, height), constraints)).toEqual([]);
    expect(issues('peopleCounting.shield.put', shield(width + 1, height), constraints)).toEqual([
      `out-of-range ${place}.positionX`,
    ]);
    expect(issues('peopleCounting.shield.put', shield(width, height + 1), constraints)).toEqual([
      `out-of-range ${place}.positionY`,
    ]);
  });

  it('a device that says nothing about its plane has the usual one', () => {
    const silent = reportedIn('peopleCounting.shield.put', '<Shield><enabled>true</enabled></Shield>');

    expect([
      issues('peopleCounting.shield.put', shield(1000), silent),
      issues('peopleCounting.shield.put', shield(1001), silent),
    ]).toEqual([[], ['out-of-range RegionList[0].RegionCoordinatesList[0].positionX']]);
  });

  it('a configuration that carries its plane is limited by it', () => {
    const config = (x: number) => ({
      id: '1',
      normalizedScreenSize: { normalizedScreenWidth: 500, normalizedScreenHeight: 500 },
      InterPupileRegion: { positionX: x, positionY: 0, width: 10, height: 10 },
    });

    expect([
      issues('humanRecognition.config.put', config(500)),
      issues('humanRecognition.config.put', config(501)),
    ]).toEqual([[], ['out-of-range InterPupileRegion.positionX']]);
  });

  it.each([
    [4, [4, 5]],
    [12, [12, 13]],
  ] as const)('a schedule whose size is %i takes so many periods a day', (size, [fits, tooMany]) => {
    const constraints = reportedIn(
      'events.thermometrySchedule.put',
      `<Schedule><TimeBlockList size="${size}"/></Schedule>`,
    );
    const schedule = (count: number) => ({ id: 'thermometry-1', TimeBlockList: day(count) });
    const { request } = operationById('events.thermometrySchedule.put');

    expect([
      issues('events.thermometrySchedule.put', schedule(fits), constraints),
      issues('events.thermometrySchedule.put', schedule(tooMany), constraints),
    ]).toEqual([[], ['not-allowed TimeBlockList']]);
    expect(request === undefined ? undefined : listWarnings(request, schedule(fits), constraints)).toEqual(
      [],
    );
  });

  it('a passback plan takes as many periods a day as the capability says, and never more than eight', () => {
    const reported = (most: number) =>
      reportedIn(
        'passback.historyPlan.put',
        `<RecordPassBackHistoryPlanCfg><maxSchedulePeriodOfDay min="1" max="8">${most}</maxSchedulePeriodOfDay></RecordPassBackHistoryPlanCfg>`,
      );

    expect([3, 4].map((count) => issues('passback.historyPlan.put', plan(count), reported(3)))).toEqual([
      [],
      ['not-allowed ScheduleActionList'],
    ]);
    expect([8, 9].map((count) => issues('passback.historyPlan.put', plan(count), reported(16)))).toEqual([
      [],
      ['not-allowed ScheduleActionList'],
    ]);
    expect([8, 9].map((count) => issues('passback.historyPlan.put', plan(count)))).toEqual([
      [],
      ['not-allowed ScheduleActionList'],
    ]);
  });
});

// Would catch: an unseen warning, at the wrong place, or for a value that is as usual.
it('warnings tell what is unusual, and where', () => {
  const fields = [
    int('top', 'Top'),
    int('x', 'X', { max: 5, maxAt: 'top' }),
    float('y', 'Y', { max: 5, maxAt: 'top' }),
    int('z', 'Z', { max: 5 }),
    when('datetime', 'at', 'At', { utc: true }),
    when('datetime', 'local', 'Local'),
    list('Week', 'Week', object('Day', 'Day', [int('d', 'D'), when('datetime', 'at', 'At', { utc: true })]), {
      perDay: { day: 'd', most: 1, usual: true },
    }),
    list('Strict', 'Strict', object('Day', 'Day', [int('d', 'D')]), { perDay: { day: 'd', most: 1 } }),
  ];
  const rule = (warns: boolean) => ({
    path: 'z',
    spec: '1:1',
    warns,
    check: () => createDetail('read.null', { field: `${warns}` }),
  });
  const payload = xml('Root', '1:1', fields, { rules: [rule(true), rule(false)] });
  const week = [{ d: 1, at: '2030-01-01T08:00:00+08:00' }, { d: 1 }];
  const told = (value: unknown, reported?: Constraints) =>
    listWarnings(payload, value, reported).map(({ code, path, detail }) => [code, path, detail?.id]);

  expect(
    told({
      x: 6,
      y: 5.5,
      z: 6,
      at: '2030-01-01T08:00:00+08:00',
      local: '2030-01-01T08:00:00+08:00',
      Week: week,
      Strict: [{ d: 1 }, { d: 1 }],
    }),
  ).toEqual([
    ['unusual', 'z', 'read.null'],
    ['unusual', 'x', 'above-usual'],
    ['unusual', 'y', 'above-usual'],
    ['unusual', 'at', 'sent-as-utc'],
    ['unusual', 'Week', 'too-many-a-day'],
    ['unusual', 'Week[0].at', 'sent-as-utc'],
  ]);
  expect(told({ x: 5, y: '6', Week: [{ d: 1 }, { d: 2 }], at: '2030-01-01T08:00:00Z' })).toEqual([
    ['unusual', 'z', 'read.null'],
  ]);
  expect(told({ x: 6, top: 9, Week: 1 }, new Map())).toEqual([['unusual', 'z', 'read.null']]);
  expect(told({ x: 6 }, new Map([['other', { state: 'reported' }]]))).toEqual([
    ['unusual', 'z', 'read.null'],
  ]);
  expect([told(5), told(null)]).toEqual([[], []]);
});

it.each([
  ['2030-01-01T08:00:00+08:00', '2030-01-01T00:00:00Z'],
  ['2030-01-01T00:00:00.250-01:30', '2030-01-01T01:30:00.250Z'],
  ['2030-01-01T08:00:00Z', undefined],
  ['2030-01-01T08:00:00', undefined],
  ['x2030-01-01T08:00:00+08:00', undefined],
  ['2030-13-01T08:00:00+08:00', undefined],
  [5, undefined],
])('%s goes out in UTC as %s where a time is UTC, and as it is elsewhere', (value, out) => {
  const at = when('datetime', 'at', 'At', { utc: true });
  const payload = xml('Root', '1:1', [at, list('L', 'L', at), when('datetime', 'local', 'Local')]);

  expect(convertTimesToUtc(payload, { at: value, L: [value], local: value })).toEqual({
    at: out ?? value,
    L: [out ?? value],
    local: value,
  });
});
