import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FINGERPRINTS } from '#simulator/areas/people/fingerprint-readers.ts';
import { READER_FAULTS } from '#simulator/faults.ts';
import type { Site } from '#simulator/index.ts';
import { ask, parsed, site } from './helpers.ts';

const DATA = createHash('sha512').update('a finger').digest('base64');
const SET_UP = '/API/AccessControl/FingerPrint/SetUp?format=json';

interface Result {
  readonly id: number;
  readonly cardReaderRecvStatus: number;
  readonly errorMsg?: string;
}

async function send(started: Site, body: object = {}): Promise<readonly Result[]> {
  const reply = await ask(
    started,
    'POST',
    SET_UP,
    JSON.stringify({
      FingerPrintCfg: {
        employeeNo: '1005',
        enableCardReader: [1],
        fingerPrintID: 1,
        fingerType: 'normalFP',
        fingerData: DATA,
        ...body,
      },
    }),
  );
  return (parsed(reply)['FingerPrintStatus'] as unknown as { StatusList: Result[] }).StatusList;
}

async function isThere(started: Site, fingerPrintID: number): Promise<boolean> {
  const reply = await ask(
    started,
    'POST',
    '/API/AccessControl/FingerPrintUpload?format=json',
    JSON.stringify({
      FingerPrintCond: { searchID: 'a', employeeNo: '1005', cardReaderNo: 1, fingerPrintID },
    }),
  );
  return (parsed(reply)['FingerPrintInfo'] as unknown as { status: string }).status === 'OK';
}

describe('faults of fingerprint readers', () => {
  // Would catch: a code of the specification that cannot occur, or a refused fingerprint that is kept.
  it.each(Object.entries(READER_FAULTS))('%s answers %i and keeps nothing', async (kind, code) => {
    const started = await site();
    started.device(0).setFault(kind, 1, { times: 1, reader: 1 });

    const [first] = await send(started);
    const kept = await isThere(started, 1);
    const [second] = await send(started);

    expect(first?.cardReaderRecvStatus).toBe(code);
    expect(kept).toBe(false);
    expect(second?.cardReaderRecvStatus).toBe(1);
  });

  it('strike the reader they name and leave the others alone', async () => {
    const started = await site();
    started.device(0).setFault('poor-quality', 1, { reader: 2 });

    const results = await send(started, { enableCardReader: [1, 2] });

    expect(results.map(({ cardReaderRecvStatus }) => cardReaderRecvStatus)).toEqual([1, 3]);
  });

  it('name the owner of a finger that is known', async () => {
    const started = await site();
    started.device(0).setFault('finger-exists');

    expect(await send(started)).toEqual([{ id: 1, cardReaderRecvStatus: 5, errorMsg: '9999' }]);
  });
});

describe('a site with more readers', () => {
  it('has as many as were asked for', async () => {
    const started = await site({ readers: 4 });

    const results = await send(started, { enableCardReader: [1, 2, 3, 4, 5] });

    expect(results.map(({ cardReaderRecvStatus }) => cardReaderRecvStatus)).toEqual([1, 1, 1, 1, 2]);
  });

  // Would catch: readers that work on two fingerprints at once, so that no bound of their latency holds.
  it('works on one fingerprint at a time on each', async () => {
    const started = await site();
    started.device(0).part(FINGERPRINTS).setReader(1, { latencyMs: 30 });
    const before = performance.now();

    await Promise.all([
      send(started, { fingerPrintID: 2 }),
      send(started, { fingerPrintID: 3, fingerData: Buffer.alloc(40, 3).toString('base64') }),
      send(started, { fingerPrintID: 4, fingerData: Buffer.alloc(40, 4).toString('base64') }),
    ]);

    expect(performance.now() - before).toBeGreaterThan(85);
  });
});

describe('the log of requests', () => {
  // Would catch: a proof that cannot say who was written where, or that holds the template itself.
  it('tells whose fingerprint came to which reader, and holds no byte of it', async () => {
    const started = await site();

    await send(started, { enableCardReader: [1, 2] });

    const entry = started.device(0).requests.at(-1);
    expect(entry).toMatchObject({
      applied: true,
      told: {
        employeeNo: '1005',
        fingerPrintID: 1,
        readers: [1, 2],
        codes: [1, 1],
        sha256: createHash('sha256').update(DATA).digest('base64'),
      },
    });
    expect(JSON.stringify(started.device(0).requests)).not.toContain(DATA.slice(0, 24));
  });
});

describe('somebody at the terminal', () => {
  it('puts the finger on that is asked for again and again, and no other', async () => {
    const started = await site({ fingerAfterMs: 3_000 });

    const asked = [await isThere(started, 7)];
    started.clock.advance(2_000);
    asked.push(await isThere(started, 7));
    started.clock.advance(1_500);
    asked.push(await isThere(started, 7), await isThere(started, 8));

    expect(asked).toEqual([false, false, true, false]);
  });

  it('is not there unless the site was told so', async () => {
    const started = await site();

    await isThere(started, 7);
    started.clock.advance(10_000);

    expect(await isThere(started, 7)).toBe(false);
  });
});
