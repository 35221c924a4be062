/**
 * One device that waits for its restart, by its looks alone: its reports, its journal, and the time it is
 * looked at.
 */
import { describe, expect, it } from 'vitest';
import {
  recordFollowUpFailure,
  followUpDevice,
  type FollowUpTask,
} from '#engine/apply/follow-up/follow-up-device.ts';
import type { SettingsDevice, SettingsUnit } from '#engine/apply/settings-documents.ts';
import type { DeviceClient, ReadAnswer } from '#engine/device/client-types.ts';
import type { JobContext } from '#engine/jobs/job-kind.ts';
import { LiveJob } from '#engine/jobs/live-job.ts';
import { decode, readStatus, type Operation, type Payload } from '#protocol/index.ts';
import { createDetail, say } from '#shared/details.ts';
import { deviceError, userError, type ErrorCode } from '#shared/errors.ts';
import type { Change, DeviceResult, UnitOutcome } from '#shared/model.ts';

const URL = 'http://gate';
const T0 = '1970-01-01T00:00:00.000Z';
const SET = 'thermal.thermometryBasic';
const LOCK = 'storage.rwLock';
const change = (path: string, sensitive?: true): Change => ({
  path,
  label: path,
  ...(sensitive && { sensitive }),
});
const basic = (distance: number, alarmInterval = 20, enabled = true): string =>
  `<ThermometryBasicParam><enabled>${enabled}</enabled><distance>${distance}</distance><alarmInterval>${alarmInterval}</alarmInterval></ThermometryBasicParam>`;
const [OLD, NEW] = [basic(5), basic(3)];

interface Kept {
  readonly index: number;
  readonly outcome: UnitOutcome;
  readonly set: string;
  readonly changes: Change[];
  readonly documents: () => { readonly sent?: string; readonly after?: string };
}
function unit(kept: Partial<Kept> = {}): SettingsUnit {
  const { index = 0, outcome = 'needs-reboot', set = SET, changes = [change('distance')] } = kept;
  const { documents = () => ({ sent: NEW, after: OLD }) } = kept;
  return {
    key: { jobId: 'j-1', position: 0, index },
    label: `Section ${index}`,
    outcome,
    detail: { set, params: { channelID: 1 + index }, changes },
    document: () => undefined,
    documents,
    attempts: 1,
    hasBefore: true,
  };
}

/** Answer of a device to one look: a document, an HTTP status without one, or no usable answer. */
type Answer = string | number | ErrorCode;
const lost = 'connection-lost';

interface World {
  readonly units?: readonly SettingsUnit[];
  /** One each read, in their order; the last one goes on. */
  readonly answers?: readonly Answer[];
  readonly waitSeconds?: number;
  /** Error that ended the device's turn in an earlier run. */
  readonly error?: ReturnType<typeof deviceError>['shape'];
  /** Called for every read and every pause. */
  readonly on?: (what: 'read' | 'pause', job: LiveJob) => void;
  /** Milliseconds that pass while it is waited for `ms`; the computer may sleep meanwhile, or its clock be set back. */
  readonly passed?: (ms: number) => number;
  /** Text in the error of a look without an answer. */
  readonly words?: { readonly device?: string; readonly message?: string };
}

