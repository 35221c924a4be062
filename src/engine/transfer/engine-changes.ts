/** Single changes of a device, each as its own job: load or unload an engine, reset it, delete a package. */
import { say } from '#shared/details.ts';
import { deviceError, FieldwrightError, userError } from '#shared/errors.ts';
import type { ModelChanged } from '#shared/ai-models/ai-models.ts';
import type { SingleWriter } from '../write/look-for.ts';
import type { AiCalls } from './ai-calls.ts';
import { readEngines, readPackages } from './board.ts';
import type { EngineShown } from './engine-looks.ts';

export interface ChangeContext {
  readonly calls: AiCalls;
  readonly write: SingleWriter;
  readonly deviceId: string;
  readonly signal: AbortSignal;
  readonly url: string;
}

/** Loads a package into an engine and waits until the engine has finished. Throws if the device refuses. */
export function loadEngine(
  { engine, mpid }: { readonly engine: number; readonly mpid: string },
  context: ChangeContext,
): Promise<ModelChanged> {
  return change(
    { operation: 'aiPlatform.engine.load', params: { engineID: engine }, body: { MPID: mpid } },
    context,
  );
}

interface EngineRequest {
  readonly engine: number;
  readonly confirmed?: boolean;
}

/** Unloads an engine. Throws if the device refuses. */
export function unloadEngine(
  { engine, confirmed }: EngineRequest,
  context: ChangeContext,
): Promise<ModelChanged> {
  return change({ operation: 'aiPlatform.engine.unload', params: { engineID: engine }, confirmed }, context);
}

/** Resets an engine. Throws if the device refuses. @throws `not-supported` if the device says that it cannot */
export async function resetEngine(
  { engine, confirmed }: EngineRequest,
  context: ChangeContext,
): Promise<ModelChanged> {
  const { calls, url } = context;
  const flags = await calls.read<Readonly<Record<string, unknown>>>('aiPlatform.capabilities.get');
  if (flags['isSupportResetEngine'] === false)
    throw deviceError('not-supported', say('model.no-reset'), { device: url });
  return change({ operation: 'aiPlatform.engine.reset', params: { engineID: engine }, confirmed }, context);
}

/** Deletes a package that no engine runs. Throws if the device refuses. @throws `not-allowed` if an engine runs it */
export async function removePackage(
  { mpid, confirmed }: { readonly mpid: string; readonly confirmed?: boolean },
  context: ChangeContext,
): Promise<ModelChanged> {
  const { calls, url } = context;
  const listed = (await readPackages(calls)).find(({ MPID }) => MPID === mpid);
  const engine = listed?.engines[0] ?? (await readEngines(calls)).find(({ MPID }) => MPID === mpid)?.engine;
  if (engine !== undefined)
    throw userError('not-allowed', say('model.still-loaded', { mpid, engine }), { device: url });
  return change({ operation: 'aiPlatform.models.delete', params: { MPID: mpid }, confirmed }, context);
}

/** Deletes a package within a job, and checks that the device no longer lists it. */
export function deletePackage(mpid: string, calls: AiCalls): ReturnType<AiCalls['settle']> {
  return calls.settle({
    operation: 'aiPlatform.models.delete',
    params: { MPID: mpid },
    hasTaken: async () => !(await readPackages(calls)).some(({ MPID }) => MPID === mpid),
  });
}

async function change(
  request: Omit<Parameters<SingleWriter>[0], 'deviceId'>,
  { write, deviceId, signal }: ChangeContext,
): Promise<ModelChanged> {
  const { conclusion, jobId } = await write({ deviceId, ...request }, signal);
  const { outcome, error, shown } = conclusion;
  if (outcome === 'refused' || outcome === 'failed')
    throw new FieldwrightError(error ?? { code: 'refused', source: 'device', ...say('cli.call-refused') });
  const { status, mpid } = (shown ?? {}) as Partial<EngineShown>;
  return { outcome, job: jobId, status, mpid, error };
}
