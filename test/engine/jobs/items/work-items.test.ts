/** Work items in a real database. Sealed text stays readable here, so that remains of it can be found. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Budget } from '#engine/jobs/items/budget.ts';
import type { ItemKind, ItemTypes } from '#engine/jobs/items/types.ts';
import { WorkItems } from '#engine/jobs/items/work-items.ts';
import { DATABASE_FILE, openStore, type Store } from '#engine/store/index.ts';
import { filesOf } from '#test/helpers/traces-of.ts';

interface Keys extends ItemTypes {
  readonly head: { readonly name?: string };
  readonly secret: string;
  readonly plan: 'to-cut' | 'leave' | 'refused';
  readonly outcome: 'cutting' | 'cut' | 'broken';
  readonly result: { readonly told: string };
  readonly resultSecret: { readonly blank: string };
}

const KEYS: ItemKind = {
  name: 'keys',
  idle: ['leave'],
  good: ['cut'],
  bad: ['refused', 'broken'],
  begun: 'cutting',
  kept: { days: 7, from: 'job-end', orDone: true },
};
const DAY_MS = 86_400_000;
const OPEN = ['to-cut', 'cutting'] as const;

let dataDir: string;
let store: Store;
let now: Date;
const failures: unknown[] = [];
const clock = { now: () => now, delay: () => Promise.resolve() };
const vault = {
  seal: (text: string, context: string) => Buffer.from(`${context}|${text}`),
  open(sealed: Uint8Array, context: string) {
    const [place, ...text] = Buffer.from(sealed).toString().split('|');
    if (place !== context) throw new Error(`sealed for ${place}, opened for ${context}`);
    return text.join('|');
  },
};
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-items-'));
  now = new Date('2026-03-01T00:00:00Z');
  store = openStore(dataDir, { clock });
});
afterEach(async () => {
  // Windows removes no folder in which a file is open.
  await Promise.all(opened.splice(0).map((each) => each.close()));
  store.close();
  rmSync(dataDir, { recursive: true, force: true });
  expect(failures.splice(0)).toEqual([]);
});

const opened: WorkItems<Keys>[] = [];
function items(kind: Partial<ItemKind> = {}): WorkItems<Keys> {
  const made = new WorkItems<Keys>(
    { ...KEYS, ...kind },
    { store, vault, clock, onFailure: (error) => failures.push(error) },
  );
  opened.push(made);
  return made;
}

/** Plans a list of keys a, b, c … that are to be cut on one device. */
function planned(rows: WorkItems<Keys>, jobId: string, count = 3): void {
  rows.open(jobId, { sealed: true });
  const keys = Array.from({ length: count }, (_, at) => String.fromCharCode(97 + at));
  rows.add(
    jobId,
    keys.map((key) => ({ key, secret: `teeth of ${jobId}/${key}` })),
  );
  rows.settle(
    jobId,
    0,
    keys.map((_, at) => ({ nth: at + 1, plan: 'to-cut', secret: { blank: `blank of ${jobId}` } })),
  );
}

function job(id: string, { state, endedAt }: { readonly state: string; readonly endedAt: string }): void {
  const common = { kind: 'keys', title: '', about: '{}', body: '{}', by_user: '', owner_process: 1 };
  store.insert('jobs', {
    ...{ id, ...common, owner_engine: 'e', options: '{}', search_text: '' },
    ...{ state, created_at: endedAt, ended_at: endedAt },
  });
}

/**
 * Adds a unit. `unreached`: the turn of its device ended early, so that a unit that failed was never sent.
 */
function unit(jobId: string, outcome: string, unreached = false): void {
  store.insert('job_devices', {
    ...{ job_id: jobId, position: 0, device_id: 'd', name: 'd', url: '', document: '{}' },
    ...(unreached ? { state: 'failed', error: '{"code":"timeout"}' } : { state: 'done' }),
  });
  store.insert('job_units', { job_id: jobId, position: 0, idx: 0, label: '', detail: '{}', outcome });
}

/** Returns the texts that are in the files of the data folder. */
function left(...texts: readonly string[]): readonly string[] {
  const bytes = Buffer.concat([...filesOf(dataDir).values()]);
  return texts.filter((text) => bytes.includes(text));
}

