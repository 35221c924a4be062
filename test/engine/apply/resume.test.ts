/** Resuming: what a crash, a cancel or an absent device left is finished, nothing is done twice. */
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Engine } from '#engine/index.ts';
import type { ApplyOptions, Job } from '#shared/model.ts';
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
  waitForEnd,
  reopenEngine,
} from '../site-engine.ts';

let at: TestSite;

const ONLY = { times: 1, method: 'PUT' };

async function resumed(
  engine: Engine,
  id: string,
  options: ApplyOptions = {},
  secrets: Record<string, string> = {},
): Promise<Job> {
  const { jobId, resumed: began } = engine.jobs.resume({ id, options, secrets });
  expect(began).toBe(true);
  return waitForEnd(engine, jobId);
}

/**
 * Makes the state after a kill: the first section of device 0 in the middle of its write, everything after it
 * not begun.
 */
function asKilled(jobId: string): void {
  const writer = new DatabaseSync(join(at.dataDir, 'fieldwright.db'));
  writer
    .prepare(
      "UPDATE jobs SET state = 'running', ended_at = NULL, owner_process = 999999999, owner_started = NULL WHERE id = ?",
    )
    .run(jobId);
  writer
    .prepare(
      "UPDATE job_units SET outcome = 'pending', phase = 'planned', attempts = 0, after_document = NULL WHERE job_id = ?",
    )
    .run(jobId);
  writer
    .prepare(
      "UPDATE job_units SET phase = 'intent', attempts = 1 WHERE job_id = ? AND position = 0 AND idx = 0",
    )
    .run(jobId);
  writer
    .prepare(
      "UPDATE job_devices SET state = CASE position WHEN 0 THEN 'running' ELSE 'pending' END WHERE job_id = ?",
    )
    .run(jobId);
  writer.close();
}

describe('a write whose fate is open', () => {
  it('that arrived is found out by reading, and not sent again', async () => {
    at = await openSite({ devices: 2 });
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC, MODE)));
    const engine = await reopenEngine(at);
    asKilled(job.id);
    const before = [writes(at, 0).length, writes(at, 1).length];

    const done = await resumed(engine, job.id);

    expect(done).toMatchObject({ id: job.id, state: 'done', resumable: false });
    expect(done.results[0]?.units[0]).toMatchObject({
      outcome: 'effective',
      note: 'settled-by-reading',
      changes: [{ path: 'distance', from: 5, to: 3 }, { path: 'alarmInterval' }],
    });
    expect([writes(at, 0).length, writes(at, 1).length]).toEqual(before);
  });

  it('that did not arrive is sent again, after a read that showed the old value', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    at.site.device(0).setFault('reset', 1, { method: 'PUT' });
    const job = await applyPlan(at.engine, plan);
    const engine = await reopenEngine(at);
    asKilled(job.id);
    at.site.device(0).clearFaults();
    at.site.device(0).clearRequests();

    const done = await resumed(engine, job.id);

    expect(done.results[0]?.units[0]).toMatchObject({ outcome: 'effective' });
    expect(done.results[0]?.units[0]).not.toHaveProperty('note');
    const methods = at.site
      .device(0)
      .requests.filter(({ http }) => http !== 401)
      .map(({ method }) => method);
    expect(methods.indexOf('GET')).toBeLessThan(methods.indexOf('PUT'));
    expect(writes(at)).toEqual([{ operation: 'thermal.thermometryBasic.put', http: 200, applied: true }]);
  });

  it('on a device that shows something else waits for a confirmation, stays unknown, and is written once confirmed', async () => {
    at = await openSite();
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    await applyPlan(at.engine, await makePlan(at, template(BASIC.replace('distance: 3', 'distance: 9'))));
    const engine = await reopenEngine(at);
    asKilled(job.id);
    const before = writes(at).length;

    const waiting = await resumed(engine, job.id);
    const sentMeanwhile = writes(at).length - before;
    const confirmed = await resumed(engine, job.id, { acceptDrift: true });

    expect(waiting).toMatchObject({
      state: 'failed',
      resumable: true,
      results: [
        {
          error: { code: 'plan-outdated' },
          units: [{ outcome: 'unknown', error: { code: 'plan-outdated' } }],
        },
      ],
    });
    expect(sentMeanwhile).toBe(0);
    expect(confirmed).toMatchObject({
      state: 'done',
      results: [{ units: [{ outcome: 'effective', changes: [{ path: 'distance', from: 9, to: 3 }] }] }],
    });
  });

  // Would catch: an undo that goes back to what this job itself had written, because a later run read it as "before".
  it('and that shows in part is undone to what was there before it, not to what the resumed run found', async () => {
    at = await openSite();
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    await applyPlan(
      at.engine,
      await makePlan(at, template(BASIC.replace('alarmInterval: 20', 'alarmInterval: 30'))),
    );
    const engine = await reopenEngine(at);
    asKilled(job.id);
    await resumed(engine, job.id, { acceptDrift: true });

    const last = (await watchToEnd(engine, engine.jobs.undo({ id: job.id }).jobId)).at(-1);

    expect(last).toMatchObject({
      type: 'end',
      job: {
        state: 'done',
        results: [
          {
            units: [
              {
                outcome: 'effective',
                changes: [
                  { path: 'distance', from: 3, to: 5 },
                  { path: 'alarmInterval', from: 20, to: 10 },
                ],
              },
            ],
          },
        ],
      },
    });
  });

  const LOCK = template('set: storage.rwLock\nvalue: { enabled: false, passwd: "${key}" }').replace(
    'sections:',
    'variables:\n  key: { type: secret }\nsections:',
  );

  it('asks for the secrets again, takes only the same ones, and tells by the rest of the document that it arrived', async () => {
    at = await openSite();
    const job = await applyPlan(
      at.engine,
      await makePlan(at, LOCK.replace('enabled: false', 'enabled: true'), { secrets: { key: 'hunter22' } }),
    );
    const engine = await reopenEngine(at);
    asKilled(job.id);

    const preview = engine.jobs.resumePreview({ id: job.id });
    const without = (): unknown => engine.jobs.resume({ id: job.id });
    const other = (): unknown => engine.jobs.resume({ id: job.id, secrets: { key: 'hunter23' } });

    expect(preview).toMatchObject({
      secrets: [{ name: 'key', type: 'secret' }],
      devices: [
        {
          url: at.site.devices[0]?.url,
          pending: 0,
          unknown: 1,
          transient: true,
          profile: { pathPrefix: '/API' },
        },
      ],
    });
    expect(without).toThrow(
      expect.objectContaining({ shape: expect.objectContaining({ code: 'undefined-variable' }) }),
    );
    expect(other).toThrow(
      expect.objectContaining({ shape: expect.objectContaining({ code: 'not-allowed' }) }),
    );
    expect(engine.jobs.show({ id: job.id }).state).toBe('interrupted');
    const done = await resumed(engine, job.id, {}, { key: 'hunter22' });
    expect(['effective', 'accepted']).toContain(done.results[0]?.units[0]?.outcome);
    expect(at.stored()).not.toContain('hunter2');
  });
});