function open({ units = [unit()], answers = [NEW], waitSeconds = 120, error, ...world }: World) {
  const place = { deviceId: 'then', name: 'Gate', url: URL, state: 'done' } as const;
  const device: SettingsDevice = { ...place, position: 0, document: { values: {} }, units };
  const results = units.map(({ key: { index }, label, outcome, detail }) => ({
    ...{ index, label, outcome },
    ...detail,
  }));
  const job = new LiveJob(
    { id: 'j-1', kind: 'apply', title: 'Test', about: {}, createdAt: '', by: 'me', runs: [], options: {} },
    [{ ...place, units: results, ...(error && { error }) }],
  );
  const log: unknown[][] = [];
  const reads: (readonly [string, object])[] = [];
  const pauses: number[] = [];
  let now = 0;
  const client: Pick<DeviceClient, 'read'> = {
    async read(operation, params, { signal }) {
      const answer = answers[Math.min(reads.length, answers.length - 1)] ?? OLD;
      reads.push([operation.id, params]);
      world.on?.('read', job);
      expect(signal).toBe(job.stopped);
      await Promise.resolve();
      return answered(operation, answer, world.words);
    },
  };
  const context = {
    job,
    options: {},
    clients: { get: (id: string) => (log.push(['client', id]), client) },
    clock: {
      now: () => new Date(now),
      delay(ms: number, signal: AbortSignal) {
        pauses.push(ms);
        now += world.passed?.(ms) ?? ms;
        world.on?.('pause', job);
        return signal.aborted ? Promise.reject(userError('cancelled', say('closing'))) : Promise.resolve();
      },
    },
    journal: {
      device: (id: string, at: number, { state, error: kept }: DeviceResult) =>
        log.push(['device', id, at, state, kept]),
      settled: (...all: unknown[]) => log.push(['settled', ...all]),
    },
  } as unknown as JobContext;
  const task: FollowUpTask = {
    ...{ device, deviceId: 'now', url: URL, waitMs: waitSeconds * 1000 },
    inTurn: (look) => look(),
    onRestarted: (id) => log.push(['restarted', id]),
  };
  return { job, device, task, context, log, reads, pauses };
}

function answered(operation: Operation, answer: Answer, words: World['words'] = {}): ReadAnswer {
  if (typeof answer === 'string' && !answer.startsWith('<'))
    throw deviceError(answer as ErrorCode, { ...say('device-gone'), ...words }, words);
  const [http, text] = typeof answer === 'number' ? [answer, ''] : [200, answer];
  const shown = typeof answer === 'number' ? {} : decode(operation.response as Payload, text);
  const status = readStatus({ http, text });
  return { http, text, status, lossy: false, exchange: () => undefined, ...shown } as unknown as ReadAnswer;
}

async function followed(world: World) {
  const { job, task, context, ...at } = open(world);
  const phases: unknown[] = [];
  const watching = (async () => {
    for await (const event of job.watch(new AbortController().signal))
      if (event.type === 'phase') phases.push([event.index, event.phase]);
      else if (event.type === 'device') phases.push(event.device.state);
  })();
  await Promise.resolve();
  const over = await followUpDevice(task, context);
  job.end('done', T0);
  await watching;
  const device = job.results[0];
  return { ...at, over, phases, device, unit: device?.units[0] };
}
const key = (index: number) => ({ jobId: 'j-1', position: 0, index });
const asKept = (index: number) => ({
  ...{ index, label: `Section ${index}`, set: SET, params: { channelID: 1 + index } },
  changes: [change('distance')],
});

