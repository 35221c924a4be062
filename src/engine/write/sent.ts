/** Result of one write request, derived from its answer or the lack of one. */
import type { Operation } from '#protocol/definition.ts';
import { isInterfaceDocument, isPlain, createRefusal } from '#protocol/index.ts';
import { formatDetail, say } from '#shared/details.ts';
import { answerKind, isShutOut, mayHaveArrived } from '#shared/error-meaning.ts';
import { toErrorShape, type ErrorShape, type StatusReport } from '#shared/errors.ts';
import type { Clock } from '../api/host.ts';
import type { Answer } from '../device/client-types.ts';
import { decodePayload } from '../device/payload.ts';
import { PATIENCE_MS } from '../device/transport/patient-read.ts';

export type Sent =
  /** The device accepted with a readable answer. `restart`: the write takes effect after its next restart (status 7). */
  | { readonly kind: 'yes' | 'restart'; readonly status: StatusReport; readonly answer: Answer }
  /** The device refused the request. `busy`: it did not process the request, even after retries. */
  | {
      readonly kind: 'no' | 'busy';
      readonly status: StatusReport;
      readonly error: ErrorShape;
      readonly answer?: Answer;
    }
  /** The device may have taken it: the answer was lost, or neither accepts nor refuses. */
  | { readonly kind: 'unclear'; readonly status?: StatusReport; readonly error: ErrorShape }
  /** The request never reached the device, or the device refused the sign-in. */
  | { readonly kind: 'not-sent'; readonly status?: StatusReport; readonly error: ErrorShape };

/** Part of `Sent` that `concludeWrite` needs; it can be restored for a request that was sent earlier. */
export type KeptSent =
  | { readonly kind: 'yes' | 'restart'; readonly status?: StatusReport }
  | {
      readonly kind: 'no' | 'busy' | 'unclear' | 'not-sent';
      readonly status?: StatusReport;
      readonly error: ErrorShape;
    };

export interface WritePlace {
  readonly operation: Operation;
  /** Address of the device, for errors. */
  readonly device: string;
}

/** One request, which is sent again while the device is too busy to process it. */
export interface Sending extends WritePlace {
  /** Sends the request once. Must not end early on a cancel: requests under way are finished. */
  readonly send: () => Promise<Answer>;
  readonly clock: Clock;
  /** Aborts the waits between attempts. */
  readonly signal: AbortSignal;
}

/** Sends a request and returns its result; retries a busy device after the waits of `PATIENCE_MS`. Never throws. */
export async function sendPatiently({ send, clock, signal, ...place }: Sending): Promise<Sent> {
  for (let round = 0; ; round += 1) {
    const sent = await sendOnce(send, place);
    const delay = PATIENCE_MS[round];
    if (sent.kind !== 'busy' || delay === undefined || signal.aborted) return sent;
    await clock.delay(delay, signal).catch(() => undefined);
  }
}

async function sendOnce(send: Sending['send'], place: WritePlace): Promise<Sent> {
  try {
    return concludeAnswer(await send(), place);
  } catch (thrown) {
    const error = placed(toErrorShape(thrown), place);
    return { kind: mayHaveArrived(error) ? 'unclear' : 'not-sent', error };
  }
}

/**
 * Returns what an answer to a write means (part 1, 2.4; part 2, 7; part 3, 7). Only a readable status is a success, or the
 * payload of an operation that answers with one: a 2xx with another body, or with a truncated status, proves nothing. An
 * empty body is a success in JSON, whose status fields are all optional, but not in XML, where they are required. A
 * payload may itself be a refusal (`refusal` of the operation).
 */
export function concludeAnswer(answer: Answer, place: WritePlace): Sent {
  const { status } = answer;
  const { report } = status;
  switch (status.kind) {
    case 'needs-reboot':
      return { kind: 'restart', status: report, answer };
    case 'ok':
    case 'none': {
      const { isReadable, value } = readPayload(answer, place.operation);
      if (!isReadable)
        return {
          kind: 'unclear',
          status: report,
          error: errorOf(answer, place, { code: 'malformed-answer', ...say('write-answer-unreadable') }),
        };
      const refusal = isPlain(value) ? place.operation.refusal?.(value) : undefined;
      if (refusal === undefined) return { kind: 'yes', status: report, answer };
      const error = errorOf(answer, place, {
        code: 'refused',
        message: formatDetail(refusal),
        detail: refusal,
      });
      return { kind: 'no', status: report, error, answer };
    }
    default: {
      const error = createRefusal(status, {
        operation: place.operation.id,
        device: place.device,
        exchange: answer.exchange(),
      });
      if (isShutOut(error)) return { kind: 'not-sent', status: report, error };
      return { kind: answerKind(error) === 'busy' ? 'busy' : 'no', status: report, error, answer };
    }
  }
}

/** Reads the payload next to a good status. If it is unreadable, a readable status still counts. */
function readPayload(
  answer: Answer,
  operation: Operation,
): { readonly isReadable: boolean; readonly value?: unknown } {
  const { kind, body } = answer.status;
  const saysOk = kind === 'ok' && (body !== 'empty' || operation.format === 'json');
  // The specification does not show this answer: accept any document of the interface, but not a web page.
  if (!operation.specified)
    return { isReadable: saysOk || (kind === 'none' && isInterfaceDocument(answer.text)) };
  try {
    const found = decodePayload(operation, answer);
    return { isReadable: saysOk || found !== undefined, value: found?.value };
  } catch {
    return { isReadable: saysOk };
  }
}

function errorOf(
  { status, exchange }: Answer,
  { operation, device }: WritePlace,
  error: Omit<ErrorShape, 'source'>,
): ErrorShape {
  return {
    source: 'device',
    ...error,
    operation: operation.id,
    device,
    status: status.report,
    exchange: exchange(),
  };
}

function placed(error: ErrorShape, { operation, device }: WritePlace): ErrorShape {
  return { ...error, operation: error.operation ?? operation.id, device: error.device ?? device };
}