describe('what is left', () => {
  it('is finished after a cancel, with the finished devices left alone', async () => {
    at = await openSite({ devices: 4 });
    const { jobId } = at.engine.jobs.start({
      plan: await makePlan(at, template(BASIC, MODE)),
      options: { concurrency: 1 },
    });
    for await (const event of at.engine.jobs.watch({ id: jobId }, never))
      if (event.type === 'device' && event.done === 2) at.engine.jobs.cancel({ id: jobId });

    const done = await resumed(at.engine, jobId);

    expect(done).toMatchObject({ id: jobId, state: 'done', counts: { effective: 8 } });
    expect([0, 1, 2, 3].map((device) => writes(at, device).filter(({ applied }) => applied).length)).toEqual([
      2, 2, 2, 2,
    ]);
    expect(at.engine.jobs.list().map(({ id }) => id)).toEqual([jobId]);
  });

  it('is finished where the password was wrong the first time', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    at.site.device(0).setFault('unauthorized', 1, { method: 'PUT', lasting: true });
    const failed = await applyPlan(at.engine, plan);
    at.site.device(0).clearFaults();
    const engine = await reopenEngine(at);
    await engine.devices.test({ ids: at.ids }, never);

    const done = await resumed(engine, failed.id);

    expect(failed).toMatchObject({ state: 'failed', resumable: true });
    expect(done).toMatchObject({ state: 'done', counts: { effective: 1 } });
  });

  it('on a device of one run reaches it as the journal has it; without its sign-in it fails and stays resumable', async () => {
    at = await openSite({ devices: 2 });
    const { jobId } = at.engine.jobs.start({
      plan: await makePlan(at, template(BASIC)),
      options: { concurrency: 1 },
    });
    for await (const event of at.engine.jobs.watch({ id: jobId }, never))
      if (event.type === 'device' && event.done === 1) at.engine.jobs.cancel({ id: jobId });
    const engine = await reopenEngine(at, { isSignedIn: false });

    const without = await resumed(engine, jobId);

    expect(without.results[1]).toMatchObject({
      state: 'failed',
      error: { code: 'sign-in-required' },
      units: [{ outcome: 'pending' }],
    });
    const { url, user, password } = at.site.devices[1] ?? { url: '', user: '', password: '' };
    engine.devices.addTransient({ url, userName: user, password });
    expect(await resumed(engine, jobId)).toMatchObject({ state: 'done', counts: { effective: 2 } });
  });

  it('on a device that was away when the plan was made is planned, shown, and written only when confirmed', async () => {
    at = await openSite({ devices: 2 });
    at.site.device(1).setFault('html');
    const plan = await makePlan(at, template(BASIC));
    const job = await applyPlan(at.engine, plan);
    at.site.device(1).clearFaults();

    const asked = await resumed(at.engine, job.id);
    const untouched = writes(at, 1).length;
    const done = await resumed(at.engine, job.id, { acceptDrift: true });

    expect(plan.devices[1]?.state).toBe('failed');
    expect(asked.results[1]).toMatchObject({ state: 'failed', error: { code: 'plan-outdated' } });
    expect(untouched).toBe(0);
    expect(done).toMatchObject({
      state: 'done',
      results: [{}, { state: 'done', units: [{ set: 'thermal.thermometryBasic', outcome: 'effective' }] }],
    });
    expect(at.engine.jobs.undoPreview({ id: job.id }).devices).toHaveLength(2);
  });

  it('counts the settings of a device that was never planned, and says that nobody saw them ("0 settings left on 3 devices")', async () => {
    at = await openSite({ devices: 2 });
    at.site.device(1).setFault('html');
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC, MODE)));

    expect(at.engine.jobs.resumePreview({ id: job.id }).devices).toMatchObject([
      { deviceId: at.ids[1], pending: 2, unknown: 0, unplanned: true },
    ]);
  });

  it('does not include what a device refused', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    at.site.device(0).setFault('ignored', 1, ONLY);
    const job = await applyPlan(at.engine, plan);

    expect(at.engine.jobs.resume({ id: job.id })).toEqual({ jobId: job.id, resumed: false });
  });

  it('of a done job is nothing', async () => {
    at = await openSite({ kinds: ['gate'] });
    const job = await applyPlan(at.engine, await makePlan(at, template(HOST)));

    expect(at.engine.jobs.resume({ id: job.id.slice(0, 9) })).toEqual({ jobId: job.id, resumed: false });
    expect(at.engine.jobs.resumePreview({ id: job.id }).devices).toEqual([]);
  });

  it('forgets an acceptance of drift that was given for another moment', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    at.site.device(0).setFault('unauthorized', 1, { method: 'PUT', lasting: true });
    const job = await applyPlan(at.engine, plan, { acceptDrift: true });
    at.site.device(0).clearFaults();
    const engine = await reopenEngine(at);
    await engine.devices.test({ ids: at.ids }, never);
    await applyPlan(
      engine,
      await makePlan({ engine, ids: at.ids }, template(BASIC.replace('distance: 3', 'distance: 9'))),
    );

    expect(await resumed(engine, job.id)).toMatchObject({ results: [{ error: { code: 'plan-outdated' } }] });
  });
});