describe('a device whose restart is over', () => {
  // Would catch: a device that goes on saying that it needs a restart; a result that is shown and not kept; the wrong device read.
  it('is told and kept so, by what it shows', async () => {
    const { over, phases, log, reads, pauses, device } = await followed({});

    const result = { ...asKept(0), outcome: 'effective' };
    expect(device).toMatchObject({ state: 'done', units: [result] });
    expect(log).toEqual([
      ['client', 'now'],
      ['settled', key(0), result, T0, { text: NEW, sensitive: false }],
      ['device', 'j-1', 0, 'done', undefined],
      ['restarted', 'now'],
    ]);
    expect({ over, phases, reads, pauses }).toEqual({
      over: true,
      phases: ['running', [0, 'waiting'], 'done'],
      reads: [[`${SET}.get`, { channelID: 1 }]],
      pauses: [],
    });
  });

  // Would catch: a job shown as done though a device was interrupted in its middle, because a restart went
  // well.
  it('has failed all the same where something else did', async () => {
    const error = deviceError('timeout', say('device-gone')).shape;
    const cutShort = await followed({ error });
    expect(cutShort.device).toMatchObject({ state: 'failed', error, units: [{ outcome: 'effective' }] });
    expect(cutShort.log.slice(-2)).toEqual([
      ['device', 'j-1', 0, 'failed', error],
      ['restarted', 'now'],
    ]);

    const other = await followed({ units: [unit(), unit({ index: 1, outcome: 'ignored' })] });
    expect(other.device).toMatchObject({
      state: 'failed',
      units: [{ outcome: 'effective' }, { outcome: 'ignored' }],
    });
    expect(other.over).toBe(true);
  });

  // Would catch: one setting that cannot be compared, and with it all of the device given up; a device that is said to
  // need no restart any more while one of its settings does.
  it('and of which a part cannot be compared waits on with that part, and says why', async () => {
    const locked = userError('vault-locked', say('device-gone')).shape;
    const { over, device, log, reads, phases } = await followed({
      units: [
        unit({ documents: () => ({ after: OLD }) }),
        unit({ index: 1, set: 'thermal.gone' }),
        unit({
          index: 2,
          documents: () => {
            throw userError('vault-locked', say('device-gone'));
          },
        }),
        unit({ index: 3 }),
        unit({ index: 4, outcome: 'accepted' }),
      ],
    });

    const unkept = { code: 'not-available', source: 'app', device: URL, ...say('sent-not-kept') };
    expect(device?.units).toEqual([
      { ...asKept(0), outcome: 'needs-reboot', error: unkept },
      { ...asKept(1), set: 'thermal.gone', outcome: 'needs-reboot', error: unkept },
      { ...asKept(2), outcome: 'needs-reboot', error: { ...locked, device: URL } },
      { ...asKept(3), outcome: 'effective' },
      { ...asKept(4), outcome: 'accepted' },
    ]);
    expect(log).toEqual([
      ...[0, 1, 2].map((index) => ['settled', key(index), device?.units[index], T0, undefined]),
      ['client', 'now'],
      ['settled', key(3), device?.units[3], T0, { text: NEW, sensitive: false }],
      ['device', 'j-1', 0, 'done', undefined],
    ]);
    expect({ over, reads, phases }).toEqual({
      over: false,
      reads: [[`${SET}.get`, { channelID: 4 }]],
      phases: ['running', [3, 'waiting'], 'done'],
    });
  });

  // Would catch: a starting device asked for everything that it cannot answer yet, or for what it showed already.
  it('is asked for one section until it answers, then for what it did not show yet', async () => {
    const { reads, device } = await followed({
      units: [unit(), unit({ index: 1 })],
      answers: ['connection-refused', NEW, OLD, NEW],
    });
    expect(reads.map(([, params]) => params)).toEqual([1, 1, 2, 2].map((channelID) => ({ channelID })));
    expect(device?.units).toMatchObject([{ outcome: 'effective' }, { outcome: 'effective' }]);
  });
});

it('a device that cannot be found waits on with what waits, and says why', async () => {
  const { job, device, context, log } = open({ units: [unit({ outcome: 'ignored' }), unit({ index: 1 })] });
  const { shape } = userError('unknown-device', say('device-gone'));

  expect(await recordFollowUpFailure(device, shape, context)).toBe(false);
  const waits = { ...asKept(1), outcome: 'needs-reboot', error: shape };
  expect(job.results[0]?.units).toEqual([{ ...asKept(0), outcome: 'ignored' }, waits]);
  expect(log).toEqual([['settled', key(1), waits, T0, undefined]]);
});

/** It showed its new values right after the write. */
const early = [unit({ documents: () => ({ sent: NEW, after: NEW }) })];

