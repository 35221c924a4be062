/** Open work in words. */
import type { OpenWorkEvent } from '#shared/model.ts';
import { translateError } from './errors.ts';
import type { Output } from './output.ts';

/** Returns a line about an attempt at open work: the device, and what became of it. */
export function describeWorkEvent(
  { name, outcome, reason, error }: Extract<OpenWorkEvent, { readonly type: 'work' }>,
  out: Output,
): string {
  const open = (): string =>
    outcome === 'open' ? out.status('open', reason) : out.say(`cli.work-${outcome}`);
  return `${name}: ${error === undefined ? open() : translateError(error, out).message}`;
}
