/** Readings of what a device may not have, or may not give while it is away. */
import { saysNo } from '../../../shared/error-meaning.ts';
import { FieldwrightError, type ErrorShape } from '../../../shared/errors.ts';
import type { Params } from '../../../shared/model.ts';
import type { StepContext } from '../flow.ts';

/** Returns what `look` reads, or undefined where it fails for one of these reasons. Throws everything else. */
export async function unless<T>(
  isReason: (error: ErrorShape) => boolean,
  look: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await look();
  } catch (thrown) {
    if (thrown instanceof FieldwrightError && isReason(thrown.shape)) return undefined;
    throw thrown;
  }
}

/** Reads what the device may not have; undefined where it says so. Anything else that stands in the way is thrown. */
export function readIfAny<T>(step: StepContext, operation: string, params?: Params): Promise<T | undefined> {
  return unless(saysNo, () => step.read<T>(operation, params));
}
