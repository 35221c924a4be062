/** Operations of the AI platform on one device, as a transfer asks them: a refusal is thrown, a busy device is asked again. */
import { defined } from '../../shared/defined.ts';
import { say } from '../../shared/details.ts';
import { FieldwrightError, deviceError } from '../../shared/errors.ts';
import type { Params } from '../../shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { OperationsApi } from '../api/routes.ts';

interface AiCallsOptions {
  readonly call: OperationsApi['call'];
  readonly deviceId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Busy means not processed: the same request may go out again. */
const BUSY_DELAYS_MS = [500, 2_000, 5_000];

export class AiCalls {
  readonly #options: AiCallsOptions;

  constructor(options: AiCallsOptions) {
    this.#options = options;
  }

  /** Value of a GET. Throws where there is no answer, and a refusal. */
  async read<T>(operation: string, params?: Params): Promise<T> {
    const { call, deviceId, signal } = this.#options;
    const answer = await call({ deviceId, operation, ...defined({ params }) }, signal);
    if (answer.error !== undefined) throw new FieldwrightError(answer.error);
    return answer.value as T;
  }

  /** PUT, POST or DELETE; never cut off by a cancel. Throws where there is no answer, and a refusal. */
  async write(operation: string, params?: Params, body?: unknown): Promise<void> {
    const { call, deviceId, clock, signal } = this.#options;
    const request = { deviceId, operation, ...defined({ params, body }) };
    for (const delay of BUSY_DELAYS_MS) {
      const { outcome, error } = await call(request, UNSTOPPED);
      if (error === undefined || outcome === 'needs-reboot') return;
      if (error.code !== 'device-busy') throw new FieldwrightError(error);
      await clock.delay(delay, signal);
    }
    throw deviceError('device-busy', say('device.busy'), { operation });
  }
}

/** What was sent is waited for, whoever stops meanwhile. */
const UNSTOPPED = new AbortController().signal;
