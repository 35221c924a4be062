/** The package into one engine: what stands there makes room, it is loaded, and it runs when the engine says so. */
import { defined } from '../../shared/defined.ts';
import { detailOf, say, type DetailId } from '../../shared/details.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import { ENGINE_STATES, type EngineView } from '../../shared/models.ts';
import { requireTaken, type AiWrite } from './ai-calls.ts';
import { readEngines } from './board.ts';
import { watchRestart } from './restart-step.ts';
import type { ModelResult } from './documents.ts';
import { endWith, pause, trouble, type Send, type StepEnd } from './send.ts';

const LOOK_MS = 1_500;
/** From the load until the engine runs it. */
const RUNNING_MS = 300_000;
/** An engine may pass through states of trouble while it loads; one that stays there means it. */
const LOOKS_OF_TROUBLE = 3;
/** It holds nothing, although it was told to load. */
const LOOKS_OF_EMPTY = 10;

/** Loads the engine. `waitMs`: time that the device has for a restart it asks for, in milliseconds; 0: one check. */
export async function engineStep(send: Send, unit: ModelResult, waitMs: number): Promise<StepEnd> {
  const end = await loadAndWatch(send, unit, waitMs).catch((thrown: unknown) => endWith(send, thrown));
  return end.kind === 'failed' ? { ...end, error: withPrevious(end.error, send.units.at(unit.index)) } : end;
}

async function loadAndWatch(send: Send, unit: ModelResult, waitMs: number): Promise<StepEnd> {
  const { calls, body, units } = send;
  const { engine = 0 } = unit;
  if (unit.awaitsRestart === true) return afterRestart(send, unit, waitMs);
  const all = await readEngines(calls);
  const here = all.filter((view) => view.engine === engine);
  const status = here[0]?.status;
  if (status === undefined)
    return { kind: 'failed', error: trouble(send, 'not-found', 'model.no-engine', { engine }) };
  let beside = false;
  if (!here.some(({ MPID }) => MPID === body.mpid)) {
    if (status === ENGINE_STATES.faceIntelligence)
      return { kind: 'failed', error: trouble(send, 'not-allowed', 'model.engine-face', { engine }) };
    const loaded = here.filter(({ MPID }) => MPID !== '');
    const leaving = await leavingFor(send, loaded);
    beside = loaded.length > leaving.length;
    await units.begin(unit, { stage: 'loading', previous: merged(unit.previous, leaving) });
    const unloaded = leaving.length === 0 || (await unload(send, engine, leaving));
    units.log(detailOf('model.loading', { engine }));
    if (!unloaded || !(await load(send, engine))) {
      units.show(unit, { awaitsRestart: true });
      return afterRestart(send, units.at(unit.index), waitMs);
    }
  }
  units.show(unit, { stage: 'loading' });
  return untilRunning(send, unit, beside);
}

/** An engine that takes several packages keeps those it has, as long as there is room; else all of them go (part 1, 3). */
async function leavingFor({ calls }: Send, loaded: readonly EngineView[]): Promise<readonly EngineView[]> {
  if (loaded.length === 0) return [];
  const { loadMPMaxNum = 1 } = await calls.read<{ readonly loadMPMaxNum?: number }>('aiPlatform.info.get');
  return loaded.length < loadMPMaxNum ? [] : loaded;
}

/** Waits for the restart with which the change takes effect (status 7), then continues to watch the engine. */
async function afterRestart(send: Send, unit: ModelResult, waitMs: number): Promise<StepEnd> {
  const { calls, body } = send;
  const { engine = 0 } = unit;
  const back = await watchRestart(send, unit, {
    waitMs,
    arrived: async ({ left }) => {
      const isThere = async (): Promise<boolean> =>
        (await readEngines(calls)).some((view) => view.engine === engine && view.MPID === body.mpid);
      return left || (await isThere().catch(() => false)) ? { kind: 'done', outcome: 'accepted' } : undefined;
    },
  });
  return back.kind === 'done' ? untilRunning(send, send.units.at(unit.index), false) : back;
}

/** Unloads an engine; returns false if that takes effect only after a restart. */
async function unload(send: Send, engine: number, leaving: readonly EngineView[]): Promise<boolean> {
  const { units, calls } = send;
  const left = new Set(leaving.map(({ MPID }) => MPID));
  units.log(detailOf('model.unloading', { engine, mpid: [...left].join(', ') }));
  return isTaken(send, {
    operation: 'aiPlatform.engine.unload',
    params: { engineID: engine },
    hasTaken: async () =>
      !(await readEngines(calls)).some((view) => view.engine === engine && left.has(view.MPID)),
  });
}

