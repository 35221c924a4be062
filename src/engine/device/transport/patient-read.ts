import { isWorthWaiting } from '#shared/error-meaning.ts';
import { toErrorShape } from '#shared/errors.ts';
import type { Operation } from '#protocol/index.ts';
import type { Params } from '#shared/model.ts';
import type { Clock } from '#engine/api/host.ts';
import type { DeviceClient, ReadAnswer } from '../client-types.ts';

export interface PatientRead {
  readonly client: DeviceClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Waits in milliseconds, the same everywhere: before a busy device is asked again, and before a device that does not show
 * a write yet is checked again. About seven seconds in all.
 */
export const PATIENCE_MS: readonly number[] = [300, 900, 2_000, 4_000];

/** Reads a document, and retries while the device is busy: busy means that it did not process the request. */
export async function readPatiently(
  operation: Operation,
  params: Params,
  { client, clock, signal }: PatientRead,
): Promise<ReadAnswer> {
  for (const delay of PATIENCE_MS) {
    const answer = await client.read(operation, params, { signal });
    if (answer.status.kind !== 'busy') return answer;
    await clock.delay(delay, signal);
  }
  return client.read(operation, params, { signal });
}

/** Calls `ask`, and retries after the waits of `PATIENCE_MS` if the error may pass by itself. */
export async function askPatiently<Found>(
  ask: () => Promise<Found>,
  { clock, signal }: Pick<PatientRead, 'clock' | 'signal'>,
): Promise<Found> {
  for (const delay of PATIENCE_MS) {
    try {
      return await ask();
    } catch (thrown) {
      if (!isWorthWaiting(toErrorShape(thrown))) throw thrown;
    }
    await clock.delay(delay, signal);
  }
  return ask();
}
