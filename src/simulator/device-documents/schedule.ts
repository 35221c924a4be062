/** Arming schedules and linkage triggers as delivered (part 3, 2.3). */
import { getPeriodsPerDay } from '../areas/periods.ts';
import type { DeviceState } from '../state/device-state.ts';
import { buildXmlDocument } from './xml.ts';

const DAYS = [1, 2, 3, 4, 5, 6, 7];

/** Armed all day, every day. */
export function buildAllWeekSchedule(device: DeviceState, eventType: string, channel: string): string {
  const blocks = DAYS.map(
    (day) => `        <TimeBlock>
            <dayOfWeek>${day}</dayOfWeek>
            <TimeRange>
                <beginTime>00:00:00</beginTime>
                <endTime>24:00:00</endTime>
            </TimeRange>
        </TimeBlock>`,
  ).join('\n');
  return buildXmlDocument(
    device,
    'Schedule',
    `
    <id>${eventType}-${channel}</id>
    <eventType>${eventType}</eventType>
    <videoInputChannelID>${channel}</videoInputChannelID>
    <TimeBlockList size="${getPeriodsPerDay(device)}">
${blocks}
    </TimeBlockList>`,
  );
}

interface TriggerFacts {
  readonly id: string;
  readonly eventType: string;
  readonly description: string;
  readonly channel?: string;
  readonly presetID?: string;
}

/** Notifies the center; a real device also names what it could do without doing it. */
export function buildCenterTrigger(device: DeviceState, facts: TriggerFacts): string {
  return buildXmlDocument(
    device,
    'EventTrigger',
    `
    <id>${facts.id}</id>
    <eventType>${facts.eventType}</eventType>
    <eventDescription>${facts.description}</eventDescription>
    ${facts.channel === undefined ? '' : `<videoInputChannelID>${facts.channel}</videoInputChannelID>`}
    <intervalBetweenEvents>5</intervalBetweenEvents>
    <EventTriggerNotificationList>
        <EventTriggerNotification>
            <id>center</id>
            <notificationMethod>center</notificationMethod>
            <notificationRecurrence>beginning</notificationRecurrence>
            <notificationInterval>0</notificationInterval>
            ${facts.presetID === undefined ? '' : `<presetID>${facts.presetID}</presetID>`}
        </EventTriggerNotification>
    </EventTriggerNotificationList>`,
  );
}
