/** Analysis tasks of the AI open platform: their capabilities and bodies (part 1, 2.7 and 2.8). */
import { createDetail } from '#shared/details.ts';
import {
  choice,
  flag,
  float,
  int,
  json,
  list,
  object,
  opaque,
  text,
  when,
  type Rule,
} from '../definition.ts';
import { WEEKDAYS, makeReadOnly } from './fields.ts';
import { toObject, endsTooEarly, toItems } from './rules.ts';

const SPEC = '1:2.8';

/** Must not leave in the clear (part 1, 5). */
const userName = text('userName', 'User name', {
  minLength: 0,
  maxLength: 128,
  sensitive: true,
  needsEncryption: true,
});
const password = text('password', 'Password', {
  minLength: 0,
  maxLength: 128,
  sensitive: true,
  needsEncryption: true,
});
const deviceChannel = int('channel', 'Channel', { min: 0, max: 256 });

const cameraIndexCode = text('cameraIndexCode', 'Camera id', {
  required: true,
  minLength: 0,
  maxLength: 64,
  help: 'Unique on the platform.',
});

const streamUrl = object(
  'URL',
  'Stream address',
  [
    choice('URLMode', 'Protocol', ['RTSP', 'DAC'], { default: 'RTSP' }),
    text('URL', 'Address', { required: true, minLength: 0, maxLength: 1024 }),
    userName,
    password,
  ],
  {
    when: [{ path: 'Stream.streamSourceType', oneOf: ['URL'] }],
    help: 'When the source is a stream address.',
  },
);

const camera = object(
  'Camera',
  'Camera',
  [
    choice('protocol', 'Protocol', [
      ['Private', 'Private'],
      ['Onvif', 'ONVIF'],
      ['ISUP', 'ISUP'],
    ]),
    object(
      'StreamingViaIP',
      'By address',
      [
        text('ipV4Address', 'IPv4 address', { minLength: 0, maxLength: 32, perDevice: true }),
        int('port', 'Port', { min: 0, max: 65_535 }),
        userName,
        password,
        deviceChannel,
      ],
      {
        when: [{ path: '^.protocol', oneOf: ['Private', 'Onvif'], absentAs: 'Private' }],
        help: 'With the private protocol or ONVIF.',
      },
    ),
    object(
      'StreamingViaDeviceID',
      'By device id',
      [text('deviceID', 'Device id', { minLength: 0, maxLength: 256, perDevice: true }), deviceChannel],
      { when: [{ path: '^.protocol', oneOf: ['ISUP'], absentAs: 'Private' }], help: 'With ISUP.' },
    ),
  ],
  {
    when: [{ path: 'Stream.streamSourceType', oneOf: ['Camera'] }],
    help: 'When the source is a camera.',
  },
);

const recordTime = object(
  'RecordTime',
  'Recorded time',
  [
    when('datetime', 'startTime', 'From', { required: true }),
    when('datetime', 'endTime', 'To', { required: true }),
  ],
  {
    when: [{ path: 'Stream.streamType', oneOf: ['historyVideo'], absentAs: 'realTime' }],
    help: 'For recorded video only.',
  },
);

const streamType = [
  ['realTime', 'Live'],
  ['historyVideo', 'Recorded'],
] as const;
const streamSourceType = [
  ['URL', 'Stream address'],
  ['Camera', 'Camera in the local network'],
] as const;

const stream = object(
  'Stream',
  'Stream',
  [
    choice('streamType', 'Video', streamType, { required: true, default: 'realTime' }),
    choice('streamSourceType', 'Source', streamSourceType, { required: true }),
    list(
      'StreamSourceList',
      'Sources',
      object('item', 'Source', [
        cameraIndexCode,
        opaque('TargetAttrs', 'Target attributes', {
          help: 'Passed through for data center products; used in event upload.',
        }),
        streamUrl,
        camera,
        recordTime,
      ]),
      { key: 'cameraIndexCode' },
    ),
  ],
  { help: 'A task uses either channels or a stream.' },
);

const channels = list('channel', 'Channels', int('item', 'Channel'), {
  help: 'A task uses either channels or a stream.',
});