describe('an item on its way', () => {
  // Would catch: an intent that a crash loses, so that it is sent a second time without a look.
  it('is begun on disk, found again by the next process, and not once it is settled', async () => {
    planned(items(), 'j');
    await items().begin('j', 0, [1, 2]);
    items().settle('j', 0, [{ nth: 1, outcome: 'cut' }]);
    store.close();
    store = openStore(dataDir, { clock });

    const open = items().next('j', 0, { after: 0, limit: 10, now: OPEN });

    expect(open.map(({ key, outcome, attempts }) => [key, outcome, attempts])).toEqual([
      ['b', 'cutting', 1],
      ['c', undefined, 0],
    ]);
    expect(open[0]?.secret()).toBe('teeth of j/b');
    expect(items().tally('j', 0)).toEqual([
      { plan: 'to-cut', outcome: null, count: 1 },
      { plan: 'to-cut', outcome: 'cut', count: 1 },
      { plan: 'to-cut', outcome: 'cutting', count: 1 },
    ]);
  });

  // Would catch: a plan that is made once more over what was done already; an item that goes on and has lost its plan.
  it('keeps its plan while it is settled, and what became of it while it is planned', () => {
    const rows = items();
    planned(rows, 'j', 2);
    rows.settle('j', 0, [
      { nth: 1, outcome: 'broken', secret: { blank: 'bent' } },
      { nth: 2, outcome: undefined },
    ]);

    rows.settle('j', 0, [{ nth: 1, plan: 'leave' }]);

    const found = [...rows.items('j')];
    expect(found.map(({ plan, outcome }) => [plan, outcome])).toEqual([
      ['to-cut', 'broken'],
      ['to-cut', undefined],
    ]);
    expect(found.map(({ resultSecret }) => resultSecret()?.blank)).toEqual(['bent', 'blank of j']);
  });

  // Would catch: fingerprints of a copy of people that are found among its people.
  it('belongs to its own kind, where a job has lists of two', () => {
    const [keys, locks] = [items(), items({ name: 'locks' })];
    planned(keys, 'j', 2);
    planned(locks, 'j', 3);

    keys.drop('j');

    expect([keys.list('j'), [...keys.items('j')]]).toEqual([undefined, []]);
    expect([...locks.items('j')]).toHaveLength(3);
  });
});

describe('a list', () => {
  // Would catch: a key that is added twice, one that is refused because a bad one has its name, places that shift.
  it('takes a key with a part once, and one that cannot be used beside it', () => {
    const rows = items();
    const error = { code: 'wrong-type', source: 'user', message: 'no key' } as const;
    rows.open('j', { sealed: false });

    const added = rows.add('j', [
      { key: 'a', part: '1', line: 7 },
      { key: 'a', part: '1', error },
      { key: 'a', part: '2' },
      { key: 'a', part: '1', line: 9 },
    ]);

    expect(added).toEqual([{ nth: 1 }, { nth: 2 }, { nth: 3 }, { nth: 1, twice: 7 }]);
    expect(rows.counts('j')).toEqual({ items: 2, keys: 1, bad: 1 });
    expect(rows.next('j', 0, { after: 0, limit: 9, now: [''] }).map(({ nth }) => nth)).toEqual([1, 3]);
  });

  // Would catch: rows that are left out or come twice at the borders of pages of the database.
  it('gives everything once, in its order, however long it is', () => {
    const rows = items();
    rows.open('j', { sealed: false });
    const count = 450;
    rows.add(
      'j',
      Array.from({ length: count }, (_, at) => ({ key: String(at % 7 === 0 ? 9_000 - at : at) })),
    );
    for (const position of [0, 1])
      rows.settle(
        'j',
        position,
        Array.from({ length: count }, (_, at) => ({
          nth: at + 1,
          plan: 'to-cut' as const,
          ...(at % 3 === position
            ? { outcome: 'broken' as const, result: { told: `${position}/${at}` } }
            : {}),
        })),
      );

    const all = [...rows.items('j')].map(({ nth, position }) => nth * 2 + (position ?? 0));
    const bad = [...rows.items('j', { which: 'bad', positions: [1] })].map(({ nth }) => nth);
    const keys = [...rows.byKey('j', '')].map(({ key }) => key);

    expect(all).toEqual(Array.from({ length: 2 * count }, (_, at) => at + 2));
    expect(bad).toEqual(Array.from({ length: count / 3 }, (_, at) => 3 * at + 2));
    expect(keys).toEqual(keys.toSorted());
    expect(keys).toHaveLength(400);
  });

  // Would catch: a face that follows a job and misses a result, or gets one twice.
  it('tells results in the order in which they came, from any of them on', () => {
    const rows = items();
    planned(rows, 'j');
    for (const nth of [3, 1, 2])
      rows.settle('j', 0, [{ nth, outcome: 'cut', result: { told: `${nth}` } }], { soon: true });
    rows.flush();

    const told = rows.results('j', 0);

    expect(told.map(({ result }) => result?.told)).toEqual(['3', '1', '2']);
    expect(rows.results('j', told[0]?.seq ?? 0).map(({ nth }) => nth)).toEqual([1, 2]);
  });
});

