/** The package in a request, where the device says that it takes one so; the specification does not show how. */
import { trouble } from './send.ts';
import type { Send, StepEnd } from './send.ts';

export function pushStep(send: Send): Promise<StepEnd> {
  return Promise.resolve({ kind: 'failed', error: trouble(send, 'not-supported', 'model.no-push') });
}