const timeRange = list(
  'TimeRange',
  'Arming periods',
  object('item', 'Period', [
    choice('week', 'Day', WEEKDAYS, { required: true }),
    when('minutes', 'beginTime', 'Begin', { required: true }),
    when('minutes', 'endTime', 'End', { required: true, help: '24:00 is the end of the day.' }),
  ]),
  {
    key: 'week',
    when: [{ path: 'Stream.streamType', oneOf: ['realTime'], absentAs: 'realTime' }],
    perDay: { day: 'week', most: 8, usual: true },
    help: '8 periods a day by default; not for recorded video.',
  },
);

const LINKAGES = [
  ['email', 'E-mail'],
  ['IM', 'Instant message'],
  ['IO', 'Alarm output'],
  ['syslog', 'System log'],
  ['HTTP', 'HTTP'],
  ['FTP', 'FTP upload'],
  ['beep', 'Buzzer'],
  ['ptz', 'PTZ'],
  ['record', 'Recording'],
  ['center', 'Notify the center'],
  ['LightAudioAlarm', 'Light and audio alarm'],
  ['focus', 'Focus'],
  ['trace', 'Tracking'],
  ['whiteLight', 'White light'],
] as const;

const eventTrigger = list(
  'EventTrigger',
  'Linkages',
  object('item', 'Linkage', [
    choice('notificationMethod', 'Linkage', [...LINKAGES, ['audio', 'Audio']], { required: true }),
    text('outputIOPortID', 'Alarm output'),
    text('videoInputID', 'Analog channel'),
    text('dynOutputIOPortID', 'Digital channel'),
  ]),
  { key: 'notificationMethod', help: 'Left out, the linkages stay as they are; empty, they are deleted.' },
);

const RECEIVERS = [
  ['AlarmRMQ', 'Message queue'],
  ['ServerClient', 'Third-party receiver'],
  ['ServerHCS', 'Cloud service'],
] as const;

const destination = list(
  'Destination',
  'Receivers',
  object('item', 'Receiver', [
    choice('destinationType', 'Type', RECEIVERS, { required: true }),
    text('destinationURL', 'Address', {
      minLength: 0,
      maxLength: 1024,
      help: 'Its form depends on the type.',
    }),
    userName,
    password,
  ]),
  { key: 'destinationURL', help: 'Data center products only; alarms then go to these addresses.' },
);

const taskFields = [
  channels,
  stream,
  int('pollingTime', 'Polling time', {
    required: true,
    min: 1,
    max: 65_535,
    unit: 's',
    help: 'Between two captures.',
  }),
  timeRange,
  flag('alarmTargetOverlay', 'Overlay the target box'),
  eventTrigger,
  destination,
] as const;

const taskID = text('taskID', 'Task id', { required: true, minLength: 0, maxLength: 64 });
const engine = int('engine', 'Engine', { required: true, help: 'The engine that runs the model.' });

const notBoth: Rule = {
  path: 'Stream',
  spec: SPEC,
  check: (value) =>
    value['channel'] !== undefined && value['Stream'] !== undefined
      ? createDetail('channels-and-stream')
      : undefined,
};

const notNeither: Rule = {
  path: 'channel',
  spec: SPEC,
  warns: true,
  check: (value) =>
    value['channel'] === undefined && value['Stream'] === undefined
      ? createDetail('no-channels-no-stream')
      : undefined,
};

const addressIsGiven: Rule = {
  path: 'Stream.StreamSourceList',
  spec: SPEC,
  warns: true,
  check: (value) =>
    toItems(toObject(value['Stream'])['StreamSourceList']).some(
      (source) => toObject(source['URL'])['URL'] === '',
    )
      ? createDetail('empty-stream-address')
      : undefined,
};

const endsAfterBegin: Rule = {
  path: 'TimeRange',
  spec: SPEC,
  warns: true,
  check: (value) =>
    toItems(value['TimeRange']).some((period) => endsTooEarly(period['beginTime'], period['endTime']))
      ? createDetail('ends-too-early')
      : undefined,
};

