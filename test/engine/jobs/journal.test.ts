/** The journal by itself, on a real database: what is on disk when, whose turn it is, and what comes back of it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createJobRows } from '#engine/jobs/job-rows.ts';
import { createJobKinds, type NewDevice, type NewJob } from '#engine/jobs/job-kind.ts';
import { Journal, type Intent } from '#engine/jobs/journal.ts';
import { StoredJobs } from '#engine/jobs/stored-job.ts';
import { createHistory } from '#engine/jobs/history/history.ts';
import { openStore, type Store } from '#engine/store/index.ts';
import type { UnitResult } from '#shared/model.ts';

const clock = { now: () => new Date(0), delay: () => Promise.resolve() };
const kinds = createJobKinds([
  {
    name: 'count',
    whenBusy: 'wait',
    interrupted: 'unknown',
    schemas: () => ({
      body: z.object({}),
      device: z.object({}),
      detail: z.looseObject({}),
      unit: z.looseObject({}),
    }),
    resume: () => [],
    history: { words: (detail) => ('file' in detail ? String(detail.file) : ''), rows: () => [] },
  },
]);
const OWNER = { process: 1, engine: 'one', started: 'boot/1' };
const OTHER = { process: 2, engine: 'other' };
const T0 = '2026-01-01T00:00:00.000Z';
const T1 = '2026-01-01T00:00:01.000Z';

let store: Store;
let journal: Journal;
let places: string[];
let locked: boolean;
beforeEach(() => {
  store = openStore(':memory:', { clock });
  places = [];
  locked = false;
  journal = journalOn(store);
});
afterEach(() => store.close());

function journalOn(on: Store): Journal {
  const seal = (text: string, place: string): Uint8Array => {
    if (locked) throw new Error('locked');
    places.push(place);
    return Buffer.from(`${place}|${text}`).toReversed();
  };
  return new Journal(on, { seal }, kinds);
}
const rows = () => createJobRows(store, kinds);
function stored(id: string) {
  const open = (bytes: Uint8Array, place: string): string => {
    const text = Buffer.from(bytes.toReversed()).toString('utf8');
    if (!text.startsWith(`${place}|`)) throw new Error(`not of ${place}`);
    return text.slice(place.length + 1);
  };
  return new StoredJobs(store, { open }, kinds).read(id);
}

function unit(index: number, extra: object = {}): UnitResult {
  return { index, label: `Send ${index}`, outcome: 'pending', ...extra };
}
function device(name: string, extra: Partial<NewDevice> = {}): NewDevice {
  return {
    deviceId: name,
    name,
    url: name === '' ? '' : `http://${name}`,
    state: 'pending',
    units: [{ result: unit(0) }],
    ...extra,
  };
}
const job = (id: string, devices: readonly NewDevice[] = [device('gate')]): NewJob => ({
  id,
  kind: 'count',
  title: 'Count',
  about: {},
  body: {},
  options: { wave: 3 },
  devices,
});
const begun = (mayWait = true, at = T0) => ({
  owner: OWNER,
  run: { kind: 'start', at, by: 'installer' } as const,
  mayWait,
});
const claimOf = (runsBefore: number, extra: object = {}) => ({
  ...begun(),
  owner: OTHER,
  run: { kind: 'resume', at: T1, by: 'Émile' } as const,
  runsBefore,
  waiting: [],
  ...extra,
});
const end = (id: string) => journal.end({ id, state: 'failed', endedAt: T1, results: [] });
const key = (index = 0) => ({ jobId: 'j-1', position: 0, index });
const documents = (text: string, extra: Partial<Intent> = {}): Intent => ({
  before: `${text} before`,
  sent: `${text} sent`,
  renew: false,
  sensitive: false,
  ...extra,
});
const phaseOf = (index = 0) =>
  store.get('SELECT phase, attempts, intent_at, result_at FROM job_units WHERE idx = ?', index);

describe('a new job', () => {
  // Would catch: a document kept in the clear, one that opens in the place of another, a device without a turn that gets one.
  it('is read back as it was given, sealed where it must be', () => {
    const sensitive = { sensitive: true, document: { owner: 'Ms. Underhill' } };
    journal.create(
      job('j-1', [
        device('gate', {
          units: [
            { result: unit(0), ...sensitive },
            { result: unit(1), document: { size: 3 } },
            { result: unit(2), sensitive: true },
            { result: unit(3), ...sensitive },
          ],
        }),
        device('door', { idle: true, state: 'failed', units: [] }),
      ]),
      begun(),
    );

    const [gate] = stored('j-1').devices;
    expect(gate?.units.map((kept) => kept.document())).toEqual([
      sensitive.document,
      { size: 3 },
      undefined,
      sensitive.document,
    ]);
    // Older versions sealed them at these places.
    expect(places).toEqual(['journal/j-1/0/0/document', 'journal/j-1/0/3/document']);
    expect(rows().show('j-1')).toMatchObject({
      state: 'running',
      runs: [{ kind: 'start', at: T0, by: 'installer' }],
      results: [{ units: [{}, {}, {}, {}] }, { idle: true, state: 'failed' }],
    });
    expect(rows().show('j-1').results[0]).not.toHaveProperty('idle');
  });

  it('is found by units that come later', () => {
    journal.create(job('j-1', [device('gate', { units: [] })]), begun());
    journal.addUnits('j-1', 'count', 0, [{ result: unit(0, { file: 'Ähre.bin' }) }]);

    const search = (text: string): number => createHistory(store, rows(), kinds).search({ text }).total;
    expect([search('ähre.bin send 0'), search('other')]).toEqual([1, 0]);
    expect(rows().show('j-1').results[0]?.units).toMatchObject([{ file: 'Ähre.bin' }]);
  });
});

describe('a write', () => {
  beforeEach(() => {
    journal.create(
      job('j-1', [device('gate', { units: [{ result: unit(0) }, { result: unit(1) }] })]),
      begun(),
    );
  });
  const kept = (index = 0) => stored('j-1').devices[0]?.units[index];

  // Would catch: a request that goes out and would be unknown after a crash.
  it('that is about to be sent is in the journal when its intent has resolved, and no other', async () => {
    await journal.intent(key(), unit(0, { changes: 1 }), T0, documents('first'));
    await journal.intent(key(1), unit(1, { step: 2 }), T0);

    expect(phaseOf(0)).toEqual({ phase: 'intent', attempts: 1, intent_at: T0, result_at: null });
    expect(phaseOf(1)).toEqual({ phase: 'intent', attempts: 1, intent_at: T0, result_at: null });
    expect([kept(0)?.detail, kept(1)?.detail]).toEqual([{ changes: 1 }, { step: 2 }]);
    expect([kept(0)?.hasBefore, kept(1)?.hasBefore]).toEqual([true, false]);
  });

  // Would catch: two processes that both write a job after one has taken it over from the other.
  it('of a job that another process has taken over since the last commit is neither begun nor noted', async () => {
    await journal.intent(key(), unit(0), T0, documents('first'));
    store.update('jobs', { owner_engine: 'another' }, { id: 'j-1' });

    journal.settled(key(), unit(0, { outcome: 'verified' }), T1);
    journal.flush();
    expect(phaseOf(0)).toMatchObject({ phase: 'intent' });
    await expect(journal.intent(key(1), unit(1), T0)).rejects.toMatchObject({ code: 'not-available' });
    expect(phaseOf(1)).toMatchObject({ phase: 'planned' });
  });

  // Would catch: an undo that puts back what an earlier attempt of the same job had written.
  it('that is sent again keeps what was there before the first time, unless that is told anew', async () => {
    await journal.intent(key(), unit(0), T0, documents('first'));
    journal.settled(key(), unit(0, { outcome: 'unknown' }), T1, { text: 'shown', sensitive: false });
    journal.flush();
    expect(kept()?.documents()).toEqual({ before: 'first before', sent: 'first sent', after: 'shown' });

    await journal.intent(key(), unit(0), T1, documents('second'));
    expect(kept()?.documents()).toEqual({ before: 'first before', sent: 'second sent' });
    expect(kept()?.attempts).toBe(2);
    await journal.intent(key(), unit(0), T1, documents('third', { renew: true }));
    expect(kept()?.documents()).toEqual({ before: 'third before', sent: 'third sent' });
  });

  it('that shows what was sent is kept once, and read back twice', async () => {
    await journal.intent(key(), unit(0), T0, documents('é'));
    journal.settled(key(), unit(0, { outcome: 'effective' }), T1, { text: 'é sent', sensitive: false });
    journal.flush();

    expect(kept()?.documents()).toEqual({ before: 'é before', sent: 'é sent', after: 'é sent' });
    expect(store.get('SELECT count(*) AS count FROM job_contents WHERE content = ?', 'é sent')).toEqual({
      count: 1,
    });
    expect(phaseOf()).toEqual({ phase: 'settled', attempts: 1, intent_at: T0, result_at: T1 });
  });

  // Would catch: a transfer that fills the disk with how far it was, and a secret that is masked later but stays.
  it('that is written over and over leaves nothing of what it was before', async () => {
    await journal.intent(key(), unit(0, { note: undefined, file: 'secret.bin' }), T0);
    for (let percent = 0; percent < 40; percent += 1)
      journal.settled(key(), unit(0, { file: 'masked', percent }), T1);
    journal.flush();

    expect(kept()?.detail).toEqual({ file: 'masked', percent: 39 });
    const all = store.all('SELECT detail FROM job_units UNION ALL SELECT content FROM job_contents');
    expect(JSON.stringify(all)).not.toContain('secret.bin');
    expect(all.length).toBeLessThan(4);
  });

  // Would catch: what a job said in memory for as long as the app runs.
  it('of an ended job is known no more', async () => {
    const contents = () =>
      store.get<{ readonly n: number }>('SELECT count(*) AS n FROM job_contents')?.n ?? 0;
    await journal.intent(key(), unit(0), T0, documents('first'));
    const before = contents();
    end('j-1');
    expect(journal.claim('j-1', claimOf(1))).toEqual({ state: 'running' });
    await journal.intent(key(), unit(0), T1, documents('first'));

    expect(contents()).toBeGreaterThan(before);
  });

  // Would catch: secrets in the clear; a vault that is locked during the read-back losing the outcome with
  // the document.
  it('that holds secrets is sealed, and settled without what was shown where the vault is locked by then', async () => {
    await journal.intent(key(), unit(0), T0, documents('secret', { sensitive: true }));
    const settle = () => {
      journal.settled(key(), unit(0, { outcome: 'effective' }), T1, {
        text: 'secret shown',
        sensitive: true,
      });
      journal.flush();
    };
    locked = true;
    settle();
    expect(kept()).toMatchObject({ outcome: 'effective' });
    expect(kept()?.documents()).toEqual({ before: 'secret before', sent: 'secret sent' });
    locked = false;
    settle();
    expect(kept()?.documents()).toEqual({
      before: 'secret before',
      sent: 'secret sent',
      after: 'secret shown',
    });

    // Older versions sealed them at these places.
    expect(places).toEqual(['journal/j-1/0/0', 'journal/j-1/0/0/sent', 'journal/j-1/0/0/after']);
  });

  it('that was not begun stays planned, with how far it came', () => {
    journal.progress(key(), { done: 3, total: 9 });
    journal.device(
      'j-1',
      0,
      { state: 'pending', error: { code: 'cancelled', source: 'user', message: 'stopped' } },
      '',
    );
    journal.flush();
    expect(rows().show('j-1').results).toMatchObject([
      { error: { code: 'cancelled' }, units: [{ progress: { done: 3, total: 9 } }, {}] },
    ]);
    journal.settled(key(), unit(0), T1);
    journal.flush();
    expect(phaseOf()).toMatchObject({ phase: 'planned' });
    expect(kept()?.documents()).toEqual({});
  });

  // Would catch: a job that ends well and yet, after a restart, is `pending` where the disk was full for a moment: its writes are sent twice.
  it('whose result the disk did not take is written with the end of the job; its intent was refused', async () => {
    let full = true;
    const onFull: Store = {
      ...store,
      transactionSoon: (work) => {
        if (full) throw new Error('disk full');
        return store.transactionSoon(work);
      },
    };
    journal = journalOn(onFull);
    const refused = journal.intent(key(1), unit(1), T0);
    journal.settled(key(0), unit(0, { outcome: 'effective' }), T0);
    await expect(refused).rejects.toThrow('disk full');
    full = false;
    journal.settled(key(1), unit(1, { outcome: 'ignored' }), T0);
    journal.flush();
    expect(kept(0)?.outcome).toBe('pending');

    const error = { code: 'timeout', source: 'device', message: 'late' } as const;
    const units = [unit(0, { outcome: 'effective' }), unit(1, { outcome: 'failed' })];
    const { results } = rows().show('j-1');
    journal.end({
      id: 'j-1',
      state: 'failed',
      endedAt: T1,
      results: results.map((result) => ({ ...result, state: 'failed', error, units })),
    });

    expect(rows().show('j-1')).toMatchObject({
      state: 'failed',
      endedAt: T1,
      results: [{ state: 'failed', error, units }],
    });
    // The time of a result is unknown now, or unchanged.
    expect([phaseOf(0), phaseOf(1)]).toMatchObject([{ result_at: null }, { result_at: T0 }]);
  });

  it('is not written once more where the disk took everything', async () => {
    await journal.intent(key(), unit(0), T0);
    journal.settled(key(), unit(0, { outcome: 'effective' }), T0);
    end('j-1');

    expect(kept()?.outcome).toBe('effective');
    expect(rows().summary('j-1')).toMatchObject({ state: 'failed', counts: {} });
  });
});

describe('a job that goes on', () => {
  const FOLLOW_UP = { positions: [1], waitSeconds: 5 };
  beforeEach(() => {
    const error = { code: 'timeout', source: 'device', message: 'late' } as const;
    journal.create(
      job('j-1', [device('gate', { idle: true, state: 'failed', error }), device('door', { state: 'done' })]),
      begun(),
    );
    end('j-1');
  });

  it('belongs to whoever claims it first, with its devices waiting for their turn', () => {
    expect(
      journal.claim('j-1', claimOf(1, { waiting: [0], options: { canary: 1 }, followUp: FOLLOW_UP })),
    ).toEqual({ state: 'running' });

    expect(rows().show('j-1')).toMatchObject({
      state: 'running',
      runs: [{ kind: 'start' }, { kind: 'resume', at: T1, by: 'Émile' }],
      results: [{ state: 'pending' }, { state: 'done' }],
    });
    expect(rows().show('j-1')).not.toHaveProperty('endedAt');
    for (const name of ['error', 'idle']) expect(rows().show('j-1').results[0]).not.toHaveProperty(name);
    expect(stored('j-1')).toMatchObject({ options: { canary: 1 }, followUp: FOLLOW_UP });
    expect(createHistory(store, rows(), kinds).search({ text: 'émile' }).total).toBe(1);
    const owners: object[] = [];
    rows().markInterrupted((owner) => owners.push(owner) > 0);
    expect(owners).toEqual([OTHER]);
  });

  // Would catch: a job that two processes resume at once; what one of them saw before the other's run.
  it('is not claimed twice, nor with what was seen before another run', () => {
    journal.claim('j-1', claimOf(1, { options: { canary: 1 } }));
    expect(journal.claim('j-1', claimOf(2, { waiting: [0] }))).toBeUndefined();
    expect(rows().show('j-1')).toMatchObject({ runs: [{}, {}], results: [{ state: 'failed' }, {}] });
    end('j-1');
    expect(journal.claim('j-1', claimOf(1, { options: {} }))).toBeUndefined();
    expect(stored('j-1').options).toEqual({ canary: 1 });
    expect(journal.claim('j-1', claimOf(2))).toEqual({ state: 'running' });
    // The job keeps its earlier options if none are given.
    expect(stored('j-1').options).toEqual({ canary: 1 });
  });

  it('forgets its follow-up when that is through, and keeps one that was cut off', () => {
    journal.claim('j-1', claimOf(1, { followUp: FOLLOW_UP }));
    journal.end({ id: 'j-1', state: 'interrupted', endedAt: T1, results: [], followUpLeft: true });
    expect(stored('j-1').followUp).toEqual(FOLLOW_UP);
    journal.claim('j-1', claimOf(2, { followUp: FOLLOW_UP }));
    end('j-1');
    expect(stored('j-1')).not.toHaveProperty('followUp');
  });
});

describe('jobs that share a device', () => {
  // Would catch: two jobs that write to one device at the same time, one that is never let go, one that overtakes.
  it('have their turns one after the other, in the order in which they came', () => {
    expect(journal.create(job('j-1', [device('gate'), device('door')]), begun())).toEqual({
      state: 'running',
    });
    expect(journal.create(job('j-2'), begun(true, T1))).toEqual({ state: 'waiting', behind: 'j-1' });
    expect(journal.create(job('j-3'), begun(true, T1))).toMatchObject({ state: 'waiting' });
    expect(journal.create(job('j-4', [device('yard')]), begun())).toEqual({ state: 'running' });
    expect(rows().summary('j-2')).toMatchObject({ state: 'waiting', waitsFor: 'j-1' });
    expect(journal.startOrWait('j-2')).toEqual({ state: 'waiting', behind: 'j-1' });

    journal.device('j-1', 0, { state: 'done' }, '');
    journal.flush();
    expect(journal.startOrWait('j-3')).toEqual({ state: 'waiting', behind: 'j-2' });
    expect(journal.startOrWait('j-2')).toEqual({ state: 'running' });
    expect(rows().summary('j-2').state).toBe('running');
    expect(journal.startOrWait('j-3')).toEqual({ state: 'waiting', behind: 'j-2' });
    end('j-2');
    expect(journal.startOrWait('j-3')).toEqual({ state: 'running' });
  });

  it('is looked at once more where another process was faster', () => {
    journal.create(job('j-1'), begun());
    journal.create(job('j-2'), begun());
    end('j-1');
    const second: Store = {
      ...store,
      transaction: (work) => {
        journal.claim('j-1', claimOf(1, { waiting: [0], mayWait: false }));
        return store.transaction(work);
      },
    };

    expect(journalOn(second).startOrWait('j-2')).toEqual({ state: 'waiting', behind: 'j-1' });
    expect(rows().summary('j-2').state).toBe('waiting');
  });

  it('is refused, and nothing of it kept, where it may not wait', () => {
    journal.create(job('j-1', [device('gate'), device('door')]), begun());
    const busyWith = (id: string, values: object): unknown =>
      expect.objectContaining({
        shape: expect.objectContaining({
          code: 'not-available',
          source: 'user',
          detail: { id, values },
        }) as object,
      });
    const refused = (devices: readonly NewDevice[]) => () =>
      journal.create(job('j-2', devices), begun(false));

    expect(refused([device('gate')])).toThrow(busyWith('device-busy-with-job', { name: 'gate', job: 'j-1' }));
    expect(refused([device('gate'), device('door')])).toThrow(
      busyWith('devices-busy-with-job', { count: 2, name: 'gate', job: 'j-1' }),
    );
    expect(
      rows()
        .list()
        .map(({ id }) => id),
    ).toEqual(['j-1']);
    // Waiting behind one that waits is for those who may wait.
    journal.create(job('j-3', [device('gate'), device('yard')]), begun());
    expect(journal.create(job('j-4', [device('yard')]), begun(false))).toEqual({ state: 'running' });
  });

  it('does not wait for steps of the whole site, nor for a device that has no turn', () => {
    journal.create(job('j-1', [device(''), device('door', { state: 'done' })]), begun());

    expect(journal.create(job('j-2', [device(''), device('door')]), begun())).toEqual({ state: 'running' });
  });
});
