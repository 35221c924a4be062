import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { DATABASE_FILE } from '#engine/store/store.ts';
import { addDevices, never, openEngine } from '../site-engine.ts';
import {
  bytes,
  ended,
  importLines,
  line,
  openPrintSite,
  resultsOf,
  templateOf,
  told,
  tracesOfPrints,
  written,
} from './site-with-prints.ts';

describe('fingerprints from a file', () => {
  // Would catch: a device or a reader that is left out, a job that stalls after the first, a result without
  // its words.
  it('go to every reader of every device, each with a result of its own', async () => {
    const at = await openPrintSite();

    const { results, job } = await importLines(
      at,
      [line('1001', 2), line('1001', 3), line('1002', 2, { leaderFP: [1] })],
      { readers: [1, 2] },
    );

    expect(job).toMatchObject({ kind: 'fingerprints', state: 'done', counts: { accepted: 2 } });
    for (const [index, { name }] of at.site.devices.entries()) {
      const wanted = ['1001/2', '1001/3', '1002/2'].flatMap((one) => [`${one} 1`, `${one} 2`]);
      expect(told(results, name)).toEqual(wanted.map((one) => `${one}: taken`));
      expect(written(at.site, index).toSorted()).toEqual(wanted);
    }
    expect(results[0]).toMatchObject({ code: 1, says: { id: 'print-taken' } });
    expect(at.readers(1).find('1002', 2, 2)).toMatchObject([
      { fingerData: templateOf('1002/2'), leaderFP: [1] },
    ]);
  });

  // Would catch: an outcome of the table that is taken for another, or one that is lost.
  it('tell every result of the table in words, and keep codes that it does not have', async () => {
    const at = await openPrintSite({ devices: 1 });
    const faults = [
      'reader-failed',
      'reader-offline',
      'poor-quality',
      'reader-full',
      'finger-exists',
      'finger-illegal',
      'reader-idle',
      'reader-old',
      'reader-odd',
    ];
    const results = [];
    for (const [index, fault] of faults.entries()) {
      at.site.device(0).clearFaults();
      at.site.device(0).setFault(fault, 1, { times: 1 });
      const ran = await importLines(at, [line('1005', index + 1)]);
      results.push(...ran.results);
      // Fingerprints refused with 4 or 10 are never tried again, nor is any other result of a file.
      expect(at.site.device(0).requests.filter(({ told: facts }) => facts !== undefined)).toHaveLength(1);
      at.site.device(0).clearRequests();
      expect(ran.job.state).toBe('failed');
    }

    expect(results.map(({ status, code, owner }) => [status, code, owner])).toEqual([
      ['failed', 0, undefined],
      ['offline', 2, undefined],
      ['poor-quality', 3, undefined],
      ['memory-full', 4, undefined],
      ['exists', 5, '9999'],
      ['illegal-id', 7, undefined],
      ['nothing-to-do', 8, undefined],
      ['reader-too-old', 10, undefined],
      ['unknown-code', 6, undefined],
    ]);
    expect(results[4]?.says).toEqual({ id: 'print-exists', values: { owner: '9999' } });
    expect(results[8]?.says).toEqual({ id: 'print-unknown-code', values: { code: 6 } });
  });

  // Would catch: the fingerprint of before taken for the one whose answer was lost, where a device shows no templates.
  it('are sent again after a lost answer where the device shows only that there is one', async () => {
    const at = await openPrintSite({ devices: 1 });
    at.readers(0).put(1, { employeeNo: '1001', fingerPrintID: 2, fingerType: 'normalFP', fingerData: '' });
    at.site.device(0).setFault('reset', 1, { times: 1, operation: 'accessControl.fingerprints.setUp' });

    const { results } = await importLines(at, [line('1001', 2)], { verify: false });

    expect(told(results)).toEqual(['1001/2 1: taken']);
    expect(at.readers(0).find('1001', 1, 2)).toMatchObject([{ fingerData: templateOf('1001/2') }]);
  });

  // Would catch: one bad line that costs the good ones, or that vanishes.
  it('report what cannot be read line by line and do the rest', async () => {
    const at = await openPrintSite({ devices: 1 });

    const { results } = await importLines(at, [
      line('1001', 2),
      '{"employeeNo":"1001","fingerPr',
      '',
      line('1001', 11),
      line('1002', 3, { fingerData: 'not base64!' }),
      line('1002', 4, { fingerData: undefined }),
      line('1001', 2),
      'x'.repeat(100_000),
      '[1]',
      line('1003', 1, { readers: [0] }),
      line('1003', 2, { fingerType: 'thumb' }),
      line('1003', 3),
    ]);

    const bad = results.filter(({ status }) => status === 'bad-line');
    expect(bad.map((result) => [result.line, result.error?.detail?.id])).toEqual([
      [2, 'prints-line-json'],
      [4, 'range-between'],
      [5, 'not-base64'],
      [6, 'prints-line-data'],
      [8, 'prints-line-long'],
      [9, 'prints-line-object'],
      [10, 'prints-reader'],
      [11, 'must-be-one-of'],
      [7, 'prints-line-twice'],
    ]);
    expect(bad[1]).toMatchObject({ employeeNo: '1001', fingerPrintID: 11 });
    expect(written(at.site, 0)).toEqual(['1001/2 1', '1003/3 1']);
  });

  it('say where the file breaks off', async () => {
    const at = await openPrintSite({ devices: 1 });

    const { results } = await importLines(at, [line('1001', 2), line('1001', 3).slice(0, 40)]);

    expect(results.map(({ status, error }) => [status, error?.detail?.id])).toContainEqual([
      'bad-line',
      'prints-line-cut',
    ]);
  });

  // Would catch: a stream that is only sent when it has ended, so that a caller waits for the first result
  // for ever.
  it('are sent as they come where the input goes on', async () => {
    const at = await openPrintSite({ devices: 1 });
    const { jobId } = at.engine.prints.prepare({ deviceIds: at.ids });
    at.engine.prints.begin({ jobId });
    const results = at.engine.prints.results({ jobId }, never)[Symbol.asyncIterator]();
    async function* slowly() {
      for (const finger of [2, 3, 4]) {
        yield Buffer.from(`${line('1001', finger)}\n`);
        // The next line comes when the result of this one is there.
        const { value } = (await results.next()) as { value: { fingerPrintID?: number } };
        expect(value.fingerPrintID).toBe(finger);
      }
    }

    const ready = await at.engine.prints.fill(jobId, slowly(), never);

    expect(ready).toMatchObject({ prints: 3, people: 1, bad: 0 });
    expect((await results.next()).done).toBe(true);
    expect(at.engine.jobs.show({ id: jobId }).state).toBe('done');
  });

  // Would catch: a lost answer that is taken for a failure, or sent a second time although it had arrived.
  it('are found out about by reading where the answer was lost', async () => {
    const at = await openPrintSite({ devices: 1 });
    at.site.device(0).setFault('reset-after', 1, { times: 1, operation: 'accessControl.fingerprints.setUp' });

    const { results, job } = await importLines(at, [line('1001', 2), line('1001', 3)]);

    expect(job.state).toBe('done');
    expect(told(results)).toEqual(['1001/2 1: taken', '1001/3 1: taken']);
    expect(written(at.site, 0).toSorted()).toEqual(['1001/2 1', '1001/3 1']);
  });

  it('are sent again where the device was busy, or a request never arrived', async () => {
    const at = await openPrintSite({ devices: 1 });
    at.site.device(0).setFault('busy', 1, { times: 2, operation: 'accessControl.fingerprints.setUp' });
    at.site.device(0).setFault('reset', 1, { times: 1, operation: 'accessControl.fingerprints.setUp' });

    const { job } = await importLines(at, [line('1001', 2), line('1001', 3), line('1001', 4)]);

    expect(job.state).toBe('done');
    expect(written(at.site, 0).toSorted()).toEqual(['1001/2 1', '1001/3 1', '1001/4 1']);
  });

  // Would catch: a device that says yes and does nothing, shown as done although proof was requested.
  it('are asked for again with verify', async () => {
    const at = await openPrintSite({ devices: 1 });
    at.site.device(0).setFault('ignored', 1, { times: 1, operation: 'accessControl.fingerprints.setUp' });

    const { results, job } = await importLines(at, [line('1001', 2), line('1001', 3)], { verify: true });

    expect(
      told(results)
        .map((text) => text.split(': ')[1])
        .toSorted(),
    ).toEqual(['ignored', 'taken']);
    expect(results.find(({ status }) => status === 'taken')?.seen).toBe(true);
    expect(job.state).toBe('failed');
  });

  it('are refused by the device where it shall know the person and does not', async () => {
    const at = await openPrintSite({ devices: 1 });

    const { results } = await importLines(at, [line('nobody', 1)], { checkPerson: true });

    expect(results).toMatchObject([
      { status: 'refused', error: { detail: { id: 'prints-person-unknown' }, status: { statusCode: 6 } } },
    ]);
  });

  // Would catch: an unreachable device that keeps the others from their fingerprints, or loses its own.
  it('wait for a device that cannot be reached, and go there when the job is resumed', async () => {
    const at = await openPrintSite({ devices: 2 });
    at.site.device(1).setFault('reset', 1);

    const first = await importLines(at, [line('1001', 2), line('1001', 3)]);

    expect(first.job).toMatchObject({ state: 'failed', resumable: true });
    expect(written(at.site, 0).toSorted()).toEqual(['1001/2 1', '1001/3 1']);
    expect(tracesOfPrints(at.dataDir, [templateOf('1001/2'), templateOf('1001/3')])).toEqual([]);

    at.site.device(1).clearFaults();
    at.engine.jobs.resume({ id: first.job.id });
    const after = await ended(at.engine, first.job.id);

    expect(after.job.state).toBe('done');
    expect(after.results).toHaveLength(4);
    expect([written(at.site, 0), written(at.site, 1)].map((each) => each.toSorted())).toEqual([
      ['1001/2 1', '1001/3 1'],
      ['1001/2 1', '1001/3 1'],
    ]);
  });

  // Would catch: a job that a site file brought, and that is done here without sending anything.
  it('are not done where they are not there', async () => {
    const at = await openPrintSite({ devices: 1 });
    at.site.device(0).setFault('reset', 1);
    const { job } = await importLines(at, [line('1001', 2)]);
    at.site.device(0).clearFaults();
    const database = new DatabaseSync(join(at.dataDir, DATABASE_FILE));
    database.exec('DELETE FROM item_lists');
    database.close();

    at.engine.jobs.resume({ id: job.id });
    for await (const { type } of at.engine.jobs.watch({ id: job.id }, never)) if (type === 'end') break;
    const after = at.engine.jobs.show({ id: job.id });

    expect(after.state).toBe('failed');
    expect(after.results[0]?.units[0]).toMatchObject({ error: { detail: { id: 'prints-elsewhere' } } });
    expect(written(at.site, 0)).toEqual([]);
  });
});

