/** One change of one device: a package into an engine and out of it, an engine reset, a package deleted; each read back. */
import { say } from '../../shared/details.ts';
import { deviceError, userError } from '../../shared/errors.ts';
import { ENGINE_STATES, type ModelChanged } from '../../shared/models.ts';
import type { Clock } from '../api/host.ts';
import { requireTaken, type AiCalls } from './ai-calls.ts';
import { readEngines, readPackages } from './board.ts';

export interface ChangeContext {
  readonly calls: AiCalls;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly url: string;
}

const LOOK_MS = 1_000;
const SETTLED_MS = 60_000;

/** Loads a package into an engine and waits until the engine has made up its mind. Throws a refusal. */
export async function loadEngine(
  { engine, mpid }: { readonly engine: number; readonly mpid: string },
  context: ChangeContext,
): Promise<ModelChanged> {
  const { outcome } = requireTaken(
    await context.calls.settle({
      operation: 'aiPlatform.engine.load',
      params: { engineID: engine },
      body: { MPID: mpid },
      hasTaken: async () => (await viewOf(engine, context)).mpid === mpid,
    }),
  );
  if (outcome === 'needs-reboot') return { outcome, ...(await viewOf(engine, context)) };
  return settled(engine, context, (MPID, status) => ({
    isOver: status !== ENGINE_STATES.initializing && status !== ENGINE_STATES.empty,
    outcome: MPID === mpid && status === ENGINE_STATES.running ? 'effective' : notShown(outcome),
  }));
}

/** Unloads an engine. Throws a refusal. */
export async function unloadEngine(engine: number, context: ChangeContext): Promise<ModelChanged> {
  const isEmpty = async (): Promise<boolean> => (await viewOf(engine, context)).mpid === '';
  const { outcome } = requireTaken(
    await context.calls.settle({
      operation: 'aiPlatform.engine.unload',
      params: { engineID: engine },
      hasTaken: isEmpty,
    }),
  );
  if (outcome === 'needs-reboot') return { outcome, ...(await viewOf(engine, context)) };
  return settled(engine, context, (MPID) => ({
    isOver: MPID === '',
    outcome: MPID === '' ? 'effective' : notShown(outcome),
  }));
}

/** Resets an engine. Throws a refusal, and `not-supported` where the device says that it cannot. */
export async function resetEngine(engine: number, context: ChangeContext): Promise<ModelChanged> {
  const { calls, url } = context;
  const flags = await calls.read<Readonly<Record<string, unknown>>>('aiPlatform.capabilities.get');
  if (flags['isSupportResetEngine'] === false)
    throw deviceError('not-supported', say('model.no-reset'), { device: url });
  const { outcome } = requireTaken(
    await calls.settle({ operation: 'aiPlatform.engine.reset', params: { engineID: engine } }),
  );
  if (outcome === 'needs-reboot') return { outcome, ...(await viewOf(engine, context)) };
  return settled(engine, context, (_MPID, status) => ({
    isOver: status !== ENGINE_STATES.initializing,
    // That it was reset shows in nothing but its state afterwards.
    outcome: outcome === 'unknown' ? 'unknown' : 'accepted',
  }));
}

/** Deletes a package that no engine runs. Throws a refusal, and `not-allowed` where one does. */
export async function removePackage(mpid: string, { calls, url }: ChangeContext): Promise<ModelChanged> {
  const [user] = (await readEngines(calls)).filter(({ MPID }) => MPID === mpid);
  if (user !== undefined)
    throw userError('not-allowed', say('model.still-loaded', { mpid, engine: user.engine }), { device: url });
  const { outcome } = requireTaken(await deletePackage(mpid, calls));
  return { outcome: outcome as ModelChanged['outcome'] };
}

/** Deletes a package and looks whether the device lists it any longer. */
export function deletePackage(mpid: string, calls: AiCalls): ReturnType<AiCalls['settle']> {
  return calls.settle({
    operation: 'aiPlatform.models.delete',
    params: { MPID: mpid },
    hasTaken: async () => !(await readPackages(calls)).some(({ MPID }) => MPID === mpid),
  });
}

/** What an engine that does not show the change makes of it: ignored, or nobody knows. */
function notShown(outcome: string): 'ignored' | 'unknown' {
  return outcome === 'unknown' ? 'unknown' : 'ignored';
}

interface Judged {
  readonly isOver: boolean;
  readonly outcome: ModelChanged['outcome'];
}

async function settled(
  engine: number,
  context: ChangeContext,
  judge: (MPID: string, status: number) => Judged,
): Promise<ModelChanged> {
  const { clock, signal } = context;
  const until = clock.now().getTime() + SETTLED_MS;
  for (;;) {
    const { mpid, status } = await viewOf(engine, context);
    const { isOver, outcome } = judge(mpid, status);
    if (isOver || clock.now().getTime() >= until) return { outcome, status, mpid };
    await clock.delay(LOOK_MS, signal);
  }
}

async function viewOf(
  engine: number,
  { calls }: Pick<ChangeContext, 'calls'>,
): Promise<{ readonly mpid: string; readonly status: number }> {
  const { MPID = '', status = -1 } = (await readEngines(calls)).find((each) => each.engine === engine) ?? {};
  return { mpid: MPID, status };
}
