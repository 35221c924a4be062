/** Restart follow-up: waits for the person to restart the device, then tells what it shows. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../src/engine/index.ts';
import type { Job, JobEvent } from '../../../../src/shared/model.ts';
import {
  BASIC,
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
} from '../../site-engine.ts';
import { OK, startOddDevice } from '../../odd-device.ts';

let at: TestSite;
const opened: Engine[] = [];
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
  await at.close();
});

/** A job whose writes wait for a restart on every device. */
async function waitingJob(devices = 1, ...sections: readonly string[]): Promise<Job> {
  at = await openSite({ devices, faults: ['reboot'] });
  const job = await applyPlan(
    at.engine,
    await makePlan(at, template(...(sections.length === 0 ? [BASIC] : sections))),
  );
  expect(job).toMatchObject({ state: 'done', rebootPending: devices });
  return job;
}

/** Follows the job; `onWaiting` is called once, when it waits. */
async function followed(
  engine: Engine,
  id: string,
  onWaiting: () => void,
  waitSeconds = 3600,
): Promise<{ readonly job: Job; readonly events: readonly JobEvent[] }> {
  const { jobId } = engine.jobs.followUp({ id, waitSeconds });
  const events: JobEvent[] = [];
  for await (const event of engine.jobs.watch({ id: jobId }, never)) {
    if (event.type === 'phase' && event.phase === 'waiting' && !events.some(({ type }) => type === 'phase'))
      onWaiting();
    events.push(event);
  }
  const last = events.at(-1);
  if (last?.type !== 'end') throw new Error('the follow-up did not end');
  return { job: last.job, events };
}

describe('a device that is restarted', () => {
  it('turns needs-reboot into effective under the same id, and nothing is written again', async () => {
    const job = await waitingJob(2, BASIC, MODE);
    expect(at.engine.jobs.rebootPending({ id: job.id })).toMatchObject([
      { units: 2, url: at.site.devices[0]?.url },
      { units: 2 },
    ]);
    const before = [writes(at, 0).length, writes(at, 1).length];

    const { job: done, events } = await followed(at.engine, job.id, () => {
      for (const index of [0, 1]) void at.site.device(index).restart(30);
    });

    expect(done).toMatchObject({
      id: job.id,
      state: 'done',
      counts: { effective: 4 },
      runs: [
        { kind: 'start', by: 'installer' },
        { kind: 'follow-up', by: 'installer' },
      ],
    });
    expect(done).not.toHaveProperty('rebootPending');
    expect(events).toContainEqual(expect.objectContaining({ type: 'phase', phase: 'waiting' }));
    expect([writes(at, 0).length, writes(at, 1).length]).toEqual(before);
    const { runs: _runs, ...stored } = (await reopened()).jobs.show({ id: job.id });
    expect(stored).toMatchObject({ state: 'done', counts: { effective: 4 } });
  });

  it('but comes back without the write is told as ignored, with the fields, after a few looks', async () => {
    const text =
      '<ThermometryBasicParam><distance>5</distance><alarmInterval>10</alarmInterval></ThermometryBasicParam>';
    let lost = 0;
    let puts = 0;
    const device = await startOddDevice(({ method, path }) => {
      if (path.includes('capabilities')) return { http: 404, text: '' };
      if (method === 'PUT') {
        puts += 1;
        return { text: OK.replace('<statusCode>1', '<statusCode>7') };
      }
      if (lost > 0) {
        lost -= 1;
        return { cut: true };
      }
      return { text };
    });
    at = await openSite();
    const { id } = at.engine.devices.addTransient({ url: device.url, name: 'odd' });
    const job = await applyPlan(at.engine, await makePlan({ engine: at.engine, ids: [id] }, template(BASIC)));
    // Two looks that nothing answers: it restarts.
    const { job: ended } = await followed(at.engine, job.id, () => {
      lost = 4;
    });
    await device.close();

    expect(ended).toMatchObject({ state: 'failed' });
    expect(ended.results[0]?.units[0]).toMatchObject({
      outcome: 'ignored',
      error: { code: 'refused', message: expect.stringContaining('distance, alarmInterval') as string },
    });
    expect(puts).toBe(1);
  });

  it('before the follow-up began is settled at once', async () => {
    const job = await waitingJob();
    await at.site.device(0).restart(0);
    at.delays.splice(0);
    const { job: done } = await followed(at.engine, job.id, () => undefined);
    expect(done).toMatchObject({ state: 'done', counts: { effective: 1 } });
    expect(at.delays).toEqual([]);
  });

  it('can be undone to what it held before', async () => {
    const job = await waitingJob();
    await at.site.device(0).restart(0);
    await followed(at.engine, job.id, () => undefined);
    at.site.device(0).clearFaults();
    const { jobId } = at.engine.jobs.undo({ id: job.id });
    expect((await watchToEnd(at.engine, jobId)).at(-1)).toMatchObject({
      type: 'end',
      job: { state: 'done', counts: { effective: 1 } },
    });
    expect(await makePlan(at, template(BASIC))).toMatchObject({ counts: { changes: 1 } });
  });
});