describe('what stays behind', () => {
  const lines = Array.from({ length: 300 }, (_, index) =>
    line(`P${Math.floor(index / 10)}`, (index % 10) + 1),
  );
  const templates = Array.from({ length: 300 }, (_, index) =>
    templateOf(`P${Math.floor(index / 10)}/${(index % 10) + 1}`),
  );

  // Would catch: a template in a row, the write-ahead log, a free page, a saved error or an export.
  it('is no template, neither while the job waits nor when it has ended', async () => {
    const at = await openPrintSite({ devices: 2 });
    at.site.device(0).setFault('poor-quality', 0.2);
    at.site.device(1).setFault('html', 0.05, { operation: 'accessControl.fingerprints.setUp' });
    const { jobId } = at.engine.prints.prepare({ deviceIds: at.ids, readers: [1, 2] });
    await at.engine.prints.fill(jobId, bytes(lines.join('\n')), never);
    const before = tracesOfPrints(at.dataDir, templates);
    at.engine.prints.begin({ jobId });

    const { results, job } = await ended(at.engine, jobId);
    const exported = at.engine.jobs.export({ query: {}, format: 'json' }).text;
    await at.engine.close();

    expect(results.length).toBe(1200);
    expect([before, tracesOfPrints(at.dataDir, templates)]).toEqual([[], []]);
    const shown = JSON.stringify([results, job, exported]);
    expect(templates.filter((template) => shown.includes(template.slice(16, 64)))).toEqual([]);
    // The sealed items are deleted too, not only unreadable.
    const again = await openEngine(at.dataDir);
    await again.close();
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(`${at.dataDir}/fieldwright.db`);
    expect(database.prepare('SELECT count(*) AS count FROM items WHERE secret IS NOT NULL').get()).toEqual({
      count: 0,
    });
    database.close();
  });
});

