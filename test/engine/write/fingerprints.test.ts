/** The table of cases for fingerprints, sent and removed: the same device, the same answers, as for every other kind of write. */
import { describe, expect, it } from 'vitest';
import { FINGERPRINTS } from '#simulator/areas/people/fingerprint-readers.ts';
import { WRITE_CASES } from '#test/helpers/write-cases.ts';
import { ended, importLines, line } from '../fingerprints/site-with-prints.ts';
import { openWriteBench } from '../write-bench.ts';

async function openBench(yes: object) {
  const at = await openWriteBench('gate', {
    isWrite: ({ path }) => path.includes('/FingerPrint/SetUp'),
    format: 'json',
    yes: JSON.stringify({ FingerPrintStatus: yes }),
  });
  return {
    ...at,
    ids: [at.id],
    /** Gives the device a finger before the case is played. */
    present: (employeeNo: string, finger: number) =>
      void at.site.device(0).part(FINGERPRINTS).present(employeeNo, finger),
  };
}

describe('a fingerprint', () => {
  // Would catch: a fingerprint reported differently than a setting, a person or a step after the same answer.
  it.each(WRITE_CASES)('$name: $visible', async (played) => {
    const { engine, proxy, ids } = await openBench({ StatusList: [{ id: 1, cardReaderRecvStatus: 1 }] });
    proxy.play(played);

    const { job } = await importLines({ engine, ids }, [line('1001', 3)], { verify: true });

    expect(job.results[0]?.units[0]?.outcome).toBe(played.visible);
    expect(proxy.sends()).toBe(played.sends);
  });
});

describe('the removal of a fingerprint', () => {
  // Would catch: a removal reported as done, or as failed, unlike a setting after the same answer.
  it.each(WRITE_CASES)('$name: $visible', async (played) => {
    const { engine, proxy, ids, present } = await openBench({ status: 'success' });
    present('1001', 3);
    proxy.play(played);

    const { jobId } = engine.prints.remove({ deviceIds: ids, people: ['1001'], fingers: [3] });
    const { job } = await ended(engine, jobId);

    expect(job.results[0]?.units[0]?.outcome).toBe(played.visible);
    expect(proxy.sends()).toBe(played.sends);
  });
});

describe('an answer that speaks of each reader', () => {
  const KEPT = {
    name: '',
    answer: 'yes',
    effect: 'kept',
    visible: 'ignored',
    hidden: 'ignored',
    sends: 1,
  } as const;
  const TAKEN = { ...KEPT, answer: 'yes', effect: 'taken' } as const;

  // Would catch: an unreported reason of a reader, or a failure called done.
  it('is told with the reader and its own words', async () => {
    const { engine, proxy, ids } = await openBench({
      StatusList: [{ id: 1, cardReaderRecvStatus: 0, errorMsg: 'sensor cable' }],
    });
    proxy.play(KEPT);

    const { results, job } = await importLines({ engine, ids }, [line('1001', 3)]);

    expect(results).toMatchObject([
      { reader: 1, status: 'failed', code: 0, says: { id: 'print-failed', reason: 'sensor cable' } },
    ]);
    expect(job.results[0]?.units[0]?.outcome).toBe('refused');
  });

  // Would catch: a reader called done, or failed, because another one was.
  it('leaves each reader to what it said, and looks where it said nothing', async () => {
    const { engine, proxy, ids } = await openBench({
      StatusList: [
        { id: 1, cardReaderRecvStatus: 1 },
        { id: 2, cardReaderRecvStatus: 4 },
      ],
    });
    const send = (readers: readonly number[], effect: 'taken' | 'kept', finger: number) => {
      proxy.play(effect === 'taken' ? TAKEN : KEPT);
      return importLines({ engine, ids }, [line('1001', finger)], { readers }).then(({ results }) =>
        results.map(({ reader, status, seen = false }) => `${reader ?? 0}: ${status}${seen ? ', seen' : ''}`),
      );
    };

    expect(await send([1, 2], 'taken', 2)).toEqual(['1: taken, seen', '2: taken, seen']);
    expect(await send([1, 2], 'kept', 3)).toEqual(['1: taken', '2: memory-full']);
    expect(await send([1, 3], 'kept', 4)).toEqual(['1: taken', '3: ignored']);
  });

  // Would catch: `failed` taken for a yes because HTTP and JSON were fine.
  it('is a no where the device says that it failed', async () => {
    const { engine, proxy, ids, present } = await openBench({ status: 'failed' });
    present('1001', 3);
    proxy.play(KEPT);

    const sent = await importLines({ engine, ids }, [line('1001', 2)]);
    const { jobId } = engine.prints.remove({ deviceIds: ids, people: ['1001'], fingers: [3] });
    const removed = await ended(engine, jobId);

    for (const { results, job } of [sent, removed]) {
      expect(results).toMatchObject([
        { status: 'refused', error: { detail: { id: 'prints-set-up-failed' } } },
      ]);
      expect(job.results[0]?.units[0]?.outcome).toBe('refused');
    }
  });
});
