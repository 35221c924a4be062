/** Jobs as a whole: drift, canary, waves, cancel, watching, the journal and what a crash leaves. */
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { splitIntoWaves } from '#engine/jobs/live-jobs.ts';
import type { JobEvent } from '#shared/model.ts';
import { startServer } from '../device/hostile-server.ts';
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
} from '../site-engine.ts';

let at: TestSite;

const db = (): DatabaseSync => new DatabaseSync(join(at.dataDir, 'fieldwright.db'));

async function setDistance(distance: number, device = 0): Promise<void> {
  const plan = await makePlan(
    { engine: at.engine, ids: [at.ids[device] ?? ''] },
    template(BASIC.replace('distance: 3', `distance: ${distance}`).replace(', alarmInterval: 20', '')),
  );
  await applyPlan(at.engine, plan);
}

describe('a device that changed since it was planned', () => {
  it('gets nothing, not even the sections that did not change, until it is planned and confirmed again', async () => {
    at = await openSite({ devices: 2 });
    const plan = await makePlan(at, template(MODE, BASIC));
    await setDistance(9);
    const before = writes(at).length;

    const job = await applyPlan(at.engine, plan);

    expect(job.results[0]).toMatchObject({
      state: 'failed',
      error: { code: 'plan-outdated' },
      units: [
        { outcome: 'pending' },
        {
          outcome: 'failed',
          error: { code: 'plan-outdated' },
          changes: [{ path: 'distance', from: 9, to: 3 }, {}],
        },
      ],
    });
    expect(job.results[1]?.state).toBe('done');
    expect(writes(at)).toHaveLength(before);
  });

  it('is planned again and written where that was agreed to', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    await setDistance(9);

    const job = await applyPlan(at.engine, plan, { acceptDrift: true });

    expect(job.results[0]?.units[0]).toMatchObject({
      outcome: 'effective',
      changes: [{ from: 9, to: 3 }, {}],
    });
  });

  it('goes on where part of the work is done already', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    await setDistance(3);

    const job = await applyPlan(at.engine, plan);

    expect(job.results[0]?.units[0]).toMatchObject({
      outcome: 'effective',
      changes: [{ path: 'alarmInterval' }],
    });
  });
});

describe('canary and waves', () => {
  it.each([
    [{}, [[1, 2, 3, 4, 5]]],
    [{ canary: 1 }, [[1], [2, 3, 4, 5]]],
    [{ canary: 1, wave: 3 }, [[1], [2, 3, 4], [5]]],
    [{ wave: 2 }, [[1, 2], [3, 4], [5]]],
    [{ canary: 9 }, [[1, 2, 3, 4, 5]]],
  ])('%j', (options, expected) => {
    expect(splitIntoWaves([1, 2, 3, 4, 5], options)).toEqual(expected);
  });

  it('a canary that does not go well stops the rest', async () => {
    at = await openSite({ devices: 4 });
    const plan = await makePlan(at, template(BASIC));
    at.site.device(0).setFault('ignored');

    const job = await applyPlan(at.engine, plan, { canary: 1 });

    expect(job.results.map(({ state }) => state)).toEqual(['failed', 'pending', 'pending', 'pending']);
    expect(job).toMatchObject({ state: 'partial', resumable: true, counts: { ignored: 1, pending: 3 } });
    expect([1, 2, 3].flatMap((device) => writes(at, device))).toEqual([]);
  });

  // Would catch: a canary that is as wanted already, proves nothing, and lets a bad template loose on all others.
  it('a device that gets nothing is no canary', async () => {
    at = await openSite({ devices: 4 });
    await applyPlan(at.engine, await makePlan(at, template(BASIC)), {}, { deviceIds: at.ids.slice(0, 2) });
    const plan = await makePlan(at, template(BASIC));
    for (const device of [2, 3]) at.site.device(device).setFault('ignored');

    const job = await applyPlan(at.engine, plan, { canary: 1 });

    expect(job.results.map(({ state }) => state)).toEqual(['pending', 'pending', 'failed', 'pending']);
  });

  it('a canary that goes well lets the rest begin only afterwards', async () => {
    at = await openSite({ devices: 3 });
    const plan = await makePlan(at, template(BASIC));

    const { jobId } = at.engine.jobs.start({ plan, options: { canary: 1 } });
    const events = await watchToEnd(at.engine, jobId);

    const ended = events.findIndex(
      (event) =>
        event.type === 'device' && event.device.deviceId === at.ids[0] && event.device.state === 'done',
    );
    const begun = events.findIndex(
      (event) =>
        event.type === 'device' && event.device.deviceId !== at.ids[0] && event.device.state === 'running',
    );
    expect(ended).toBeGreaterThan(0);
    expect(begun).toBeGreaterThan(ended);
  });

  it('stops handing out devices after too many did not go well', async () => {
    at = await openSite({ devices: 5 });
    const plan = await makePlan(at, template(BASIC));
    for (const device of [0, 1, 2, 3, 4]) at.site.device(device).setFault('ignored');

    const job = await applyPlan(at.engine, plan, { stopAfter: 2, concurrency: 1 });

    expect(job).toMatchObject({ state: 'partial', counts: { ignored: 2, pending: 3 } });
  });

  it('works on no more devices at a time than asked for', async () => {
    at = await openSite({ devices: 6 });
    const plan = await makePlan(at, template(BASIC));

    const { jobId } = at.engine.jobs.start({ plan, options: { concurrency: 2 } });
    let running = 0;
    let most = 0;
    for (const event of await watchToEnd(at.engine, jobId)) {
      if (event.type === 'job') running = event.job.results.filter(({ state }) => state === 'running').length;
      if (event.type === 'device') running += event.device.state === 'running' ? 1 : -1;
      most = Math.max(most, running);
    }

    expect(most).toBe(2);
  });
});

