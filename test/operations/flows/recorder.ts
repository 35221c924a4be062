/** Record passback, disk triggers, storage schedules (part 3, 2.3 and 2.4). */
import type { Trial } from '../trial.ts';

export async function passback(trial: Trial): Promise<void> {
  await trial.call('recorder', 'passback.basic.capabilities.get');
  const basic = { beginTime: 60, endTime: 65_535, maxTotalConcurrenceNum: 400, maxDvrConcurrenceNum: 32 };
  await trial.call('recorder', 'passback.basic.get');
  await trial.call('recorder', 'passback.basic.put', { body: basic });
  trial.same('passback.basic.put', await trial.call('recorder', 'passback.basic.get'), basic);

  await trial.call('recorder', 'passback.historyPlan.capabilities.get');
  const at = { params: { streamID: 'main & 1/ü', channelID: 1024 } };
  const other = { params: { streamID: 'sub', channelID: 1024 } };
  const untouched = await trial.call('recorder', 'passback.historyPlan.get', other);
  const plan = {
    enable: true,
    ScheduleActionList: [
      {
        id: 1,
        ScheduleActionStartTime: { DayOfWeek: 'Sunday', TimeOfDay: '22:00:00+08:00' },
        ScheduleActionEndTime: { DayOfWeek: 'Monday', TimeOfDay: '06:00:00+08:00' },
        eventType: 'alarmIn',
        AlarmInParam: { alarmInIDList: [2] },
      },
      {
        id: 56,
        ScheduleActionStartTime: { DayOfWeek: 'Friday', TimeOfDay: '08:00:00+08:00' },
        ScheduleActionEndTime: { DayOfWeek: 'Friday', TimeOfDay: '09:30:00+08:00' },
        eventType: 'inquest',
        InquestParam: { roomID: 2 },
      },
    ],
  };
  await trial.call('recorder', 'passback.historyPlan.put', { ...at, body: plan });
  trial.same('passback.historyPlan.put', await trial.call('recorder', 'passback.historyPlan.get', at), plan);
  trial.same(
    'passback.historyPlan.put',
    await trial.call('recorder', 'passback.historyPlan.get', other),
    untouched,
    'other streams as before',
  );
}

const TRIGGER = {
  intervalBetweenEvents: 60,
  EventTriggerNotificationList: [
    {
      id: 'center',
      notificationMethod: 'center',
      notificationRecurrence: 'recurring',
      notificationInterval: 500,
    },
    { id: 'light', notificationMethod: 'whiteLight', WhiteLightAction: { whiteLightDurationTime: 60 } },
    {
      id: 'ptz',
      notificationMethod: 'ptz',
      ptzAction: { ptzChannelID: '2', actionName: 'preset', actionNum: 3 },
    },
  ],
};
const WEEK = [
  { dayOfWeek: 1, TimeRange: { beginTime: '08:00:00', endTime: '12:00:00' } },
  { dayOfWeek: 7, TimeRange: { beginTime: '00:00:00', endTime: '24:00:00' } },
];

/** Reads, writes and reads back one resource whose body carries the id. */
async function stored(
  trial: Trial,
  kind: 'recorder' | 'thermal',
  name: string,
  params: Record<string, number>,
  body: { readonly id: string } & Record<string, unknown>,
): Promise<void> {
  await trial.call(kind, `${name}.get`, { params });
  await trial.call(kind, `${name}.put`, { params, body });
  trial.same(`${name}.put`, await trial.call(kind, `${name}.get`, { params }), body);
  await trial.refused(
    kind,
    `${name}.put`,
    { params, body: { ...body, id: body.id.includes('-') ? body.id.replace(/\d+$/, '7') : 'another-1' } },
    'invalid-content',
  );
}

export async function storageEvents(trial: Trial): Promise<void> {
  await stored(
    trial,
    'recorder',
    'events.storageSchedule',
    { channelID: 3 },
    {
      id: 'storageDetections-3',
      TimeBlockList: WEEK,
      HolidayBlockList: [{ TimeRange: { beginTime: '10:00:00', endTime: '11:00:00' } }],
    },
  );
  await stored(
    trial,
    'recorder',
    'events.hdBadBlockTrigger',
    {},
    { id: 'hdBadBlock', eventType: 'hdBadBlock', ...TRIGGER },
  );
  await stored(
    trial,
    'recorder',
    'events.severeHdFailureTrigger',
    {},
    { id: 'severeHDFailure', eventType: 'severeHDFailure', eventDescription: 'Disk & <failure>', ...TRIGGER },
  );
}

export async function thermalEvents(trial: Trial): Promise<void> {
  await stored(
    trial,
    'thermal',
    'events.thermometrySchedule',
    { channelID: 2 },
    { id: 'thermometry-2', eventType: 'thermometry', videoInputChannelID: '2', TimeBlockList: WEEK },
  );
  await stored(
    trial,
    'thermal',
    'events.temperatureSchedule',
    { channelID: 1 },
    { id: 'temperature-1', eventType: 'temperature', TimeBlockList: WEEK },
  );
  const [center] = TRIGGER.EventTriggerNotificationList;
  await stored(
    trial,
    'thermal',
    'events.thermometryPresetTrigger',
    { channelID: 1, presetID: 256 },
    {
      id: 'thermometry-1',
      eventType: 'thermometry',
      EventTriggerNotificationList: [{ ...center, presetID: 256 }],
    },
  );
}
