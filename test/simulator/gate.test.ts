import { describe, expect, it } from 'vitest';
import { GATE_PARTS } from '#simulator/areas/access/gate-parts.ts';
import { ask, site, tag } from './helpers.ts';

const STATUS = '/API/AccessControl/GateStatus';

describe('a gate', () => {
  it('counts passages as time goes by, fewer than authentications', async () => {
    const started = await site();
    const read = async (name: string): Promise<number> =>
      Number(tag((await ask(started, 'GET', STATUS)).text, name));
    const before = await read('inDoorPassCount');

    started.clock.advance(3_600_000);
    const passed = (await read('inDoorPassCount')) - before;

    expect(passed).toBeGreaterThan(500);
    expect(passed).toBeLessThan(1500);
    expect(await read('inDoorAuthCount')).toBeGreaterThan(await read('inDoorPassCount'));
  });

  it('starts its counters again at 0 after 0xFFFFFFFF', async () => {
    const started = await site();
    started.clock.freeze();
    const gate = started.device(0).part(GATE_PARTS);
    gate.setCounters({ inDoorPassCount: 0xffffffff });

    const before = tag((await ask(started, 'GET', STATUS)).text, 'inDoorPassCount');
    started.clock.advance(60_000);
    const after = Number(tag((await ask(started, 'GET', STATUS)).text, 'inDoorPassCount'));

    expect(before).toBe('4294967295');
    expect(after).toBeLessThan(100);
    expect(() => gate.setCounters({ inDoorPassCount: 2 ** 32 })).toThrow(RangeError);
  });

  it('begins at 0 after a restart', async () => {
    const started = await site();
    started.clock.freeze();
    await ask(started, 'GET', STATUS);

    await started.device(0).restart();

    expect(tag((await ask(started, 'GET', STATUS)).text, 'outDoorPassCount')).toBe('0');
  });

  it('opens for who walks through, and shows the beams they interrupt', async () => {
    const started = await site();
    started.clock.freeze();
    const beams = { InDoorOpen: new Set<string>(), OutDoorOpen: new Set<string>(), Close: new Set<string>() };

    for (let step = 0; step < 120; step += 1) {
      started.clock.advance(500);
      const position = tag(
        (await ask(started, 'GET', STATUS)).text,
        'gateCurrentStatus',
      ) as keyof typeof beams;
      beams[position].add(
        tag((await ask(started, 'GET', '/API/AccessControl/GateIRStatus')).text, 'triggered') ?? '',
      );
    }

    expect([...beams.Close]).toEqual(['']);
    for (const position of ['InDoorOpen', 'OutDoorOpen'] as const) {
      expect(beams[position].size).toBeGreaterThan(3);
      for (const pair of beams[position]) {
        const [first = 0, second = 0] = pair.split(',').map(Number);
        expect(second - first, pair).toBe(1);
      }
    }
  });

  it('lets who is sent through count in his direction, or in the other one where the wiring is swapped', async () => {
    const started = await site();
    started.clock.freeze();
    const gate = started.device(0).part(GATE_PARTS);
    gate.stopTraffic();
    gate.setCounters({ inDoorPassCount: 0xffffffff, outDoorPassCount: 7 });
    const read = async (): Promise<unknown> => {
      const { text } = await ask(started, 'GET', STATUS);
      return ['inDoorPassCount', 'outDoorPassCount', 'gateCurrentStatus'].map((name) => tag(text, name));
    };

    expect(await read()).toEqual(['4294967295', '7', 'Close']);
    gate.walk('in');
    expect(await read()).toEqual(['0', '7', 'InDoorOpen']);
    started.clock.advance(3_600_000);
    expect(await read()).toEqual(['0', '7', 'Close']);
    gate.isSwapped = true;
    gate.walk('in');
    expect(await read()).toEqual(['0', '8', 'OutDoorOpen']);
  });

  it('opens in a fire, where the input is connected', async () => {
    const started = await site();
    started.clock.freeze();
    const gate = started.device(0).part(GATE_PARTS);
    gate.stopTraffic();
    gate.fireContact = true;
    const read = async (): Promise<unknown> => [
      tag((await ask(started, 'GET', '/API/AccessControl/GateRelatedPartsStatus')).text, 'fireInput'),
      tag((await ask(started, 'GET', STATUS)).text, 'gateCurrentStatus'),
    ];

    expect(await read()).toEqual(['Alarm', 'OutDoorOpen']);
    gate.isFireWired = false;
    expect(await read()).toEqual(['Normal', 'Close']);
  });

  it('shows what blocks it, its mode and its parts', async () => {
    const started = await site();
    const gate = started.device(0).part(GATE_PARTS);
    gate.stopTraffic();
    gate.blockedBeams = [48, 3];
    gate.coveredBeams = [4, 5];
    gate.deadBeams = [5];
    gate.currentInDoorMode = 'Forbid';
    gate.currentOutDoorMode = 'Forbid';
    gate.controllers = { slave: { motorSensor: 'Abnormal' } };

    const infrared = (await ask(started, 'GET', '/API/AccessControl/GateIRStatus')).text;
    const dial = (await ask(started, 'GET', '/API/AccessControl/GateDialAndInfo')).text;
    const parts = (await ask(started, 'GET', '/API/AccessControl/GateRelatedPartsStatus')).text;

    expect(tag(infrared, 'triggered')).toBe('3,4,48');
    expect(tag(infrared, 'triggeredTimeout')).toBe('48,3');
    expect(tag(dial, 'InDoor')).toBe('Forbid');
    expect(tag(parts, 'caseTemp')).toMatch(/^\d+\.\d$/);
    expect(tag(parts, 'brakeStatus')).toBe('Brake');
    expect(parts.match(/<motorSensor>\w+/g)).toEqual(['<motorSensor>Normal', '<motorSensor>Abnormal']);
  });
});
