/** Results and errors without secrets: a secret may be an ordinary word, and what decides must not be masked with it. */
import type { ErrorShape } from '../../shared/errors.ts';
import type { UnitResult } from '../../shared/model.ts';
import { redact } from './redact.ts';

/** Masks secrets in what an error says, never in its code or in what it is about. */
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

/** Masks secrets in what a result shows, never in its outcome. */
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
