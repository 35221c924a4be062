/** Conclusions about documents that no virtual camera has. */
import { expect, it } from 'vitest';
import { concludeChains, type AlarmDocuments } from '#engine/alarms/alarm-chain.ts';

const BASIC = {
  enabled: true,
  temperatureRange: '-20~150',
  temperatureUnit: 'degreeCentigrade',
  alarm: 72,
  alarmFilteringTime: 3,
  AlarmOutputIOPortList: [{ portID: '2', enabled: true }],
};
/** Wednesday 25 November 2026, 12:00 UTC. */
const NOON = Date.UTC(2026, 10, 25, 12);

function period(dayOfWeek: number, beginTime: string, endTime: string) {
  return { dayOfWeek, TimeRange: { beginTime, endTime } };
}
function conclude(more: Partial<AlarmDocuments> = {}, moment = {}) {
  const [chain] = concludeChains(
    {
      channel: 1,
      basic: BASIC,
      schedule: { TimeBlockList: [period(3, '08:00:00', '18:00:00')] },
      triggers: [],
      ...more,
    },
    { here: NOON, device: NOON, zone: 0, eventSeconds: 10, ...moment },
  );
  return Object.fromEntries(
    chain?.links.map(({ link, state, says }) => [link, { state, id: says.id, values: says.values }]) ?? [],
  );
}

it.each([
  ['-4~302', 'degreeFahrenheit', 310, 'alarm.above-range'],
  ['-20~150', 'degreeFahrenheit', 300, 'alarm.inside-range'],
  ['-20~150', 'degreeKelvin', 400, 'alarm.inside-range'],
  ['100-550', 'degreeCentigrade', 72, 'alarm.below-range'],
  ['automatic', 'degreeCentigrade', 900, 'alarm.range-automatic'],
  ['28-45', undefined, 46, 'alarm.above-range'],
])('reads the range %s in %s against an alarm of %d', (temperatureRange, temperatureUnit, alarm, id) => {
  expect(conclude({ basic: { ...BASIC, temperatureRange, temperatureUnit, alarm } })['measures']?.id).toBe(
    id,
  );
});

it('looks at intervals where the camera compares with them, not at the threshold', () => {
  const intervals = (enabled: boolean, minTemperature: number) => ({
    ...BASIC,
    alarm: 999,
    alarmMode: 'temperatureIntervalMeasurement',
    NormalTemperatureIntervalMeasurement: {
      TemperatureIntervalList: [{ enabled, minTemperature, maxTemperature: 550 }],
    },
  });

  expect(conclude({ basic: intervals(true, 60) })['measures']?.id).toBe('alarm.intervals');
  expect(conclude({ basic: intervals(false, 60) })['measures']?.id).toBe('alarm.no-interval');
  expect(conclude({ basic: intervals(true, 200) })['measures']?.id).toBe('alarm.intervals-outside');
});

// Would catch: periods that touch at midnight counted as two, and a night that is taken for a gap.
it('follows armed periods over midnight', () => {
  const schedule = {
    TimeBlockList: [period(3, '08:00:00', '24:00:00'), period(4, '00:00:00', '06:30:00')],
  };
  expect(conclude({ schedule })['armed']).toMatchObject({
    state: 'good',
    values: { day: 4, time: '06:30' },
  });
  const night = { TimeBlockList: [period(2, '22:00:00', '13:00:00')] };
  expect(conclude({ schedule: night })['armed']).toMatchObject({ values: { day: 3, time: '13:00' } });
});

it('says when it is armed again, also next week', () => {
  const schedule = { TimeBlockList: [period(3, '08:00:00', '11:00:00')] };

  expect(conclude({ schedule })['armed']).toEqual({
    state: 'bad',
    id: 'alarm.not-armed',
    values: { day: 3, time: '08:00' },
  });
});

it('goes by the clock of the device, and says so only where that makes the difference', () => {
  const early = NOON - 7 * 3_600_000;

  expect(conclude({}, { device: early })['armed']).toMatchObject({
    id: 'alarm.clock-off',
    values: { ahead: 0, hours: 7, minutes: 0 },
  });
  expect(conclude({}, { device: NOON + 3_600_000 })['armed']?.id).toBe('alarm.armed');
  expect(conclude({}, { device: 0 })['armed']?.values).toMatchObject({ ahead: 0 });
});

it('does not blame what the device did not show', () => {
  const { AlarmOutputIOPortList: _ports, ...basic } = BASIC;
  const links = conclude({ basic, schedule: undefined });

  expect(links['armed']).toMatchObject({ state: 'unknown', id: 'alarm.schedule-not-read' });
  expect(links['told']).toMatchObject({ state: 'unknown', id: 'alarm.linkage-not-read' });
});

// Would catch: one silent preset hidden by the others.
it('keeps presets apart that tell others', () => {
  const { AlarmOutputIOPortList: _ports, ...basic } = BASIC;
  const center = { EventTriggerNotificationList: [{ id: 'center', notificationMethod: 'center' }] };
  const chains = concludeChains(
    {
      channel: 1,
      basic,
      triggers: [
        { preset: 1, value: center },
        { preset: 2, value: { EventTriggerNotificationList: [] } },
        { preset: 3, value: center },
      ],
    },
    { here: NOON, device: undefined, zone: 0, eventSeconds: 10 },
  );

  expect(chains.map(({ presets, links }) => [presets, links.at(-1)?.says.id])).toEqual([
    [[1, 3], 'alarm.told'],
    [[2], 'alarm.not-told'],
  ]);
});
