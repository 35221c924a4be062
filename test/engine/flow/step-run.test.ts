/** One run of a step after another, by itself: nothing is asked or sent twice, and nothing that may have arrived is forgotten. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Dialogue } from '#engine/flow/dialogue.ts';
import { Effects } from '#engine/flow/effects.ts';
import type { Call, FlowStep, Question, Watch } from '#engine/flow/flow.ts';
import { Detour, StepRun } from '#engine/flow/step-run.ts';
import { createJobKinds } from '#engine/jobs/job-kind.ts';
import { Journal } from '#engine/jobs/journal.ts';
import { readStatus } from '#protocol/index.ts';
import { getSpecifiedOperation } from '#engine/operations/specified.ts';
import { openStore, type Store } from '#engine/store/index.ts';
import { type ErrorShape, FieldwrightError } from '#shared/errors.ts';
import type { Answer } from '#shared/flows.ts';
import type { Change } from '#shared/model.ts';
import type { DeviceConnections } from '#engine/device/clients.ts';
import { startSite, type Site } from '#test/helpers/strict-site.ts';
import { oneDevice } from '../device/directory.ts';

const CLOCK = { now: () => new Date(0), delay: () => setImmediate() };
type StepRunOptions = ConstructorParameters<typeof StepRun>[0];
type Sent = Awaited<ReturnType<Awaited<ReturnType<StepRunOptions['prepare']>>['send']>>;

const TEXT: Question['text'] = { id: 'x', text: 'x' } as unknown as Question['text'];
const QUESTION: Question = { text: TEXT };
const CHANGES: readonly Change[] = [{ path: 'a', label: 'A', from: 1, to: 2 }];
/** Sending it twice is not the same as once. */
const ONCE = 'accessControl.localController.control.put';
const OFTEN = 'token.secretKey.set';
const key = { jobId: 'j-1', position: 1, step: 's' };

let store: Store;
let effects: Effects;
beforeEach(() => {
  store = openStore(':memory:', { clock: CLOCK });
  effects = new Effects(store, CLOCK);
  const owner = { process: 1, engine: 'one' };
  const job = { id: key.jobId, kind: 'flow', title: '', about: {}, body: {}, options: {}, devices: [] };
  const begun = { owner, run: { kind: 'start', at: '', by: 'me' }, mayWait: true } as const;
  new Journal(store, { seal: () => new Uint8Array() }, createJobKinds([])).create(job, begun);
});
afterEach(() => store.close());

/** Runs the step, whose questions are answered with these, one after the other. */
function run({
  answers = [],
  sends = () => Promise.resolve(said(OK)),
  extra = {},
}: {
  readonly answers?: readonly Answer[];
  readonly sends?: () => Promise<Sent>;
  readonly extra?: Partial<StepRunOptions>;
} = {}) {
  const log: string[] = [];
  const asked: object[] = [];
  const dialogue = new Dialogue();
  const left = [...answers];
  dialogue.onChange(() => {
    const now = dialogue.asked;
    const answer = left[0];
    if (now === undefined || asked.some((one) => 'token' in one && one.token === now.token)) return;
    asked.push(now);
    log.push(`${now.wants} ${now.key}`);
    if (answer === undefined) return;
    left.shift();
    queueMicrotask(() => dialogue.answer(now.token, answer));
  });
  const stop = new AbortController();
  const step = new StepRun({
    key,
    step: { id: 's' } as FlowStep,
    device: { id: 'd', name: 'D', url: 'http://d', kinds: [] },
    user: 'me',
    effects,
    dialogue,
    units: { intend: () => Promise.resolve(), settle: () => undefined },
    prepare: ({ operation }) =>
      Promise.resolve({
        operation: getSpecifiedOperation(operation),
        device: 'http://d',
        warnings: [],
        body: undefined,
        send: () => {
          log.push('send');
          return sends();
        },
      }),
    onRestart: (_id, type) => log.push(type),
    secrets: {} as StepRunOptions['secrets'],
    job: { clock: CLOCK, job: { stopped: stop.signal } } as unknown as StepRunOptions['job'],
    canGoBack: false,
    begin: () => {
      log.push('begin');
      return Promise.resolve();
    },
    ...extra,
  });
  return { step, log, asked, stop, dialogue };
}
const yes: Answer = { kind: 'values', values: {} };
const OK =
  '<ResponseStatus><statusCode>1</statusCode><statusString>OK</statusString><subStatusCode>ok</subStatusCode></ResponseStatus>';

