/** Terminals that show one finger an answer, or fewer than they say they have. */
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { never } from '../site-engine.ts';
import { ended, openPrintSite, written, type PrintSite } from './site-with-prints.ts';

const QUERY = 'accessControl.fingerprints.query';
const FINGERS = [1, 4, 5];

/** Puts three fingers of person 1004 on the first gate, one of 1005; the others have none. */
async function filled(): Promise<PrintSite> {
  const at = await openPrintSite({ devices: 2, users: 6, auth: 'none' });
  for (const delivered of ['1001', '1002', '1003']) at.readers(0).removeEmployee(delivered);
  for (const finger of FINGERS) at.readers(0).present('1004', finger, [1, 2]);
  at.readers(0).present('1005', 2);
  return at;
}

/** Hides every finger of this number in all answers. */
async function hiding(target: string, finger: number): Promise<string> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const sent = httpRequest({ hostname, port, method, path, headers, agent: false }, (got) => {
      const chunks: Buffer[] = [];
      got.on('data', (chunk: Buffer) => chunks.push(chunk));
      got.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const body = path?.includes('FingerPrintUpload') === true ? without(text, finger) : text;
        response.writeHead(got.statusCode ?? 0, { 'content-type': 'application/json' });
        response.end(body);
      });
    });
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function without(text: string, finger: number): string {
  const { FingerPrintInfo: info } = JSON.parse(text) as {
    FingerPrintInfo: { FingerPrintList?: readonly { fingerPrintID: number }[] };
  };
  const list = (info.FingerPrintList ?? []).filter(({ fingerPrintID }) => fingerPrintID !== finger);
  const shown = list.length === 0 ? { status: 'NoFP' } : { status: 'OK', FingerPrintList: list };
  return JSON.stringify({ FingerPrintInfo: { ...info, FingerPrintList: undefined, ...shown } });
}

const FORMS = [
  { next: 'number', told: true },
  { next: 'number', told: false },
  { next: 'search', told: true },
  { next: 'search', told: false },
] as const;

describe('a terminal that shows one finger an answer', () => {
  // Would catch: a copy, a file or an export that holds the first finger alone and is called complete.
  it.each(FORMS)('gives all of them: the next by its $next, number told: $told', async ({ next, told }) => {
    const at = await filled();
    at.site.device(0).setFault('one-finger', 1, { next });
    if (!told) at.site.device(0).setFault('counts-hidden', 1);
    const [from = '', to = ''] = at.ids;

    const { jobId } = at.engine.prints.copy({ from, deviceIds: [to] });
    const { job } = await ended(at.engine, jobId);
    const exported: string[] = [];
    for await (const print of at.engine.prints.read({ deviceId: from }, never))
      exported.push(`${print.employeeNo}/${print.fingerPrintID} ${print.readers?.join('+') ?? '1'}`);
    const held = await at.engine.prints.held({ deviceId: from, employeeNo: '1004' }, never);

    expect(job.state).toBe('done');
    expect(written(at.site, 1).toSorted()).toEqual(
      [...FINGERS.flatMap((finger) => [`1004/${finger} 1`, `1004/${finger} 2`]), '1005/2 1'].toSorted(),
    );
    expect(exported).toEqual([...FINGERS.map((finger) => `1004/${finger} 1+2`), '1005/2 1']);
    expect(new Set(held.map(({ fingerPrintID }) => fingerPrintID))).toEqual(new Set(FINGERS));
  });

  // Would catch: fingers that stay on the terminal because they were not in the first answer.
  it.each(FORMS)('loses all of them: the next by its $next, number told: $told', async ({ next, told }) => {
    const at = await filled();
    at.site.device(0).setFault('one-finger', 1, { next });
    if (!told) at.site.device(0).setFault('counts-hidden', 1);

    const { jobId } = at.engine.prints.remove({ deviceIds: at.ids.slice(0, 1), people: ['1004'] });
    const { job, results } = await ended(at.engine, jobId);

    expect(at.readers(0).find('1004', undefined, undefined)).toEqual([]);
    expect(results.filter(({ status }) => status === 'removed')).toHaveLength(6);
    expect(job.state).toBe('done');
  });
});

describe('a terminal that shows fewer fingers than it says it has', () => {
  // Would catch: success with fewer than the device says it has, or a client that asks for ever.
  it('is told, person by person, and the rest is done', async () => {
    const at = await filled();
    const url = await hiding(at.site.device(0).url, 4);
    const from = at.engine.devices.addTransient({ url, name: 'hiding' }).id;
    const [, to = ''] = at.ids;

    const { jobId } = at.engine.prints.copy({ from, deviceIds: [to] });
    const { job, results } = await ended(at.engine, jobId);
    const missing: unknown[] = [];
    const exported: number[] = [];
    const read = at.engine.prints.read({ deviceId: from, missing: (why) => missing.push(why) }, never);
    for await (const print of read) exported.push(print.fingerPrintID);

    expect(job.state).toBe('failed');
    expect(results.filter(({ status }) => status !== 'taken')).toMatchObject([
      {
        employeeNo: '1004',
        status: 'not-shown',
        says: { id: 'print-not-shown', values: { told: 3, shown: 2 } },
      },
    ]);
    expect(written(at.site, 1)).toHaveLength(5);
    expect(exported).toEqual([1, 5, 2]);
    expect(missing).toEqual([{ id: 'prints-not-shown-all', values: { count: 1, people: '1004' } }]);
    await expect(at.engine.prints.held({ deviceId: from, employeeNo: '1004' }, never)).rejects.toMatchObject({
      shape: { detail: { id: 'print-not-shown' } },
    });
  });

  // Would catch: a removal called complete although the device keeps some to itself.
  it('is told when fingers are removed', async () => {
    const at = await filled();
    const url = await hiding(at.site.device(0).url, 4);
    const from = at.engine.devices.addTransient({ url, name: 'hiding' }).id;

    const { jobId } = at.engine.prints.remove({ deviceIds: [from], people: ['1004'] });
    const { job, results } = await ended(at.engine, jobId);

    expect(job.state).toBe('failed');
    expect(results.map(({ status }) => status).toSorted()).toEqual([
      'not-shown',
      ...Array(4).fill('removed'),
    ]);
  });
});

describe('a terminal that shows all at once', () => {
  // Would catch: a question more for each person of a device that shows all at once and says how many there are.
  it('is asked once for each person who has fingers', async () => {
    const at = await filled();
    const [from = '', to = ''] = at.ids;

    const { jobId } = at.engine.prints.copy({ from, deviceIds: [to], verify: false });
    await ended(at.engine, jobId);

    expect(at.site.device(0).requests.filter(({ operation }) => operation === QUERY)).toHaveLength(2);
  });
});