describe('a device that is not restarted', () => {
  it('stays needs-reboot with the reason, after growing pauses, and can be followed up again', async () => {
    const job = await waitingJob();
    const { job: ended } = await followed(at.engine, job.id, () => undefined, 120);

    expect(ended).toMatchObject({ state: 'done', rebootPending: 1 });
    expect(ended.results[0]?.units[0]).toMatchObject({
      outcome: 'needs-reboot',
      error: { code: 'timeout' },
    });
    const waits = at.delays.filter((ms) => ms >= 1000);
    expect(waits.length).toBeLessThan(15);
    expect(waits[1]).toBeGreaterThan(waits[0] ?? 0);
    expect(at.engine.jobs.followUp({ id: job.id, waitSeconds: 1 })).toMatchObject({ devices: 1 });
    await watchToEnd(at.engine, job.id);
  });

  it('that went away for good is told so', async () => {
    const job = await waitingJob();
    await at.site.device(0).close();
    const { job: ended } = await followed(at.engine, job.id, () => undefined, 60);
    expect(ended.results[0]?.units[0]).toMatchObject({
      outcome: 'needs-reboot',
      error: { code: 'connection-refused' },
    });
  });

  it('is not signed in to over and over: a refused sign-in ends the wait', async () => {
    const job = await waitingJob();
    at.site.device(0).setFault('unauthorized');
    at.site.device(0).clearRequests();
    const { job: ended } = await followed(at.engine, job.id, () => undefined);
    expect(ended.results[0]?.units[0]).toMatchObject({
      outcome: 'needs-reboot',
      error: { code: expect.stringMatching(/^sign-in/) as string },
    });
    expect(at.site.device(0).requests.length).toBeLessThanOrEqual(3);
  });

  it('leaves the wait when the person stops it', async () => {
    const job = await waitingJob();
    const { job: ended } = await followed(at.engine, job.id, () => {
      at.engine.jobs.cancel({ id: job.id });
    });
    expect(ended).toMatchObject({ state: 'done', rebootPending: 1, resumable: false });
  });
});

describe('a device that shows the new values before it restarts', () => {
  const REBOOT = OK.replace('<statusCode>1<', '<statusCode>7<').replace('>ok<', '>rebootRequired<');

  /** `away`: how many requests it is silent to in its restart; it begins when the follow-up waits. */
  async function shownEarly(away: number): Promise<Job> {
    let text =
      '<ThermometryBasicParam><distance>5</distance><alarmInterval>10</alarmInterval></ThermometryBasicParam>';
    let silent = 0;
    const device = await startOddDevice(({ method, path, body }) => {
      if (silent > 0) {
        silent -= 1;
        return { cut: true };
      }
      if (path.includes('capabilities')) return { http: 404, text: '' };
      if (method === 'PUT') text = body;
      return { text: method === 'PUT' ? REBOOT : text };
    });
    at = await openSite();
    const { id } = at.engine.devices.addTransient({ url: device.url, name: 'early' });
    const job = await applyPlan(at.engine, await makePlan({ engine: at.engine, ids: [id] }, template(BASIC)));
    expect(job.counts).toEqual({ 'needs-reboot': 1 });
    try {
      return (
        await followed(
          at.engine,
          job.id,
          () => {
            silent = away;
          },
          120,
        )
      ).job;
    } finally {
      await device.close();
    }
  }

  // Would catch: a list of devices to restart that empties itself while nobody restarts anything.
  it('is not taken for restarted because of them', async () => {
    const { results, rebootPending } = await shownEarly(0);

    expect(rebootPending).toBe(1);
    expect(results[0]?.units[0]).toMatchObject({
      outcome: 'needs-reboot',
      error: {
        code: 'timeout',
        message: expect.stringContaining('shows the new values, but did so before') as string,
      },
    });
  });

  it('is effective when it went away and came back', async () => {
    expect(await shownEarly(6)).toMatchObject({ state: 'done', counts: { effective: 1 } });
  });
});

describe('a follow-up that was cut off', () => {
  it('by closing the app is taken up again by resuming', async () => {
    const job = await waitingJob();
    at.engine.jobs.followUp({ id: job.id, waitSeconds: 3600 });
    const engine = await reopened();
    expect(engine.jobs.show({ id: job.id })).toMatchObject({ state: 'interrupted', resumable: true });
    expect(engine.jobs.resumePreview({ id: job.id }).devices).toMatchObject([{ pending: 1, unknown: 0 }]);
    await at.site.device(0).restart(0);

    expect(engine.jobs.resume({ id: job.id })).toEqual({ jobId: job.id, resumed: true });
    expect((await watchToEnd(engine, job.id)).at(-1)).toMatchObject({
      type: 'end',
      job: { state: 'done', counts: { effective: 1 }, resumable: false },
    });
    expect(engine.jobs.show({ id: job.id }).runs?.map(({ kind }) => kind)).toEqual([
      'start',
      'follow-up',
      'resume',
    ]);
  });
});

it('is refused where nothing waits for a restart, and while the job runs', async () => {
  at = await openSite();
  const job = await applyPlan(at.engine, await makePlan(at, template(BASIC)));
  expect(() => at.engine.jobs.followUp({ id: job.id })).toThrow(
    expect.objectContaining({ code: 'not-allowed' }) as Error,
  );
});

async function reopened(): Promise<Engine> {
  await at.engine.close();
  const engine = await openEngine(at.dataDir);
  opened.push(engine);
  for (const { url, name, user, password } of at.site.devices)
    engine.devices.addTransient({ url, name, userName: user, password });
  return engine;
}