/** Returns an answer of the device. */
function said(text: string, http = 200): Sent {
  const status = readStatus({ http, text });
  const exchange = () => ({}) as ReturnType<Sent['exchange']>;
  const shown: Sent['shown'] = (value) => value;
  return {
    http,
    contentType: 'application/xml',
    text,
    charset: 'utf-8',
    carried: false,
    lossy: false,
    status,
    shown,
    exchange,
  };
}
function refused(code: number, sub: string): Sent {
  return said(OK.replace('>1<', `>${code}<`).replace('>ok<', `>${sub}<`), 400);
}
const fails = (error: Partial<ErrorShape>) => () =>
  Promise.reject(new FieldwrightError({ code: 'connection-lost', source: 'device', message: 'x', ...error }));
/** Shows what was sent only when it was sent once more. */
function later(): () => Promise<'taken' | 'untouched'> {
  let looks = 0;
  return () => Promise.resolve((looks += 1) === 1 ? 'untouched' : 'taken');
}
const called = (
  at: ReturnType<typeof run>,
  operation: string,
  extra: Partial<Call> = {},
): ReturnType<StepRun['call']> => at.step.call('go', () => ({ operation, ...extra }), CHANGES, QUESTION);

describe('a request that cannot be read back', () => {
  it('is shown, journalled, sent, and not sent again by the next run', async () => {
    let kept: unknown;
    const first = run({
      answers: [yes],
      sends: () => {
        kept = effects.find(key, 'call:go#sent')?.value;
        return Promise.resolve(said(OK));
      },
    });
    const written = await called(first, ONCE, { params: { id: 1 } });

    expect(first.log).toEqual(['confirm go', 'begin', 'send']);
    expect(first.asked).toMatchObject([{ set: ONCE, sends: CHANGES, canSkip: true, position: 1, step: 's' }]);
    expect(kept).toBe(true);
    expect(written).toEqual({
      outcome: 'accepted',
      proof: 'written',
      changes: CHANGES,
      root: expect.any(String) as string,
      operation: expect.any(String) as string,
      status: { http: 200, statusCode: 1, statusString: 'OK', subStatusCode: 'ok' },
    });
    const second = run();
    expect(await called(second, ONCE)).toEqual(written);
    expect(second.log).toEqual([]);
  });

  // Would catch: a door that is opened twice because the app was closed in between.
  it('whose answer was lost stays unknown where twice is not the same as once', async () => {
    await expect(called(run({ answers: [yes], sends: fails({}) }), ONCE)).rejects.toThrow();
    const second = run();
    expect(await called(second, ONCE)).toMatchObject({ outcome: 'unknown', changes: CHANGES });
    expect(second.log).toEqual([]);
    // The outcome stays unknown until a look can decide it.
    const third = run();
    expect(await called(third, ONCE, { look: () => Promise.resolve('taken') })).toMatchObject({
      outcome: 'effective',
      proof: 'read-back',
      settled: true,
    });
    expect(await called(run(), ONCE)).toMatchObject({ outcome: 'effective', settled: true });
    expect(third.log).toEqual([]);
  });

  it.each([
    ['it can be sent any number of times', OFTEN, {}],
    ['the device shows that it did not take it', ONCE, { look: later() }],
  ] as readonly [string, string, Partial<Call>][])(
    'whose answer was lost is sent again, unasked, where %s',
    async (_what, operation, extra) => {
      await expect(called(run({ answers: [yes], sends: fails({}) }), operation)).rejects.toThrow();
      const second = run();
      const { outcome } = await called(second, operation, extra);
      expect(['accepted', 'effective']).toContain(outcome);
      expect(second.log).toEqual(['begin', 'send']);
    },
  );

  // Would catch: a step that says "unknown" for good of what the device never got, or was only asked before.
  it.each<[string, Parameters<typeof run>[0]]>([
    ['did not get', { sends: fails({ code: 'connection-refused' }) }],
    ['was only asked before it', { extra: { prepare: fails({ operation: 'other.get' }) } }],
  ])('that the device %s is asked for again', async (_what, lost) => {
    await expect(called(run({ answers: [yes], ...lost }), ONCE)).rejects.toThrow();
    const second = run({ answers: [yes] });
    expect(await called(second, ONCE)).toMatchObject({ outcome: 'accepted' });
    expect(second.log).toEqual(['confirm go', 'begin', 'send']);
  });

  it('that names itself in what was lost stays sent', async () => {
    await expect(called(run({ answers: [yes], sends: fails({ operation: ONCE }) }), ONCE)).rejects.toThrow();
    expect(await called(run(), ONCE)).toMatchObject({ outcome: 'unknown' });
  });

  it('that is refused is an error and asked for again, or an answer where that may be', async () => {
    const refuses = () => Promise.resolve(refused(6, 'badParameters'));
    await expect(called(run({ answers: [yes], sends: refuses }), ONCE)).rejects.toMatchObject({
      shape: { code: 'invalid-content' },
    });
    expect(await called(run({ answers: [yes], sends: refuses }), ONCE, { mayRefuse: true })).toMatchObject({
      outcome: 'refused',
      error: { code: 'invalid-content' },
      status: { statusCode: 6 },
    });
    expect(await called(run(), ONCE)).toMatchObject({ outcome: 'refused' });
  });

  it('that our side refuses is an error also where the device may', async () => {
    const error = { code: 'usage', source: 'user', message: 'no' } as const;
    const at = run({ answers: [yes], extra: { prepare: fails(error) } });
    await expect(called(at, ONCE, { mayRefuse: true })).rejects.toMatchObject({ shape: error });
  });

  it('is not sent where the person goes another way', async () => {
    const at = run({ answers: [{ kind: 'skip', reason: 'later' }] });
    await expect(called(at, ONCE)).rejects.toMatchObject({
      answer: { kind: 'skip', reason: 'later' },
      to: undefined,
    });
    expect(at.log).toEqual(['confirm go']);
    expect(effects.of(key)).toEqual([]);
  });
});

