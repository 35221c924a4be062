/** Arming schedules and linkage triggers per event type (part 3, 2.3). */
import { createDetail } from '#shared/details.ts';
import type { Constraints } from '../capability/types.ts';
import { choice, int, list, object, text, when, xml, type Operation, type Rule } from '../definition.ts';
import { WEEKDAYS } from './fields.ts';
import { resource } from './operation.ts';
import { toObject, endsTooEarly, toItems } from './rules.ts';

const SPEC = '3:2.3';
const BASE = '/API/Event';

const timeRange = object('TimeRange', 'Time range', [
  when('time', 'beginTime', 'Begin'),
  when('time', 'endTime', 'End', { help: '24:00:00 is the end of the day.' }),
]);

function noneEndsTooEarly(listName: string): Rule {
  return {
    path: listName,
    spec: SPEC,
    warns: true,
    check: (value) =>
      toItems(value[listName]).some((block) =>
        endsTooEarly(toObject(block['TimeRange'])['beginTime'], toObject(block['TimeRange'])['endTime']),
      )
        ? createDetail('ends-too-early')
        : undefined,
  };
}

/** The schedule of one event type, whose `id` is that of its path. */
const schedule = (eventType: string) =>
  xml(
    'Schedule',
    SPEC,
    [
      text('id', 'Schedule id', {
        required: true,
        perDevice: true,
        pattern: `${eventType}-(?:0|[1-9]\\d*)`,
        help: 'Event type and channel, as in thermometry-1.',
      }),
      text('eventType', 'Event type'),
      text('inputIOPortID', 'Alarm input', { perDevice: true }),
      text('outputIOPortID', 'Alarm output', { perDevice: true }),
      text('videoInputChannelID', 'Video channel', { perDevice: true }),
      list(
        'TimeBlockList',
        'Arming periods',
        object('TimeBlock', 'Period', [choice('dayOfWeek', 'Day', WEEKDAYS), timeRange]),
        {
          required: true,
          key: 'dayOfWeek',
          perDay: { day: 'dayOfWeek', most: 8, usual: true },
          help: '8 periods a day unless the device reports another number.',
        },
      ),
      list('HolidayBlockList', 'Arming periods on holidays', object('TimeBlock', 'Period', [timeRange])),
    ],
    {
      rules: [noneEndsTooEarly('TimeBlockList'), noneEndsTooEarly('HolidayBlockList')],
    },
  );

/** A schedule tells in its own `size` how many periods a day it takes (part 3, 2.3 and 8). */
function scheduleOf(eventType: string, id: string, label: string): readonly Operation[] {
  const size = (found: Constraints): Constraints =>
    new Map([...found].filter(([path]) => path === 'TimeBlockList'));
  return resource(
    {
      id,
      path: `${BASE}/schedules/${eventType}/${eventType}-<channelID>`,
      label,
      spec: SPEC,
      reported: { by: `${id}.get`, limits: size },
    },
    schedule(eventType),
  );
}

