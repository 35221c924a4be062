import { describe, expect, it } from 'vitest';
import { validate, listWarnings } from '#protocol/index.ts';
import { operations } from '#protocol/catalogue.ts';
import { operationById, payloadsOf } from './definition-walk.ts';

/** Paths that the rules of an operation's request complain about. */
function complaints(id: string, value: Record<string, unknown>): readonly string[] {
  const { request } = operationById(id);
  return (request?.rules ?? [])
    .filter((rule) => rule.warns !== true && rule.check(value) !== undefined)
    .map((rule) => rule.path);
}

const day = (count: number) =>
  Array.from({ length: count }, (_, hour) => ({
    dayOfWeek: 1,
    TimeRange: { beginTime: `0${hour}:00:00`, endTime: `0${hour}:30:00` },
  }));
const action = (start: string, end: string, days = ['Monday', 'Monday']) => ({
  ScheduleActionStartTime: { DayOfWeek: days[0], TimeOfDay: start },
  ScheduleActionEndTime: { DayOfWeek: days[1], TimeOfDay: end },
});
const urlTask = {
  taskID: 't',
  engine: 1,
  pollingTime: 5,
  Stream: {
    streamType: 'realTime',
    streamSourceType: 'URL',
    StreamSourceList: [{ cameraIndexCode: 'c', URL: { URL: 'rtsp://10.0.0.1/1' } }],
  },
};
const channelTask = { taskID: 't', engine: 1, pollingTime: 5, channel: [1] };

const TASK = 'aiPlatform.picturePollingTasks.create';
const BASIC = 'thermal.thermometryBasic.put';
const SCHEDULE = 'events.thermometrySchedule.put';
const PLAN = 'passback.historyPlan.put';
const USER = 'accessControl.users.setUp';

