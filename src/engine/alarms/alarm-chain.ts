/** Concludes from the documents of a thermal camera whether an alarm can reach anybody, link by link. Pure. */
import { getValueAt } from '#protocol/index.ts';
import { formatTimeOfDay } from '#protocol/week-shape.ts';
import type { AlarmChain, AlarmLink, AlarmReceiver, AlarmSetting } from '#shared/alarm-chain.ts';
import { createDetail, type Detail } from '#shared/details.ts';
import type { Params } from '#shared/model.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import {
  findArmedUntil,
  findNextPeriod,
  findPeriod,
  formatZone,
  getWeekMinute,
  readPeriods,
  type SchedulePeriod,
} from './week.ts';

export const BASIC = 'thermal.thermometryBasic';
export const SCHEDULE = 'events.thermometrySchedule';
export const TRIGGER = 'events.thermometryPresetTrigger';
/** Length of an event in seconds, if none is given: about what a person or a vehicle is in sight. */
export const USUAL_EVENT = 10;

/** Documents of one channel as they were read; absent: the device does not have or show it. */
export interface AlarmDocuments {
  readonly channel: number;
  readonly basic: unknown;
  readonly schedule?: unknown;
  readonly triggers: readonly { readonly preset: number; readonly value: unknown }[];
}
interface AlarmMoment {
  /** Time of this computer, in milliseconds. */
  readonly here: number;
  /** Time by the device's own clock; undefined if it shows none. */
  readonly device: number | undefined;
  /** Offset of this computer's zone from UTC, in minutes. */
  readonly zone: number;
  readonly eventSeconds: number;
}

/** A clock that differs by less than this many seconds is right enough. */
const CLOCK_TOLERANCE = 120;

/** Returns the chains of a channel: one for all presets that tell the same receivers. */
export function concludeChains(documents: AlarmDocuments, moment: AlarmMoment): readonly AlarmChain[] {
  const { channel, basic } = documents;
  const params = { channelID: channel };
  const periods = documents.schedule === undefined ? undefined : readPeriods(documents.schedule);
  const at = moment.device ?? moment.here;
  const zone = periods?.find((period) => period.zone !== undefined)?.zone ?? moment.zone;
  const minute = getWeekMinute(at, zone);
  const outputs = listOutputs(basic);
  const shared = [
    concludeMeasures(basic, params),
    concludeLasts(basic, moment.eventSeconds, params),
    concludeArmed(periods, moment, params),
  ];
  return groupTriggers(documents.triggers).map(({ presets, receivers }): AlarmChain => {
    const all = [...receivers, ...outputs];
    const isSeen = presets.length > 0 || outputs.length > 0;
    const links = [...shared, concludeTold(all, isSeen, { ...params, presetID: presets[0] ?? 1 })];
    return {
      channel,
      presets,
      state: links.some(({ state }) => state === 'bad')
        ? 'bad'
        : links.some(({ state }) => state === 'unknown')
          ? 'unknown'
          : 'good',
      links,
      scale: {
        unit: getUnitSymbol(getValueAt(basic, 'temperatureUnit')),
        ...readRange(getValueAt(basic, 'temperatureRange'), getValueAt(basic, 'temperatureUnit')),
        alert: numberAt(basic, 'alert'),
        alarm: numberAt(basic, 'alarm'),
      },
      filter: removeUndefined({
        alarm: numberAt(basic, 'alarmFilteringTime'),
        alert: numberAt(basic, 'alertFilteringTime'),
      }),
      ...(periods !== undefined && { week: periods.map(({ day, from, to }) => ({ day, from, to })) }),
      now: {
        day: Math.floor(minute / 1440) + 1,
        minute: minute % 1440,
        zone: formatZone(zone),
        ahead: getAhead(moment),
      },
      receivers: all,
    };
  });
}

