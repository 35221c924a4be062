/** Errors of the person's command line: nothing was sent. */
import { say } from '../shared/details.ts';
import { FieldwrightError } from '../shared/errors.ts';

/** What is wrong, and what to try, by the catalogue. */
export function usageError(
  said: ReturnType<typeof say>,
  extra: {
    readonly hint?: string;
    readonly nearest?: string;
    readonly path?: string;
    readonly file?: string;
    readonly line?: number;
  } = {},
): FieldwrightError {
  return new FieldwrightError({
    code: 'usage',
    source: 'user',
    ...said,
    ...extra,
  });
}

/** A whole number within bounds, or a usage error that names the option. */
export function wholeNumber(
  text: string,
  option: string,
  bounds: { readonly min: number; readonly max: number },
): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (!(value >= bounds.min && value <= bounds.max))
    throw new FieldwrightError({
      code: 'usage',
      source: 'user',
      path: option,
      ...say('cli.whole-number', { option, ...bounds, text }),
    });
  return value;
}

/** `name=value`; the value may hold further `=`. */
export function nameAndValue(text: string, option: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1)
    throw new FieldwrightError({
      code: 'usage',
      source: 'user',
      path: option,
      ...say('cli.name-and-value', { option, text }),
    });
  return [text.slice(0, at), text.slice(at + 1)];
}
