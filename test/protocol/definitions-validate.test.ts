import { describe, expect, it } from 'vitest';
import { findOperation } from '#protocol/catalogue.ts';
import { decode, encode } from '#protocol/codec/document.ts';
import { validate } from '#protocol/validate.ts';

/** `code path` of every complaint about a body that is about to be written. */
function issues(id: string, value: unknown, mode: 'whole' | 'patch' = 'whole'): readonly string[] {
  const request = findOperation(id)?.request;
  if (request === undefined) throw new Error(`${id} has no request`);
  return validate(request, value, { mode }).map((issue) => `${issue.code} ${issue.path}`);
}

const source = (extra: object) => ({
  taskID: 'lobby',
  engine: 1,
  pollingTime: 5,
  Stream: {
    streamType: 'realTime',
    streamSourceType: 'URL',
    StreamSourceList: [{ cameraIndexCode: 'c1', ...extra }],
  },
});

describe('sound values', () => {
  // Catches limits, conditions or rules that refuse what the specification shows as right.
  it.each<[id: string, value: unknown]>([
    [
      'aiPlatform.models.create',
      {
        MPID: 'a/b ü',
        engine: [1, 2],
        URL: 'https://10.0.0.1/m.zip',
        description: [{ any: ['thing', 1] }],
        algSortingParams: { deep: { er: null } },
      },
    ],
    [
      'aiPlatform.picturePollingTasks.create',
      source({
        URL: { URLMode: 'DAC', URL: 'rtsp://10.0.0.9/1', userName: 'u', password: 'p' },
        TargetAttrs: {},
      }),
    ],
    [
      'aiPlatform.picturePollingTasks.update',
      {
        pollingTime: 65_535,
        EventTrigger: [],
        TimeRange: [{ week: 7, beginTime: '00:00', endTime: '24:00' }],
      },
    ],
    [
      'accessControl.eventTotal.query',
      { major: 5, minor: 0, startTime: '2030-01-31T00:00:00Z', endTime: '2030-02-01', employeeNoString: '7' },
    ],
    [
      'accessControl.users.setUp',
      {
        employeeNo: '42',
        name: '李雷',
        userType: 'normal',
        doorRight: '1,2',
        belongGroup: '1,3',
        RightPlan: [{ doorNo: 1, planTemplateNo: '1,2' }],
        Valid: {
          enable: true,
          timeType: 'local',
          beginTime: '2030-01-01T00:00:00',
          endTime: '2037-12-31T23:59:59',
        },
        userVerifyMode: 'faceOrfaceAndCard',
        callNumbers: ['1-1-1-401'],
        floorNumbers: [1, 2],
      },
    ],
    [
      'accessControl.users.record',
      {
        employeeNo: '42',
        userType: 'visitor',
        Valid: { enable: true, beginTime: '2030-01-01T00:00:00+08:00', endTime: '2031-01-01T00:00:00+08:00' },
      },
    ],
    [
      'accessControl.fingerprints.setUp',
      {
        employeeNo: '42',
        enableCardReader: [1, 2],
        fingerPrintID: 10,
        fingerType: 'normalFP',
        fingerData: 'AAAA',
        leaderFP: [1],
      },
    ],
    [
      'accessControl.hostConfig.put',
      {
        remoteCheckDoorEnabled: true,
        checkChannelType: 'PrivateSDK',
        channelIp: '10.0.0.2',
        thermalUnit: 'fahrenheit',
        highestThermalThresholdF: 99.5,
        lowestThermalThresholdF: 0,
      },
    ],
    [
      'accessControl.localController.put',
      {
        localControllerID: 64,
        devName: 'East',
        devType: '2doors',
        offlineWorkMode: 'autoLearn',
        networkEnable: true,
        ipAddress: '10.0.0.3',
        DefaultGateway: { ipAddress: '10.0.0.1' },
        portNo: 8000,
      },
    ],
    [
      'peopleCounting.shield.put',
      {
        enabled: true,
        RegionList: [
          {
            id: '1',
            enabled: false,
            RegionCoordinatesList: [
              { positionX: 0, positionY: 0 },
              { positionX: 1000, positionY: 0 },
              { positionX: 0, positionY: 1000 },
            ],
          },
        ],
      },
    ],
    [
      'events.thermometrySchedule.put',
      {
        id: 'thermometry-1',
        TimeBlockList: [{ dayOfWeek: 1, TimeRange: { beginTime: '08:00:00', endTime: '24:00:00' } }],
        HolidayBlockList: [],
      },
    ],
    [
      'events.thermometryPresetTrigger.put',
      {
        id: 'thermometry-1',
        eventType: 'thermometry',
        EventTriggerNotificationList: [
          {
            id: 'ptz-1',
            notificationMethod: 'ptz',
            notificationRecurrence: 'beginningandend',
            ptzAction: { ptzChannelID: '1', actionName: 'patrol', actionNum: 3 },
            presetID: 4,
          },
          { id: 'light', notificationMethod: 'whiteLight', WhiteLightAction: { whiteLightDurationTime: 60 } },
        ],
      },
    ],
    [
      'passback.historyPlan.put',
      {
        enable: true,
        ScheduleActionList: [
          {
            id: 56,
            ScheduleActionStartTime: { DayOfWeek: 'Sunday', TimeOfDay: '00:00:00+08:00' },
            ScheduleActionEndTime: { DayOfWeek: 'Sunday', TimeOfDay: '24:00:00+08:00' },
            eventType: 'alarmIn',
            AlarmInParam: { alarmInIDList: [1, 2] },
          },
        ],
      },
    ],
    [
      'token.secretKey.set',
      {
        tokenAuthenticateEnable: true,
        authenticateMode: 'shareKey',
        keyInfo: { key: 'AAH/gA==' },
        digesType: 'sha256',
        iterationTimes: 100_000,
        encryptAlgorithmType: 'AES',
        keyLen: 256,
        encryptAlgorithmMode: 'CBC',
        encryptAlgorithmFill: 'yes',
      },
    ],
    [
      'humanRecognition.config.put',
      {
        id: '1',
        analysisParam: { analysisMode: 'groupBehavior', captureInterval: 12, timeInterval: 60 },
        InterPupileRegion: { positionX: 0, positionY: 0, width: 1000, height: 1000 },
      },
    ],
    [
      'humanRecognition.regions.put',
      [{ id: '1', regionName: 'Entrance', enabled: true, LineCoordinatesList: [] }],
    ],
    [
      'thermal.thermometryBasic.put',
      {
        emissivityMode: 'customsettings',
        emissivity: 0.95,
        distance: 2,
        temperatureRange: '100-550',
        TemperatureColor: { type: 'rangeTemperature', lowTemperature: -273, highTemperature: 10_000 },
      },
    ],
    ['thermal.thermometryMode.put', { mode: 'AI', thermometryROIEnabled: true }],
  ])('%s takes its value, and the wire gives it back', (id, value) => {
    const { request } = findOperation(id) ?? {};

    expect(issues(id, value)).toEqual([]);
    expect(request && decode(request, encode(request, value)).value).toEqual(value);
  });
});

