import type { Operation } from '../../../protocol/index.ts';
import type { Params } from '../../../shared/model.ts';
import type { Clock } from '../../api/host.ts';
import type { DeviceClient, ReadAnswer } from '../client-types.ts';

export interface PatientRead {
  readonly client: DeviceClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Busy means not processed: it is asked again, with growing patience. */
export const BUSY_DELAYS_MS: readonly number[] = [300, 900, 2700];

/** A GET that a busy device gets again. */
export async function readPatiently(
  operation: Operation,
  params: Params,
  { client, clock, signal }: PatientRead,
): Promise<ReadAnswer> {
  for (const delay of BUSY_DELAYS_MS) {
    const answer = await client.read(operation, params, { signal });
    if (answer.status.kind !== 'busy') return answer;
    await clock.delay(delay, signal);
  }
  return client.read(operation, params, { signal });
}