function concludeMeasures(basic: unknown, params: Params): AlarmLink {
  const link = (state: AlarmLink['state'], says: Detail, path: string): AlarmLink => ({
    link: 'measures',
    state,
    says,
    setting: { set: BASIC, params, path },
  });
  if (basic === undefined) return link('unknown', createDetail('alarm.not-read'), 'enabled');
  if (getValueAt(basic, 'enabled') === false)
    return link('bad', createDetail('alarm.detection-off'), 'enabled');
  const unit = getUnitSymbol(getValueAt(basic, 'temperatureUnit'));
  const range = readRange(getValueAt(basic, 'temperatureRange'), getValueAt(basic, 'temperatureUnit'));
  if (getValueAt(basic, 'alarmMode') === 'temperatureIntervalMeasurement')
    return concludeIntervals(basic, range, link);
  const alarm = numberAt(basic, 'alarm');
  if (alarm === undefined) return link('unknown', createDetail('alarm.no-threshold'), 'alarm');
  if (range === undefined)
    return link('good', createDetail('alarm.range-automatic', { alarm, unit }), 'alarm');
  const values = { alarm, unit, from: range.from, to: range.to };
  if (alarm > range.to) return link('bad', createDetail('alarm.above-range', values), 'alarm');
  if (alarm < range.from) return link('bad', createDetail('alarm.below-range', values), 'alarm');
  return link('good', createDetail('alarm.inside-range', values), 'alarm');
}

const INTERVALS = 'NormalTemperatureIntervalMeasurement.TemperatureIntervalList';

function concludeIntervals(
  basic: unknown,
  range: { readonly from: number; readonly to: number } | undefined,
  link: (state: AlarmLink['state'], says: Detail, path: string) => AlarmLink,
): AlarmLink {
  const found = getValueAt(basic, INTERVALS);
  const intervals = (Array.isArray(found) ? found : [])
    .filter((one) => getValueAt(one, 'enabled') === true)
    .map((one) => ({ low: numberAt(one, 'minTemperature'), high: numberAt(one, 'maxTemperature') }));
  if (intervals.length === 0) return link('bad', createDetail('alarm.no-interval'), INTERVALS);
  const isReached = intervals.some(
    ({ low = -Infinity, high = Infinity }) =>
      range === undefined || (low <= range.to && high >= range.from && low <= high),
  );
  return isReached
    ? link('good', createDetail('alarm.intervals', { n: intervals.length }), INTERVALS)
    : link('bad', createDetail('alarm.intervals-outside', { n: intervals.length }), INTERVALS);
}

function concludeLasts(basic: unknown, event: number, params: Params): AlarmLink {
  const filter = numberAt(basic, 'alarmFilteringTime');
  const link = (state: AlarmLink['state'], says: Detail): AlarmLink => ({
    link: 'lasts',
    state,
    says,
    setting: { set: BASIC, params, path: 'alarmFilteringTime' },
  });
  if (basic === undefined) return link('unknown', createDetail('alarm.not-read'));
  if (filter === undefined) return link('good', createDetail('alarm.no-filter'));
  return filter >= event
    ? link('bad', createDetail('alarm.filter-long', { filter, event }))
    : link('good', createDetail('alarm.filter-short', { filter, event }));
}

function concludeArmed(
  periods: readonly SchedulePeriod[] | undefined,
  moment: AlarmMoment,
  params: Params,
): AlarmLink {
  const link = (state: AlarmLink['state'], says: Detail): AlarmLink => ({
    link: 'armed',
    state,
    says,
    setting: { set: SCHEDULE, params, path: 'TimeBlockList' },
  });
  if (periods === undefined) return link('unknown', createDetail('alarm.schedule-not-read'));
  const [any] = periods;
  if (any === undefined) return link('bad', createDetail('alarm.never-armed'));
  const { here, zone } = moment;
  const at = moment.device ?? here;
  const armed = findPeriod(periods, at, zone);
  if (armed !== undefined) {
    const until = findArmedUntil(periods, armed);
    return until === undefined
      ? link('good', createDetail('alarm.armed-always'))
      : link('good', createDetail('alarm.armed', { day: until.day, time: formatTimeOfDay(until.minute) }));
  }
  const other = periods.find((period) => period.zone !== undefined && period.zone !== zone)?.zone;
  if (other !== undefined && findPeriod(periods, at, zone, true) !== undefined)
    return link('bad', createDetail('alarm.other-zone', { zone: formatZone(other), here: formatZone(zone) }));
  const ahead = getAhead(moment) ?? 0;
  if (Math.abs(ahead) > CLOCK_TOLERANCE && findPeriod(periods, here, zone) !== undefined)
    return link(
      'bad',
      createDetail('alarm.clock-off', {
        ahead: ahead > 0 ? 1 : 0,
        hours: Math.floor(Math.abs(ahead) / 3600),
        minutes: Math.floor((Math.abs(ahead) % 3600) / 60),
      }),
    );
  const next = findNextPeriod(periods, at, zone) ?? any;
  return link('bad', createDetail('alarm.not-armed', { day: next.day, time: formatTimeOfDay(next.from) }));
}