describe('secrets', () => {
  // Would catch: a sealed row that is copied onto another one, and opens there.
  it('open in their own place only', () => {
    const rows = items();
    planned(rows, 'j');
    store.run('UPDATE items SET secret = (SELECT secret FROM items WHERE nth = 1) WHERE nth = 2');

    expect(rows.secret('j', 1)).toBe('teeth of j/a');
    expect(() => rows.secret('j', 2)).toThrow('sealed for keys/j/1, opened for keys/j/2');
  });

  // Would catch: "wiped", said to the person who asked for it, while the secrets are still there.
  it('that cannot be wiped are said to be there still', async () => {
    const rows = items();
    planned(rows, 'j');
    store.run(
      "CREATE TRIGGER stuck BEFORE UPDATE OF secret ON items BEGIN SELECT raise(ABORT, 'stuck'); END",
    );

    await expect(rows.wipeNow('j')).rejects.toThrow();
    await rows.wipe('j');

    expect(failures.splice(0)).toHaveLength(1);
    expect(rows.list('j')?.isSealed).toBe(true);
  });

  // Would catch: personal data in the file, a free page or the log; waiting items wiped with the rest.
  it('of what is good on every device go, in the database and its log; the others stay', async () => {
    const rows = items();
    planned(rows, 'j');
    rows.settle('j', 1, [
      { nth: 2, plan: 'to-cut' },
      { nth: 3, plan: 'leave' },
    ]);
    rows.settle(
      'j',
      0,
      [1, 2, 3].map((nth) => ({ nth, outcome: 'cut' })),
    );
    rows.settle('j', 1, [{ nth: 1, outcome: 'broken', secret: { blank: 'bent' } }]);
    const teeth = ['teeth of j/a', 'teeth of j/b', 'teeth of j/c', 'blank of j', 'bent'];

    await rows.wipe('j', { fineOn: 2 });
    const fine = left(...teeth);
    await rows.wipe('j');

    expect(fine).toEqual(['teeth of j/a', 'teeth of j/b', 'bent']);
    expect(left(...teeth)).toEqual([]);
    expect(rows.list('j')?.isSealed).toBe(false);
    expect([...rows.items('j')].map(({ key, outcome }) => [key, outcome])).toEqual([
      ['a', 'cut'],
      ['a', 'broken'],
      ['b', 'cut'],
      ['b', undefined],
      ['c', 'cut'],
      ['c', undefined],
    ]);
  });

  // Would catch: secrets of a job that went on after its wipe, and that no sweep ever finds.
  it('that come after a wipe are wiped one day too', async () => {
    const rows = items();
    planned(rows, 'j');
    await rows.wipe('j');
    rows.settle('j', 0, [{ nth: 1, outcome: 'broken', secret: { blank: 'bent later' } }]);
    job('j', { state: 'failed', endedAt: now.toISOString() });

    rows.sweep();
    await rows.close();

    expect(left('bent later')).toEqual([]);
  });

  // Would catch: templates that stay for good, or go while their job can still go on; a list of a job that runs swept away.
  it.each([
    ['runs', { state: 'running', unit: 'pending', days: 40 }, true],
    ['has something left to do', { state: 'cancelled', unit: 'pending', days: 6.9 }, true],
    ['was left alone for a week', { state: 'cancelled', unit: 'pending', days: 7.1 }, false],
    ['has nothing left to do', { state: 'failed', unit: 'refused', days: 0 }, false],
    ['never reached a device', { state: 'failed', unit: 'failed', unreached: true, days: 0 }, true],
    ['was never begun, today', { days: 0.9 }, true],
    ['was never begun, yesterday', { days: 1.1 }, false],
  ])(
    'of a job that %s: kept or not',
    async (_name, given: { state?: string; unit?: string; unreached?: boolean; days: number }, kept) => {
      const rows = items();
      planned(rows, 'j');
      if (given.state !== undefined) {
        job('j', { state: given.state, endedAt: now.toISOString() });
        unit('j', given.unit ?? '', given.unreached);
      }
      now = new Date(now.getTime() + given.days * DAY_MS);

      rows.sweep();
      await rows.close();

      expect(left('teeth of j/a').length > 0).toBe(kept);
      expect(rows.list('j') !== undefined).toBe(given.state !== undefined || kept);
    },
  );

  // Would catch: the file of failed rows that can no longer be written a week after its job.
  it('are kept for as long as their kind says, from its own moment on', async () => {
    const rows = items({ kept: { days: 30, from: 'list', orDone: false } });
    planned(rows, 'j');
    job('j', { state: 'failed', endedAt: new Date(now.getTime() + 20 * DAY_MS).toISOString() });
    unit('j', 'refused');
    const kept: boolean[] = [];
    for (const days of [29, 2]) {
      now = new Date(now.getTime() + days * DAY_MS);
      rows.sweep();
      await rows.close();
      kept.push(left('teeth of j/a').length > 0);
    }

    expect(kept).toEqual([true, false]);
  });
});

