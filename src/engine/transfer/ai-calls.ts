/** Calls operations of the AI platform on one device, for the steps of a transfer. */
import { FieldwrightError } from '#shared/errors.ts';
import type { Params } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { CallRequest, OperationsApi } from '../api/routes.ts';
import type { PreparedWrite } from '../operations/call.ts';
import type { RequestOptions } from '../device/client-types.ts';
import { settleWrite, type Conclusion, type Seen } from '../write/settle-write.ts';

/** Functions that read from a device and prepare writes to it. */
export interface AiOperations {
  readonly call: OperationsApi['call'];
  readonly prepare: (request: CallRequest, options: RequestOptions) => Promise<PreparedWrite>;
}

interface AiCallsOptions extends AiOperations {
  readonly deviceId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface AiWrite {
  readonly operation: string;
  readonly params?: Params;
  readonly body?: unknown;
  /** Returns true if the device shows that it took the write; absent if no document shows it. */
  readonly hasTaken?: () => Promise<boolean>;
}

export class AiCalls {
  readonly #options: AiCallsOptions;

  constructor(options: AiCallsOptions) {
    this.#options = options;
  }

  /** Returns the value of a GET. Throws if there is no answer, or a refusal. */
  async read<T>(operation: string, params?: Params): Promise<T> {
    const { call, deviceId, signal } = this.#options;
    const answer = await call({ deviceId, operation, params }, signal);
    if (answer.error !== undefined) throw new FieldwrightError(answer.error);
    return answer.value as T;
  }

  /**
   * Sends a PUT, POST or DELETE, checks the device afterwards and returns the conclusion; a cancel does not interrupt it.
   * The caller must journal the intent first. Throws if the write is invalid, or if the device cannot be read before it.
   */
  async settle({ hasTaken, ...write }: AiWrite): Promise<Conclusion> {
    const { prepare, deviceId, clock } = this.#options;
    const { operation, device, send } = await prepare({ deviceId, ...write }, { signal: UNSTOPPED });
    return settleWrite<undefined>({
      operation,
      device,
      clock,
      signal: UNSTOPPED,
      intend: () => Promise.resolve(),
      send: () => send({ signal: UNSTOPPED }),
      ...(hasTaken === undefined ? {} : { look: async () => seenAs(await hasTaken()) }),
    });
  }
}

function seenAs(hasTaken: boolean): Seen<undefined> {
  return { kind: hasTaken ? 'taken' : 'untouched', shown: undefined };
}

/** Throws the error of a write that the device did not get or did not take; returns every other conclusion. */
export function requireTaken(conclusion: Conclusion): Conclusion {
  const { outcome, error } = conclusion;
  if ((outcome === 'refused' || outcome === 'failed') && error !== undefined)
    throw new FieldwrightError(error);
  return conclusion;
}

/** Signal for requests that were sent: their answer is awaited even if the job stops. */
const UNSTOPPED = new AbortController().signal;
