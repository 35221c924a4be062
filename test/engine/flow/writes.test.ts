/** The table of cases for what flows send: a setting, a call that shows somewhere, and one that never shows. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPreparer } from '#engine/operations/call.ts';
import { Dialogue } from '#engine/flow/dialogue.ts';
import { Effects } from '#engine/flow/effects.ts';
import type { Call, FlowStep, StepContext, Written } from '#engine/flow/flow.ts';
import { Detour, StepRun } from '#engine/flow/step-run.ts';
import { createJobKinds } from '#engine/jobs/job-kind.ts';
import { Journal } from '#engine/jobs/journal.ts';
import { openStore } from '#engine/store/index.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { DEFAULT_PROFILE, type UnitOutcome } from '#shared/model.ts';
import { startSite } from '#simulator/index.ts';
import {
  startWriteProxy,
  WRITE_CASES,
  type WriteCase,
  type WriteProxyOptions,
} from '#test/helpers/write-cases.ts';
import { oneDevice } from '../device/directory.ts';

const CLOCK = { now: () => new Date(0), delay: () => setImmediate() };
const KEY = { jobId: 'j-1', position: 0, step: 's' };
const QUESTION = { text: [] };

interface Played {
  readonly kind: 'thermal' | 'gate';
  readonly isWrite: WriteProxyOptions['isWrite'];
  readonly send: (step: StepContext) => Promise<Written>;
}

const SETTING: Played = {
  kind: 'thermal',
  isWrite: ({ method, path }) => method === 'PUT' && path.endsWith('/thermometryMode'),
  send: (step) =>
    step.write(
      'mode',
      { set: 'thermal.thermometryMode', params: { channelID: 1 }, value: { mode: 'expert' } },
      QUESTION,
    ),
};
const DELETION = 'accessControl.localController.delete';
const GET = 'accessControl.localController.get';
const CALL: Played = {
  kind: 'gate',
  isWrite: ({ method }) => method === 'DELETE',
  send: (step) =>
    step.call(
      'delete',
      () => deletion(step),
      [{ path: 'localControllerID', label: 'Controller', from: 1 }],
      QUESTION,
    ),
};
function deletion(step: StepContext): Call {
  return {
    operation: DELETION,
    params: { localControllerID: 1 },
    look: async () => {
      try {
        await step.read(GET, { localControllerID: 1 });
        return 'untouched';
      } catch (thrown) {
        if (thrown instanceof FieldwrightError && thrown.shape.status !== undefined) return 'taken';
        throw thrown;
      }
    },
  };
}
const AUDIO: Played = {
  kind: 'gate',
  isWrite: ({ method, path }) => method === 'PUT' && path.includes('RightControllerAudio'),
  send: (step) =>
    step.call(
      'audio',
      () => ({
        operation: 'accessControl.controllerAudio.put',
        params: { audioID: 2 },
        body: { audioName: 'Welcome', playCondition: 'CompleteAuth' },
      }),
      [],
      QUESTION,
    ),
};

/** Sends it with a device that behaves so, and returns what the step knows of it afterwards. */
async function play(
  { kind, isWrite, send }: Played,
  one: WriteCase,
): Promise<{ readonly outcome: UnitOutcome; readonly sends: number }> {
  const site = await startSite({ kinds: [kind], auth: 'none' });
  const proxy = await startWriteProxy({ target: site.device(0).url, isWrite, format: 'xml' });
  const { clients } = oneDevice(proxy.url, { clock: CLOCK });
  const store = openStore(':memory:', { clock: CLOCK });
  onTestFinished(async () => {
    store.close();
    await clients.close();
    await proxy.close();
    await site.close();
  });
  const begun = {
    owner: { process: 1, engine: 'one' },
    run: { kind: 'start', at: '', by: 'me' },
    mayWait: true,
  } as const;
  new Journal(store, { seal: () => new Uint8Array() }, createJobKinds([])).create(
    { id: KEY.jobId, kind: 'flow', title: '', about: {}, body: {}, options: {}, devices: [] },
    begun,
  );
  const effects = new Effects(store, CLOCK);
  const dialogue = new Dialogue();
  const answered = new Set<string>();
  dialogue.onChange(() => {
    const { asked } = dialogue;
    if (asked === undefined || answered.has(asked.token)) return;
    answered.add(asked.token);
    // The person leaves when a restart is requested: nothing restarts here.
    const answer = asked.wants === 'confirm' ? { kind: 'values', values: {} } : { kind: 'leave' };
    queueMicrotask(() => dialogue.answer(asked.token, answer as Parameters<Dialogue['answer']>[1]));
  });
  const devices = {
    settings: () => ({ id: 'd', name: 'D', url: proxy.url, profile: DEFAULT_PROFILE, strength: 0 }),
  };
  const step = new StepRun({
    key: KEY,
    step: { id: 's' } as FlowStep,
    device: { id: 'd', name: 'D', url: proxy.url, kinds: [] },
    user: 'me',
    effects,
    dialogue,
    prepare: createPreparer({ clients, devices } as unknown as Parameters<typeof createPreparer>[0]),
    onRestart: () => undefined,
    secrets: {} as ConstructorParameters<typeof StepRun>[0]['secrets'],
    job: { clock: CLOCK, clients, job: { stopped: new AbortController().signal } },
    canGoBack: false,
    begin: () => Promise.resolve(),
    units: { intend: () => Promise.resolve(), settle: () => undefined },
  });
  proxy.play(one);

  const outcome = await send(step).then(
    (written) => written.outcome,
    (thrown: unknown) => outcomeOf(thrown, effects),
  );

  return { outcome, sends: proxy.sends() };
}

/**
 * Returns the facts of the question to a person: whether a write may be on its way, and why the device did
 * not take it.
 */
function outcomeOf(thrown: unknown, effects: Effects): UnitOutcome {
  const kept = effects.of(KEY);
  const sent = kept.find(({ key }) => key.endsWith('#sent'));
  if (thrown instanceof Detour) {
    const value = kept.find(({ key }) => `${key}#sent` === sent?.key)?.value;
    return ((value as { written?: Written }).written ?? (value as Written)).outcome;
  }
  if (!(thrown instanceof FieldwrightError)) throw thrown;
  if (sent !== undefined) return 'unknown';
  return /^(?:old-after|flow-not-shown)/.test(thrown.shape.detail?.id ?? '') ? 'ignored' : 'refused';
}

// Would catch: a step of a flow reported differently than a setting of a template after the same answer; an
// unrequested repetition of a request.
describe.each([
  ['a setting', SETTING],
  ['a call that shows', CALL],
] as const)('%s of a flow', (_name, played) => {
  it.each(WRITE_CASES)('$name: $visible', async (one) => {
    expect(await play(played, one)).toEqual({ outcome: one.visible, sends: one.sends });
  });
});

// Would catch: a web page or half a status that counts as a yes where nothing can be looked at.
describe('a call of a flow that never shows', () => {
  const UNCLEAR = ['html', 'cut', 'lost'];
  it.each(WRITE_CASES)('$name: $hidden', async (one) => {
    const sends = UNCLEAR.includes(one.answer) ? 1 : one.sends;
    expect(await play(AUDIO, one)).toEqual({ outcome: one.hidden, sends });
  });
});
