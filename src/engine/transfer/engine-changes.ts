/** One change of one device: a package into an engine and out of it, an engine reset, a package deleted; each read back. */
import { say } from '../../shared/details.ts';
import { userError } from '../../shared/errors.ts';
import { ENGINE_STATES, type ModelChanged } from '../../shared/models.ts';
import type { Clock } from '../api/host.ts';
import type { AiCalls } from './ai-calls.ts';
import { readEngines, readPackages } from './board.ts';

export interface ChangeContext {
  readonly calls: AiCalls;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly url: string;
}

const LOOK_MS = 1_000;
const SETTLED_MS = 60_000;

/** Loads and waits until the engine has made up its mind. Throws a refusal. */
export async function loadEngine(
  { engine, mpid }: { readonly engine: number; readonly mpid: string },
  context: ChangeContext,
): Promise<ModelChanged> {
  await context.calls.write('aiPlatform.engine.load', { engineID: engine }, { MPID: mpid });
  return settled(engine, context, (MPID, status) => ({
    isOver: status !== ENGINE_STATES.initializing && status !== ENGINE_STATES.empty,
    outcome: MPID === mpid && status === ENGINE_STATES.running ? 'effective' : 'ignored',
  }));
}

export async function unloadEngine(engine: number, context: ChangeContext): Promise<ModelChanged> {
  await context.calls.write('aiPlatform.engine.unload', { engineID: engine });
  return settled(engine, context, (MPID) => ({
    isOver: MPID === '',
    outcome: MPID === '' ? 'effective' : 'ignored',
  }));
}

export async function resetEngine(engine: number, context: ChangeContext): Promise<ModelChanged> {
  await context.calls.write('aiPlatform.engine.reset', { engineID: engine });
  return settled(engine, context, (_MPID, status) => ({
    isOver: status !== ENGINE_STATES.initializing,
    // That it was reset shows in nothing but its state afterwards.
    outcome: 'accepted',
  }));
}

export async function removePackage(mpid: string, { calls, url }: ChangeContext): Promise<ModelChanged> {
  const [user] = (await readEngines(calls)).filter(({ MPID }) => MPID === mpid);
  if (user !== undefined)
    throw userError('not-allowed', say('model.still-loaded', { mpid, engine: user.engine }), { device: url });
  await calls.write('aiPlatform.models.delete', { MPID: mpid });
  const left = (await readPackages(calls)).some(({ MPID }) => MPID === mpid);
  return { outcome: left ? 'ignored' : 'effective' };
}

interface Judged {
  readonly isOver: boolean;
  readonly outcome: ModelChanged['outcome'];
}

async function settled(
  engine: number,
  { calls, clock, signal }: ChangeContext,
  judge: (MPID: string, status: number) => Judged,
): Promise<ModelChanged> {
  const until = clock.now().getTime() + SETTLED_MS;
  for (;;) {
    const view = (await readEngines(calls)).find((each) => each.engine === engine);
    const { MPID = '', status = -1 } = view ?? {};
    const { isOver, outcome } = judge(MPID, status);
    if (isOver || clock.now().getTime() >= until) return { outcome, status, mpid: MPID };
    await clock.delay(LOOK_MS, signal);
  }
}
