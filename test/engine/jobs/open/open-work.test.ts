/** Open work: devices that were away have their turn when they are back, once, and only if nothing changed meanwhile. */
import { describe, expect, it } from 'vitest';
import type { Engine } from '#engine/index.ts';
import type { ApplyOptions, Job, OpenWorkEvent } from '#shared/model.ts';
import {
  BASIC,
  MODE,
  applyPlan,
  asAnotherProgram,
  makePlan,
  never,
  openSite,
  reopenEngine,
  template,
  waitForEnd,
  writes,
  type TestSite,
} from '#test/engine/site-engine.ts';

const WHEN_BACK: ApplyOptions = { acceptDrift: true, whenBack: {} };

async function run(engine: Engine, ids?: readonly string[]): Promise<readonly OpenWorkEvent[]> {
  const events: OpenWorkEvent[] = [];
  for await (const event of engine.openWork.run(ids === undefined ? {} : { ids }, never)) events.push(event);
  return events;
}

/** Applies to a site whose last device is unplugged: before the plan is made, or after. */
async function applyWithOneAway(
  at: TestSite,
  { planned, options = WHEN_BACK }: { readonly planned: boolean; readonly options?: ApplyOptions },
): Promise<Job> {
  const last = at.site.device(at.ids.length - 1);
  if (!planned) await last.unplug();
  const plan = await makePlan(at, template(BASIC, MODE));
  if (planned) await last.unplug();
  return applyPlan(at.engine, plan, options);
}