// Would catch: megabytes of a run that was killed, on the disk for a day or for ever; a plan that is still in
// view, taken away.
it('what a killed run left goes with the next start, from the disk too', async () => {
  const rows = items();
  for (const jobId of ['killed', 'looked-at']) rows.open(jobId, { sealed: true });
  const secret = 'x'.repeat(20_000);
  for (let batch = 0; batch < 40; batch += 1)
    rows.add(
      'killed',
      Array.from({ length: 200 }, (_, at) => ({ key: `${batch}/${at}`, secret })),
    );
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  // Names no start: on Windows that is a sign of life, and this process still holds it.
  store.run(
    "UPDATE item_lists SET head = json_remove(json_set(head, '$.owner.process', ?), '$.owner.started') WHERE job_id = 'killed'",
    pid,
  );
  store.forgetLog();
  const file = join(dataDir, DATABASE_FILE);
  const before = statSync(file).size;

  const next = items();
  next.sweep();

  await vi.waitFor(() => expect(statSync(file).size).toBeLessThan(before / 2), 60_000);
  expect(next.list('killed')).toBeUndefined();
  expect(next.list('looked-at')).toBeDefined();
  expect(store.all('SELECT * FROM items')).toEqual([]);
  await Promise.all([rows.close(), next.close()]);
});

// Would catch: one piece of work that fills the disk; one that counts what it gave back.
it('a list takes so many bytes and no more, and says so', () => {
  const budget = new Budget();

  budget.take(0, 600 * 1024 * 1024);
  expect(() => budget.requireRoom(600 * 1024 * 1024)).toThrow(
    expect.objectContaining({ code: 'input-too-large' }),
  );
  budget.release(0);
  expect(() => budget.requireRoom(600 * 1024 * 1024)).not.toThrow();
});

it('what is kept leaves room on the disk for the journal', () => {
  expect(() => store.requireRoom(1000)).not.toThrow();
  expect(() => store.requireRoom(2 ** 60)).toThrow(
    expect.objectContaining({
      code: 'not-available',
      shape: expect.objectContaining({ detail: expect.objectContaining({ id: 'disk-low' }) }),
    }),
  );
});
