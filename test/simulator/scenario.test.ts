import { expect, it } from 'vitest';
import { parseScenarioLine, playStep } from '#simulator/scenario.ts';
import type { Site } from '#simulator/index.ts';
import { ask, site, tag } from './helpers.ts';

const STATUS = '/API/AccessControl/GateStatus';
const never = new AbortController().signal;

async function play(at: Site, ...lines: readonly object[]): Promise<void> {
  for (const line of lines) {
    const step = parseScenarioLine(JSON.stringify(line));
    if (step !== undefined) await playStep(at, step, never);
  }
}

it('lets somebody walk through after the device was asked, and no sooner', async () => {
  const started = await site({ kinds: ['gate'] });
  started.clock.freeze();
  await play(started, { do: 'stop-traffic' });
  const count = async () => tag((await ask(started, 'GET', STATUS)).text, 'inDoorPassCount');
  const before = Number(await count());

  const walked = play(started, { when: 'gate.status.get', times: 2, do: 'walk', direction: 'in' });
  const [first, second] = [await count(), await count()];
  await walked;

  expect([Number(first), Number(second)]).toEqual([before, before]);
  expect(Number(await count())).toBe(before + 1);
});

// Would catch: a pulled cable that forgets what a restart forgets, or that comes back at another port.
it('pulls the network cable and puts it back, and the device is as it was', async () => {
  const started = await site({ kinds: ['gate'] });
  started.clock.freeze();
  await play(started, { do: 'stop-traffic' }, { do: 'fire', closed: true });
  const before = (await ask(started, 'GET', STATUS)).text;

  await play(started, { do: 'unplug' });
  await expect(ask(started, 'GET', STATUS)).rejects.toThrow();
  await play(started, { do: 'plug' }, { do: 'plug' });

  expect((await ask(started, 'GET', STATUS)).text).toBe(before);
  expect(tag(before, 'gateCurrentStatus')).toBe('OutDoorOpen');
});

it('sets a fault as the command line writes it, and says what is wrong with one', async () => {
  const started = await site({ kinds: ['thermal'] });
  const address = '/API/Thermal/capabilities';

  await play(started, { do: 'fault', kind: 'busy,times=1,path=/Thermal/' });
  const replies = [await ask(started, 'GET', address), await ask(started, 'GET', address)];

  expect(replies.map(({ http }) => http)).toEqual([503, 200]);
  expect(() => parseScenarioLine('{"do":"fault","kind":"busy,often=1"}')).toThrow('often=1');
});

it('takes remarks, and says what is wrong with a line', async () => {
  const started = await site({ kinds: ['thermal'] });

  expect(parseScenarioLine('  # a remark')).toBeUndefined();
  expect(() => parseScenarioLine('{"do":"walk"}')).toThrow('direction');
  expect(() => parseScenarioLine('{"do":"cover","beams":[49]}')).toThrow('beams.0');
  expect(() => parseScenarioLine('{"do":"fly"}')).toThrow('do');
  expect(() => parseScenarioLine('{"do":"unplug","often":2}')).toThrow('often');
  await expect(play(started, { do: 'walk', direction: 'in' })).rejects.toThrow('no gate');
  await expect(play(started, { do: 'unplug', device: 2 })).rejects.toThrow('devices 1 to 1');
});
