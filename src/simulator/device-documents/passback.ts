/** Record passback as delivered (part 3, 2.4). */
import { getPeriodsPerDay } from '../areas/periods.ts';
import type { DeviceState } from '../state/device-state.ts';
import { describeXml } from './xml.ts';

const EVENT_TYPES = [
  'VMD',
  'alarmIn',
  'POS',
  'inquest',
  'AccessControllerEvent',
  'regionEntrance',
  'regionExiting',
  'linedetection',
  'fielddetection',
  'loitering',
  'parking',
  'running',
  'personDensityDetection',
  'unattendedBaggage',
  'attendedBaggage',
  'leavePosition',
  'failDown',
  'violentMotion',
  'safetyHelmetDetection',
  'peopleNumChange',
  'getUp',
  'advReachHeight',
  'Standup',
  'rapidMove',
  'group',
  'scenechangedetection',
  'PIR',
];
const DAYS = 'Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday';

export const buildBasicConfig = describeXml(
  'RecordPassBackBasicCfg',
  `
    <beginTime>0</beginTime>
    <endTime>1440</endTime>
    <maxTotalConcurrenceNum>200</maxTotalConcurrenceNum>
    <maxDvrConcurrenceNum>2</maxDvrConcurrenceNum>
    <retryPolicy>doubling</retryPolicy>`,
);

export const buildBasicLimits = describeXml(
  'RecordPassBackBasicCfg',
  (device) => `
    <beginTime min="0" max="65535"/>
    <endTime min="0" max="65535"/>
    <maxTotalConcurrenceNum min="200" max="${getDownloadLimits(device).total}" def="200"/>
    <maxDvrConcurrenceNum min="2" max="${getDownloadLimits(device).each}" def="2"/>`,
);

/** Downloads at a time: in all, and from one device. */
export function getDownloadLimits({ model }: Pick<DeviceState, 'model'>): {
  readonly total: number;
  readonly each: number;
} {
  return model === 'compact' ? { total: 250, each: 8 } : { total: 400, each: 32 };
}

export const buildHistoryPlan = describeXml(
  'RecordPassBackHistoryPlanCfg',
  `
    <enable>true</enable>
    <ScheduleActionList size="2">
        <ScheduleAction>
            <id>1</id>
            <ScheduleActionStartTime>
                <DayOfWeek>Monday</DayOfWeek>
                <TimeOfDay>00:00:00+00:00</TimeOfDay>
            </ScheduleActionStartTime>
            <ScheduleActionEndTime>
                <DayOfWeek>Monday</DayOfWeek>
                <TimeOfDay>06:00:00+00:00</TimeOfDay>
            </ScheduleActionEndTime>
            <eventType>VMD</eventType>
        </ScheduleAction>
        <ScheduleAction>
            <id>2</id>
            <ScheduleActionStartTime>
                <DayOfWeek>Saturday</DayOfWeek>
                <TimeOfDay>08:00:00+00:00</TimeOfDay>
            </ScheduleActionStartTime>
            <ScheduleActionEndTime>
                <DayOfWeek>Saturday</DayOfWeek>
                <TimeOfDay>20:00:00+00:00</TimeOfDay>
            </ScheduleActionEndTime>
            <eventType>alarmIn</eventType>
            <AlarmInParam>
                <alarmInIDList>
                    <alarmInID>1</alarmInID>
                    <alarmInID>3</alarmInID>
                </alarmInIDList>
            </AlarmInParam>
        </ScheduleAction>
    </ScheduleActionList>`,
);

export const buildHistoryPlanLimits = describeXml(
  'RecordPassBackHistoryPlanCfg',
  (device) => `
    <streamID min="1" max="32"/>
    <channel min="1" max="1024"/>
    <enable opt="true,false"/>
    <ScheduleActionList size="56">
        <ScheduleAction>
            <id min="1" max="56"/>
            <ScheduleActionStartTime>
                <DayOfWeek opt="${DAYS}"/>
                <TimeOfDay/>
            </ScheduleActionStartTime>
            <ScheduleActionEndTime>
                <DayOfWeek opt="${DAYS}"/>
                <TimeOfDay/>
            </ScheduleActionEndTime>
            <eventType opt="${EVENT_TYPES.join(',')}"/>
            <AlarmInParam>
                <alarmInIDList size="16">
                    <alarmInID min="1" max="16"/>
                </alarmInIDList>
            </AlarmInParam>
            <InquestParam>
                <roomID min="1" max="2"/>
            </InquestParam>
            <ACSAlarmParam>
                <majorEventType opt="1,2,3,5"/>
            </ACSAlarmParam>
        </ScheduleAction>
    </ScheduleActionList>
    <maxSchedulePeriodOfDay min="1" max="8">${getPeriodsPerDay(device)}</maxSchedulePeriodOfDay>`,
);
