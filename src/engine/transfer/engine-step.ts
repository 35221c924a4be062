/**
 * Loads the package into one engine: makes room, loads it, and waits until the engine reports that it runs.
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail, say, type DetailId } from '#shared/details.ts';
import { isDeviceLost } from '#shared/error-meaning.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import { ENGINE_STATES, type EngineView } from '#shared/ai-models/ai-models.ts';
import { requireTaken, type AiWrite } from './ai-calls.ts';
import { readEngine, readRows } from './board.ts';
import { makeRoom, type Named } from './engine-room.ts';
import { watchRestart } from './restart-step.ts';
import type { ModelResult } from './documents.ts';
import { endWith, pause, createDeviceError, type Send, type StepEnd } from './send.ts';

const LOOK_MS = 1_500;
/** Milliseconds from loading until the engine runs the package. */
const RUNNING_MS = 300_000;
/** An engine may pass through states of trouble while it loads; one that stays there means it. */
const LOOKS_OF_TROUBLE = 3;
/** Number of looks at an engine that stays empty although it was asked to load. */
const LOOKS_OF_EMPTY = 10;

/** Loads the engine. `waitMs`: time that the device has for a restart it asks for, in milliseconds; 0: one check. */
export async function runEngineStep(send: Send, unit: ModelResult, waitMs: number): Promise<StepEnd> {
  const end = await loadAndWatch(send, unit, waitMs).catch((thrown: unknown) => endWith(send, thrown));
  return end.kind === 'failed' ? { ...end, error: withPrevious(end.error, send.units.at(unit.index)) } : end;
}

async function loadAndWatch(send: Send, unit: ModelResult, waitMs: number): Promise<StepEnd> {
  const { calls, body, units } = send;
  const { engine = 0 } = unit;
  if (unit.awaitsRestart === true) return afterRestart(send, unit, waitMs);
  const { rows, most } = await readEngine(calls, engine);
  const status = rows[0]?.status;
  if (status === undefined)
    return { kind: 'failed', error: createDeviceError(send, 'not-found', 'model.no-engine', { engine }) };
  const isThere = rows.some(({ MPID }) => MPID === body.mpid);
  if (!isThere && status === ENGINE_STATES.faceIntelligence)
    return { kind: 'failed', error: createDeviceError(send, 'not-allowed', 'model.engine-face', { engine }) };
  const { unloading, previous, reload } = roomFor(send, unit, { rows, most, isThere });
  if (!isThere || reload.length > 0) {
    // The packages that leave and come back are on disk before the engine is emptied.
    await units.begin(unit, { stage: 'loading', previous, reload });
    const unloaded = unloading.length === 0 || (await unload(send, engine, { unloading, most }));
    const missing = (MPID: string): boolean => unloading.length > 0 || !rows.some((row) => row.MPID === MPID);
    const back =
      unloaded &&
      (await loadBack(send, engine, { packages: reload.filter(({ MPID }) => missing(MPID)), most }));
    units.log(createDetail('model.loading', { engine }));
    if (!back || !(isThere || (await load(send, engine, { MPID: body.mpid, MPName: body.mpName, most })))) {
      units.show(unit, { awaitsRestart: true });
      return afterRestart(send, units.at(unit.index), waitMs);
    }
  }
  units.show(unit, { stage: 'loading' });
  return untilRunning(send, unit, most);
}

/**
 * Decides which packages are unloaded now, which have been unloaded in all, and which are loaded again. An
 * interrupted run may have emptied the engine: packages it recorded for reloading count as held.
 */
function roomFor(
  { body }: Send,
  { previous = [], reload = [] }: ModelResult,
  {
    rows,
    most,
    isThere,
  }: { readonly rows: readonly EngineView[]; readonly most: number; readonly isThere: boolean },
) {
  const there = rows.filter(({ MPID }) => MPID !== '' && MPID !== body.mpid);
  if (isThere) return { unloading: [], previous, reload };
  const { leave, stay } = makeRoom(merged(reload, there), most, body.mpName);
  const unloading = leave.some(({ MPID }) => there.some((row) => row.MPID === MPID)) ? there : [];
  return {
    unloading,
    previous: merged(previous, leave),
    reload:
      unloading.length > 0 ? stay : stay.filter(({ MPID }) => reload.some((each) => each.MPID === MPID)),
  };
}

/** Loads packages again; returns false if that takes effect only after a restart. One that the device refuses is looked for at the end. */
async function loadBack(
  send: Send,
  engine: number,
  { packages, most }: { readonly packages: readonly Named[]; readonly most: number },
): Promise<boolean> {
  let now = true;
  for (const each of packages) {
    send.units.log(createDetail('model.loading-again', { engine, mpid: each.MPID }));
    try {
      now = (await load(send, engine, { ...each, most })) && now;
    } catch (thrown) {
      const error = toErrorShape(thrown);
      if (error.code === 'cancelled' || isDeviceLost(error)) throw thrown;
      if (error.detail !== undefined) send.units.log(error.detail);
    }
  }
  return now;
}

