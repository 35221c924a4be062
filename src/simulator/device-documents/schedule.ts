/** Arming schedules and linkage triggers as delivered (part 3, 2.3). */
import { getPeriodsPerDay } from '../areas/periods.ts';
import type { DeviceState } from '../state/device-state.ts';
import { buildXmlDocument } from './xml.ts';

const DAYS = [1, 2, 3, 4, 5, 6, 7];

/** Armed all day, every day, unless a fault says otherwise. */
export function buildAllWeekSchedule(device: DeviceState, eventType: string, channel: string): string {
  const { days = DAYS, begin = '00:00:00', end = '24:00:00' } = findArmedTimes(device);
  const blocks = days
    .map(
      (day) => `        <TimeBlock>
            <dayOfWeek>${day}</dayOfWeek>
            <TimeRange>
                <beginTime>${begin}</beginTime>
                <endTime>${end}</endTime>
            </TimeRange>
        </TimeBlock>`,
    )
    .join('\n');
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

interface ArmedTimes {
  readonly days?: readonly number[];
  readonly begin?: string;
  readonly end?: string;
}

/** Hours before and after now for which a schedule with a fault reads as armed. */
const AROUND_NOW = 2;

/**
 * `not-armed`: on one day alone, three days from now. `other-zone`: around this very time, but half a day away by the
 * offset that the times carry. `wrong-clock`: around this very time, which the clock of the device is away from.
 */
function findArmedTimes(device: DeviceState): ArmedTimes {
  const now = new Date(device.clock.now());
  if (device.faults.strike('not-armed') !== undefined) return { days: [((now.getDay() + 2) % 7) + 1] };
  const isElsewhere = device.faults.strike('other-zone') !== undefined;
  if (!isElsewhere && device.faults.strike('wrong-clock') === undefined) return {};
  const hour = (at: number): string => `${String(at).padStart(2, '0')}:00:00`;
  const zone = isElsewhere ? formatOppositeZone(now) : '';
  return {
    begin: hour(Math.max(0, now.getHours() - AROUND_NOW)) + zone,
    end: hour(Math.min(24, now.getHours() + AROUND_NOW + 1)) + zone,
  };
}

/** Returns the offset from UTC that is twelve hours away from the zone of this computer. */
function formatOppositeZone(now: Date): string {
  const here = -now.getTimezoneOffset();
  const there = here > 0 ? here - 720 : here + 720;
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${there < 0 ? '-' : '+'}${two(Math.floor(Math.abs(there) / 60))}:${two(Math.abs(there) % 60)}`;
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
    <EventTriggerNotificationList>${
      device.faults.strike('not-told') !== undefined
        ? ''
        : `
        <EventTriggerNotification>
            <id>center</id>
            <notificationMethod>center</notificationMethod>
            <notificationRecurrence>beginning</notificationRecurrence>
            <notificationInterval>0</notificationInterval>
            ${facts.presetID === undefined ? '' : `<presetID>${facts.presetID}</presetID>`}
        </EventTriggerNotification>
    `
    }</EventTriggerNotificationList>`,
  );
}
