/** Long contents of units, each text of a job once, on a real database. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { JobContents } from '#engine/jobs/journal-rows.ts';
import { openStore, type Store } from '#engine/store/index.ts';

let store: Store;
let contents: JobContents;
beforeEach(() => {
  store = openStore(':memory:', { clock: { now: () => new Date(0), delay: () => Promise.resolve() } });
  for (const id of ['j-1', 'j-2'])
    store.run(
      "INSERT INTO jobs (id, kind, title, about, state, created_at, by_user, owner_process, owner_engine, body, options, search_text) VALUES (?, 'count', '', '{}', 'running', '2026', '', 1, '', '{}', '{}', '')",
      id,
    );
  contents = new JobContents(store);
});
afterEach(() => store.close());

const shared = (job: string, content: string) => Number(contents.shared(job, content));
const read = (id: number) =>
  store.get<{ readonly job: string; readonly content: unknown }>(
    'SELECT job_id AS job, content FROM job_contents WHERE id = ?',
    id,
  );
const count = () => store.get<{ readonly n: number }>('SELECT count(*) AS n FROM job_contents')?.n;

// Would catch: a job of 500 alike devices that keeps each text 500 times; one that loses what it says with another job.
it('keeps a text once for each job, and what is sealed in its own row', () => {
  const ids = ['a\0é', 'b', 'a\0é'].map((text) => shared('j-1', text));
  const other = shared('j-2', 'a\0é');
  const sealed = Buffer.from('a');

  expect(ids).toEqual([ids[0], ids[1], ids[0]]);
  expect(new Set([...ids, other]).size).toBe(3);
  expect(read(ids[0] ?? 0)).toEqual({ job: 'j-1', content: 'a\0é' });
  expect(read(other)).toEqual({ job: 'j-2', content: 'a\0é' });
  expect(contents.shared('j-1', sealed)).toBe(sealed);
  expect(count()).toBe(3);
});

// Would catch: a transfer of hours that leaves what it said twice a second for good.
it('gives the number of what others have in common already, and keeps nothing else', () => {
  const id = shared('j-1', 'planned');

  expect(contents.own('j-1', 'planned')).toBe(BigInt(id));
  expect(contents.own('j-1', '17 %')).toBe('17 %');
  expect(contents.own('j-2', 'planned')).toBe('planned');
  expect(count()).toBe(1);
});

// Would catch: a disk that is full for a moment, after which an undo writes a document that is not the unit's.
it('knows nothing more of what was rolled back', () => {
  const fails = () =>
    store.transaction(() => {
      shared('j-1', 'lost');
      throw new Error('full');
    });
  expect(fails).toThrow('full');
  expect(contents.own('j-1', 'lost')).toBe('lost');
  const next = shared('j-1', 'of another');
  const [again, once] = ['lost', 'lost'].map((text) => shared('j-1', text));

  expect([read(next)?.content, read(again ?? 0)?.content]).toEqual(['of another', 'lost']);
  expect(once).toBe(again);
});

// Would catch: the texts of every job there ever was in memory, or of one with ten thousand devices that are not alike.
it('forgets a job that ended, and everything where it is too much to know', () => {
  const long = ['a', 'b', 'c'].map((letter) => letter.repeat(700_000));
  for (const text of ['short', ...long, 'short']) shared('j-1', text);
  expect(count()).toBe(5);

  shared('j-2', 'short');
  contents.forget('j-2');
  for (const job of ['j-1', 'j-2']) shared(job, 'short');
  expect(count()).toBe(7);
  for (const text of long) {
    shared('j-2', text);
    contents.forget('j-2');
  }
  shared('j-1', 'short');
  expect(count()).toBe(10);
});
