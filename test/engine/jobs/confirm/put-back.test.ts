/** Changes that a person has to keep: put back by themselves, also later and after a crash, and never after a yes. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Engine } from '#engine/index.ts';
import type { Job, OpenWorkEvent } from '#shared/model.ts';
import {
  BASIC,
  MODE,
  applyPlan,
  asAnotherProgram,
  makePlan,
  never,
  openEngine,
  openSite,
  reopenEngine,
  template,
  waitForEnd,
  writes,
  type TestSite,
} from '#test/engine/site-engine.ts';

async function run(engine: Engine): Promise<readonly OpenWorkEvent[]> {
  const events: OpenWorkEvent[] = [];
  for await (const event of engine.openWork.run({}, never)) events.push(event);
  return events;
}

/** Begins a job whose changes have to be kept, and resolves when its countdown begins. */
async function applyUntilCountdown(at: TestSite, confirmWithin: number): Promise<string> {
  const plan = await makePlan(at, template(BASIC, MODE));
  const { jobId } = at.engine.jobs.start({ planId: plan.id, options: { confirmWithin } });
  for await (const event of at.engine.jobs.watch({ id: jobId }, never)) if (event.type === 'confirm') break;
  return jobId;
}

/** Waits until the changes of the job are put back, or were tried to be; returns the job. */
async function waitUntilPutBack(engine: Engine, jobId: string): Promise<Job> {
  await waitForEnd(engine, jobId);
  const { revertedBy = '' } = engine.jobs.show({ id: jobId });
  await waitForEnd(engine, revertedBy);
  return engine.jobs.show({ id: jobId });
}

const outcomes = ({ results }: Job): readonly (readonly string[])[] =>
  results.map(({ units }) => units.map(({ outcome }) => outcome));

/** Reads what a device shows of the two sections, byte for byte. */
async function readBoth(at: TestSite, nth: number, engine = at.engine): Promise<readonly unknown[]> {
  const deviceId = at.ids[nth] ?? '';
  return Promise.all(
    ['thermal.thermometryBasic.get', 'thermal.thermometryMode.get'].map(
      async (operation) =>
        (await engine.operations.call({ deviceId, operation, params: { channelID: 1 }, raw: true }, never))
          .raw,
    ),
  );
}