describe('cancelling', () => {
  it('finishes the write that is under way with its read-back and leaves the rest pending', async () => {
    at = await openSite({ devices: 3 });
    const plan = await makePlan(at, template(BASIC, MODE));

    const { jobId } = at.engine.jobs.start({ plan, options: { concurrency: 1 } });
    for await (const event of at.engine.jobs.watch({ id: jobId }, never)) {
      if (event.type === 'phase' && event.phase === 'writing') at.engine.jobs.cancel({ id: jobId });
    }
    const job = at.engine.jobs.show({ id: jobId });

    expect(job).toMatchObject({ state: 'cancelled', resumable: true, counts: { effective: 1, pending: 5 } });
    expect(job.results.map(({ state }) => state)).toEqual(['pending', 'pending', 'pending']);
    expect(at.engine.jobs.cancel({ id: jobId }).cancelled).toBe(false);
  });

  it('does not wait for a device that stays silent before anything was sent (else: a minute of deadlines)', async () => {
    at = await openSite();
    let onRead: (() => void) | undefined;
    const server = await startServer(({ method, url = '' }, response) => {
      if (method === 'GET' && onRead !== undefined) return onRead();
      response
        .writeHead(url.includes('capabilities') ? 404 : 200, { 'content-type': 'application/xml' })
        .end(
          url.includes('capabilities')
            ? ''
            : '<ThermometryBasicParam version="2.0"><distance>5</distance><alarmInterval>10</alarmInterval></ThermometryBasicParam>',
        );
    });
    try {
      const { id } = at.engine.devices.addTransient({ url: server.url, name: 'silent' });
      const plan = await makePlan({ engine: at.engine, ids: [id] }, template(BASIC));

      onRead = () => {
        at.engine.jobs.cancel({ id: jobId });
      };
      const { jobId } = at.engine.jobs.start({ plan });
      for await (const _event of at.engine.jobs.watch({ id: jobId }, never));

      expect(at.engine.jobs.show({ id: jobId })).toMatchObject({
        state: 'cancelled',
        resumable: true,
        results: [{ state: 'pending', units: [{ outcome: 'pending' }] }],
      });
      expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

describe('an end that the disk did not take', () => {
  it('leaves no job that is said to be worked on (else: it cannot be resumed before a restart of the app)', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    const disk = db();
    disk.exec("CREATE TRIGGER full BEFORE UPDATE ON jobs BEGIN SELECT RAISE(ABORT, 'full'); END");

    const { jobId } = at.engine.jobs.start({ plan });
    for await (const _event of at.engine.jobs.watch({ id: jobId }, never));
    // Would catch: a job that did its work and of which the command line can only say that the disk is full.
    expect(at.engine.jobs.show({ id: jobId })).toMatchObject({ state: 'done' });
    expect(at.engine.jobs.list()).toHaveLength(1);
    disk.exec('DROP TRIGGER full');
    disk.close();

    expect(at.engine.jobs.resume({ id: jobId })).toEqual({ jobId, resumed: false });
  });

  // Would catch: exit code 0 for a job of which the journal knows no result.
  it('is no success where the journal has no result either', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    const disk = db();
    for (const table of ['jobs', 'job_units'])
      disk.exec(
        `CREATE TRIGGER full_${table} BEFORE UPDATE ON ${table}
         WHEN ${table === 'jobs' ? 'NEW.ended_at IS NOT NULL' : "NEW.outcome = 'effective'"}
         BEGIN SELECT RAISE(ABORT, 'full'); END`,
      );

    const { jobId } = at.engine.jobs.start({ plan });
    for await (const _event of at.engine.jobs.watch({ id: jobId }, never));
    const ended = at.engine.jobs.show({ id: jobId });
    for (const table of ['jobs', 'job_units']) disk.exec(`DROP TRIGGER full_${table}`);
    disk.close();

    expect(ended).toMatchObject({ state: 'interrupted', resumable: true, counts: { effective: 1 } });
    expect(at.engine.jobs.resume({ id: jobId })).toEqual({ jobId, resumed: true });
    for await (const _event of at.engine.jobs.watch({ id: jobId }, never));
    expect(at.engine.jobs.show({ id: jobId })).toMatchObject({ state: 'done', resumable: false });
  });
});

describe('watching', () => {
  it('gives late watchers the job as it stands, then what happens, then its end', async () => {
    at = await openSite({ devices: 3 });
    const plan = await makePlan(at, template(BASIC));
    const { jobId } = at.engine.jobs.start({ plan, options: { concurrency: 1 } });
    const late: JobEvent[] = [];
    let second: Promise<void> | undefined;

    for await (const event of at.engine.jobs.watch({ id: jobId }, never)) {
      if (event.type === 'device' && event.done === 1 && event.device.state === 'done') {
        second ??= (async () => {
          for await (const seen of at.engine.jobs.watch({ id: jobId.slice(0, 8) }, never)) late.push(seen);
        })();
      }
    }
    await second;

    expect(late[0]).toMatchObject({ type: 'job', job: { state: 'running' } });
    expect(late.filter(({ type }) => type === 'job')).toHaveLength(1);
    expect(late.at(-1)).toMatchObject({ type: 'end', job: { state: 'done', counts: { effective: 3 } } });
  });

  it('ends for a watcher that leaves, and works for a job that has ended', async () => {
    at = await openSite();
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    const gone = new AbortController();
    gone.abort();
    const events: JobEvent[] = [];
    for await (const event of at.engine.jobs.watch({ id: job.id }, gone.signal)) events.push(event);

    expect(events).toEqual([]);
    expect((await watchToEnd(at.engine, job.id)).map(({ type }) => type)).toEqual(['job', 'end']);
  });

  it('throws for a job that does not exist', async () => {
    at = await openSite();

    await expect(watchToEnd(at.engine, 'j-nothing')).rejects.toMatchObject({ shape: { code: 'not-found' } });
    expect(() => at.engine.jobs.show({ id: 'j-' })).toThrow(
      expect.objectContaining({ shape: expect.objectContaining({ code: 'not-found' }) }),
    );
  });
});

describe('the journal', () => {
  it('holds the intent on disk before the write goes out', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    const { jobId } = at.engine.jobs.start({ plan });
    let phase: unknown;
    const phases: string[] = [];

    for await (const event of at.engine.jobs.watch({ id: jobId }, never)) {
      if (event.type === 'phase') phases.push(event.phase);
      if (event.type !== 'phase' || event.phase !== 'writing') continue;
      const reader = db();
      phase ??= reader
        .prepare(
          'SELECT phase, attempts, (SELECT content FROM job_contents WHERE id = before_document) AS before FROM job_units',
        )
        .get();
      reader.close();
    }

    expect(phase).toMatchObject({
      phase: 'intent',
      attempts: 1,
      before: expect.stringContaining('<distance>5</distance>'),
    });
    expect(phases).toEqual(['reading', 'writing', 'verifying']);
  });

  // Would catch: an undo that goes back to what the first attempt had written, or that does not know what the device showed.
  it('keeps the document from before the first attempt, and counts the attempts', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    at.site.device(0).setFault('reset', 1, { times: 1, method: 'PUT' });
    await applyPlan(at.engine, plan);

    const reader = db();
    const row = reader
      .prepare(
        'SELECT phase, outcome, attempts, after_document = sent_document AS as_sent, (SELECT content FROM job_contents WHERE id = before_document) AS before FROM job_units',
      )
      .get();
    reader.close();

    expect(row).toMatchObject({
      phase: 'settled',
      outcome: 'effective',
      attempts: 2,
      before: expect.stringContaining('<distance>5</distance>'),
      // Seen, and exactly what was sent.
      as_sent: 1,
    });
  });

  it('seals the documents of settings that hold secrets', async () => {
    at = await openSite();
    const text = template('set: storage.rwLock\nvalue: { enabled: true, passwd: "${key}" }').replace(
      'sections:',
      'variables:\n  key: { type: secret }\nsections:',
    );
    await applyPlan(at.engine, await makePlan(at, text, { secrets: { key: 'hunter22' } }));

    const reader = db();
    const row = reader
      .prepare(
        'SELECT typeof(before_document) AS before, typeof(sent_document) AS sent, typeof(after_document) AS after FROM job_units',
      )
      .get();
    const all = reader
      .prepare(
        'SELECT CAST(before_document AS TEXT) || CAST(after_document AS TEXT) AS text FROM job_units UNION ALL SELECT content FROM job_contents',
      )
      .all();
    reader.close();

    expect(row).toMatchObject({ before: 'blob', sent: 'blob', after: 'blob' });
    expect(JSON.stringify(all)).not.toContain('RWLock');
  });

  it('lists newest first, and shows a job by the beginning of its id, also after a restart', async () => {
    at = await openSite();
    const first = await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    const second = await applyPlan(at.engine, await makePlan(at, template(MODE)));
    await at.engine.close();

    const engine = await openEngine(at.dataDir);
    const list = engine.jobs.list();
    const shown = engine.jobs.show({ id: first.id.slice(0, 9) });
    await engine.close();

    expect(list.map(({ id }) => id)).toEqual([second.id, first.id]);
    const { results: _results, runs: _runs, options: _options, ...summary } = first;
    expect(list[1]).toEqual(summary);
    expect(shown).toEqual(first);
  });

  it('marks a job whose process is gone as interrupted: what was being sent is unknown', async () => {
    at = await openSite({ devices: 2 });
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    await at.engine.close();
    const writer = db();
    // The state after a kill: one device in the middle of its write, the other not begun.
    writer.exec(
      "UPDATE jobs SET state = 'running', ended_at = NULL, owner_process = 999999999, owner_started = NULL",
    );
    writer.exec(
      "UPDATE job_units SET phase = 'intent', outcome = 'pending' WHERE position = 0; UPDATE job_units SET phase = 'planned', outcome = 'pending' WHERE position = 1",
    );
    writer.exec(
      "UPDATE job_devices SET state = 'running' WHERE position = 0; UPDATE job_devices SET state = 'pending' WHERE position = 1",
    );
    writer.close();

    const engine = await openEngine(at.dataDir);
    const found = engine.jobs.show({ id: job.id });
    await engine.close();

    expect(found).toMatchObject({
      state: 'interrupted',
      resumable: true,
      results: [
        { state: 'failed', error: { source: 'app' }, units: [{ outcome: 'unknown' }] },
        { state: 'pending', units: [{ outcome: 'pending' }] },
      ],
    });
  });

  it('leaves a job alone that another process works on', async () => {
    at = await openSite();
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    await at.engine.close();
    const writer = db();
    writer.exec(
      `UPDATE jobs SET state = 'running', ended_at = NULL, owner_process = ${process.ppid}, owner_started = NULL`,
    );
    writer.close();

    const engine = await openEngine(at.dataDir);
    const found = engine.jobs.show({ id: job.id });
    await engine.close();

    expect(found.state).toBe('running');
  });

  it('is closed with the app: what is under way is finished, the job stays resumable', async () => {
    at = await openSite({ devices: 3 });
    const { jobId } = at.engine.jobs.start({
      plan: await makePlan(at, template(BASIC)),
      options: { concurrency: 1 },
    });
    for await (const event of at.engine.jobs.watch({ id: jobId }, never))
      if (event.type === 'phase' && event.phase === 'writing') break;
    await at.engine.close();

    const engine = await openEngine(at.dataDir);
    const found = engine.jobs.show({ id: jobId });
    await engine.close();

    expect(found).toMatchObject({
      state: 'interrupted',
      resumable: true,
      counts: { effective: 1, pending: 2 },
    });
  });
});
