/** Jobs as the database tells of them: the numbers of a list, what is found, and what a dead process leaves. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createJobRows } from '#engine/jobs/job-rows.ts';
import { createJobKinds, type JobKind, type NewDevice } from '#engine/jobs/job-kind.ts';
import { Journal } from '#engine/jobs/journal.ts';
import { StoredJobs } from '#engine/jobs/stored-job.ts';
import { openStore, type Store } from '#engine/store/index.ts';
import type { JobState, UnitOutcome, UnitResult } from '#shared/model.ts';
import { OUTCOMES } from '#shared/outcomes.ts';

const clock = { now: () => new Date(0), delay: () => Promise.resolve() };
const kind = (name: string, interrupted: JobKind['interrupted']): JobKind => ({
  name,
  whenBusy: 'wait',
  interrupted,
  schemas: () => ({ body: z.object({}), device: z.object({}), detail: z.object({}), unit: z.object({}) }),
  resume: () => [],
  history: { words: () => '', rows: () => [] },
});
const kinds = createJobKinds([kind('write', 'unknown'), kind('count', 'pending')]);
const OWNER = { process: 1, engine: 'one', started: 'boot/1' };
const OUTCOMES_KEPT = Object.keys(OUTCOMES).filter((outcome) => outcome !== 'unsupported') as UnitOutcome[];
const error = (code: 'timeout' | 'not-supported') => ({ code, source: 'device', message: 'm' }) as const;

let store: Store;
let journal: Journal;
beforeEach(() => {
  store = openStore(':memory:', { clock });
  journal = new Journal(store, { seal: () => new Uint8Array() }, kinds);
});
afterEach(() => store.close());
const rows = () => createJobRows(store, kinds);
const stored = (id: string) =>
  new StoredJobs(store, { open: (bytes) => Buffer.from(bytes).toString('utf8') }, kinds).read(id);

let second = 0;
function create(id: string, devices: readonly NewDevice[], extra: object = {}): void {
  const at = new Date(Date.UTC(2026, 0, 1) + (second += 1000)).toISOString();
  journal.create(
    { id, kind: 'write', title: 'Write', about: {}, body: {}, options: {}, devices, ...extra },
    { owner: OWNER, run: { kind: 'start', at, by: 'installer' }, mayWait: true },
  );
}
type Unit = Omit<UnitResult, 'index' | 'label'>;
function device(name: string, units: readonly Unit[], extra: object = {}) {
  return {
    deviceId: name,
    name,
    url: `http://${name}`,
    state: 'done' as const,
    units: units.map((unit, index) => ({ result: { index, label: 'L', ...unit } })),
    ...extra,
  };
}
const end = (id: string, state: JobState = 'failed') =>
  journal.end({ id, state, endedAt: '2026-02-01T00:00:00.000Z', results: [] });

describe('the numbers of a job', () => {
  // Would catch: a list that counts otherwise than the page of the job, so that "2 need attention" opens on a job where all is well.
  it('are the same, counted in the database and from its results', () => {
    const units = OUTCOMES_KEPT.flatMap((outcome): readonly Unit[] =>
      outcome === 'failed'
        ? [{ outcome, error: error('not-supported') }, { outcome, error: error('timeout') }, { outcome }]
        : [{ outcome }, { outcome, error: error('not-supported') }],
    );
    const standings = (['pending', 'running', 'done', 'failed'] as const).flatMap((state) => [
      { state },
      { state, error: error('timeout') },
    ]);
    const pairs = units.flatMap((one, at) => units.slice(at).map((other) => [one, other]));
    const jobs = standings.flatMap((standing, kept) => [
      [device(`none ${kept}`, [], standing)],
      ...units.map((unit, at) => [device(`one ${kept} ${at}`, [unit], standing)]),
      pairs.map((pair, at) => device(`two ${kept} ${at}`, pair, standing)),
    ]);

    for (const [at, devices] of jobs.entries()) {
      create(`j-${at}`, devices);
      end(`j-${at}`);
      store.run('UPDATE jobs SET totals = NULL');
      const { results: _results, runs: _runs, ...shown } = rows().show(`j-${at}`);
      expect(rows().summary(`j-${at}`), devices[0]?.name).toEqual(shown);
    }
  });

  // Would catch: devices counted by their units, or half of a transfer that looks like all of it.
  it('add up over devices, and are kept once the job has ended', () => {
    create('j-1', [
      device('a', [
        { outcome: 'needs-reboot', progress: { done: 3, total: 10 } },
        { outcome: 'needs-reboot', progress: { done: 2 } },
      ]),
      device('b', [{ outcome: 'needs-reboot', progress: { done: 5, total: 5 } }]),
      device('c', [{ outcome: 'effective' }]),
      device('d', [{ outcome: 'effective' }]),
    ]);
    const numbers = {
      devices: 4,
      deviceCounts: { 'needs-reboot': 2, done: 2 },
      counts: { 'needs-reboot': 3, effective: 2 },
      rebootPending: 2,
      progress: { done: 10, total: 15 },
    };
    expect(rows().summary('j-1')).toMatchObject(numbers);
    expect(store.get('SELECT totals FROM jobs')).toEqual({ totals: null });

    end('j-1', 'done');
    store.run('UPDATE jobs SET totals = NULL');
    expect(rows().summary('j-1')).toMatchObject({ ...numbers, resumable: false });
    store.run("UPDATE job_units SET outcome = 'failed'");
    expect(rows().summary('j-1')).toMatchObject(numbers);
  });

  it('tell of no progress where there is nothing to measure', () => {
    create('j-1', [device('a', [{ outcome: 'effective', progress: { done: 0, total: 0 } }])]);

    expect(rows().summary('j-1').progress).toBeUndefined();
    expect(rows().show('j-1').progress).toBeUndefined();
  });
});

describe('a job is found', () => {
  const unknown = (id: string, why: string) =>
    expect.objectContaining({
      shape: expect.objectContaining({
        code: 'not-found',
        source: 'user',
        detail: { id: why, values: { id } },
      }) as unknown,
    }) as Error;
  beforeEach(() => {
    for (const id of ['j-aa', 'j-ab', 'j-cc']) create(id, [device(id, [])]);
  });

  // Would catch: a command that works on another job than the one that was meant.
  it('by the beginning of its id where that is of one alone, or by all of it', () => {
    expect(rows().fullId('j-ab')).toBe('j-ab');
    expect(rows().fullId('j-aa')).toBe('j-aa');
    for (const [id, why] of [
      ['j-', 'several-jobs'],
      ['j-b', 'no-job'],
    ] as const)
      expect(() => rows().fullId(id)).toThrow(unknown(id, why));
    for (const look of [rows().summary, rows().show, stored])
      expect(() => look('j-b')).toThrow(unknown('j-b', 'no-job'));
  });

  it('newest first, those at work oldest first', () => {
    end('j-ab');

    expect(
      rows()
        .list()
        .map(({ id }) => id),
    ).toEqual(['j-cc', 'j-ab', 'j-aa']);
    expect(rows().atWork()).toEqual(['j-aa', 'j-cc']);
    expect(rows().select('state = ?', ['running'], 1)).toMatchObject([{ summary: { id: 'j-cc' } }]);
  });
});

describe('a job whose process died', () => {
  const left = (id: string) => rows().show(id).results;
  function dies(id: string, extra: object): void {
    const units = [{ outcome: 'effective' }, { outcome: 'pending' }, { outcome: 'pending' }] as const;
    create(
      id,
      [
        device(`${id}-at-work`, units, { state: 'running' }),
        device(`${id}-next`, [{ outcome: 'pending' }], { state: 'pending' }),
        device(`${id}-done`, [{ outcome: 'effective' }]),
      ],
      extra,
    );
    store.run("UPDATE job_units SET phase = 'intent' WHERE job_id = ? AND position = 0 AND idx = 1", id);
  }

  // Would catch: a write that may have arrived and is shown as never begun, a count that is never finished, a
  // device that is at work for good.
  it.each([
    ['write', 'unknown'],
    ['count', 'pending'],
  ])('leaves of the kind "%s" what was under way as %s', (name, outcome) => {
    dies('j-1', { kind: name });
    dies('j-2', { kind: name });
    const owners: object[] = [];

    rows().markInterrupted((owner, id) => {
      owners.push(owner);
      return id === 'j-2';
    });

    expect(owners).toEqual([OWNER, OWNER]);
    expect(rows().summary('j-1')).toMatchObject({ state: 'interrupted', resumable: true });
    expect(left('j-1')).toMatchObject([
      {
        state: 'failed',
        error: { code: 'cancelled', source: 'app', detail: { id: 'ended-meanwhile' } },
        units: [{ outcome: 'effective' }, { outcome }, { outcome: 'pending' }],
      },
      { state: 'pending', units: [{ outcome: 'pending' }] },
      { state: 'done', units: [{ outcome: 'effective' }] },
    ]);
    expect(rows().summary('j-2').state).toBe('running');
    expect(left('j-2')).toMatchObject([{ state: 'running' }, {}, {}]);
  });

  it('is not looked for among those that ended', () => {
    dies('j-1', {});
    end('j-1', 'cancelled');

    rows().markInterrupted(() => {
      throw new Error('nobody works on it, and nobody should');
    });
    expect(rows().summary('j-1').state).toBe('cancelled');
  });
});

describe('a job', () => {
  it('that waits says for whom: the one that has the device, or has waited longer', () => {
    for (const id of ['j-1', 'j-2', 'j-3']) create(id, [device('gate', [], { state: 'pending' })]);
    expect(rows().summary('j-3')).toMatchObject({ state: 'waiting', waitsFor: 'j-1' });
    end('j-1');
    store.run("UPDATE job_devices SET state = 'done' WHERE job_id = 'j-1'");

    expect(rows().summary('j-3')).toMatchObject({ state: 'waiting', waitsFor: 'j-2' });
    expect(rows().summary('j-2').state).toBe('waiting');
    for (const id of ['j-1', 'j-2']) expect(rows().summary(id).waitsFor).toBeUndefined();
  });

  // Would catch: a restart that is no longer waited for, offered to be resumed, or one that was cut off and
  // is not.
  it.each([
    [false, undefined],
    [true, { positions: [0], waitSeconds: 5 }],
  ])('whose restarts were cut off can go on: %s', (resumable, followUp) => {
    create('j-1', [device('a', [{ outcome: 'needs-reboot' }])]);
    store.run('UPDATE jobs SET follow_up = ?', followUp === undefined ? null : JSON.stringify(followUp));
    journal.end({
      id: 'j-1',
      state: 'interrupted',
      endedAt: '2026-02-01T00:00:00.000Z',
      results: rows().show('j-1').results,
      followUpLeft: resumable,
    });

    expect(rows().summary('j-1')).toMatchObject({ resumable, rebootPending: 1 });
    expect(stored('j-1').followUp).toEqual(followUp);
  });

  // Would catch: an undo that does not know what it takes back, a device of one run that is reached without its port.
  it('is read with all that going on and taking back need', () => {
    const connection = { profile: { pathPrefix: '/API' } };
    const lost = error('timeout');
    create('j-1', [device('a', [{ outcome: 'effective' }])]);
    create(
      'j-2',
      [
        device(
          'a',
          [{ outcome: 'failed', error: lost, progress: { done: 3, total: 5 } }, { outcome: 'pending' }],
          { state: 'failed', error: lost, connection },
        ),
        device('b', []),
      ],
      { undoOf: 'j-1', subject: 'package-7', options: { wave: 3 } },
    );
    const [before, undo] = [stored('j-1'), stored('j-2')];

    expect(undo).toMatchObject({
      subject: 'package-7',
      undoOf: 'j-1',
      options: { wave: 3 },
      devices: [
        {
          position: 0,
          url: 'http://a',
          error: lost,
          connection,
          units: [
            { key: { jobId: 'j-2', position: 0, index: 0 }, error: lost, progress: { done: 3, total: 5 } },
            { key: { index: 1 }, attempts: 0, hasBefore: false },
          ],
        },
        { position: 1, units: [] },
      ],
    });
    expect(undo.source()).toMatchObject({ id: 'j-1' });
    expect(rows().summary('j-2')).toMatchObject({ undoOf: 'j-1' });
    expect(before.source()).toBeUndefined();
    for (const name of ['subject', 'undoOf', 'followUp'] as const) expect(before[name]).toBeUndefined();
    for (const name of ['error', 'connection'] as const) expect(before.devices[0]?.[name]).toBeUndefined();
    for (const name of ['rebootPending', 'undoOf', 'progress', 'endedAt'] as const)
      expect(rows().summary('j-1')[name]).toBeUndefined();
  });

  it('that is not as its kind keeps it is told as damaged', () => {
    create('j-1', [device('a', [])]);
    store.run("UPDATE jobs SET body = '[]'");

    expect(() => stored('j-1')).toThrow(
      expect.objectContaining({
        shape: expect.objectContaining({
          code: 'storage-damaged',
          source: 'app',
          detail: { id: 'job-damaged' },
        }) as unknown,
      }) as Error,
    );
  });
});
