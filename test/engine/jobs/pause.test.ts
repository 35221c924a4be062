/** Pause: no further device is handed out, what is under way ends, and everything else keeps working. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Engine } from '#engine/index.ts';
import type { ApplyOptions, JobEvent } from '#shared/model.ts';
import {
  BASIC,
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
let second: Engine | undefined;
afterEach(async () => {
  await second?.close();
  second = undefined;
});

/** Starts a job and pauses it as soon as its first device is under way; resolves when that device has ended. */
async function pausedAfterFirst(
  devices: number,
  options: ApplyOptions = {},
): Promise<{ readonly jobId: string; readonly events: JobEvent[] }> {
  at = await openSite({ devices });
  const { jobId } = at.engine.jobs.start({
    plan: await makePlan(at, template(BASIC)),
    options: { concurrency: 1, ...options },
  });
  const events: JobEvent[] = [];
  for await (const event of at.engine.jobs.watch({ id: jobId }, never)) {
    events.push(event);
    if (event.type === 'device' && event.device.state === 'running')
      expect(at.engine.jobs.pause({ id: jobId }).paused).toBe(true);
    if (event.type === 'device' && event.device.state === 'done') break;
  }
  // Turns still to begin do so within the next rounds of the event loop.
  for (let turn = 0; turn < 20; turn += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  return { jobId, events };
}

describe('a paused job', () => {
  it('finishes what is under way, begins nothing, says so, and goes on', async () => {
    const { jobId, events } = await pausedAfterFirst(3);

    expect(events).toContainEqual({ type: 'paused', jobId, paused: true });
    expect([writes(at, 0).length, writes(at, 1).length, writes(at, 2).length]).toEqual([1, 0, 0]);
    expect(at.engine.jobs.show({ id: jobId })).toMatchObject({
      state: 'running',
      paused: true,
      counts: { effective: 1, pending: 2 },
    });
    expect(at.engine.jobs.list()[0]).toMatchObject({ id: jobId, paused: true });

    expect(at.engine.jobs.unpause({ id: jobId }).unpaused).toBe(true);
    const rest = await watchToEnd(at.engine, jobId);
    expect(rest.at(-1)).toMatchObject({ type: 'end', job: { state: 'done', counts: { effective: 3 } } });
    expect(at.engine.jobs.show({ id: jobId })).not.toHaveProperty('paused');
  });

  it('can be cancelled, and then is no longer paused', async () => {
    const { jobId } = await pausedAfterFirst(2);
    at.engine.jobs.cancel({ id: jobId });
    const end = (await watchToEnd(at.engine, jobId)).at(-1);
    expect(end).toMatchObject({ type: 'end', job: { state: 'cancelled', resumable: true } });
    expect(at.engine.jobs.pause({ id: jobId }).paused).toBe(false);
    expect(at.engine.jobs.unpause({ id: jobId }).unpaused).toBe(false);
  });

  it('stays resumable when the app is closed, and does not keep it from closing', async () => {
    const { jobId } = await pausedAfterFirst(2);
    await at.engine.close();
    second = await openEngine(at.dataDir);
    expect(second.jobs.show({ id: jobId })).toMatchObject({
      state: 'interrupted',
      resumable: true,
      counts: { effective: 1, pending: 1 },
    });
    for (const { url, name, user, password } of at.site.devices)
      second.devices.addTransient({ url, name, userName: user, password });
    second.jobs.resume({ id: jobId });
    expect((await watchToEnd(second, jobId)).at(-1)).toMatchObject({ type: 'end', job: { state: 'done' } });
    expect([writes(at, 0).length, writes(at, 1).length]).toEqual([1, 1]);
  });

  it('holds back the next wave, and the threshold still counts afterwards', async () => {
    const { jobId } = await pausedAfterFirst(4, { canary: 1, wave: 1, stopAfter: 1 });
    at.site.device(1).setFault('busy');
    expect(writes(at, 1)).toEqual([]);
    at.engine.jobs.unpause({ id: jobId });
    const end = (await watchToEnd(at.engine, jobId)).at(-1);
    expect(end).toMatchObject({
      type: 'end',
      job: { state: 'partial', resumable: true, counts: { effective: 1, pending: 2 } },
    });
  });

  it('of another process is not ours to pause', async () => {
    const { jobId } = await pausedAfterFirst(2);
    second = await openEngine(at.dataDir);
    expect(second.jobs.pause({ id: jobId }).paused).toBe(false);
    at.engine.jobs.unpause({ id: jobId });
  });
});
