/** Every device that was chosen stays in its job, with what became of it or why it got nothing. */
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Job, Plan } from '#shared/model.ts';
import {
  BASIC,
  HOST,
  MODE,
  applyPlan,
  makePlan,
  never,
  openEngine,
  openSite,
  template,
  watchToEnd,
  writes,
  type TestSite,
} from '../site-engine.ts';

let at: TestSite;

/** The devices to which a screen gives a turn. */
function applicable({ devices }: Plan): readonly string[] {
  return devices
    .filter(({ state }) => state === 'changes' || state === 'adjusted')
    .map(({ deviceId }) => deviceId);
}

/** Two that take it, one blocked, one that cannot be read, two gates without any of it. */
async function mixedSite(): Promise<Plan> {
  at = await openSite({ devices: 6, kinds: ['thermal', 'thermal', 'thermal', 'thermal', 'gate', 'gate'] });
  at.site.device(2).setFault('busy', 1, { method: 'GET' });
  await at.site.device(3).close();
  return makePlan(at, template(BASIC));
}

async function retried(jobId: string, deviceIds?: readonly string[]): Promise<Plan> {
  for await (const event of at.engine.plans.retry({ jobId, ...removeUndefined({ deviceIds }) }, never))
    if (event.type === 'plan') return event.plan;
  throw new Error('no plan came');
}

const outcomes = (job: Job): readonly unknown[] =>
  job.results.map(({ state, idle, error, units }) => [
    state,
    idle === true,
    error?.code ?? units[0]?.error?.code ?? units[0]?.outcome,
  ]);

describe('a job of a plan that cannot be applied everywhere', () => {
  it('keeps the devices that get nothing, each with the reason, also where only the others were given a turn', async () => {
    const plan = await mixedSite();

    const job = await applyPlan(at.engine, plan, {}, { deviceIds: applicable(plan) });
    const stored = await reopened(job.id);

    expect(outcomes(job)).toEqual([
      ['done', false, 'effective'],
      ['done', false, 'effective'],
      ['failed', true, 'device-busy'],
      ['failed', true, 'connection-refused'],
      ['failed', true, 'not-supported'],
      ['failed', true, 'not-supported'],
    ]);
    expect(job).toMatchObject({
      state: 'failed',
      devices: 6,
      deviceCounts: { done: 2, attention: 2, unsupported: 2 },
    });
    expect(outcomes(stored)).toEqual(outcomes(job));
    expect(stored.deviceCounts).toEqual(job.deviceCounts);
  });

  it('counts the same in the list after its numbers were lost', async () => {
    const plan = await mixedSite();
    const job = await applyPlan(at.engine, plan, {}, { deviceIds: applicable(plan) });
    const writer = new DatabaseSync(join(at.dataDir, 'fieldwright.db'));
    writer.exec('UPDATE jobs SET totals = NULL');
    writer.close();

    expect(at.engine.jobs.list()).toMatchObject([
      { id: job.id, devices: 6, deviceCounts: { done: 2, attention: 2, unsupported: 2 } },
    ]);
  });

  it('names all of them in the export and finds the job by each', async () => {
    const plan = await mixedSite();
    const job = await applyPlan(at.engine, plan, {}, { deviceIds: applicable(plan) });

    const rows = exported({ text: job.id });

    expect(new Set(rows.map(({ url }) => url))).toEqual(new Set(at.site.devices.map(({ url }) => url)));
    expect(rows.filter(({ error }) => error !== '')).toHaveLength(4);
    expect(at.ids.map((deviceId) => at.engine.jobs.search({ deviceId }).total)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('retries what needs somebody, and leaves alone what has no such setting unless it is named', async () => {
    const plan = await mixedSite();
    const job = await applyPlan(at.engine, plan, {}, { deviceIds: applicable(plan) });
    at.site.device(2).clearFaults();

    const again = await retried(job.id);
    const named = await retried(job.id, [at.ids[4] ?? '']);
    const done = await applyPlan(at.engine, again, {}, { deviceIds: applicable(again) });

    expect(again.devices.map(({ deviceId, state }) => [deviceId, state])).toEqual([
      [at.ids[2], 'changes'],
      [at.ids[3], 'failed'],
    ]);
    expect(named.devices).toMatchObject([{ deviceId: at.ids[4], state: 'unsupported' }]);
    expect(done).toMatchObject({ devices: 2, deviceCounts: { done: 1, attention: 1 } });
  });

  it('does not stop for devices that were to get nothing', async () => {
    const plan = await mixedSite();

    const job = await applyPlan(at.engine, plan, { stopAfter: 1, canary: 1, concurrency: 1 });

    expect(job).toMatchObject({ state: 'failed', deviceCounts: { done: 2, attention: 2, unsupported: 2 } });
  });

  it('a blocked section blocks itself alone, and is no failure where it is left out on purpose', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(MODE.replace('expert', 'AI'), BASIC));

    const job = await applyPlan(at.engine, plan, { leaveOutBlocked: true });

    expect(job).toMatchObject({
      state: 'done',
      results: [
        {
          state: 'done',
          units: [{ outcome: 'skipped', error: { code: 'not-allowed' } }, { outcome: 'effective' }],
        },
      ],
    });
  });

  it('holds back the other settings of a blocked device and says so', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(MODE.replace('expert', 'AI'), BASIC));

    const job = await applyPlan(at.engine, plan, {}, { deviceIds: [] });

    expect(job.results).toMatchObject([
      {
        state: 'failed',
        idle: true,
        units: [{ outcome: 'blocked', error: { code: 'not-allowed' } }, { outcome: 'blocked' }],
      },
    ]);
    expect(writes(at)).toEqual([]);
  });

  it('a device that had nothing to change counts as done without being asked again', async () => {
    at = await openSite({ devices: 2 });
    await applyPlan(at.engine, await makePlan({ ...at, ids: at.ids.slice(0, 1) }, template(BASIC)));
    const plan = await makePlan(at, template(BASIC));
    const asked = at.site.device(0).requests.length;

    const job = await applyPlan(at.engine, plan, {}, { deviceIds: applicable(plan) });

    expect(job).toMatchObject({
      state: 'done',
      deviceCounts: { done: 2 },
      counts: { unchanged: 1, effective: 1 },
    });
    expect(at.site.device(0).requests).toHaveLength(asked);
  });

  it('tells how far it is by those that have a turn', async () => {
    const plan = await mixedSite();
    const { jobId } = at.engine.jobs.start({ plan, deviceIds: applicable(plan) });

    const told = (await watchToEnd(at.engine, jobId)).flatMap((event) =>
      event.type === 'device' ? [[event.done, event.total]] : [],
    );

    expect(told.at(-1)).toEqual([2, 2]);
  });
});

