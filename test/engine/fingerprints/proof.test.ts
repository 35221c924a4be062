/** A device shows all fields of a fingerprint, and in its own time. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import { addDevices } from '../site-engine.ts';
import {
  ended,
  importLines,
  line,
  openPrintSite,
  templateOf,
  told,
  type PrintSite,
} from './site-with-prints.ts';

const site = (options: Parameters<typeof openPrintSite>[0] = {}) => openPrintSite({ devices: 1, ...options });

const SET_UP = 'accessControl.fingerprints.setUp';
const QUERY = 'accessControl.fingerprints.query';
const operations = (at: PrintSite) =>
  at.site
    .device(0)
    .requests.flatMap(({ operation }) => (operation === SET_UP || operation === QUERY ? [operation] : []));

describe('the proof of a fingerprint', () => {
  // Would catch: a duress finger that opens the door without an alarm, reported as "taken, seen".
  it('holds its type and the doors of first authentication too, and tells what differs', async () => {
    const at = await site();
    at.site.device(0).setFault('finger-plain', 1);

    const { results, job } = await importLines(
      at,
      [
        line('1001', 2, { fingerType: 'hijackFP' }),
        line('1001', 3, { leaderFP: [1] }),
        line('1001', 4, { fingerType: 'patrolFP', leaderFP: [2, 1] }),
        line('1001', 5),
      ],
      { verify: true },
    );

    expect(
      results.map(({ fingerPrintID, status, seen, says }) => [fingerPrintID, status, seen, says?.values]),
    ).toEqual(
      expect.arrayContaining([
        [2, 'differs', undefined, { differences: 'fingerType hijackFP → normalFP' }],
        [3, 'differs', undefined, { differences: 'leaderFP 1 → –' }],
        [4, 'differs', undefined, { differences: 'fingerType patrolFP → normalFP; leaderFP 2, 1 → –' }],
        [5, 'taken', true, undefined],
      ]),
    );
    expect(job.results[0]?.units[0]?.outcome).toBe('ignored');
  });

  // Would catch: a second run that fails because the device says that the same person has the same finger already.
  it('calls the same finger of the same person there already, and a second run is clean', async () => {
    const at = await site();
    at.site.device(0).setFault('own-finger-exists', 1);

    const first = await importLines(at, [line('1001', 2)], { readers: [1, 2] });
    const second = await importLines(at, [line('1001', 2)], { readers: [1, 2] });

    expect(told(first.results)).toEqual(['1001/2 1: taken', '1001/2 2: taken']);
    expect(second.results).toMatchObject([
      { reader: 1, status: 'there-already', code: 5, owner: '1001', seen: true },
      { reader: 2, status: 'there-already', code: 5, owner: '1001', seen: true },
    ]);
    expect(second.job).toMatchObject({ state: 'done', counts: { unchanged: 1 } });
  });

  // Would catch: a finger called there already although the person has it under another number.
  it('tells the same finger under another number from the one that was asked for', async () => {
    const at = await site();
    const fingerData = templateOf('one');
    at.readers(0).put(1, { employeeNo: '1001', fingerPrintID: 2, fingerType: 'normalFP', fingerData });

    const { results, job } = await importLines(at, [line('1001', 3, { fingerData })]);

    expect(results).toMatchObject([{ status: 'exists', owner: '1001', says: { id: 'print-exists-own' } }]);
    expect(job.state).toBe('failed');
  });

  // Would catch: "module needs no configuration" taken for the proof that the fingerprint is there.
  it('takes no answer of code 8 for a fingerprint that is not there', async () => {
    const at = await site();
    at.site.device(0).setFault('reader-idle', 1);
    const there = { employeeNo: '1001', fingerPrintID: 3, fingerType: 'normalFP' };
    at.readers(0).put(1, { ...there, fingerData: templateOf('1001/3') });

    const { results, job } = await importLines(at, [line('1001', 2), line('1001', 3)]);

    expect(told(results)).toEqual(['1001/2 1: nothing-to-do', '1001/3 1: there-already']);
    expect(job.state).toBe('failed');
  });
});

describe('a device that does later what it said yes to', () => {
  // Would catch: a fingerprint called "not there", or "still there", before the one patience is over.
  it('is looked at until it shows the fingerprint, and until it no longer does', async () => {
    const at = await site();
    at.site.device(0).setFault('done-later', 1, { operation: SET_UP, requests: 2 });

    const sent = await importLines(at, [line('1001', 2)], { verify: true });
    const { jobId } = at.engine.prints.remove({ deviceIds: at.ids, people: ['1001'], fingers: [2] });
    const removed = await ended(at.engine, jobId);

    expect(sent.results).toMatchObject([{ status: 'taken', seen: true }]);
    expect(removed.results).toMatchObject([{ status: 'removed', seen: true }]);
    expect([sent.job.state, removed.job.state]).toEqual(['done', 'done']);
  });

  // Would catch: a device that shows nothing, waited for anew with each fingerprint.
  it('keeps no other fingerprint waiting', async () => {
    const at = await site();
    at.site.device(0).setFault('ignored', 1, { operation: SET_UP });
    const lines = Array.from({ length: 40 }, (_, index) => line(`P${index}`, 1));
    const sent = () => operations(at).filter((operation) => operation === SET_UP).length;
    const engine = await engineThatWaits(at.dataDir, () => sent() === lines.length);
    const ids = addDevices(engine, at.site);

    const { results, job } = await importLines({ engine, ids }, lines, { verify: true });
    await engine.close();

    expect(results.map(({ status }) => status)).toEqual(lines.map(() => 'ignored'));
    expect(job.results[0]?.units[0]?.outcome).toBe('ignored');
  });
});

/** Creates an engine that waits before a second look until something has happened. */
async function engineThatWaits(dataDir: string, isThere: () => boolean): Promise<Engine> {
  return createEngine({
    dataDir: join(dataDir, 'waiting'),
    resourcesDir: join(import.meta.dirname, '../../../resources'),
    face: 'cli',
    version: '0',
    protections: [createKeyFileProtection(join(dataDir, 'other.key'))],
    clock: {
      now: () => new Date(),
      async delay() {
        do
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
        while (!isThere());
      },
    },
  });
}

describe('a fingerprint of which nobody knows what became of it', () => {
  // Would catch: one unreadable device answer that ends the work on all others, or a fingerprint that is given up or sent twice.
  it('is told as that, the rest is done, and it is looked at when the job is resumed', async () => {
    const at = await site();
    at.site.device(0).setFault('html', 1, { operation: SET_UP, times: 1, done: true });
    at.site.device(0).setFault('malformed', 1, { operation: QUERY });

    const first = await importLines(at, [line('1001', 2), line('1001', 3)]);
    at.site.device(0).clearFaults();
    at.engine.jobs.resume({ id: first.job.id });
    const second = await ended(at.engine, first.job.id);

    expect(told(first.results)).toEqual(['1001/2 1: unknown', '1001/3 1: taken']);
    expect(first.job.results[0]?.units[0]?.outcome).toBe('unknown');
    expect(told(second.results)).toEqual(['1001/2 1: taken', '1001/3 1: taken']);
    expect(second.job.state).toBe('done');
    expect(operations(at).filter((operation) => operation === SET_UP)).toHaveLength(2);
  });
});
