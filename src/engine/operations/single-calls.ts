/** `call` and `request` of the API: reads are sent at once, requests that may change a device run as a job. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say } from '#shared/details.ts';
import { FieldwrightError, userError, type ErrorShape } from '#shared/errors.ts';
import type { CallAnswer, CallOutcome, Device, UnitOutcome } from '#shared/model.ts';
import { isReadOnly, type Operation } from '#protocol/definition.ts';
import {
  buildPath,
  findOperationAt,
  redactPlain,
  createRefusal,
  requestDestroys,
  listSecrets,
  maskPlainSecrets,
} from '#protocol/index.ts';
import type { CallRequest, RawRequest } from '../api/routes.ts';
import type { Calls, SettledCall, SingleCall } from '../calls/calls.ts';
import type { Answer, RequestOptions } from '../device/client-types.ts';
import { listSentSecrets } from '../device/exchange.ts';
import { mayHoldSecrets } from '../write/holds-secrets.ts';
import { getShownPayload, toRawAnswer } from './answer.ts';
import { callDestroys } from './operations.ts';
import {
  requireOperation,
  type createCaller,
  type createPreparer,
  type createRequestPreparer,
} from './call.ts';

interface SingleCallsOptions {
  readonly call: ReturnType<typeof createCaller>;
  readonly prepare: ReturnType<typeof createPreparer>;
  readonly prepareRequest: ReturnType<typeof createRequestPreparer>;
  readonly find: (deviceId: string) => Device;
  readonly calls: () => Pick<Calls, 'run'>;
}

type OnExchange = RequestOptions['onExchange'];

export function createSingleCalls({ call, prepare, prepareRequest, find, calls }: SingleCallsOptions) {
  /** Checks a write and sends it as a job. Throws if nothing was sent. */
  async function write(request: CallRequest, signal: AbortSignal, onExchange?: OnExchange) {
    const operation = requireOperation(request.operation);
    const { raw = false, body, params = {}, confirmed } = request;
    requireConfirmed(callDestroys(operation.id, body, raw), confirmed, operation.id);
    const prepared = await prepare(request, { signal });
    const settled = await calls().run(
      {
        device: find(request.deviceId),
        operation,
        params,
        text: prepared.body,
        sensitive: mayHoldSecrets(operation),
        secrets:
          operation.request === undefined || raw
            ? listSentSecrets(prepared.body, operation.id)
            : listSecrets(operation.request, body),
        send: heardBy(prepared.send, onExchange),
      },
      signal,
    );
    return { ...settled, prepared };
  }

  return {
    write,

    async call(request: CallRequest, signal: AbortSignal, onExchange?: OnExchange): Promise<CallAnswer> {
      const operation = requireOperation(request.operation);
      if (isReadOnly(operation)) return call(request, signal, onExchange);
      const { prepared, ...settled } = await write(request, signal, onExchange);
      const { device, warnings } = prepared;
      return {
        ...answerOf(settled, operation, device, request.raw === true),
        ...(warnings.length === 0 ? {} : { warnings }),
      };
    },

    async request(wanted: RawRequest, signal: AbortSignal, onExchange?: OnExchange): Promise<CallAnswer> {
      const { method, device, contentType, send } = prepareRequest(wanted);
      const { profile, ...rest } = find(wanted.deviceId);
      const { operation, params } = operationOf({ ...wanted, method }, contentType, profile.pathPrefix);
      if (isReadOnly(operation)) return toRawAnswer(await send({ signal, onExchange }), { device });
      const takesAway = requestDestroys({ ...wanted, method }, profile.pathPrefix);
      requireConfirmed(takesAway, wanted.confirmed, operation.id);
      const settled = await calls().run(
        {
          device: { profile, ...rest },
          operation,
          params,
          text: wanted.body,
          sensitive: mayHoldSecrets(operation),
          secrets: listSentSecrets(wanted.body, operation.specified ? operation.id : undefined),
          send: heardBy(send, onExchange),
        },
        signal,
      );
      return answerOf(settled, operation, device, true);
    },
  };
}

function heardBy(send: SingleCall['send'], onExchange: OnExchange): SingleCall['send'] {
  return (options) => send({ ...options, ...removeUndefined({ onExchange }) });
}

function requireConfirmed(takesAway: boolean, confirmed: boolean | undefined, operation: string): void {
  if (!takesAway || confirmed === true) return;
  throw userError('confirmation-needed', say('call-destroys'), { operation });
}

/** Returns the operation of a raw request; a placeholder without definition if no operation has its path. */
function operationOf(
  { method, path }: RawRequest,
  contentType: string,
  prefix: string,
): NonNullable<ReturnType<typeof findOperationAt>> {
  const found = findOperationAt({ method, path }, prefix);
  if (found !== undefined && isPathOf(found, prefix)) return found;
  const id = `${method} ${redactPlain(maskPlainSecrets(path)).slice(0, LONGEST_PATH)}`;
  return {
    operation: {
      id,
      area: 'system',
      part: 1,
      method: method as Operation['method'],
      path,
      format: contentType.includes('json') ? 'json' : 'xml',
      label: id,
      params: [],
      idempotent: method !== 'POST',
      sensitive: true,
      specified: false,
      spec: '',
    },
    params: {},
  };
}

const LONGEST_PATH = 200;

function isPathOf(
  { operation, params }: NonNullable<ReturnType<typeof findOperationAt>>,
  prefix: string,
): boolean {
  try {
    buildPath(operation, params, prefix);
    return true;
  } catch {
    return false;
  }
}

const CALL_OUTCOMES: Readonly<Partial<Record<UnitOutcome, CallOutcome>>> = {
  effective: 'ok',
  accepted: 'ok',
  'needs-reboot': 'needs-reboot',
  refused: 'refused',
  ignored: 'ignored',
};

function answerOf(
  { conclusion, answer, jobId }: SettledCall,
  operation: Operation,
  device: string,
  raw: boolean,
): CallAnswer {
  const outcome = CALL_OUTCOMES[conclusion.outcome] ?? 'unknown';
  const error = errorOf(conclusion.error, outcome, answer, { operation: operation.id, device });
  return {
    ...(answer === undefined
      ? { status: conclusion.status ?? { http: 0 }, value: undefined, notes: [] }
      : {
          status: answer.status.report,
          ...(raw
            ? { value: undefined, notes: [], raw: answer.shown(answer.text) }
            : readablePayload(answer, operation)),
        }),
    outcome,
    error,
    job: jobId,
  };
}

function readablePayload(answer: Answer, operation: Operation): ReturnType<typeof getShownPayload> {
  try {
    return getShownPayload(answer, operation);
  } catch (error) {
    // The outcome already says that the answer cannot be read.
    if (error instanceof FieldwrightError) return { value: undefined, notes: [] };
    throw error;
  }
}

function errorOf(
  error: ErrorShape | undefined,
  outcome: CallOutcome,
  answer: Answer | undefined,
  place: { readonly operation: string; readonly device: string },
): ErrorShape | undefined {
  if (outcome === 'ok') return undefined;
  if (outcome !== 'needs-reboot' || answer === undefined) return error;
  return createRefusal(answer.status, { ...place, exchange: answer.exchange() });
}
