/** Record passback: detection window, limits, and the weekly plan of a recorder (part 3, 2.4). */
import { createDetail } from '#shared/details.ts';
import {
  choice,
  flag,
  int,
  list,
  object,
  text,
  when,
  xml,
  type Operation,
  type Rule,
} from '../definition.ts';
import { WEEKDAY_NAMES } from './fields.ts';
import { capabilityOf, resource } from './operation.ts';
import { toObject, endsTooEarly, toItems } from './rules.ts';

const SPEC = '3:2.4';
const BASE = '/API/ContentMgmt/record/passback';

const recordPassBackBasicCfg = xml('RecordPassBackBasicCfg', SPEC, [
  int('beginTime', 'Detection window begins', { required: true, min: 0, max: 65_535, unit: 'min' }),
  int('endTime', 'Detection window ends', {
    required: true,
    min: 0,
    max: 65_535,
    unit: 'min',
    help: 'Only files inside both the planned periods and this window are passed back.',
  }),
  int('maxTotalConcurrenceNum', 'Channels passed back at a time', {
    required: true,
    min: 200,
    max: 400,
    help: 'Encoder channels, not tasks.',
  }),
  int('maxDvrConcurrenceNum', 'Channels at a time per recorder', { required: true, min: 2, max: 32 }),
]);

const EVENT_TYPES = [
  ['VMD', 'Motion detection'],
  ['alarmIn', 'Alarm input'],
  ['POS', 'POS'],
  ['inquest', 'Interrogation'],
  ['AccessControllerEvent', 'Access control event'],
  ['regionEntrance', 'Region entrance'],
  ['regionExiting', 'Region exiting'],
  ['linedetection', 'Line crossing'],
  ['fielddetection', 'Intrusion'],
  ['loitering', 'Loitering'],
  ['parking', 'Parking'],
  ['running', 'Running'],
  ['personDensityDetection', 'Density of people'],
  ['unattendedBaggage', 'Unattended baggage'],
  ['attendedBaggage', 'Object removal'],
  ['leavePosition', 'Absence from the post'],
  ['failDown', 'Falling down'],
  ['violentMotion', 'Violent motion'],
  ['safetyHelmetDetection', 'Safety helmet'],
  ['peopleNumChange', 'Change in the number of people'],
  ['getUp', 'Getting up'],
  ['advReachHeight', 'Climbing'],
  ['Standup', 'Standing up'],
  ['rapidMove', 'Fast moving'],
  ['group', 'Gathering'],
  ['scenechangedetection', 'Scene change'],
  ['PIR', 'PIR'],
] as const;

const dayAndTime = [
  choice('DayOfWeek', 'Day', WEEKDAY_NAMES),
  when('time', 'TimeOfDay', 'Time', { zoned: true, help: 'With its offset from UTC, as in 08:00:00+08:00.' }),
] as const;

const historyPlanFields = [
  flag('enable', 'Backfill by plan', { required: true }),
  list(
    'ScheduleActionList',
    'Periods',
    object('ScheduleAction', 'Period', [
      int('id', 'Id', { min: 1, max: 56 }),
      object('ScheduleActionStartTime', 'Begin', dayAndTime),
      object('ScheduleActionEndTime', 'End', dayAndTime),
      choice('eventType', 'Event', EVENT_TYPES),
      object(
        'AlarmInParam',
        'Alarm inputs',
        [list('alarmInIDList', 'Alarm inputs', int('alarmInID', 'Alarm input'))],
        { when: [{ path: '^.eventType', oneOf: ['alarmIn'] }], help: 'Leave it out for all alarm inputs.' },
      ),
      object('InquestParam', 'Interrogation room', [int('roomID', 'Room', { min: 1, max: 2 })], {
        when: [{ path: '^.eventType', oneOf: ['inquest'] }],
        help: 'Leave it out for all rooms.',
      }),
      object(
        'ACSAlarmParam',
        'Access control events',
        [int('majorEventType', 'Major event type', { help: 'Decimal.' })],
        {
          when: [{ path: '^.eventType', oneOf: ['AccessControllerEvent'] }],
          help: 'Leave it out for all events.',
        },
      ),
    ]),
    {
      maxItems: 56,
      perDay: { day: 'ScheduleActionStartTime.DayOfWeek', most: 8, reportedAt: 'maxSchedulePeriodOfDay' },
      key: 'id',
      help: '56 periods at most, 8 of them on one day.',
    },
  ),
] as const;

const endsAfterBegin: Rule = {
  path: 'ScheduleActionList',
  spec: SPEC,
  warns: true,
  check: (value) =>
    toItems(value['ScheduleActionList']).some(endsTooEarlyOnItsDay)
      ? createDetail('ends-too-early')
      : undefined,
};

/** A period that ends on another day goes past midnight and is not compared. */
function endsTooEarlyOnItsDay(action: Readonly<Record<string, unknown>>): boolean {
  const begin = toObject(action['ScheduleActionStartTime']);
  const end = toObject(action['ScheduleActionEndTime']);
  return begin['DayOfWeek'] === end['DayOfWeek'] && endsTooEarly(begin['TimeOfDay'], end['TimeOfDay']);
}

const recordPassBackHistoryPlanCfg = xml('RecordPassBackHistoryPlanCfg', SPEC, historyPlanFields, {
  rules: [endsAfterBegin],
});

/** Adds what only the capability reports. */
const recordPassBackHistoryPlanCapability = xml('RecordPassBackHistoryPlanCfg', SPEC, [
  text('streamID', 'Stream id', { readOnly: true, minLength: 1, maxLength: 32 }),
  int('channel', 'Channel', { readOnly: true, min: 1, max: 1024, help: '0xffffffff is invalid.' }),
  ...historyPlanFields,
  int('maxSchedulePeriodOfDay', 'Periods a day', { readOnly: true, min: 1, max: 8, isLimit: true }),
]);

export const passbackOperations: readonly Operation[] = [
  capabilityOf(
    {
      id: 'passback.basic.capabilities.get',
      path: `${BASE}/basicCfg/capabilities`,
      label: 'Recording backfill capabilities',
      spec: SPEC,
    },
    recordPassBackBasicCfg,
  ),
  ...resource(
    {
      id: 'passback.basic',
      path: `${BASE}/basicCfg`,
      label: 'Recording backfill',
      spec: SPEC,
      capability: 'passback.basic.capabilities.get',
    },
    recordPassBackBasicCfg,
  ),
  capabilityOf(
    {
      id: 'passback.historyPlan.capabilities.get',
      path: `${BASE}/historyPlanCfg/capabilities`,
      label: 'Backfill plan capabilities',
      spec: SPEC,
    },
    recordPassBackHistoryPlanCapability,
  ),
  ...resource(
    {
      id: 'passback.historyPlan',
      path: `${BASE}/historyPlanCfg?StreamID=<streamID>&Channel=<channelID>`,
      label: 'Backfill plan',
      spec: SPEC,
      capability: 'passback.historyPlan.capabilities.get',
      params: [{ name: 'channelID', label: 'Channel', type: 'int', min: 1, max: 1024 }],
    },
    recordPassBackHistoryPlanCfg,
  ),
];
