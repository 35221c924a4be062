/** Masks secrets in results and errors, but not in codes and outcomes: a secret may be an ordinary word. */
import type { ErrorShape } from '#shared/errors.ts';
import type { UnitResult } from '#shared/model.ts';
import { redact } from './redact.ts';

/** Masks secrets in the texts of an error, never in its code, operation, device or path. */
export function redactError(error: ErrorShape, secrets: readonly string[]): ErrorShape {
  const { code, source, operation, device, path } = error;
  const clean = redact(error, secrets);
  return clean === error
    ? error
    : {
        ...clean,
        code,
        source,
        ...(operation !== undefined && { operation }),
        ...(device !== undefined && { device }),
        ...(path !== undefined && { path }),
      };
}

/** Masks secrets in the values of a result, never in its outcome, label or note. */
export function redactResult<Result extends UnitResult>(result: Result, secrets: readonly string[]): Result {
  const clean = redact(result, secrets);
  if (clean === result) return result;
  const { index, label, outcome, note, error } = result;
  return {
    ...clean,
    index,
    label,
    outcome,
    ...(note !== undefined && { note }),
    ...(error !== undefined && { error: redactError(error, secrets) }),
  };
}
