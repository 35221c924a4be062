/** Readings of one device, each an operation whose answer is its value. */
import { defined } from '../../shared/defined.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import type { OperationsApi } from '../api/routes.ts';
import type { StepContext } from './flow.ts';

/** Throws what the device answered where it did not answer well. */
export function readWith(
  operations: Pick<OperationsApi, 'call'>,
  deviceId: string,
  signal: AbortSignal,
): StepContext['read'] {
  return async <T>(operation: string, params?: Parameters<StepContext['read']>[1]): Promise<T> => {
    const answer = await operations.call({ deviceId, operation, ...defined({ params }) }, signal);
    if (answer.error !== undefined) throw new FieldwrightError(answer.error);
    return answer.value as T;
  };
}