describe('a setting that can be read back', () => {
  const SETTING = { set: 'thermal.thermometryMode', params: { channelID: 1 }, value: { mode: 'expert' } };
  let site: Site;
  let clients: DeviceConnections;
  beforeEach(async () => {
    site = await startSite({ kinds: ['thermal'], auth: 'none' });
    ({ clients } = oneDevice(site.devices[0]?.url ?? ''));
  });
  afterEach(async () => {
    await clients.close();
    await site.close();
  });
  const wrote = (answers: readonly Answer[], begin?: () => Promise<void>) => {
    const extra = {
      job: { clock: CLOCK, clients, job: { stopped: new AbortController().signal } },
      ...(begin && { begin }),
    } as unknown as Partial<StepRunOptions>;
    const at = run({ answers, extra });
    return { ...at, written: at.step.write('mode', SETTING, QUESTION) };
  };

  // Would catch: a change that was not confirmed again since it failed, and that goes out by itself an hour
  // later.
  it.each<[string, () => Promise<void> | undefined]>([
    ['did not leave this computer', () => Promise.reject(new Error('the disk is full'))],
    ['the device let nobody write', () => void site.device(0).setFault('unauthorized', 1, { method: 'PUT' })],
    ['the device refused', () => void site.device(0).setFault('busy', 1, { method: 'PUT' })],
    ['the device ignored', () => void site.device(0).setFault('ignored')],
  ])('and that %s is asked for again', async (_what, fails) => {
    const first = wrote([yes], async () => fails());
    await expect(first.written).rejects.toThrow();
    expect(effects.find(key, 'write:mode#sent')).toBeUndefined();
    site.device(0).clearFaults();
    clients.lift(['d']);

    const second = wrote([yes]);
    expect(await second.written).toMatchObject({ outcome: 'effective' });
    expect(second.log).toEqual(['confirm write:mode', 'begin']);
  });

  // Would catch: a person who is asked for a value that the device may have already, or gets the answer that
  // it was so before.
  it('and whose answer was lost is looked for, not asked for again', async () => {
    const first = wrote([yes], async () => {
      const device = site.device(0);
      device.setFault('reset-after', 1, { times: 1 });
      device.setFault('reset', 1, { method: 'GET' });
    });
    await expect(first.written).rejects.toThrow();
    site.device(0).clearFaults();

    const second = wrote([]);
    expect(await second.written).toMatchObject({
      outcome: 'effective',
      settled: true,
      changes: [{ path: 'mode', to: 'expert' }],
    });
    expect(second.log).toEqual([]);
  });
});