/** Loads the package; returns false if that takes effect only after a restart. */
async function load(send: Send, engine: number): Promise<boolean> {
  const { mpid, mpName } = send.body;
  return isTaken(send, {
    operation: 'aiPlatform.engine.load',
    params: { engineID: engine },
    body: { MPID: mpid, ...defined({ MPName: mpName }) },
    hasTaken: async () =>
      (await readEngines(send.calls)).some((view) => view.engine === engine && view.MPID === mpid),
  });
}

/** Sends a write whose effect the engine shows later. Throws if the device did not receive it, or refused it. */
async function isTaken({ calls, units }: Send, write: AiWrite): Promise<boolean> {
  const { outcome } = requireTaken(await calls.settle(write));
  if (outcome === 'unknown') units.log({ id: 'model.ask-unheard' });
  return outcome !== 'needs-reboot';
}

/** `beside`: other packages stay on the engine, and say nothing about this one. */
async function untilRunning(send: Send, unit: ModelResult, beside: boolean): Promise<StepEnd> {
  const { calls, body, units, time } = send;
  const { engine = 0 } = unit;
  const until = time.now() + RUNNING_MS;
  let [inTrouble, empty] = [0, 0];
  let reloaded = false;
  for (;;) {
    const here = (await readEngines(calls)).filter((view) => view.engine === engine);
    const mine = here.find(({ MPID }) => MPID === body.mpid);
    const [other] = here;
    const status = mine?.status ?? (beside ? ENGINE_STATES.empty : (other?.status ?? -1));
    units.show(units.at(unit.index), { engineStatus: status });
    if (mine !== undefined && status === ENGINE_STATES.running) {
      units.log(detailOf('model.runs', { engine }));
      return { kind: 'done', outcome: 'effective', patch: { stage: 'running', engineStatus: status } };
    }
    inTrouble =
      status in TROUBLES || (mine === undefined && !beside && other !== undefined && other.MPID !== '')
        ? inTrouble + 1
        : 0;
    empty = status === ENGINE_STATES.empty ? empty + 1 : 0;
    if (inTrouble >= LOOKS_OF_TROUBLE) {
      const words = TROUBLES[status] ?? 'model.state.other-package';
      return { kind: 'failed', error: stateError(send, words, { engine, status }) };
    }
    if (empty >= LOOKS_OF_EMPTY && !reloaded) {
      // The first one may have been lost on its way.
      reloaded = true;
      empty = 0;
      await load(send, engine);
    } else if (empty >= LOOKS_OF_EMPTY)
      return { kind: 'failed', error: stateError(send, 'model.state.0', { engine, status }) };
    if (time.now() >= until)
      return { kind: 'failed', error: stateError(send, 'model.state.slow', { engine, status }) };
    if (!(await pause(send, LOOK_MS))) return { kind: 'stopped' };
  }
}

type StateLabels = Extract<DetailId, `model.state.${string}`>;
/** States of an engine that does not run what it was given (part 1, 3). */
const TROUBLES: Readonly<Record<number, StateLabels>> = {
  [ENGINE_STATES.abnormal]: 'model.state.2',
  [ENGINE_STATES.decryptionFailed]: 'model.state.3',
  [ENGINE_STATES.engineAbnormal]: 'model.state.11',
  [ENGINE_STATES.faceIntelligence]: 'model.state.12',
};

function stateError(
  { device }: Send,
  id: StateLabels,
  values: { readonly engine: number; readonly status: number },
): ErrorShape {
  return { code: 'refused', source: 'device', device: device.url, ...say(id, values) };
}

function merged(
  before: ModelResult['previous'] = [],
  replaced: readonly EngineView[],
): NonNullable<ModelResult['previous']> {
  const all = [...before, ...replaced.map(({ MPID, MPName }) => ({ MPID, MPName }))];
  return all.filter(({ MPID }, at) => all.findIndex((each) => each.MPID === MPID) === at);
}

/** What ran there before is still on the device: said where the new one does not run. */
function withPrevious(error: ErrorShape, { previous = [], engine = 0 }: ModelResult): ErrorShape {
  if (previous.length === 0) return error;
  const kept = say('model.previous-kept', { engine, mpid: previous.map(({ MPID }) => MPID).join(', ') });
  return { ...error, others: [{ code: 'not-available', source: 'app', ...kept }] };
}
