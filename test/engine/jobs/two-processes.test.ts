/** Two processes on one data folder: what one decides counts no more where the other was faster. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createJobRows } from '#engine/jobs/job-rows.ts';
import { createJobKinds } from '#engine/jobs/job-kind.ts';
import { Journal } from '#engine/jobs/journal.ts';
import { systemClock } from '#engine/host/clock.ts';
import { openStore, type Store } from '#engine/store/index.ts';
import {
  BASIC,
  MODE,
  applyPlan,
  makePlan,
  openEngine,
  openSite,
  template,
  watchToEnd,
  type TestSite,
} from '../site-engine.ts';

let at: TestSite;

const OTHER = { process: 1, engine: 'other', started: 'boot/1' };
const noVault = { seal: () => new Uint8Array() };
const kinds = createJobKinds([]);

async function endedJob(): Promise<{ readonly id: string; readonly store: Store }> {
  at = await openSite();
  const { id } = await applyPlan(at.engine, await makePlan(at, template(BASIC)));
  const store = openStore(at.dataDir, { clock: systemClock });
  onTestFinished(() => store.close());
  return { id, store };
}
const claimOf = (runsBefore: number) => ({
  owner: OTHER,
  run: { kind: 'resume', at: '2026-03-01T08:00:00.000Z', by: 'Émile' } as const,
  runsBefore,
  waiting: [],
  mayWait: false,
});

describe('a job whose process died', () => {
  // Would catch: both find it dead, one goes on with it, and the other then marks the work under way as interrupted, so that a third may begin it beside.
  it('is not marked as interrupted once another process goes on with it', async () => {
    const { id, store } = await endedJob();
    store.run(
      "UPDATE jobs SET state = 'running', owner_process = 999999, owner_engine = 'dead', owner_started = NULL WHERE id = ?",
      id,
    );
    store.run("UPDATE job_units SET phase = 'intent', outcome = 'pending' WHERE job_id = ?", id);

    createJobRows(store, kinds).markInterrupted(() => {
      store.run("UPDATE jobs SET owner_engine = 'other' WHERE id = ?", id);
      return false;
    });

    expect(store.get('SELECT state FROM jobs WHERE id = ?', id)).toEqual({ state: 'running' });
    expect(store.get('SELECT DISTINCT outcome FROM job_units WHERE job_id = ?', id)).toEqual({
      outcome: 'pending',
    });
  });
});

describe('a job whose process died, being looked at', () => {
  // Would catch: its page is opened first, without the list: it runs for good.
  it('ends as interrupted', async () => {
    const { id, store } = await endedJob();
    const second = await openEngine(at.dataDir);
    store.run(
      "UPDATE jobs SET state = 'running', totals = NULL, owner_process = 999999, owner_engine = 'dead', owner_started = NULL WHERE id = ?",
      id,
    );

    const last = (await watchToEnd(second, id)).at(-1);

    expect(last).toMatchObject({ type: 'end', job: { state: 'interrupted' } });
    await second.close();
  });
});

describe('a job that is to be resumed', () => {
  // Would catch: it was resumed to its end between the look and the claim; the remaining work is done
  // already.
  it('cannot be claimed with what was seen before somebody else worked on it', async () => {
    const { id, store } = await endedJob();
    const journal = new Journal(store, noVault, kinds);

    expect(journal.claim(id, claimOf(1))).toEqual({ state: 'running' });
    journal.end({ id, state: 'failed', endedAt: '2026-03-01T08:01:00.000Z', results: [] });

    expect(journal.claim(id, claimOf(1))).toBeUndefined();
    expect(journal.claim(id, claimOf(2))).toEqual({ state: 'running' });
  });

  it('is found by whoever resumed it, whatever the case, and its search text does not grow with every time', async () => {
    const { id, store } = await endedJob();
    const journal = new Journal(store, noVault, kinds);
    const length = () =>
      store.get<{ readonly length: number }>(
        'SELECT length(search_text) AS length FROM jobs WHERE id = ?',
        id,
      )?.length;
    journal.claim(id, claimOf(1));
    journal.end({ id, state: 'failed', endedAt: '2026-03-01T08:01:00.000Z', results: [] });
    const once = length();

    journal.claim(id, claimOf(2));

    expect(length()).toBe(once);
    journal.end({ id, state: 'failed', endedAt: '2026-03-01T08:02:00.000Z', results: [] });
    expect(at.engine.jobs.search({ text: 'ÉMILE' }).jobs.map((job) => job.id)).toEqual([id]);
  });
});

describe('two jobs on the same devices', () => {
  const busy = (id: string) =>
    expect.objectContaining({
      shape: expect.objectContaining({
        code: 'not-available',
        message: expect.stringContaining(id) as string,
      }) as unknown,
    }) as unknown;

  // Would catch: both read the document, both write it back, and the first one's change is lost although it
  // was reported as effective.
  it('are not worked on at the same time: the second is refused before anything is journalled', async () => {
    at = await openSite({ devices: 2 });
    const [plan, other] = [
      await makePlan(at, template(BASIC)),
      await makePlan({ ...at, ids: at.ids.slice(1) }, template(MODE)),
    ];
    const { jobId } = at.engine.jobs.start({ plan, options: { concurrency: 1 } });

    expect(() => at.engine.jobs.start({ plan: other })).toThrow(busy(jobId));
    expect(at.engine.jobs.list()).toHaveLength(1);
    await watchToEnd(at.engine, jobId);
    expect(await applyPlan(at.engine, other)).toMatchObject({ state: 'done' });
  });

  // Would catch: one process takes a job back while another one finishes it, and devices end half.
  it('nor is a job resumed while another process takes it back', async () => {
    at = await openSite({ devices: 2 });
    const { id } = await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    const store = openStore(at.dataDir, { clock: systemClock });
    onTestFinished(() => store.close());
    store.run("UPDATE jobs SET state = 'cancelled', totals = NULL WHERE id = ?", id);
    store.run("UPDATE job_devices SET state = 'pending' WHERE job_id = ? AND position = 1", id);
    const { jobId } = at.engine.jobs.undo({ id, options: { concurrency: 1 } });
    const second = await openEngine(at.dataDir);

    expect(() => second.jobs.resume({ id })).toThrow(busy(jobId));
    expect(second.jobs.show({ id })).toMatchObject({ state: 'cancelled', resumable: true });
    await second.close();
    await watchToEnd(at.engine, jobId);
  });
});
