import { describe, expect, it, onTestFinished } from 'vitest';
import { never, openEngine, addDevices } from '../site-engine.ts';
import {
  ended,
  openPrintSite,
  resultsOf,
  told,
  tracesOfPrints,
  written,
  type PrintSite,
} from './site-with-prints.ts';

/** Puts a finger of each of so many people on the first gate, none on the others. */
async function filled(devices: number, people: number) {
  const at: PrintSite = await openPrintSite({ devices, users: people });
  onTestFinished(() => at.close());
  const given = Array.from({ length: people }, (_, index) =>
    at.readers(0).present(String(1001 + index), 3, index % 2 === 0 ? [1, 2] : [1]),
  );
  const [from = '', ...deviceIds] = at.ids;
  return { ...at, from, deviceIds, given };
}

describe('fingerprints from one device to others', () => {
  // Would catch: a reader that gets a fingerprint it had not at the source, an unseen difference, a template
  // on the disk.
  it('go to the readers that they are on, and are compared', async () => {
    const at = await filled(3, 40);

    const { jobId } = at.engine.prints.copy({ from: at.from, deviceIds: at.deviceIds, fingers: [3] });
    const { results, job } = await ended(at.engine, jobId);

    expect(job).toMatchObject({ state: 'done', counts: { effective: 2, unchanged: 1 } });
    expect(results).toHaveLength(2 * 60);
    expect(results.every(({ status, seen }) => status === 'taken' && seen === true)).toBe(true);
    expect(written(at.site, 1).toSorted()).toEqual(written(at.site, 2).toSorted());
    expect(at.readers(2).find('1040', undefined, 3)).toMatchObject([
      { cardReaderNo: 1, fingerData: at.given[39] },
    ]);
    expect(tracesOfPrints(at.dataDir, at.given.slice(0, 10))).toEqual([]);
  });

  // Would catch: a device that says yes and has nothing, shown as copied.
  it('tell where the target has something else than the source', async () => {
    const at = await filled(2, 5);
    at.site.device(1).setFault('ignored', 1, { times: 1, operation: 'accessControl.fingerprints.setUp' });

    const { jobId } = at.engine.prints.copy({
      from: at.from,
      deviceIds: at.deviceIds,
      readers: [1],
      fingers: [3],
    });
    const { results, job } = await ended(at.engine, jobId);

    expect(results.map(({ status }) => status).toSorted()).toEqual([
      ...['ignored', 'taken', 'taken', 'taken', 'taken'],
    ]);
    expect(job.state).toBe('failed');
  });

  // Would catch: a copy that cannot go on without the templates it did not keep, or that begins anew.
  it('go on in another process, read again from the source', async () => {
    const at = await filled(2, 60);
    const { jobId } = at.engine.prints.copy({
      from: at.from,
      deviceIds: at.deviceIds,
      readers: [1],
      fingers: [3],
    });
    let seen = 0;
    for await (const _result of at.engine.prints.results({ jobId }, never)) {
      seen += 1;
      if (seen === 15) at.engine.jobs.cancel({ id: jobId });
    }
    await at.engine.close();
    const again = await openEngine(at.dataDir);
    addDevices(again, at.site);

    again.jobs.resume({ id: jobId });
    const results = await resultsOf(again, jobId);

    expect(again.jobs.show({ id: jobId }).state).toBe('done');
    expect(results).toHaveLength(60);
    expect(new Set(told(results)).size).toBe(60);
    expect(written(at.site, 1)).toHaveLength(60);
  });

  it('end where the source cannot be read, and can be gone on with', async () => {
    const at = await filled(2, 5);
    at.site.device(0).setFault('reset', 1);

    const { jobId } = at.engine.prints.copy({ from: at.from, deviceIds: at.deviceIds, fingers: [3] });
    const first = await ended(at.engine, jobId);
    at.site.device(0).clearFaults();
    at.engine.jobs.resume({ id: jobId });
    const second = await ended(at.engine, jobId);

    expect(first.job).toMatchObject({ state: 'failed', resumable: true });
    expect(second.job.state).toBe('done');
    expect(second.results).toHaveLength(8);
  });
});