const notificationFields = [
  text('id', 'Linkage id', { required: true }),
  choice(
    'notificationMethod',
    'Linkage',
    [
      ['FTP', 'FTP upload'],
      ['HTTP', 'HTTP'],
      ['IM', 'Instant message'],
      ['IO', 'Alarm output'],
      ['LightAudioAlarm', 'Light and audio alarm'],
      ['audio', 'Audio'],
      ['beep', 'Buzzer'],
      ['center', 'Notify the center'],
      ['cloud', 'Cloud'],
      ['email', 'E-mail'],
      ['focus', 'Focus'],
      ['monitorAlarm', 'Alarm on the monitor'],
      ['ptz', 'PTZ'],
      ['record', 'Recording'],
      ['syslog', 'System log'],
      ['trace', 'Tracking'],
      ['whiteLight', 'White light'],
    ],
    { required: true },
  ),
  choice('notificationRecurrence', 'When', [
    ['beginning', 'At the start'],
    ['beginningandend', 'At start and end'],
    ['recurring', 'Again and again'],
  ]),
  int('notificationInterval', 'Interval', { unit: 'ms' }),
  text('outputIOPortID', 'Alarm output', { help: 'Thermometry triggers.' }),
  text('dynOutputIOPortID', 'Digital alarm output', { help: 'Thermometry triggers.' }),
  text('videoInputID', 'Video channel'),
  text('dynVideoInputID', 'Digital video channel'),
  object(
    'ptzAction',
    'PTZ action',
    [
      text('ptzChannelID', 'PTZ channel', { required: true }),
      choice(
        'actionName',
        'Action',
        [
          ['preset', 'Preset'],
          ['pattern', 'Pattern'],
          ['patrol', 'Patrol'],
        ],
        { required: true },
      ),
      int('actionNum', 'Number', {
        help: 'Of the preset, the pattern or the patrol path, as the action says.',
      }),
    ],
    { when: [{ path: '^.notificationMethod', oneOf: ['ptz'] }] },
  ),
  object(
    'WhiteLightAction',
    'White light action',
    [int('whiteLightDurationTime', 'Duration', { min: 1, max: 60, unit: 's' })],
    { when: [{ path: '^.notificationMethod', oneOf: ['whiteLight'] }] },
  ),
] as const;

const triggerFields = [
  text('id', 'Trigger id', { required: true, perDevice: true }),
  text('eventType', 'Event type', { required: true }),
  text('eventDescription', 'Description'),
  text('inputIOPortID', 'Alarm input', { perDevice: true }),
  text('dynInputIOPortID', 'Digital alarm input', { perDevice: true }),
  text('videoInputChannelID', 'Video channel', { perDevice: true }),
  text('dynVideoInputChannelID', 'Digital video channel', { perDevice: true }),
  int('intervalBetweenEvents', 'Time between events', { unit: 's' }),
  text('WLSensorID', 'Wireless sensor', { perDevice: true }),
] as const;

const eventTrigger = xml('EventTrigger', SPEC, [
  ...triggerFields,
  list(
    'EventTriggerNotificationList',
    'Linkages',
    object('EventTriggerNotification', 'Linkage', notificationFields),
    { key: 'id', title: 'notificationMethod' },
  ),
]);

/** The trigger of a thermometry preset: its linkages may name the preset. */
const thermometryPresetTrigger = xml('EventTrigger', SPEC, [
  ...triggerFields,
  list(
    'EventTriggerNotificationList',
    'Linkages',
    object('EventTriggerNotification', 'Linkage', [...notificationFields, int('presetID', 'Preset')]),
    { key: 'id', title: 'notificationMethod' },
  ),
]);

export const eventsOperations: readonly Operation[] = [
  ...scheduleOf('storageDetections', 'events.storageSchedule', 'Arming schedule of storage detection'),
  ...resource(
    {
      id: 'events.hdBadBlockTrigger',
      path: `${BASE}/triggers/hdBadBlock`,
      label: 'Linkages of bad disk blocks',
      spec: SPEC,
    },
    eventTrigger,
  ),
  ...resource(
    {
      id: 'events.severeHdFailureTrigger',
      path: `${BASE}/triggers/severeHDFailure`,
      label: 'Linkages of severe disk failures',
      spec: SPEC,
    },
    eventTrigger,
  ),
  ...resource(
    {
      id: 'events.thermometryPresetTrigger',
      path: `${BASE}/triggers/thermometry-<channelID>/preset/<presetID>`,
      label: 'Linkages of a temperature preset',
      spec: SPEC,
    },
    thermometryPresetTrigger,
  ),
  ...scheduleOf('thermometry', 'events.thermometrySchedule', 'Arming schedule of the thermometry event'),
  ...scheduleOf('temperature', 'events.temperatureSchedule', 'Arming schedule of the temperature event'),
];
