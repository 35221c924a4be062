/** Restart follow-up: waits for the person to restart the device, then tells what it shows. */
import { describe, expect, it } from 'vitest';
import type { Engine } from '#engine/index.ts';
import type { Job, JobEvent, UnitOutcome } from '#shared/model.ts';
import {
  BASIC,
  MODE,
  applyPlan,
  makePlan,
  never,
  openSite,
  template,
  watchToEnd,
  writes,
  type TestSite,
  reopenEngine,
} from '#test/engine/site-engine.ts';
import { OK, startOddDevice } from '#test/engine/odd-device.ts';

let at: TestSite;

/** Starts a job whose writes wait for a restart on every device. */
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
    const { runs: _runs, ...stored } = (await reopenEngine(at)).jobs.show({ id: job.id });
    expect(stored).toMatchObject({ state: 'done', counts: { effective: 4 } });
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

/**
 * Answer of a device to one look: nothing, a page of something else, that it has no such setting, or its
 * document.
 */
type Look = 'away' | 'page' | 'absent' | 'old' | 'part' | 'new';

describe('a device whose restart is waited for', () => {
  const RESTART = OK.replace('<statusCode>1<', '<statusCode>7<').replace('>ok<', '>rebootRequired<');
  const xml = (distance: number, alarmInterval: number): string =>
    `<ThermometryBasicParam><distance>${distance}</distance><alarmInterval>${alarmInterval}</alarmInterval></ThermometryBasicParam>`;
  const DOCUMENTS = { old: xml(5, 10), part: xml(3, 10), new: xml(3, 20) };

  /** Looks in order; the last goes on as long as it is looked at. Gives the section, and how many looks it took. */
  async function lookedAt(looks: readonly Look[], shownEarly: boolean) {
    let puts = 0;
    /** Negative until the follow-up begins. */
    let before = -1;
    const pauses = (): number => at.delays.filter((ms) => ms >= 1000).length;
    const device = await startOddDevice(({ method, path }) => {
      if (path.includes('capabilities')) return { http: 404, text: '' };
      if (method === 'PUT') {
        puts += 1;
        return { text: RESTART };
      }
      if (before < 0) return { text: DOCUMENTS[shownEarly && puts > 0 ? 'new' : 'old'] };
      const look = looks[Math.min(pauses() - before, looks.length - 1)] ?? 'old';
      if (look === 'away') return { cut: true };
      if (look === 'page') return { text: '<html></html>', type: 'text/html' };
      return look === 'absent' ? { http: 404, text: '' } : { text: DOCUMENTS[look] };
    });
    at = await openSite();
    const { id } = at.engine.devices.addTransient({ url: device.url, name: 'odd' });
    const job = await applyPlan(at.engine, await makePlan({ engine: at.engine, ids: [id] }, template(BASIC)));
    expect(job.counts).toEqual({ 'needs-reboot': 1 });
    before = pauses();
    try {
      const { job: ended } = await followed(at.engine, job.id, () => undefined, 120);
      expect(puts).toBe(1);
      return { ended, unit: ended.results[0]?.units[0], taken: pauses() - before + 1 };
    } finally {
      await device.close();
    }
  }

  const put = { operation: 'thermal.thermometryBasic.put' };
  const unseen = expect.stringContaining('shows the new values, but did so already') as string;

  // Would catch: settings given up, or called effective, because of a device's answer before and in the
  // middle of its restart; a list of devices to restart that empties itself without any restart.
  it.each<[string, readonly Look[], UnitOutcome, object?, boolean?]>([
    ['went away and came back', ['old', 'away', 'away', 'new'], 'effective'],
    ['loads its settings late', ['away', 'away', 'old', 'part', 'old', 'new'], 'effective'],
    ['answers with a page of its own while it starts', ['away', 'away', 'page', 'page', 'new'], 'effective'],
    [
      'came back without it',
      ['away', 'away', 'old'],
      'ignored',
      { code: 'refused', path: 'distance', ...put },
    ],
    [
      'has no such setting any more',
      ['away', 'away', 'absent'],
      'accepted',
      { code: 'not-supported', ...put },
    ],
    ['never came back', ['away'], 'needs-reboot', { code: 'connection-lost' }],
    ['showed them before: no sign', ['new'], 'needs-reboot', { code: 'timeout', message: unseen }, true],
  ])('and that %s', async (_what, looks, outcome, error, shownEarly = false) => {
    const { ended, unit, taken } = await lookedAt(looks, shownEarly);

    expect(unit?.outcome).toBe(outcome);
    expect(unit?.error).toEqual(error && expect.objectContaining(error));
    expect(ended.state).toBe(outcome === 'ignored' ? 'failed' : 'done');
    expect(ended.rebootPending).toBe(outcome === 'needs-reboot' ? 1 : undefined);
    if (outcome === 'effective') expect(taken).toBe(looks.length);
    // A few looks after the restart, and not for as long as anybody waits.
    if (outcome === 'ignored' || outcome === 'accepted') expect(taken).toBe(looks.indexOf('away') + 2 + 4);
  });
});

describe('a follow-up that was cut off', () => {
  it('by closing the app is taken up again by resuming', async () => {
    const job = await waitingJob();
    at.engine.jobs.followUp({ id: job.id, waitSeconds: 3600 });
    const engine = await reopenEngine(at);
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
