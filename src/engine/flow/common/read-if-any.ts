/** What a device may not have. */
import { toErrorShape, type ErrorCode } from '../../../shared/errors.ts';
import type { Params } from '../../../shared/model.ts';
import type { StepContext } from '../flow.ts';

/** The device answered, and the answer was no; anything else is an obstacle, and thrown. */
const SAYS_NO: ReadonlySet<ErrorCode> = new Set([
  'not-supported',
  'not-found',
  'refused',
  'invalid-operation',
  'invalid-content',
  'device-error',
]);

/** Undefined where the device does not have it. */
export async function readIfAny<T>(
  step: StepContext,
  operation: string,
  params?: Params,
): Promise<T | undefined> {
  try {
    return await step.read<T>(operation, params);
  } catch (thrown) {
    if (SAYS_NO.has(toErrorShape(thrown).code)) return undefined;
    throw thrown;
  }
}
