/** Thermal cameras that raise no alarm, each for a cause that was planted in it. */
import { expect, it } from 'vitest';
import type { SilentAlarm } from '#simulator/faults.ts';
import type { AlarmChain, AlarmReport } from '#shared/alarm-chain.ts';
import { formatDetail } from '#shared/details.ts';
import { never, openSite } from '../site-engine.ts';

/** Reads the alarms of a camera with this fault. */
async function readAlarms(fault?: SilentAlarm, eventSeconds?: number): Promise<AlarmReport> {
  const { engine, site, ids } = await openSite({ kinds: ['thermal'] });
  if (fault !== undefined) site.device(0).setFault(fault);
  return engine.operations.alarms(
    { deviceId: ids[0] ?? '', ...(eventSeconds !== undefined && { eventSeconds }) },
    never,
  );
}

function listBad({ links }: AlarmChain): readonly string[] {
  return links.filter(({ state }) => state === 'bad').map(({ link, says }) => `${link}: ${says.id}`);
}

// Would catch: a healthy camera that is said to be silent, and a channel that is left out.
it('finds nothing wrong with a camera as it is delivered, on both channels and all presets', async () => {
  const { chains } = await readAlarms();

  expect(chains.map(({ channel, presets, state }) => [channel, presets.length, state])).toEqual([
    [1, 8, 'good'],
    [2, 8, 'good'],
  ]);
  expect(chains[0]?.links.map(({ says }) => says.id)).toEqual([
    'alarm.inside-range',
    'alarm.filter-short',
    'alarm.armed-always',
    'alarm.told',
  ]);
  expect(chains[0]?.receivers.map(({ method }) => method)).toEqual(['center', 'IO']);
});

// Each would catch: the cause not being found, or blamed on another link.
it.each([
  [
    'alarm-outside',
    'measures: alarm.above-range',
    /lies above the range that is measured .* it never fires\./,
  ],
  ['detection-off', 'measures: alarm.detection-off', /Temperature measurement is switched off/],
  ['long-filter', 'lasts: alarm.filter-long', /the event lasts 10 s: it is over before the alarm fires\./],
  ['not-armed', 'armed: alarm.not-armed', /Not armed now\. It is armed again \w+day/],
  ['other-zone', 'armed: alarm.other-zone', /the schedule counts in the time zone/],
  ['wrong-clock', 'armed: alarm.clock-off', /Not armed now by the device's own clock/],
  ['not-told', 'told: alarm.not-told', /No linkage is set .* reaches no one\./],
] as const)('names the cause %s and no other, in words', async (fault, cause, words) => {
  const { chains } = await readAlarms(fault);

  const [said] = chains[0]?.links.filter(({ state }) => state === 'bad') ?? [];
  expect(chains.map(listBad)).toEqual([[cause], [cause]]);
  expect(said && formatDetail(said.says)).toMatch(words);
  expect(chains.map(({ state }) => state)).toEqual(['bad', 'bad']);
});

it('judges the filter time by the length of the event', async () => {
  const { chains } = await readAlarms('long-filter', 120);

  expect(chains.flatMap(listBad)).toEqual([]);
});

it('says of a device without thermometry that it has none', async () => {
  const { engine, ids } = await openSite({ kinds: ['gate'] });

  await expect(engine.operations.alarms({ deviceId: ids[0] ?? '' }, never)).rejects.toMatchObject({
    code: 'not-supported',
  });
});