describe('a question', () => {
  const fields: Question['fields'] = [
    { name: 'room', label: TEXT, kind: 'text', kept: true },
    { name: 'pin', label: TEXT, kind: 'secret' },
  ] as unknown as Question['fields'];

  // Would catch: a secret in the database, or one that is asked for and goes nowhere.
  it('is answered once; its secrets go to the vault alone', async () => {
    const secrets: object[] = [];
    const first = run({ answers: [{ kind: 'values', values: { room: '7', pin: 'hunter22' } }] });
    const keep = (values: object): void => void secrets.push(values);
    expect(await first.step.ask('where', { ...QUESTION, ...(fields && { fields }) }, keep)).toEqual({
      room: '7',
    });
    expect(secrets).toEqual([{ pin: 'hunter22' }]);
    expect(JSON.stringify(effects.of(key))).not.toContain('hunter22');

    const second = run();
    expect(await second.step.ask('where', QUESTION)).toEqual({ room: '7' });
    expect(second.asked).toEqual([]);
  });

  it('proposes what was said of the device before, where that is kept', async () => {
    effects.put({ ...key, position: 0 }, 'ask:where', { room: '6' });
    const at = run({ answers: [{ kind: 'values', values: { room: '6', pin: 'x' } }] });
    await at.step.ask('where', { ...QUESTION, ...(fields && { fields }) });
    expect(at.asked[0]).toMatchObject({ fields: [{ value: '6' }, { name: 'pin' }] });
    expect(at.asked[0]).not.toHaveProperty('fields.1.value');
  });

  // Would catch: a way back behind something that was sent, which nothing takes back.
  it('may be gone back to until something is sent', async () => {
    const first = run({ answers: [yes, { kind: 'back' }] });
    await first.step.ask('one', QUESTION);
    await expect(first.step.ask('two', QUESTION)).rejects.toEqual(new Detour({ kind: 'back' }, 'ask:one'));
    expect(first.asked).toMatchObject([{ canGoBack: false }, { canGoBack: true }]);

    const second = run({ answers: [yes, { kind: 'leave' }] });
    await second.step.ask('one', QUESTION);
    await called(second, ONCE);
    await expect(second.step.ask('two', QUESTION)).rejects.toMatchObject({ to: undefined });
    expect(second.asked.at(-1)).toMatchObject({ canGoBack: false });
  });

  it('of a step that is required cannot be left out; the first goes back to the step before', async () => {
    const extra = { canGoBack: true, step: { id: 's', required: true } as unknown as FlowStep };
    const at = run({ answers: [{ kind: 'back' }], extra });
    await expect(at.step.ask('one', QUESTION)).rejects.toMatchObject({ to: undefined });
    expect(at.asked).toMatchObject([{ canSkip: false, canGoBack: true }]);
  });
});

describe('what a step keeps', () => {
  it('is made once, saved again and again, and found by other steps', async () => {
    const { step } = run();
    expect([await step.once('id', () => 1), await step.once('id', () => 2)]).toEqual([1, 1]);
    expect(step.saved('seen')).toBeUndefined();
    step.save('seen', 1);
    step.save('seen', 2);
    expect(step.saved('seen')).toBe(2);
    expect([step.earlier('s', 'id'), step.earlier('s', 'seen'), step.earlier('t', 'id')]).toEqual([
      1,
      2,
      undefined,
    ]);
  });
});

describe('a watch', () => {
  const watch = (looks: readonly (number | Error)[], extra: Partial<Watch<number>> = {}): Watch<number> => {
    let at = 0;
    return {
      look: () => {
        const seen = looks[Math.min(at, looks.length - 1)] ?? 0;
        at += 1;
        return typeof seen === 'number' ? Promise.resolve(seen) : Promise.reject(seen);
      },
      until: (seen) => seen >= 3,
      seconds: 2,
      show: () => QUESTION,
      ...extra,
    };
  };

  it('ends when it is met, and is not looked at again', async () => {
    const error = new FieldwrightError({ code: 'timeout', source: 'device', message: 'late' });
    expect(await run().step.watch('w', watch([1, error, 3]))).toEqual({ met: true, seen: 3 });
    expect(await run().step.watch('w', watch([0]))).toEqual({ met: true, seen: 3 });
  });

  it('ends without it after its time, with the last that was seen', async () => {
    let looks = 0;
    const counted = watch([1, 2, new Error('gone')]);
    const result = await run().step.watch('w', {
      ...counted,
      look: () => {
        looks += 1;
        return counted.look();
      },
    });
    expect(result).toMatchObject({ met: false, seen: 2, error: { message: expect.any(String) as string } });
    expect(looks).toBe(3);
  });

  it('ends when a person says so, or goes another way; a job that stops keeps nothing of it', async () => {
    const long = watch([1], { seconds: 1e9 });
    expect(await run({ answers: [yes] }).step.watch('w', long)).toEqual({ met: false, seen: 1 });
    await expect(run({ answers: [{ kind: 'leave' }] }).step.watch('x', long)).rejects.toBeInstanceOf(Detour);
    const at = run();
    const stopped = at.step.watch('y', long);
    at.stop.abort();
    await expect(stopped).rejects.toThrow();
    expect(effects.of(key).map((one) => one.key)).toEqual(['watch:w']);
  });
});
