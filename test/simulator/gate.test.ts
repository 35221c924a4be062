import { describe, expect, it } from 'vitest';
import { GATE_PARTS } from '../../src/simulator/areas/gate-parts.ts';
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
    const seen = new Set<string>();

    for (let step = 0; step < 60; step += 1) {
      started.clock.advance(1000);
      const position = tag((await ask(started, 'GET', STATUS)).text, 'gateCurrentStatus') ?? '';
      const beams =
        tag((await ask(started, 'GET', '/API/AccessControl/GateIRStatus')).text, 'triggered') ?? '';
      seen.add(`${position}:${beams}`);
    }

    expect([...seen].sort()).toEqual(['Close:', 'InDoorOpen:12,13', 'OutDoorOpen:36,37']);
  });

  it('shows what blocks it, its mode and its parts', async () => {
    const started = await site();
    const gate = started.device(0).part(GATE_PARTS);
    gate.blockedBeams = [48, 3];
    gate.currentInDoorMode = 'Forbid';
    gate.currentOutDoorMode = 'Forbid';

    const infrared = (await ask(started, 'GET', '/API/AccessControl/GateIRStatus')).text;
    const dial = (await ask(started, 'GET', '/API/AccessControl/GateDialAndInfo')).text;
    const parts = (await ask(started, 'GET', '/API/AccessControl/GateRelatedPartsStatus')).text;

    expect(tag(infrared, 'triggered')).toBe('3,48');
    expect(tag(infrared, 'triggeredTimeout')).toBe('48,3');
    expect(tag(dial, 'InDoor')).toBe('Forbid');
    expect(tag(parts, 'caseTemp')).toMatch(/^\d+\.\d$/);
    expect(tag(parts, 'brakeStatus')).toBe('Brake');
  });
});
