/** The table of cases for single calls: one whose document is shown, and one that nothing shows. */
import { describe, expect, it } from 'vitest';
import type { Engine } from '#engine/index.ts';
import type { CallAnswer, CallOutcome, DeviceKind, UnitOutcome } from '#shared/model.ts';
import { WRITE_CASES } from '#test/helpers/write-cases.ts';
import { openWriteBench } from '../write-bench.ts';

const never = new AbortController().signal;

async function openBench(kind: DeviceKind) {
  const bench = await openWriteBench(kind, { isWrite: ({ method }) => method !== 'GET', format: 'xml' });
  return { ...bench, deviceId: bench.id };
}

function unitOf(engine: Engine, { job = '' }: CallAnswer): UnitOutcome | undefined {
  return engine.jobs.show({ id: job }).results[0]?.units[0]?.outcome;
}

/** Result for a script of each outcome. */
const TOLD: Readonly<Partial<Record<UnitOutcome, CallOutcome>>> = {
  effective: 'ok',
  accepted: 'ok',
  ignored: 'ignored',
  refused: 'refused',
  unknown: 'unknown',
  'needs-reboot': 'needs-reboot',
};

describe('a call whose document is shown', () => {
  // Would catch: "ok" after a web page, after a status that broke off, or for a value that the device does not show.
  it.each(WRITE_CASES)('$name: $visible', async (played) => {
    const { engine, proxy, deviceId } = await openBench('thermal');
    proxy.play(played);

    const answer = await engine.operations.call(
      {
        deviceId,
        operation: 'thermal.thermometryMode.put',
        params: { channelID: 1 },
        body: { mode: 'expert' },
      },
      never,
    );

    expect(unitOf(engine, answer)).toBe(played.visible);
    expect(answer.outcome).toBe(TOLD[played.visible]);
    expect(answer.error === undefined).toBe(answer.outcome === 'ok');
    expect(proxy.sends()).toBe(played.sends);
  });
});

describe('a call that nothing shows', () => {
  // Would catch: "all controllers removed" after a web page with 200.
  it.each(WRITE_CASES)('$name: $hidden', async (played) => {
    const { engine, proxy, deviceId } = await openBench('gate');
    proxy.play(played);

    const answer = await engine.operations.call(
      { deviceId, operation: 'accessControl.localController.deleteAll', confirmed: true },
      never,
    );

    expect(unitOf(engine, answer)).toBe(played.hidden);
    expect(answer.outcome).toBe(TOLD[played.hidden]);
  });
});