/** Waits for the restart with which the change takes effect (status 7), then continues to watch the engine. */
async function afterRestart(send: Send, unit: ModelResult, waitMs: number): Promise<StepEnd> {
  const { calls, body } = send;
  const { engine = 0 } = unit;
  const back = await watchRestart(send, unit, {
    waitMs,
    arrived: async ({ left }) => {
      const isThere = async (): Promise<boolean> =>
        (await readEngine(calls, engine)).rows.some(({ MPID }) => MPID === body.mpid);
      return left || (await isThere().catch(() => false)) ? { kind: 'done', outcome: 'accepted' } : undefined;
    },
  });
  if (back.kind !== 'done') return back;
  return untilRunning(send, send.units.at(unit.index), (await readEngine(calls, engine)).most);
}

/** Unloads an engine; returns false if that takes effect only after a restart. */
async function unload(
  send: Send,
  engine: number,
  { unloading, most }: { readonly unloading: readonly EngineView[]; readonly most: number },
): Promise<boolean> {
  const { units, calls } = send;
  const left = new Set(unloading.map(({ MPID }) => MPID));
  units.log(createDetail('model.unloading', { engine, mpid: [...left].join(', ') }));
  return isTaken(send, {
    operation: 'aiPlatform.engine.unload',
    params: { engineID: engine },
    hasTaken: async () => !(await readRows(calls, engine, most)).some(({ MPID }) => left.has(MPID)),
  });
}

/** Loads a package; returns false if that takes effect only after a restart. */
async function load(
  send: Send,
  engine: number,
  {
    MPID,
    MPName,
    most,
  }: { readonly MPID: string; readonly MPName?: string | undefined; readonly most: number },
): Promise<boolean> {
  return isTaken(send, {
    operation: 'aiPlatform.engine.load',
    params: { engineID: engine },
    body: { MPID, ...removeUndefined({ MPName: MPName || undefined }) },
    hasTaken: async () => (await readRows(send.calls, engine, most)).some((row) => row.MPID === MPID),
  });
}

/** Sends a write whose effect the engine shows later. Throws if the device did not receive it, or refused it. */
async function isTaken({ calls, units }: Send, write: AiWrite): Promise<boolean> {
  const { outcome } = requireTaken(await calls.settle(write));
  if (outcome === 'unknown') units.log({ id: 'model.ask-unheard' });
  return outcome !== 'needs-reboot';
}

/**
 * Waits until the engine runs the package, and everything that had to be loaded again. `most`: packages that it takes; others
 * beside this one say nothing about it if that is several.
 */
async function untilRunning(send: Send, unit: ModelResult, most: number): Promise<StepEnd> {
  const { calls, body, units, time } = send;
  const { engine = 0 } = unit;
  const { reload = [] } = units.at(unit.index);
  const until = time.now() + RUNNING_MS;
  let [inTrouble, empty] = [0, 0];
  let reloaded = false;
  for (;;) {
    const here = await readRows(calls, engine, most);
    const mine = here.find(({ MPID }) => MPID === body.mpid);
    const [other] = here;
    const status = mine?.status ?? (most > 1 ? ENGINE_STATES.empty : (other?.status ?? -1));
    const absent = reload.filter(({ MPID }) => !here.some((row) => row.MPID === MPID));
    const isRunning = mine !== undefined && status === ENGINE_STATES.running;
    units.show(units.at(unit.index), { engineStatus: status });
    if (isRunning && absent.length === 0) {
      units.log(createDetail('model.runs', { engine }));
      return { kind: 'done', outcome: 'effective', patch: { stage: 'running', engineStatus: status } };
    }
    inTrouble =
      status in TROUBLES || (mine === undefined && most < 2 && other !== undefined && other.MPID !== '')
        ? inTrouble + 1
        : 0;
    empty = status === ENGINE_STATES.empty || (isRunning && absent.length > 0) ? empty + 1 : 0;
    if (inTrouble >= LOOKS_OF_TROUBLE) {
      const words = TROUBLES[status] ?? 'model.state.other-package';
      return { kind: 'failed', error: stateError(send, words, { engine, status }) };
    }
    if (empty >= LOOKS_OF_EMPTY && !reloaded) {
      // The first one may have been lost on its way.
      reloaded = true;
      empty = 0;
      await loadBack(send, engine, { packages: absent, most });
      if (mine === undefined) await load(send, engine, { MPID: body.mpid, MPName: body.mpName, most });
    } else if (empty >= LOOKS_OF_EMPTY)
      return {
        kind: 'failed',
        error: isRunning
          ? createDeviceError(send, 'refused', 'model.not-back', {
              engine,
              mpid: absent.map(({ MPID }) => MPID).join(', '),
            })
          : stateError(send, 'model.state.0', { engine, status }),
      };
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

/** Joins two lists; a package that is in both counts once. */
function merged(before: readonly Named[], more: readonly Named[]): readonly Named[] {
  const all = [...before, ...more].map(({ MPID, MPName }) => ({ MPID, MPName }));
  return all.filter(({ MPID }, at) => all.findIndex((each) => each.MPID === MPID) === at);
}

/** Adds to an error that the previous packages are still on the device. */
function withPrevious(error: ErrorShape, { previous = [], engine = 0 }: ModelResult): ErrorShape {
  if (previous.length === 0) return error;
  const kept = say('model.previous-kept', { engine, mpid: previous.map(({ MPID }) => MPID).join(', ') });
  return { ...error, others: [{ code: 'not-available', source: 'app', ...kept }] };
}