describe('a job that was stopped', () => {
  // Would catch: a cancel after which everything begins anew, or that forgets the remaining work.
  it('goes on where it was, in another process too', async () => {
    const at = await openPrintSite({ devices: 2, latencyMs: 5 });
    const lines = Array.from({ length: 60 }, (_, index) => line(`Q${index}`, 1));
    const { jobId } = at.engine.prints.prepare({ deviceIds: at.ids });
    await at.engine.prints.fill(jobId, bytes(lines.join('\n')), never);
    at.engine.prints.begin({ jobId });
    let seen = 0;
    for await (const _result of at.engine.prints.results({ jobId }, never)) {
      seen += 1;
      if (seen === 20) at.engine.jobs.cancel({ id: jobId });
    }
    const stopped = at.engine.jobs.show({ id: jobId });
    await at.engine.close();
    const again = await openEngine(at.dataDir);
    addDevices(again, at.site);

    again.jobs.resume({ id: jobId });
    const results = await resultsOf(again, jobId);

    expect(stopped).toMatchObject({ state: 'cancelled', resumable: true });
    expect(again.jobs.show({ id: jobId }).state).toBe('done');
    expect(results).toHaveLength(120);
    for (const device of [0, 1]) {
      const done = written(at.site, device);
      expect(done.toSorted()).toEqual(Array.from({ length: 60 }, (_, index) => `Q${index}/1 1`).toSorted());
    }
  });
});
