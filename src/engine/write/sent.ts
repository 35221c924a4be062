/** What became of one request to write: what its answer, or the lack of one, says about it. */
import type { Operation } from '../../protocol/definition.ts';
import { isInterfaceDocument, isPlain, refusalOf } from '../../protocol/index.ts';
import { detailText, say } from '../../shared/details.ts';
import { answerKind, isShutOut, mayHaveArrived } from '../../shared/error-meaning.ts';
import { toErrorShape, type ErrorShape, type StatusReport } from '../../shared/errors.ts';
import type { Clock } from '../api/host.ts';
import type { Answer } from '../device/client-types.ts';
import { payloadOf } from '../device/payload.ts';
import { PATIENCE_MS } from '../device/transport/patient-read.ts';

export type Sent =
  /** The device said yes, readably; `restart`: what it took counts after its next restart (status 7). */
  | { readonly kind: 'yes' | 'restart'; readonly status: StatusReport; readonly answer: Answer }
  /** It refused the request; `busy`: it did nothing, however often it was asked. */
  | {
      readonly kind: 'no' | 'busy';
      readonly status: StatusReport;
      readonly error: ErrorShape;
      readonly answer?: Answer;
    }
  /** It may have done it: the answer was lost, or says neither yes nor no. */
  | { readonly kind: 'unclear'; readonly status?: StatusReport; readonly error: ErrorShape }
  /** It never reached the device, or the device lets this account do nothing. */
  | { readonly kind: 'not-sent'; readonly status?: StatusReport; readonly error: ErrorShape };

/** What the table of conclusions needs of a request: as much as is kept of one that was sent a while ago. */
export type KeptSent =
  | { readonly kind: 'yes' | 'restart'; readonly status?: StatusReport }
  | {
      readonly kind: 'no' | 'busy' | 'unclear' | 'not-sent';
      readonly status?: StatusReport;
      readonly error: ErrorShape;
    };

/** Where a request goes. */
export interface WritePlace {
  readonly operation: Operation;
  /** Address of the device, for errors. */
  readonly device: string;
}

/** One request, sent as often as the device says that it is too busy to look at it. */
export interface Sending extends WritePlace {
  /** Sends the request once. Must not end early for a cancel: what is under way is finished. */
  readonly send: () => Promise<Answer>;
  readonly clock: Clock;
  /** Ends the waits between two attempts. */
  readonly signal: AbortSignal;
}

/** Sends a request and says what became of it; a busy device is asked again, with the one patience. Never throws. */
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
 * Says what an answer to a write means (part 1, 2.4; part 2, 7; part 3, 7). Only a readable status is a yes, or the
 * payload of an operation that answers with one: a 2xx with anything else, or with a status that breaks off, is no
 * promise. Nothing at all is a yes in JSON, whose status fields are all optional, and none in XML, where they are required.
 * A payload may itself be a no (`refusal` of the operation).
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
        message: detailText(refusal),
        detail: refusal,
      });
      return { kind: 'no', status: report, error, answer };
    }
    default: {
      const error = refusalOf(status, {
        operation: place.operation.id,
        device: place.device,
        exchange: answer.exchange(),
      });
      if (isShutOut(error)) return { kind: 'not-sent', status: report, error };
      return { kind: answerKind(error) === 'busy' ? 'busy' : 'no', status: report, error, answer };
    }
  }
}

/** Reads what a good status came with. An unreadable payload beside a readable status leaves the status to count. */
function readPayload(
  answer: Answer,
  operation: Operation,
): { readonly isReadable: boolean; readonly value?: unknown } {
  const { kind, body } = answer.status;
  const saysOk = kind === 'ok' && (body !== 'empty' || operation.format === 'json');
  // The specification does not show the answer: any document of the interface is one, a web page is none.
  if (!operation.specified)
    return { isReadable: saysOk || (kind === 'none' && isInterfaceDocument(answer.text)) };
  try {
    const found = payloadOf(operation, answer);
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