describe('a sign of a restart', () => {
  const busy = (looks: number): readonly Answer[] => Array.from({ length: 4 * looks }, () => 503);
  const page = 'malformed-answer';
  const refused = 'connection-refused';
  // Would catch: settings called ignored, or taken unseen, of a device that has not restarted or that still starts.
  it.each<[string, UnitOutcome, readonly Answer[], reads?: number, units?: readonly SettingsUnit[]]>([
    ['is a connection refused once', 'ignored', [refused, OLD], 5],
    ['is a connection lost twice', 'ignored', [lost, lost, OLD], 6],
    ['is not a connection lost once', 'needs-reboot', [lost, OLD]],
    ['are not pages of something else', 'needs-reboot', [page, page, page, OLD]],
    ['is not that it is busy', 'needs-reboot', [...busy(3), OLD]],
    ['counts no looks at pages', 'effective', [refused, page, page, page, page, page, NEW], 7],
    ['counts no looks at a busy device', 'effective', [refused, ...busy(5), NEW], 22],
    ['counts anew with each', 'effective', [refused, OLD, OLD, OLD, lost, OLD, OLD, OLD, NEW], 9],
    ['is wanted where a setting is gone', 'needs-reboot', [404]],
    ['makes certain that a setting is gone', 'accepted', [refused, 404], 5],
    ['is wanted of one that showed it before', 'effective', [NEW, lost, lost, NEW], 4, early],
    ['tells that one has lost what it showed', 'ignored', [NEW, lost, lost, OLD], 7, early],
  ])('%s: %s', async (_what, outcome, answers, most, units = [unit()]) => {
    const { unit: seen, over, reads } = await followed({ units, answers });
    expect(seen?.outcome).toBe(outcome);
    expect(over).toBe(outcome !== 'needs-reboot');
    if (most !== undefined) expect(reads).toHaveLength(most);
  });
});

describe('it is waited', () => {
  // Would catch: a device asked every two seconds for an hour, or found minutes after it is back.
  it('with growing pauses until it is over, and eagerly again for a device that is back', async () => {
    const { pauses, reads } = await followed({ answers: [OLD], waitSeconds: 60 });
    expect(pauses).toEqual([2000, 3000, 4500, 6750, 10_125, 15_000, 15_000, 3625]);
    expect(reads).toHaveLength(9);

    const back = await followed({ answers: [lost, lost, lost, OLD, OLD, OLD, NEW], waitSeconds: 60 });
    expect(back.pauses).toEqual([2000, 3000, 4500, 2000, 3000, 4500]);
  });

  // Would catch: a wait that never ends when the clock is set back; a laptop that was closed and gives every device up unseen.
  it('by the pauses and by the clock, and looked once more after it', async () => {
    const stood = await followed({ answers: [OLD], waitSeconds: 60, passed: () => 0 });
    expect(stood.pauses).toHaveLength(8);

    const slept = { waitSeconds: 600, passed: () => 600_000 };
    expect((await followed({ ...slept, answers: [OLD] })).reads).toHaveLength(2);
    expect((await followed({ ...slept, answers: [OLD, NEW] })).unit?.outcome).toBe('effective');
  });

  // Would catch: a Stop that takes as long as the wait, or a device settled by a look that came after it.
  it.each([
    ['read', 0],
    ['pause', 1],
  ] as const)('no longer when somebody stops the job in a %s', async (when, pauses) => {
    const at = await followed({
      answers: when === 'read' ? [NEW] : [OLD, NEW],
      on: (what, job) => what === when && job.cancel(),
    });
    expect(at.reads).toHaveLength(1);
    expect(at.pauses).toHaveLength(pauses);
    expect(at.unit).toEqual({ ...asKept(0), outcome: 'needs-reboot' });
    expect(at.log.map(([what]) => what)).toEqual(['client', 'device']);
  });

  // Would catch: a person sent up the ladder to restart what is without power, or to wait for a device that only is busy.
  it.each([
    [60, OLD, 'timeout', createDetail('not-restarted', { minutes: 1 })],
    [150, OLD, 'timeout', createDetail('not-restarted', { minutes: 3 })],
    [10, lost, lost, createDetail('went-away', { minutes: 1 })],
    [600, NEW, 'timeout', createDetail('restart-unseen', { minutes: 10 }), early],
    [60, 503, 'device-busy', createDetail('device.busy')],
  ])('for %s s in vain, and said why: %s', async (waitSeconds, answer, code, detail, units = [unit()]) => {
    const { unit: left } = await followed({ units, answers: [answer], waitSeconds });
    expect(left).toMatchObject({
      outcome: 'needs-reboot',
      // The missing restart is a conclusion, not a report of the device.
      error: { code, source: code === 'timeout' ? 'app' : 'device', device: URL, detail },
    });
  });

  // Would catch: an account that is locked by asking again.
  it.each([undefined, 'http://elsewhere'])('not at all where nobody is let in (%s)', async (device) => {
    const words = device === undefined ? {} : { device };
    const at = await followed({ answers: ['sign-in-failed', NEW], words });
    expect(at.reads).toHaveLength(1);
    expect(at.pauses).toEqual([]);
    expect(at.unit).toMatchObject({
      outcome: 'needs-reboot',
      error: { code: 'sign-in-failed', device: device ?? URL },
    });
    expect(at.over).toBe(false);
  });
});