describe('changes that have to be kept', () => {
  // Would catch: a dead man's switch that does nothing, or that leaves no trace in the job.
  it('are put back where no person does so in time', async () => {
    const at = await openSite({ devices: 2 });
    const before = await Promise.all([0, 1].map((nth) => readBoth(at, nth)));
    const jobId = await applyUntilCountdown(at, 1);
    const changed = await readBoth(at, 0);
    const job = await waitUntilPutBack(at.engine, jobId);

    expect(changed).not.toEqual(before[0]);
    expect(await Promise.all([0, 1].map((nth) => readBoth(at, nth)))).toEqual(before);
    expect(job).toMatchObject({ state: 'failed', deviceCounts: { attention: 2 } });
    expect(outcomes(job)).toEqual(Array(2).fill(['reverted', 'reverted']));
    expect(at.engine.openWork.list()).toEqual([]);
  });

  // Would catch: a yes that is lost, or one that counts although the device cannot be signed in to any more.
  it('stay after a yes, for which each device is connected and signed in to afresh', async () => {
    const at = await openSite({ devices: 2 });
    const jobId = await applyUntilCountdown(at, 60);
    const refused = (): number => at.site.device(1).requests.filter(({ http }) => http === 401).length;
    const before = refused();
    const kept = await at.engine.jobs.confirm({ id: jobId }, never);
    const job = await waitForEnd(at.engine, jobId);

    expect(kept).toEqual({ job: jobId, kept: 2, failed: [] });
    expect(refused()).toBeGreaterThan(before);
    expect(job).toMatchObject({ state: 'done', deviceCounts: { done: 2 } });
    expect(job.revertedBy).toBeUndefined();
    expect(at.engine.jobs.show({ id: jobId }).runs).toMatchObject([
      { kind: 'start' },
      { kind: 'keep', by: 'installer' },
    ]);
    const later = await reopenEngine(at);
    expect(await run(later)).toEqual([{ type: 'summary', done: 0, failed: 0, open: 0 }]);
    expect([0, 1].map((nth) => writes(at, nth).length)).toEqual([2, 2]);
    await expect(later.jobs.confirm({ id: jobId }, never)).rejects.toMatchObject({ code: 'not-allowed' });
  });

  // Would catch: a device that took a wrong address and stays lost, or others that lose their settings for it.
  it('are put back on a device that is gone the moment it is seen, and stay on the others', async () => {
    const at = await openSite({ devices: 2 });
    const before = await readBoth(at, 1);
    const jobId = await applyUntilCountdown(at, 4);
    await at.site.device(1).unplug();
    const kept = await at.engine.jobs.confirm({ id: jobId }, never);
    await waitForEnd(at.engine, jobId);
    // The app that is started again knows nothing but the journal.
    const later = await reopenEngine(at);
    const open = later.openWork.list();
    await at.site.device(1).plugIn();
    const events = await run(later);

    expect(kept).toMatchObject({
      kept: 1,
      failed: [{ deviceId: at.ids[1], error: { code: 'connection-refused' } }],
    });
    expect(open).toMatchObject([{ kind: 'undo', device: at.ids[1] }]);
    expect(events).toMatchObject([
      { type: 'work', outcome: 'done' },
      { type: 'summary', open: 0 },
    ]);
    expect(outcomes(later.jobs.show({ id: jobId }))).toEqual([
      ['effective', 'effective'],
      ['reverted', 'reverted'],
    ]);
    expect(await readBoth(at, 1, later)).toEqual(before);
    expect(writes(at, 0)).toHaveLength(2);
  });

  // Would catch: a device that keeps values which were to be put back, in a job that reads as done.
  it.each([1, 2])(
    'of a device that was removed meanwhile stay, and the job says so: %i of 2',
    async (count) => {
      const at = await openSite({ devices: 2 });
      const before = await readBoth(at, 0);
      const time = { aheadMs: 0 };
      // No device of one run has their addresses here.
      const engine = await openEngine(
        mkdtempSync(join(tmpdir(), 'fieldwright-removed-')),
        [],
        undefined,
        time,
      );
      const ids = at.site.devices.map(
        ({ url, name, user, password }) =>
          engine.devices.add({ address: url, name, signIn: { userName: user, password } }).id,
      );
      const jobId = await applyUntilCountdown({ ...at, engine, ids }, 60);
      engine.devices.remove({ ids: ids.slice(2 - count) });
      time.aheadMs = 60_000;
      const ended = await waitForEnd(engine, jobId);
      const job = count === 2 ? ended : await waitUntilPutBack(engine, jobId);

      expect(job).toMatchObject({ state: 'failed', deviceCounts: { attention: 2 } });
      expect(job.results[1]?.error).toMatchObject({ code: 'unknown-device', detail: { id: 'not-put-back' } });
      expect(outcomes(job)[1]).toEqual(['effective', 'effective']);
      if (count === 1) expect(await readBoth(at, 0)).toEqual(before);
      expect(outcomes(job)[0]?.[0]).toBe(count === 2 ? 'effective' : 'reverted');
      expect(engine.openWork.list()).toEqual([]);
    },
  );

  // Would catch: what another person set meanwhile is overwritten by a program that acts alone.
  it('are left for a person where the device changed since', async () => {
    const at = await openSite({ devices: 1 });
    const jobId = await applyUntilCountdown(at, 2);
    await asAnotherProgram(at, 0, async (engine, id) => {
      const other = template(
        'set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: { distance: 7 }',
      );
      await applyPlan(engine, await makePlan({ engine, ids: [id] }, other));
    });
    const there = writes(at, 0).length;
    await waitUntilPutBack(at.engine, jobId);

    expect(at.engine.openWork.list()).toMatchObject([{ kind: 'undo', reason: 'changed' }]);
    expect(writes(at, 0)).toHaveLength(there);
  });

  it('are put back at once where the job is stopped', async () => {
    const at = await openSite({ devices: 1 });
    const before = await readBoth(at, 0);
    const jobId = await applyUntilCountdown(at, 3600);
    at.engine.jobs.cancel({ id: jobId });
    await waitUntilPutBack(at.engine, jobId);

    expect(await readBoth(at, 0)).toEqual(before);
  });

  // Would catch: the offer where it only disturbs, or none where a wrong value keeps people out.
  it('are offered for settings that may cut a device off, and for no others', async () => {
    const at = await openSite({ devices: 1, kinds: ['gate'] });
    const marks = async (value: string): Promise<unknown> => {
      const plan = await makePlan(at, template(`set: accessControl.hostConfig\nvalue: { ${value} }`));
      return plan.devices[0]?.sections[0]?.cutsOff;
    };

    expect(await marks('voicePrompt: false')).toBeUndefined();
    expect(await marks('protocol: OSDP')).toBe(true);
  });

  it('are not written to devices that are back when no person is there', async () => {
    const at = await openSite({ devices: 1 });
    const plan = await makePlan(at, template(BASIC));

    expect(() =>
      at.engine.jobs.start({ planId: plan.id, options: { confirmWithin: 60, whenBack: {} } }),
    ).toThrow(expect.objectContaining({ code: 'usage' }) as Error);
  });
});