describe('rules', () => {
  // Catches a rule that lets a contradiction through to the device.
  it.each<[what: string, id: string, value: Record<string, unknown>, path: string]>([
    ['channels and a stream', TASK, { ...urlTask, channel: [1] }, 'Stream'],
    [
      'another emissivity than the mode fixes',
      BASIC,
      { emissivityMode: 'rough', emissivity: 0.95 },
      'emissivity',
    ],
    [
      'several regions for an individual',
      'humanRecognition.config.put',
      { analysisParam: { analysisMode: 'individualBehavior', maxRegionNum: 2 } },
      'analysisParam.maxRegionNum',
    ],
    [
      'a second region for an individual',
      'humanRecognition.config.put',
      {
        analysisParam: { analysisMode: 'individualBehavior' },
        HumanRecognitionRegionList: [{ id: '1' }, { id: '2' }],
      },
      'HumanRecognitionRegionList',
    ],
    [
      'a key that is not base64',
      'token.secretKey.set',
      { tokenAuthenticateEnable: true, keyInfo: { key: 'not base64!' } },
      'keyInfo.key',
    ],
    [
      'a fingerprint that is not base64',
      'accessControl.fingerprints.setUp',
      { fingerData: 'AAA' },
      'fingerData',
    ],
    [
      'local time with an offset',
      USER,
      {
        Valid: {
          enable: true,
          timeType: 'local',
          beginTime: '2030-01-01T00:00:00Z',
          endTime: '2030-12-31T00:00:00',
        },
      },
      'Valid.beginTime',
    ],
    [
      'UTC time without an offset',
      USER,
      {
        Valid: {
          enable: true,
          timeType: 'UTC',
          beginTime: '2030-01-01T00:00:00Z',
          endTime: '2030-12-31T00:00:00',
        },
      },
      'Valid.endTime',
    ],
    [
      'validity beyond 2037',
      USER,
      { Valid: { enable: true, beginTime: '2030-01-01T00:00:00', endTime: '2038-01-01T00:00:00' } },
      'Valid.endTime',
    ],
    [
      'validity before 1970',
      'accessControl.users.record',
      { Valid: { enable: true, beginTime: '1969-12-31T23:59:59', endTime: '2030-01-01T00:00:00' } },
      'Valid.beginTime',
    ],
  ])('refuse %s', (_what, id, value, path) => {
    expect(complaints(id, value)).toEqual([path]);
  });

  // Catches values that the specification does not forbid being refused, or not being reported.
  it.each<[what: string, id: string, value: Record<string, unknown>, path: string]>([
    ['neither channels nor a stream', TASK, { taskID: 't', engine: 1, pollingTime: 5 }, 'channel'],
    [
      'an empty stream address',
      TASK,
      {
        ...urlTask,
        Stream: { ...urlTask.Stream, StreamSourceList: [{ cameraIndexCode: 'c', URL: { URL: '' } }] },
      },
      'Stream.StreamSourceList',
    ],
    [
      'a recording that ends first',
      TASK,
      {
        ...urlTask,
        Stream: {
          ...urlTask.Stream,
          streamType: 'historyVideo',
          StreamSourceList: [
            {
              cameraIndexCode: 'c',
              URL: { URL: 'a' },
              RecordTime: { startTime: '2030-01-02T00:00:00Z', endTime: '2030-01-01T00:00:00Z' },
            },
          ],
        },
      },
      'Stream.StreamSourceList',
    ],
    [
      'a task period that ends first',
      TASK,
      { ...channelTask, TimeRange: [{ week: 1, beginTime: '18:00', endTime: '08:00' }] },
      'TimeRange',
    ],
    [
      'colors with the low above the high',
      BASIC,
      { TemperatureColor: { lowTemperature: 50, highTemperature: 40 } },
      'TemperatureColor.lowTemperature',
    ],
    [
      'an interval upside down',
      BASIC,
      {
        NormalTemperatureIntervalMeasurement: {
          TemperatureIntervalList: [{ minTemperature: 20.5, maxTemperature: 20.4 }],
        },
      },
      'NormalTemperatureIntervalMeasurement.TemperatureIntervalList',
    ],
    [
      'thresholds upside down',
      'accessControl.hostConfig.put',
      { lowestThermalThreshold: 37.4, highestThermalThreshold: 35 },
      'lowestThermalThreshold',
    ],
    [
      'Fahrenheit thresholds upside down',
      'accessControl.hostConfig.put',
      { lowestThermalThresholdF: 99.3, highestThermalThresholdF: 95 },
      'lowestThermalThresholdF',
    ],
    [
      'an arming period that ends first',
      SCHEDULE,
      { TimeBlockList: [{ dayOfWeek: 1, TimeRange: { beginTime: '18:00:00', endTime: '08:00:00' } }] },
      'TimeBlockList',
    ],
    [
      'an arming period without length',
      SCHEDULE,
      { TimeBlockList: [{ dayOfWeek: 1, TimeRange: { beginTime: '08:00:00', endTime: '08:00:00' } }] },
      'TimeBlockList',
    ],
    [
      'a holiday period that ends first',
      SCHEDULE,
      { HolidayBlockList: [{ TimeRange: { beginTime: '18:00:00', endTime: '08:00:00' } }] },
      'HolidayBlockList',
    ],
    [
      'a passback period that ends first',
      PLAN,
      { ScheduleActionList: [action('10:00:00+08:00', '09:00:00+08:00')] },
      'ScheduleActionList',
    ],
    [
      'validity that ends first',
      USER,
      { Valid: { enable: true, beginTime: '2031-01-01T00:00:00', endTime: '2030-01-01T00:00:00' } },
      'Valid.endTime',
    ],
    [
      'nine task periods on one day',
      TASK,
      {
        ...channelTask,
        TimeRange: day(9).map(({ TimeRange }, index) => ({
          week: 2,
          beginTime: TimeRange.beginTime.slice(0, 5),
          endTime: `0${index}:30`,
        })),
      },
      'TimeRange',
    ],
    [
      'nine arming periods on one day where nothing is reported',
      SCHEDULE,
      { TimeBlockList: day(9) },
      'TimeBlockList',
    ],
    [
      'a corner beyond the usual plane',
      'peopleCounting.shield.put',
      {
        RegionList: [
          {
            id: '1',
            enabled: true,
            RegionCoordinatesList: [
              { positionX: 1001, positionY: 0 },
              { positionX: 0, positionY: 0 },
              { positionX: 0, positionY: 9 },
            ],
          },
        ],
      },
      'RegionList[0].RegionCoordinatesList[0].positionX',
    ],
  ])('warn of %s, and refuse it not', (_what, id, value, path) => {
    const { request } = operationById(id);

    const warnings = request === undefined ? [] : listWarnings(request, value);

    expect(warnings.map((warning) => `${warning.code} ${warning.path}`)).toEqual([`unusual ${path}`]);
    expect(request === undefined ? [] : validate(request, value, { mode: 'patch' })).toEqual([]);
  });

  it.each<[what: string, id: string, value: Record<string, unknown>]>([
    [
      'a reversed validity that counts for nothing',
      USER,
      { Valid: { enable: false, beginTime: '2031-01-01T00:00:00', endTime: '2030-01-01T00:00:00' } },
    ],
    [
      'a lower end that its type does not use',
      BASIC,
      { TemperatureColor: { type: 'highTemperature', lowTemperature: 50, highTemperature: 40 } },
    ],
    [
      'an unused Fahrenheit threshold',
      'accessControl.hostConfig.put',
      { lowestThermalThresholdF: 95, highestThermalThresholdF: 0 },
    ],
    ['eight periods', SCHEDULE, { TimeBlockList: day(8) }],
  ])('say nothing of %s', (_what, id, value) => {
    const { request } = operationById(id);

    expect(request === undefined ? undefined : listWarnings(request, value)).toEqual([]);
  });

  // Catches a rule that refuses what the specification allows.
  it.each<[what: string, id: string, value: Record<string, unknown>]>([
    ['a task with a stream', TASK, urlTask],
    ['a task with channels', TASK, channelTask],
    ['an update of the polling time alone', 'aiPlatform.picturePollingTasks.update', { pollingTime: 10 }],
    [
      '24:00 as the end of a task period',
      TASK,
      { ...channelTask, TimeRange: [{ week: 7, beginTime: '00:00', endTime: '24:00' }] },
    ],
    ['the emissivity that the mode fixes', BASIC, { emissivityMode: 'rough', emissivity: 0.8 }],
    ['a mode without an emissivity', BASIC, { emissivityMode: 'smooth' }],
    [
      'an emissivity of its own with custom settings',
      BASIC,
      { emissivityMode: 'customsettings', emissivity: 0.42 },
    ],
    ['an emissivity without a mode', BASIC, { emissivity: 0.42 }],
    [
      'an unknown mode that is called like an inherited property',
      BASIC,
      { emissivityMode: 'constructor', emissivity: 0.5 },
    ],
    [
      'equal thresholds',
      'accessControl.hostConfig.put',
      { lowestThermalThreshold: 36, highestThermalThreshold: 36 },
    ],
    [
      'an unused Fahrenheit threshold',
      'accessControl.hostConfig.put',
      { lowestThermalThresholdF: 95, highestThermalThresholdF: 0 },
    ],
    [
      '24:00:00 as the end of an arming period',
      SCHEDULE,
      { TimeBlockList: [{ dayOfWeek: 1, TimeRange: { beginTime: '00:00:00', endTime: '24:00:00' } }] },
    ],
    [
      'an unused arming period',
      SCHEDULE,
      { TimeBlockList: [{ dayOfWeek: 1, TimeRange: { beginTime: '00:00:00', endTime: '00:00:00' } }] },
    ],
    ['eight arming periods on one day', SCHEDULE, { TimeBlockList: day(8) }],
    [
      'nine holiday blocks, which have no day',
      SCHEDULE,
      { HolidayBlockList: day(9).map(({ TimeRange }) => ({ TimeRange })) },
    ],
    [
      'a passback period past midnight',
      PLAN,
      { ScheduleActionList: [action('22:00:00+08:00', '06:00:00+08:00', ['Sunday', 'Monday'])] },
    ],
    [
      'one region for an individual',
      'humanRecognition.config.put',
      {
        analysisParam: {
          analysisMode: 'individualBehavior',
          analysisControl: 'non-auto',
          maxRegionNum: 1,
          timeInterval: 5,
        },
      },
    ],
    [
      'several regions for a group',
      'humanRecognition.config.put',
      { analysisParam: { analysisMode: 'groupBehavior', maxRegionNum: 8, timeInterval: 5 } },
    ],
    [
      'a key of any bytes in base64',
      'token.secretKey.set',
      { tokenAuthenticateEnable: true, keyInfo: { key: 'AAH/gA==' } },
    ],
    [
      'local validity',
      USER,
      {
        Valid: {
          enable: true,
          timeType: 'local',
          beginTime: '1970-01-01T00:00:00',
          endTime: '2037-12-31T23:59:59',
        },
      },
    ],
    [
      'UTC validity',
      USER,
      {
        Valid: {
          enable: true,
          timeType: 'UTC',
          beginTime: '2030-01-01T00:00:00+08:00',
          endTime: '2030-12-31T23:59:59Z',
        },
      },
    ],
  ])('accept %s', (_what, id, value) => {
    expect(complaints(id, value)).toEqual([]);
  });

  // Catches a rule that throws on a value whose fields have any type: rules see input before it is known to be sound.
  it.each<[what: string, garbage: unknown]>([
    ['null', null],
    ['text', 'x'],
    ['a number', -1],
    ['an empty list', []],
    ['a list of null', [null]],
    ['a nested list', [[[]]]],
    ['an object', { a: 1, length: 3 }],
    ['true', true],
  ])('never throw on %s', (_what, garbage) => {
    for (const payload of payloadsOf(operations)) {
      const value = Object.fromEntries(payload.fields.map((field) => [field.name, garbage]));
      for (const rule of payload.rules ?? [])
        expect(() => rule.check(value), `${payload.root} ${rule.path}`).not.toThrow();
    }
  });
});
