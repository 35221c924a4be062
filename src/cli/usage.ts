/** Errors of the person's command line: nothing was sent. */
import { say } from '#shared/details.ts';
import { userError, type ErrorShape, type FieldwrightError } from '#shared/errors.ts';

/** What is wrong, and what to try, by the catalogue. */
export function createUsageError(
  problem: ReturnType<typeof say>,
  known?: Partial<ErrorShape>,
): FieldwrightError {
  return userError('usage', problem, known);
}

/** A whole number within bounds, or a usage error that names the option. */
export function parseWholeNumber(
  text: string,
  option: string,
  bounds: { readonly min: number; readonly max: number },
): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (!(value >= bounds.min && value <= bounds.max))
    throw createUsageError(say('cli.whole-number', { option, ...bounds, text }), { path: option });
  return value;
}

/** `name=value` of a `--param`; the value may hold further `=`. */
export function nameAndValue(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1)
    throw createUsageError(say('cli.name-and-value', { option: '--param', text }), { path: '--param' });
  return [text.slice(0, at), text.slice(at + 1)];
}