function concludeTold(receivers: readonly AlarmReceiver[], isSeen: boolean, params: Params): AlarmLink {
  const setting: AlarmSetting = { set: TRIGGER, params, path: 'EventTriggerNotificationList' };
  const link = (state: AlarmLink['state'], says: Detail): AlarmLink => ({
    link: 'told',
    state,
    says,
    setting,
  });
  if (receivers.length > 0) return link('good', createDetail('alarm.told', { n: receivers.length }));
  return isSeen
    ? link('bad', createDetail('alarm.not-told'))
    : link('unknown', createDetail('alarm.linkage-not-read'));
}

interface TriggerGroup {
  readonly presets: readonly number[];
  readonly receivers: readonly AlarmReceiver[];
}

/** Groups presets that tell the same receivers; without a preset there is one group without any. */
function groupTriggers(triggers: AlarmDocuments['triggers']): readonly TriggerGroup[] {
  if (triggers.length === 0) return [{ presets: [], receivers: [] }];
  const groups = Map.groupBy(
    triggers.map(({ preset, value }) => ({ preset, receivers: listReceivers(value) })),
    ({ receivers }) => JSON.stringify(receivers),
  );
  return [...groups.values()].map((group) => ({
    presets: group.map(({ preset }) => preset),
    receivers: group[0]?.receivers ?? [],
  }));
}

/** Longest list of receivers that is shown, and longest name of one. */
const MOST_RECEIVERS = 50;
const LONGEST_NAME = 64;

function listReceivers(trigger: unknown): readonly AlarmReceiver[] {
  const found = getValueAt(trigger, 'EventTriggerNotificationList');
  return (Array.isArray(found) ? found : []).slice(0, MOST_RECEIVERS).flatMap((one: unknown) => {
    const method = textAt(one, 'notificationMethod');
    return method === undefined ? [] : [{ method, output: textAt(one, 'outputIOPortID') }];
  });
}

/** Lists the alarm outputs that the thermometry itself switches. */
function listOutputs(basic: unknown): readonly AlarmReceiver[] {
  const found = getValueAt(basic, 'AlarmOutputIOPortList');
  return (Array.isArray(found) ? found : [])
    .slice(0, MOST_RECEIVERS)
    .filter((port) => getValueAt(port, 'enabled') === true)
    .map((port) => ({ method: 'IO', output: textAt(port, 'portID') }));
}

function getAhead({ device, here }: AlarmMoment): number | undefined {
  return device === undefined ? undefined : Math.round((device - here) / 1000);
}

function numberAt(value: unknown, path: string): number | undefined {
  const found = getValueAt(value, path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

function textAt(value: unknown, path: string): string | undefined {
  const found = getValueAt(value, path);
  return typeof found === 'string' && found !== '' ? found.slice(0, LONGEST_NAME) : undefined;
}
/** Ends of the measuring range, in the unit that the device counts in. Pure. */

/** Ranges that the interface names in °F; all others are in °C (part 3, 2.7). */
const IN_FAHRENHEIT: ReadonlySet<string> = new Set(['-4~302', '32~1022', '32~1200']);

/** Reads `-20~150` and `100-550`; undefined for `automatic`, and for a range of a later version. */
function readRange(
  range: unknown,
  unit: unknown,
): { readonly from: number; readonly to: number } | undefined {
  const match = typeof range === 'string' ? /^(-?\d{1,5})[~-](\d{1,5})$/.exec(range) : null;
  if (match === null) return undefined;
  const inUnit = (degrees: number): number =>
    fromCelsius(IN_FAHRENHEIT.has(range as string) ? ((degrees - 32) * 5) / 9 : degrees, unit);
  return { from: inUnit(Number(match[1])), to: inUnit(Number(match[2])) };
}

function fromCelsius(degrees: number, unit: unknown): number {
  const converted =
    unit === 'degreeFahrenheit'
      ? (degrees * 9) / 5 + 32
      : unit === 'degreeKelvin'
        ? degrees + 273.15
        : degrees;
  return Math.round(converted * 10) / 10;
}

function getUnitSymbol(unit: unknown): string {
  return unit === 'degreeFahrenheit' ? '°F' : unit === 'degreeKelvin' ? 'K' : '°C';
}
