/** Events and journal entries of a device's turn, around each section that is written. */
import { expect, it } from 'vitest';
import { takeSections, type Turn } from '#engine/apply/section-turn.ts';
import type { DeviceClient } from '#engine/device/client-types.ts';
import type { JobContext } from '#engine/jobs/job-kind.ts';
import { computeDesiredState } from '#engine/planning/pure/desired.ts';
import type { SectionRead } from '#engine/planning/pure/plan-section.ts';
import type { ResolvedSection } from '#engine/template/document.ts';
import { decode, readStatus, type Operation } from '#protocol/index.ts';
import { payloadOf, section } from '../planning/pure/documents.ts';

const SET = 'thermal.thermometryBasic';
const LOCK = 'storage.rwLock';
const basic = (distance: number): string =>
  `<ThermometryBasicParam><distance>${distance}</distance></ThermometryBasicParam>`;
const lock = (passwd: string): string => `<RWLock><enabled>true</enabled><passwd>${passwd}</passwd></RWLock>`;
const AT = '1970-01-01T00:00:00.000Z';
const KEY = { jobId: 'j-1', position: 2, index: 4 };

/** Takes a turn on a device that shows `held`. */
async function taken(held: string, work: (turn: Turn, stop: () => void) => Promise<void>) {
  const log: unknown[][] = [];
  const stop = new AbortController();
  let shows = held;
  const answer = (text: string) => ({
    ...{ http: 200, text, lossy: false, shown: <T>(value: T) => value, exchange: () => undefined },
    status: readStatus({ http: 200, text }),
  });
  const client: Partial<DeviceClient> = {
    shown: (value) => value,
    read(operation: Operation, _params, { signal }) {
      signal.throwIfAborted();
      return Promise.resolve({
        ...answer(shows),
        ...decode(payloadOf(operation.id.replace(/\.get$/, '')), shows),
      } as never);
    },
    write(_operation, _params, body = '', { signal }) {
      signal.throwIfAborted();
      log.push(['sent', body]);
      shows = body;
      return Promise.resolve(answer('') as never);
    },
  };
  const context = {
    options: {},
    job: {
      ...{ id: 'j-1', stopped: stop.signal, results: [], device: () => undefined },
      phase: (...all: unknown[]) => log.push(['phase', ...all]),
      unit: (...all: unknown[]) => log.push(['unit', ...all]),
    },
    clients: { get: (id: string) => (expect(id).toBe('gate'), client) },
    clock: { now: () => new Date(0), delay: () => Promise.resolve() },
    journal: {
      device: () => undefined,
      intent: (...all: unknown[]) => Promise.resolve(log.push(['intent', ...all])),
      settled: (...all: unknown[]) => log.push(['settled', ...all]),
    },
  } as unknown as JobContext;
  const task = { position: 2, deviceId: 'gate', url: 'http://gate', secrets: ['hunter22'] };
  const good = await takeSections(task, context, async (turn) => {
    await work(turn, () => stop.abort(new Error('stopped')));
    return undefined;
  });
  return { good, log };
}

/** Writes what the section wants over what the device shows. */
async function write(turn: Turn, one: ResolvedSection, untouched: boolean, known?: SectionRead) {
  const read = known ?? (await turn.reader.read(one));
  if (read.kind !== 'state') throw new Error(`${read.kind}: nothing to write over`);
  const want: Parameters<Turn['write']>[0]['want'] = (state) =>
    computeDesiredState(payloadOf(one.set), one.value, state);
  const desired = want(read.state);
  const verdict = await turn.write({ section: one, want, desired }, { state: read.state, untouched });
  return { desired, verdict };
}

const result = (outcome: string, changes: readonly object[], set = SET) => ({
  ...{ index: 4, set, label: expect.any(String) as unknown, params: {}, outcome },
  changes,
});

// Would catch: a crash in the middle of a write that loses the fact that it was sent, or the earlier value.
it('keeps what was there and what is sent before it goes out, and tells how far it is', async () => {
  const one = section(SET, { distance: 7 }, { index: 4 });
  const { good, log } = await taken(basic(5), async (turn) => {
    turn.phase(one, 'reading');
    const { verdict } = await write(turn, one, true);
    expect(verdict).toMatchObject({ outcome: 'effective', shown: basic(7) });
  });

  expect(good).toBe(true);
  expect(log).toEqual([
    ['phase', 2, 4, 'reading'],
    [
      ...['intent', KEY, result('pending', [expect.objectContaining({ path: 'distance', from: 5, to: 7 })])],
      ...[AT, { before: basic(5), renew: true, sent: basic(7), sensitive: false }],
    ],
    ['phase', 2, 4, 'writing'],
    ['sent', basic(7)],
    ['phase', 2, 4, 'verifying'],
  ]);
});

// Would catch: a password in the journal that is not sealed, or in what a screen shows of a job.
it('says of a document with secrets that it is to be sealed, and shows none of them', async () => {
  const one = section(LOCK, { passwd: 'hunter22' }, { index: 4 });
  const { log } = await taken(lock('old'), async (turn) => {
    const { desired } = await write(turn, one, false);
    turn.record(one, desired.changes, {
      outcome: 'ignored',
      error: { code: 'refused', source: 'device', message: 'not hunter22' },
      shown: lock('old'),
    });
  });

  expect(log[0]?.[4]).toEqual({
    before: lock('old'),
    renew: false,
    sent: lock('hunter22'),
    sensitive: true,
  });
  expect(log.at(-1)).toMatchObject(['settled', KEY, {}, AT, { text: lock('old'), sensitive: true }]);
  const told = log.filter(([what]) => what === 'unit').concat([log.at(-1)?.slice(0, 3) ?? []]);
  expect(told).toHaveLength(2);
  expect(JSON.stringify(told)).toContain('refused');
  expect(JSON.stringify(told)).not.toContain('hunter22');
});

// Would catch: an undo that goes by what was sent, because what the device showed after it was not kept.
it.each([
  ['shown', { shown: basic(6) }, { text: basic(6), sensitive: false }],
  ['not shown', {}, undefined],
])('keeps what a section came to, with what the device has %s since', async (_what, extra, kept) => {
  const one = section(SET, {}, { index: 4 });
  const { log } = await taken(basic(5), (turn) => {
    turn.record(one, [], { outcome: 'effective', note: 'settled-by-reading', ...extra });
    return Promise.resolve();
  });

  const told = { ...result('effective', []), note: 'settled-by-reading' };
  expect(log).toEqual([
    ['unit', 2, told],
    ['settled', KEY, told, AT, kept],
  ]);
});

// Would catch: a write cut off in the middle because a person pressed stop, so that its outcome is unknown.
it('is read no further once somebody stopped the job; what is being written is finished', async () => {
  const one = section(SET, { distance: 7 }, { index: 4 });
  const { good, log } = await taken(basic(5), async (turn, stop) => {
    const read = await turn.reader.read(one);
    stop();
    await expect(turn.reader.read(one)).rejects.toThrow('stopped');
    expect((await write(turn, one, true, read)).verdict).toMatchObject({ outcome: 'effective' });
  });

  expect(good).toBe(true);
  expect(log.filter(([what]) => what === 'sent')).toEqual([['sent', basic(7)]]);
});