it('an export of one device holds that device alone', async () => {
  at = await openSite({ devices: 3 });
  await applyPlan(at.engine, await makePlan(at, template(BASIC, MODE)));

  const rows = exported({ deviceId: at.ids[1] ?? '' });

  expect(rows.map(({ url, section }) => [url, section])).toEqual([
    [at.site.devices[1]?.url, 'thermal.thermometryBasic'],
    [at.site.devices[1]?.url, 'thermal.thermometryBasic'],
    [at.site.devices[1]?.url, 'thermal.thermometryMode'],
  ]);
});

it('an undo keeps the devices that were chosen for it, also one on which nothing was written', async () => {
  at = await openSite({ devices: 2, kinds: ['thermal', 'gate'] });
  const job = await applyPlan(
    at.engine,
    await makePlan(at, template(BASIC, `${HOST}\noptional: true`)),
    {},
    { deviceIds: at.ids.slice(0, 1) },
  );
  expect(job.results.map(({ state }) => state)).toEqual(['done', 'failed']);

  const { jobId } = at.engine.jobs.undo({ id: job.id, deviceIds: at.ids });
  await watchToEnd(at.engine, jobId);

  expect(at.engine.jobs.show({ id: jobId })).toMatchObject({
    kind: 'undo',
    state: 'done',
    devices: 2,
    results: [
      { state: 'done', units: [{ outcome: 'effective' }] },
      { state: 'done', idle: true, units: [] },
    ],
  });
});

function exported(
  query: Parameters<TestSite['engine']['jobs']['export']>[0]['query'],
): readonly Record<string, string>[] {
  return parse(at.engine.jobs.export({ query, format: 'csv' }).text, { columns: true, bom: true });
}

/** Returns the job as another, later process reads it. */
async function reopened(id: string): Promise<Job> {
  const engine = await openEngine(at.dataDir);
  const job = engine.jobs.show({ id });
  await engine.close();
  return job;
}