describe('a device that is away', () => {
  // Would catch: a device that was never read and is left out for ever, or one that is written twice.
  it.each([true, false])('has its turn when it is back, once (planned before: %s)', async (planned) => {
    const at = await openSite({ devices: 3 });
    const job = await applyWithOneAway(at, { planned });

    expect(job).toMatchObject({ state: 'partial', open: 1, deviceCounts: { done: 2, pending: 1 } });
    expect(await run(at.engine)).toEqual([{ type: 'summary', done: 0, failed: 0, open: 1 }]);
    await expect(run(at.engine, ['j-nothing'])).rejects.toMatchObject({ code: 'not-found' });
    await at.site.device(2).plugIn();
    expect(at.engine.openWork.list()).toMatchObject([
      { id: `${job.id}.2`, job: job.id, device: at.ids[2], kind: 'apply', reason: 'away', by: 'installer' },
    ]);

    expect(await run(at.engine)).toMatchObject([
      { type: 'work', id: `${job.id}.2`, outcome: 'done' },
      { type: 'summary', done: 1, failed: 0, open: 0 },
    ]);
    const after = at.engine.jobs.show({ id: job.id });
    expect(after).toMatchObject({ state: 'done', deviceCounts: { done: 3 } });
    expect(after.open).toBeUndefined();
    expect([0, 1, 2].map((nth) => writes(at, nth).length)).toEqual([2, 2, 2]);
    expect(await run(at.engine)).toEqual([{ type: 'summary', done: 0, failed: 0, open: 0 }]);
  });

  it('is no open work where that was not asked for', async () => {
    const at = await openSite({ devices: 2 });
    const job = await applyWithOneAway(at, { planned: true, options: { acceptDrift: true } });

    expect(job).toMatchObject({ state: 'failed', deviceCounts: { done: 1, attention: 1 } });
    expect(at.engine.openWork.list()).toEqual([]);
  });

  // Would catch: open work that dies with the program, or that only a command takes up.
  it('has its turn after the app was started again, by itself', async () => {
    const at = await openSite({ devices: 2 });
    const { id } = await applyWithOneAway(at, { planned: true });
    const later = await reopenEngine(at);
    later.openWork.doInBackground();
    await at.site.device(1).plugIn();

    await expect.poll(() => later.jobs.show({ id }).state).toBe('done');
    expect(writes(at, 1)).toHaveLength(2);
  });

  // Would catch: the work of others overwritten because the decision was made while the device was away.
  it('is asked about where it changed meanwhile, and not overwritten', async () => {
    const at = await openSite({ devices: 2 });
    const job = await applyWithOneAway(at, { planned: true });
    await at.site.device(1).plugIn();
    await asAnotherProgram(at, 1, async (engine, deviceId) => {
      const text = template(
        'set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: { distance: 7 }',
      );
      await applyPlan(engine, await makePlan({ engine, ids: [deviceId] }, text));
    });
    const before = writes(at, 1).length;

    expect(await run(at.engine)).toMatchObject([
      { type: 'work', outcome: 'open', reason: 'changed', error: { code: 'plan-outdated' } },
      { type: 'summary', done: 0, failed: 0, open: 1 },
    ]);
    // It is not tried again by itself.
    expect(await run(at.engine)).toEqual([{ type: 'summary', done: 0, failed: 0, open: 1 }]);
    expect(writes(at, 1)).toHaveLength(before);

    at.engine.jobs.resume({ id: job.id, options: { acceptDrift: true } });
    expect(await waitForEnd(at.engine, job.id)).toMatchObject({ state: 'done' });
    expect(at.engine.openWork.list()).toEqual([]);
  });

  // Would catch: an old decision that undoes a newer one, on a device that could not be read for the old one.
  it('is asked about where a later job wrote to it before it was seen', async () => {
    const at = await openSite({ devices: 2 });
    const old = await applyWithOneAway(at, { planned: false });
    await at.site.device(1).plugIn();
    const [, deviceId = ''] = at.ids;
    const text = template('set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: { distance: 7 }');
    await applyPlan(at.engine, await makePlan({ engine: at.engine, ids: [deviceId] }, text));

    expect(await run(at.engine)).toMatchObject([
      { id: `${old.id}.1`, outcome: 'open', reason: 'changed' },
      { type: 'summary', open: 1 },
    ]);
    expect(writes(at, 1)).toHaveLength(1);
  });

  // Would catch: the work of others overwritten on a device that could not be read for the plan, although a look had seen it.
  it('is asked about where another program wrote to it since it was last seen', async () => {
    const at = await openSite({ devices: 2 });
    const [, deviceId = ''] = at.ids;
    await at.engine.snapshots.take({ deviceId }, never);
    await applyWithOneAway(at, { planned: false });
    await at.site.device(1).plugIn();
    await asAnotherProgram(at, 1, async (engine, id) => {
      const text = template(
        'set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: { distance: 7 }',
      );
      await applyPlan(engine, await makePlan({ engine, ids: [id] }, text));
    });

    expect(await run(at.engine)).toMatchObject([{ outcome: 'open', reason: 'changed' }, { open: 1 }]);
    expect(writes(at, 1)).toHaveLength(1);
  });

  it('has its turn where it is as it was last seen', async () => {
    const at = await openSite({ devices: 2 });
    const [, deviceId = ''] = at.ids;
    await at.engine.snapshots.take({ deviceId }, never);
    await applyWithOneAway(at, { planned: false });
    await at.site.device(1).plugIn();

    expect(await run(at.engine)).toMatchObject([{ outcome: 'done' }, { open: 0 }]);
  });

  // Would catch: an account that is locked because a laptop tried a wrong password all night.
  it('gets a wrong password once', async () => {
    const at = await openSite({ devices: 2 });
    await applyWithOneAway(at, { planned: true });
    const later = await reopenEngine(at, { isSignedIn: false });
    for (const { url, user } of at.site.devices)
      later.devices.addTransient({ url, userName: user, password: 'Wrong-1' });
    await at.site.device(1).plugIn();
    const refused = (): number => at.site.device(1).requests.filter(({ http }) => http === 401).length;

    expect(await run(later)).toMatchObject([
      { outcome: 'open', reason: 'sign-in', error: { code: 'sign-in-failed' } },
      { type: 'summary', open: 1 },
    ]);
    const before = refused();
    expect(await run(later)).toEqual([{ type: 'summary', done: 0, failed: 0, open: 1 }]);
    expect(refused()).toBe(before);
    expect(at.site.device(1).requests.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  it('is tried no more when its time is over, and says so', async () => {
    const at = await openSite({ devices: 2 });
    const until = new Date(Date.now() + 300).toISOString();
    const { id } = await applyWithOneAway(at, { planned: true, options: { whenBack: { until } } });
    await at.site.device(1).plugIn();
    await expect.poll(() => at.engine.openWork.list()).toEqual([]);

    const { results, open, resumable } = at.engine.jobs.show({ id });
    expect(open).toBeUndefined();
    expect(results[1]?.error?.detail?.id).toBe('work-expired');
    expect(resumable).toBe(true);
    expect(writes(at, 1)).toHaveLength(0);
  });

  // Would catch: a write that counts after a restart only, and that no program looks at when the device is back.
  it('is read again when it has restarted, where its settings need that', async () => {
    const at = await openSite({ devices: 1, faults: ['reboot'] });
    const { id } = await applyPlan(at.engine, await makePlan(at, template(BASIC)), WHEN_BACK);
    const open = at.engine.openWork.list();
    const before = await run(at.engine);
    await at.site.device(0).unplug();
    const away = await run(at.engine);
    await at.site.device(0).restart();
    const back = await run(at.engine);

    expect(open).toMatchObject([{ id: `${id}.0`, reason: 'restart' }]);
    expect([...before, ...away]).toEqual(Array(2).fill({ type: 'summary', done: 0, failed: 0, open: 1 }));
    expect(back).toMatchObject([{ outcome: 'done' }, { type: 'summary', done: 1, open: 0 }]);
    expect(at.engine.jobs.show({ id })).toMatchObject({ state: 'done', counts: { effective: 1 } });
    expect(writes(at)).toHaveLength(1);
  });

  // Would catch: work that goes on into the opening hours, or that is forgotten because its night was too short.
  it('is open work where the window of time ended before its turn, and done in the next one', async () => {
    const at = await openSite({ devices: 3 });
    const plan = await makePlan(at, template(BASIC));
    const timeOfDay = (minutes: number): string => {
      const time = new Date(Date.now() + minutes * 60_000);
      return [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
    };
    const between = { from: timeOfDay(-60), to: timeOfDay(10) };
    const options = { acceptDrift: true, concurrency: 1, between };
    const { jobId } = at.engine.jobs.start({ planId: plan.id, options });
    for await (const event of at.engine.jobs.watch({ id: jobId }, never))
      if (event.type === 'phase') at.time.aheadMs = 3_600_000;
    const night = at.engine.jobs.show({ id: jobId });
    const reasons = at.engine.openWork.list().map(({ reason }) => reason);
    const day = await run(at.engine);
    at.time.aheadMs = 0;
    const next = await run(at.engine);

    expect(night).toMatchObject({ state: 'partial', open: 2, deviceCounts: { done: 1, pending: 2 } });
    expect(reasons).toEqual(['window', 'window']);
    expect(day).toEqual([{ type: 'summary', done: 0, failed: 0, open: 2 }]);
    expect(next.at(-1)).toEqual({ type: 'summary', done: 2, failed: 0, open: 0 });
    expect([0, 1, 2].map((nth) => writes(at, nth).length)).toEqual([1, 1, 1]);
  });

  it('can be dropped with a reason: nothing of it is left to do', async () => {
    const at = await openSite({ devices: 2 });
    const { id } = await applyWithOneAway(at, { planned: false });
    const [{ id: workId = '' } = {}] = at.engine.openWork.list();
    at.engine.openWork.drop({ id: workId, reason: 'Scrapped' });
    await at.site.device(1).plugIn();

    expect(await run(at.engine)).toEqual([{ type: 'summary', done: 0, failed: 0, open: 0 }]);
    const job = at.engine.jobs.show({ id });
    expect(job).toMatchObject({ dropped: 1, resumable: false, deviceCounts: { done: 1, attention: 1 } });
    expect(job.results[1]?.error?.message).toContain('Scrapped');
    expect(() => at.engine.openWork.drop({ id: workId, reason: 'again' })).toThrow(
      expect.objectContaining({ code: 'not-found' }) as Error,
    );
  });
});