const recordingEndsLater: Rule = {
  path: 'Stream.StreamSourceList',
  spec: SPEC,
  warns: true,
  check: (value) =>
    toItems(toObject(value['Stream'])['StreamSourceList']).some((source) => {
      const { startTime, endTime } = toObject(source['RecordTime']);
      // Not a time, or times of different form: NaN or no order, nothing to complain about here.
      return (
        typeof startTime === 'string' &&
        typeof endTime === 'string' &&
        Date.parse(endTime) <= Date.parse(startTime)
      );
    })
      ? createDetail('recording-ends-too-early')
      : undefined,
};

const taskRules = [notBoth, addressIsGiven, endsAfterBegin, recordingEndsLater];

export const picturePollingTask = json(undefined, SPEC, [taskID, engine, ...taskFields], {
  rules: [...taskRules, notNeither],
});

/** Sends neither `taskID`, which is in the path, nor `engine`, which only a new task names. */
export const picturePollingTaskUpdate = json(undefined, SPEC, taskFields, { rules: taskRules });

/** Fields of an entry beyond the task body are not shown. */
export const picturePollingTasks = json(
  undefined,
  SPEC,
  makeReadOnly([
    list('Tasks', 'Tasks', object('item', 'Task', [taskID, engine, ...taskFields]), { key: 'taskID' }),
  ]),
);

const capabilitySource = object('item', 'Source', [
  cameraIndexCode,
  choice('AITaskType', 'Comparison task', [['AITargetBPTask', 'Comparison with a reference picture']], {
    help: 'Without it, the regular task.',
  }),
  flag('isSupportTargetAttrs', 'Target attributes'),
  streamUrl,
  camera,
  recordTime,
]);

const capabilityHead = [
  int('tasksNum', 'Tasks at a time'),
  int('taskIDLen', 'Length of a task id', { min: 0, max: 64 }),
  int('engine', 'Engines'),
  list('channel', 'Channels', int('item', 'Channel')),
  object('Stream', 'Stream', [
    choice('streamType', 'Video', streamType, { default: 'realTime' }),
    choice('streamSourceType', 'Source', streamSourceType),
    list('StreamSourceList', 'Sources', capabilitySource, { key: 'cameraIndexCode' }),
  ]),
] as const;

const isSupportTimeRange = flag('isSupportTimeRange', 'Arming periods', {
  help: 'Weekly, 8 periods a day by default.',
});
const alarmTargetOverlay = flag('alarmTargetOverlay', 'Overlay of the target box');

const capabilityTrigger = object('EventTrigger', 'Linkages', [
  choice(
    'notificationMethod',
    'Linkage',
    [...LINKAGES, ['monitorAlarm', 'Alarm on the monitor'], ['cloud', 'Cloud'], ['SMS', 'SMS']],
    { default: 'center' },
  ),
]);

/** Capabilities of video tasks; those after the linkages are not shown. */
export const videoTaskCapabilities = json(
  undefined,
  '1:2.7',
  makeReadOnly([
    ...capabilityHead,
    int('frameRate', 'Detection frame rate', {
      help: 'Our reading: in hundredths, so that 2500 is 25 frames a second. The specification names no unit.',
    }),
    float('alertInterval', 'Alarm interval', { default: 0.5, unit: 's' }),
    isSupportTimeRange,
    alarmTargetOverlay,
    flag('alarmRuleOverlay', 'Overlay of the rule'),
    choice('alarmRuleOverlayCap', 'Parts of the rule overlay', [
      ['ruleID', 'Rule id'],
      ['ruleName', 'Rule name'],
    ]),
    capabilityTrigger,
  ]),
);

export const picturePollingTaskCapabilities = json(
  undefined,
  SPEC,
  makeReadOnly([
    ...capabilityHead,
    int('pollingTime', 'Polling time', { min: 1, max: 86_400, default: 1, unit: 's' }),
    isSupportTimeRange,
    alarmTargetOverlay,
    capabilityTrigger,
    int('maxRelChannelNum', 'Channels of one real-time task'),
    list(
      'Destination',
      'Receivers',
      object('item', 'Receiver', [
        choice('destinationType', 'Type', [...RECEIVERS, ['ActiveMQ', 'ActiveMQ']]),
        text('destinationURL', 'Address', { minLength: 0, maxLength: 1024 }),
        userName,
        password,
      ]),
    ),
  ]),
);