describe('what a device shows', () => {
  const still = { passed: () => 0 };
  const both = [change('distance'), change('alarmInterval')];
  const two = [unit({ changes: both, documents: () => ({ sent: basic(3, 30), after: OLD }) })];

  // Would catch: a report that does not name what a device did not take, or lists what it did.
  it('after its restart is named where it is old, and kept', async () => {
    const { unit: all, log } = await followed({ ...still, units: two, answers: [lost, lost, OLD] });
    expect(all).toMatchObject({
      outcome: 'ignored',
      error: {
        ...{ code: 'refused', source: 'app', operation: `${SET}.put`, device: URL, path: 'distance' },
        detail: createDetail('old-after-restart', { names: 'distance, alarmInterval' }),
      },
    });
    expect(log).toContainEqual(['settled', key(0), all, T0, { text: OLD, sensitive: false }]);

    const { unit: part } = await followed({ units: two, answers: [lost, lost, basic(3, 20)] });
    expect(part?.error).toMatchObject({
      path: 'alarmInterval',
      detail: createDetail('old-after-restart', { names: 'alarmInterval' }),
    });
  });

  it('not at all after its restart is told with the write and the device', async () => {
    const { unit: gone, log } = await followed({ ...still, answers: ['connection-refused', 404] });
    expect(gone?.error).toMatchObject({ code: 'not-supported', operation: `${SET}.put`, device: URL });
    expect(log).toContainEqual(['settled', key(0), gone, T0, undefined]);
  });

  // Would catch: our setting called ignored because another user changed a different one of the same
  // document.
  it('of the work of others does not count', async () => {
    const { unit: ours } = await followed({ answers: [basic(3, 99, false)] });
    expect(ours?.outcome).toBe('effective');
  });

  const lock = (changes: Change[]) => [
    unit({ set: LOCK, changes, documents: () => ({ sent: locked('<passwd>hunter22</passwd>') }) }),
  ];
  const locked = (more = ''): string => `<RWLock><enabled>true</enabled>${more}</RWLock>`;
  const [hidden, seen] = [change('passwd', true), change('enabled')];

  // Would catch: an unreadable secret called effective, or a restart reported that did not happen.
  it.each<[Change[], readonly Answer[], UnitOutcome]>([
    [[hidden, seen], [locked()], 'accepted'],
    [[hidden], [locked()], 'needs-reboot'],
    [[hidden], [lost, lost, locked()], 'accepted'],
    [[seen], [locked()], 'effective'],
  ])('of a secret is never known: case %#', async (changes, answers, outcome) => {
    const { unit: left, log } = await followed({ ...still, units: lock(changes), answers });
    expect(left?.outcome).toBe(outcome);
    if (outcome !== 'needs-reboot')
      expect(log[1]).toEqual(['settled', key(0), left, T0, { text: locked(), sensitive: true }]);
  });

  // Would catch: a password in a report, because the device repeats it.
  it('of a secret in its words is masked', async () => {
    const words = { message: 'no such hunter22 here' };
    const { unit: left, log } = await followed({
      units: lock([hidden]),
      answers: ['sign-in-failed'],
      words,
    });
    expect(left?.error?.message).toBe('no such •••••• here');
    expect(JSON.stringify(log)).not.toContain('hunter22');
  });
});
