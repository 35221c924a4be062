/** `device why-no-alarm`: what keeps a temperature alarm of a camera from reaching anyone, link by link. */
import type { Action } from '#cli/declarations/all.ts';
import type { AlarmChain, AlarmReport } from '#shared/alarm-chain.ts';
import { askEach } from '#cli/each-device.ts';
import type { Invocation } from '#cli/invocation.ts';

const PAINTS = { good: 'good', bad: 'bad', unknown: 'warn' } as const;

function printChain({ out }: Invocation, { channel, presets, links, now }: AlarmChain): void {
  out.line(
    out.say('cli.alarm.channel', {
      channel,
      n: presets.length,
      presets: presets.join(', '),
      time: `${String(Math.floor(now.minute / 60)).padStart(2, '0')}:${String(now.minute % 60).padStart(2, '0')}`,
      day: now.day,
      zone: now.zone,
    }),
  );
  out.table(links, {
    LINK: ({ link }) => out.say(`cli.alarm.${link}`),
    STATE: {
      value: ({ state }) => out.say(`cli.alarm.${state}`),
      paint: ({ state }) => PAINTS[state],
    },
    REASON: { value: ({ says }) => out.sentence(says), flexible: true },
  });
}

export const showAlarms: Action<'device why-no-alarm'> = async (invocation, options) => {
  return askEach<AlarmReport>(invocation, options, {
    ask: (engine, device, signal) =>
      engine.operations.alarms({ deviceId: device.id, eventSeconds: options.event }, signal),
    print: ({ chains }) => {
      for (const chain of chains) printChain(invocation, chain);
    },
  });
};