// Would catch: an address demanded where the specification says only when it is valid (part 1, 2.8).
it('a stream source needs no address', () => {
  expect(issues('aiPlatform.picturePollingTasks.create', source({}))).toEqual([]);
});

describe('unsound values', () => {
  // Catches a condition, limit or name that the definitions leave out.
  it.each<[what: string, id: string, value: unknown, complaint: string]>([
    [
      'a stream address without its text',
      'aiPlatform.picturePollingTasks.create',
      source({ URL: {} }),
      'missing-field Stream.StreamSourceList[0].URL.URL',
    ],
    [
      'a monitoring point beside a stream address',
      'aiPlatform.picturePollingTasks.create',
      source({ URL: { URL: 'rtsp://a' }, Camera: {} }),
      'condition-not-met Stream.StreamSourceList[0].Camera',
    ],
    [
      'a device id with the private protocol',
      'aiPlatform.picturePollingTasks.create',
      {
        ...source({ Camera: { StreamingViaDeviceID: {} } }),
        Stream: {
          streamType: 'realTime',
          streamSourceType: 'Camera',
          StreamSourceList: [{ cameraIndexCode: 'c', Camera: { StreamingViaDeviceID: {} } }],
        },
      },
      'condition-not-met Stream.StreamSourceList[0].Camera.StreamingViaDeviceID',
    ],
    [
      'a recorded time of a live stream',
      'aiPlatform.picturePollingTasks.create',
      source({
        URL: { URL: 'rtsp://a' },
        RecordTime: { startTime: '2030-01-01T00:00:00Z', endTime: '2030-01-02T00:00:00Z' },
      }),
      'condition-not-met Stream.StreamSourceList[0].RecordTime',
    ],
    [
      'an update with the task id',
      'aiPlatform.picturePollingTasks.update',
      { taskID: 't', pollingTime: 5 },
      'unknown-field taskID',
    ],
    [
      'a polling time that only the capability allows',
      'aiPlatform.picturePollingTasks.update',
      { pollingTime: 86_400 },
      'out-of-range pollingTime',
    ],
    [
      'an address of another channel type',
      'accessControl.hostConfig.put',
      { remoteCheckDoorEnabled: true, checkChannelType: 'ISUP', channelIp: '10.0.0.2' },
      'condition-not-met channelIp',
    ],
    [
      'a channel type without remote verification',
      'accessControl.hostConfig.put',
      { checkChannelType: 'ISUP' },
      'condition-not-met checkChannelType',
    ],
    [
      'a mode that only devices return',
      'accessControl.users.setUp',
      { employeeNo: '1', userType: 'normal', userVerifyMode: 'faceOrPw' },
      'not-allowed userVerifyMode',
    ],
    [
      'doors that are no numbers',
      'accessControl.users.setUp',
      { employeeNo: '1', userType: 'normal', doorRight: '1;2' },
      'not-allowed doorRight',
    ],
    [
      'a person without a number',
      'accessControl.users.setUp',
      { employeeNo: '', userType: 'normal' },
      'out-of-range employeeNo',
    ],
    [
      'a fingerprint for no reader',
      'accessControl.fingerprints.setUp',
      { employeeNo: '1', enableCardReader: [], fingerPrintID: 1, fingerType: 'normalFP' },
      'out-of-range enableCardReader',
    ],
    [
      'a day that no calendar has',
      'accessControl.eventTotal.query',
      { major: 0, minor: 0, startTime: '2030-02-30' },
      'not-allowed startTime',
    ],
    [
      'a token key that is missing',
      'token.secretKey.set',
      { tokenAuthenticateEnable: true },
      'missing-field keyInfo',
    ],
    [
      'a polygon of two points',
      'peopleCounting.shield.put',
      {
        enabled: true,
        RegionList: [
          {
            id: '1',
            enabled: true,
            RegionCoordinatesList: [
              { positionX: 1, positionY: 1 },
              { positionX: 2, positionY: 2 },
            ],
          },
        ],
      },
      'out-of-range RegionList[0].RegionCoordinatesList',
    ],
    [
      'a lock password of 11 characters',
      'storage.rwLock.put',
      { enabled: true, passwd: '12345678901' },
      'too-long passwd',
    ],
    [
      'a day name where a number is due',
      'events.thermometrySchedule.put',
      { id: 'thermometry-1', TimeBlockList: [{ dayOfWeek: 'Monday' }] },
      'not-allowed TimeBlockList[0].dayOfWeek',
    ],
    [
      'a day number where a name is due',
      'passback.historyPlan.put',
      { enable: true, ScheduleActionList: [{ ScheduleActionStartTime: { DayOfWeek: 1 } }] },
      'not-allowed ScheduleActionList[0].ScheduleActionStartTime.DayOfWeek',
    ],
    [
      'a PTZ action of another linkage',
      'events.hdBadBlockTrigger.put',
      {
        id: 'x',
        eventType: 'hdBadBlock',
        EventTriggerNotificationList: [
          { id: 'b', notificationMethod: 'beep', ptzAction: { ptzChannelID: '1', actionName: 'preset' } },
        ],
      },
      'condition-not-met EventTriggerNotificationList[0].ptzAction',
    ],
    [
      'rooms of another event',
      'passback.historyPlan.put',
      { enable: true, ScheduleActionList: [{ eventType: 'VMD', InquestParam: { roomID: 1 } }] },
      'condition-not-met ScheduleActionList[0].InquestParam',
    ],
    [
      'a key while tokens are off',
      'token.secretKey.set',
      { tokenAuthenticateEnable: false, keyInfo: { key: 'AAAA' } },
      'condition-not-met keyInfo',
    ],
    [
      'a key object without its key',
      'token.secretKey.set',
      { tokenAuthenticateEnable: true, keyInfo: {} },
      'missing-field keyInfo.key',
    ],
    [
      'a capture interval outside group mode',
      'humanRecognition.config.put',
      { id: '1', analysisParam: { captureInterval: 12 } },
      'condition-not-met analysisParam.captureInterval',
    ],
    [
      'a time interval where an absent control means automatic',
      'humanRecognition.config.put',
      { id: '1', analysisParam: { analysisMode: 'individualBehavior', timeInterval: 5 } },
      'condition-not-met analysisParam.timeInterval',
    ],
    [
      'a time interval with automatic control',
      'humanRecognition.config.put',
      {
        id: '1',
        analysisParam: { analysisMode: 'individualBehavior', analysisControl: 'auto', timeInterval: 5 },
      },
      'condition-not-met analysisParam.timeInterval',
    ],
    [
      'a passback time without its offset',
      'passback.historyPlan.put',
      { enable: true, ScheduleActionList: [{ ScheduleActionStartTime: { TimeOfDay: '08:00:00' } }] },
      'not-allowed ScheduleActionList[0].ScheduleActionStartTime.TimeOfDay',
    ],
    [
      'a schedule id of another event type',
      'events.thermometrySchedule.put',
      { id: 'temperature-1', TimeBlockList: [] },
      'not-allowed id',
    ],
    [
      'a schedule id without its channel',
      'events.storageSchedule.put',
      { id: 'storageDetections', TimeBlockList: [] },
      'not-allowed id',
    ],
    [
      'a description that is a list of texts',
      'aiPlatform.models.create',
      { MPID: 'm', description: ['text'] },
      'wrong-type description[0]',
    ],
    [
      'sorting parameters that are a text',
      'aiPlatform.models.update',
      { MPID: 'm', algSortingParams: 'text' },
      'wrong-type algSortingParams',
    ],
    [
      'sorting parameters that are a list',
      'aiPlatform.models.update',
      { MPID: 'm', algSortingParams: [] },
      'wrong-type algSortingParams',
    ],
    [
      'a cruise capture of a group',
      'humanRecognition.config.put',
      { id: '1', analysisParam: { analysisMode: 'groupBehavior', cruiseLinkageCapture: true } },
      'condition-not-met analysisParam.cruiseLinkageCapture',
    ],
    [
      'an emissivity above one',
      'thermal.thermometryBasic.put',
      { emissivity: 1.01 },
      'out-of-range emissivity',
    ],
    [
      'five temperature intervals',
      'thermal.thermometryBasic.put',
      { NormalTemperatureIntervalMeasurement: { TemperatureIntervalList: [{}, {}, {}, {}, {}] } },
      'out-of-range NormalTemperatureIntervalMeasurement.TemperatureIntervalList',
    ],
    [
      'rule colors without intervals',
      'thermal.thermometryBasic.put',
      { alarmMode: 'alarm_alert', NormalRulesColor: { R: 1 } },
      'condition-not-met NormalRulesColor',
    ],
  ])('refuse %s', (_what, id, value, complaint) => {
    expect(issues(id, value)).toEqual([complaint]);
  });

  // Catches a template that cannot set one field because a rule asks for others.
  it.each<[id: string, value: unknown]>([
    ['thermal.thermometryBasic.put', { emissivity: 0.42 }],
    ['accessControl.hostConfig.put', { channelIp: '10.0.0.2' }],
    ['accessControl.hostConfig.put', { lowestThermalThreshold: 35 }],
    [
      'events.thermometrySchedule.put',
      { TimeBlockList: [{ dayOfWeek: 1, TimeRange: { beginTime: '08:00:00', endTime: '18:00:00' } }] },
    ],
    ['humanRecognition.config.put', { analysisParam: { captureInterval: 20 } }],
  ])('%s takes a patch of one field', (id, value) => {
    expect(issues(id, value, 'patch')).toEqual([]);
  });
});

it('a person without a verification mode of their own is sent as devices and clients write it, empty (refused before it is sent)', () => {
  const person = { employeeNo: '1', userType: 'normal', userVerifyMode: '' };
  const payload = findOperation('accessControl.users.setUp')?.request;

  expect(issues('accessControl.users.setUp', person, 'patch')).toEqual([]);
  expect(issues('accessControl.users.setUp', { ...person, userVerifyMode: 'none' }, 'patch')).toEqual([
    'not-allowed userVerifyMode',
  ]);
  expect(payload && decode(payload, encode(payload, person))).toMatchObject({ value: person, notes: [] });
});

// Would catch: a limit of our own that refuses what a device holds; the specification names decimals of few values.
it('decimals are limited where the specification limits them', () => {
  const basic = (value: object) => issues('thermal.thermometryBasic.put', value, 'patch');

  expect(basic({ emissivity: 0.985 })).toEqual([]);
  expect(
    basic({
      NormalTemperatureIntervalMeasurement: { TemperatureIntervalList: [{ id: 1, minTemperature: 1.25 }] },
    }),
  ).toEqual(['out-of-range NormalTemperatureIntervalMeasurement.TemperatureIntervalList[0].minTemperature']);
});