describe('two at once', () => {
  it('a job that another engine works on cannot be resumed', async () => {
    at = await openSite({ devices: 3 });
    const { jobId } = at.engine.jobs.start({
      plan: await makePlan(at, template(BASIC)),
      options: { concurrency: 1 },
    });
    const second = await openEngine(at.dataDir);

    expect(() => second.jobs.resume({ id: jobId })).toThrow(
      expect.objectContaining({ shape: expect.objectContaining({ code: 'not-available' }) }),
    );
    expect(() => second.jobs.undo({ id: jobId })).toThrow(
      expect.objectContaining({ shape: expect.objectContaining({ code: 'not-available' }) }),
    );
    expect((await watchToEnd(at.engine, jobId)).at(-1)).toMatchObject({ job: { state: 'done' } });
  });

  it('of two who resume, one gets the job', async () => {
    at = await openSite({ devices: 3 });
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    const first = await reopenEngine(at);
    const second = await openEngine(at.dataDir);
    asKilled(job.id);

    const { resumed: began } = first.jobs.resume({ id: job.id });

    expect(began).toBe(true);
    expect(() => second.jobs.resume({ id: job.id })).toThrow(
      expect.objectContaining({ shape: expect.objectContaining({ code: 'not-available' }) }),
    );
    expect((await watchToEnd(first, job.id)).at(-1)).toMatchObject({ job: { state: 'done' } });
  });

  it('an owner whose number now belongs to another process is gone', async () => {
    at = await openSite();
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    const engine = await reopenEngine(at);
    asKilled(job.id);
    const writer = new DatabaseSync(join(at.dataDir, 'fieldwright.db'));
    // A process is known on Windows by its sign of life, here one that it does not hold.
    const start = process.platform === 'win32' ? `sign:${randomUUID()}` : 'another start';
    writer.prepare('UPDATE jobs SET owner_process = ?, owner_started = ?').run(process.ppid, start);
    writer.close();

    expect(engine.jobs.show({ id: job.id }).state).toBe('interrupted');
  });
});
