/** Converts answers of devices into the results of single calls. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail, mapDetailValues } from '#shared/details.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { CallAnswer } from '#shared/model.ts';
import {
  collectConstraints,
  redactBody,
  createRefusal,
  type Constraints,
  type WireDocument,
} from '#protocol/index.ts';
import { isReadOnly, type Operation, type Payload } from '#protocol/definition.ts';
import type { Answer, ReadAnswer } from '../device/client-types.ts';
import { decodePayload } from '../device/payload.ts';
import { concludeAnswer } from '../write/sent.ts';
import { isLimitsDocument } from './capabilities.ts';
import { listCapabilityLimits } from './capability-limits.ts';

/** Returns an answer unparsed; its outcome follows from the status alone. */
export function toRawAnswer(
  answer: Answer,
  place: { readonly operation?: string; readonly device: string },
): CallAnswer {
  return { ...getOutcome(answer, place), value: undefined, notes: [], raw: answer.shown(answer.text) };
}

/** Returns the answer to a POST, PUT or DELETE. Throws if the answer to a search cannot be read. */
export function toWriteAnswer(answer: Answer, operation: Operation, url: string): CallAnswer {
  const place = { operation: operation.id, device: url };
  const result = isReadOnly(operation) ? getOutcome(answer, place) : writeOutcome(answer, operation, url);
  if (result.outcome === 'refused' || result.outcome === 'unknown')
    return { ...result, value: undefined, notes: [] };
  try {
    return { ...result, ...getShownPayload(answer, operation) };
  } catch (error) {
    throw error instanceof FieldwrightError
      ? error.with({ ...place, status: answer.status.report, exchange: answer.exchange() })
      : error;
  }
}

/** Returns the outcome of a write; `ok` only for a readable success, see `concludeAnswer`. */
function writeOutcome(
  answer: Answer,
  operation: Operation,
  device: string,
): Pick<CallAnswer, 'outcome' | 'status' | 'error'> {
  const sent = concludeAnswer(answer, { operation, device });
  return sent.kind === 'unclear'
    ? { outcome: 'unknown', status: answer.status.report, error: sent.error }
    : getOutcome(answer, { operation: operation.id, device });
}

/** Returns the payload of an answer. Throws if the answer is a different document. */
export function getShownPayload(
  answer: Answer,
  operation: Operation,
): Pick<CallAnswer, 'value' | 'notes' | 'unlisted' | 'limits' | 'raw'> {
  if (operation.response === undefined)
    return { value: undefined, notes: [], ...unspecifiedAnswer(answer, operation) };
  const found = decodePayload(operation, answer);
  if (found === undefined) return { value: undefined, notes: [createDetail('read.status-only')] };
  return {
    ...answer.shown({ value: found.value, ...getAdditionalParts(operation, found) }),
    notes: found.notes.map((note) => mapDetailValues(note, answer.shown)),
  };
}

/** Returns the raw text beyond the status, for operations without a specified answer (`accessControl.users.record`). */
function unspecifiedAnswer(
  { status, text, shown }: Answer,
  { request: payload, sensitive }: Operation,
): Pick<CallAnswer, 'raw'> {
  return status.hasMore ? { raw: shown(redactBody(text, { payload, sensitive })) } : {};
}

/** Returns the parts of an answer beyond its value: members outside the specification, and the limits of fields. */
export function getAdditionalParts(
  operation: Operation,
  { unlisted, document }: Pick<ReadAnswer, 'unlisted' | 'document'>,
): Pick<CallAnswer, 'unlisted' | 'limits'> {
  const found =
    document === undefined || operation.response === undefined
      ? undefined
      : limitsIn(operation, operation.response, document);
  const limits =
    found === undefined || operation.response === undefined
      ? undefined
      : listCapabilityLimits(operation.id, operation.response, found);
  return {
    ...(unlisted.length === 0
      ? {}
      : { unlisted: unlisted.map(({ path, read }) => ({ path, value: read() })) }),
    ...removeUndefined({ limits }),
  };
}

export function getOutcome(
  { status, exchange }: Answer,
  place: { readonly operation?: string; readonly device: string },
): Pick<CallAnswer, 'outcome' | 'status' | 'error'> {
  if (status.kind === 'ok' || status.kind === 'none') return { outcome: 'ok', status: status.report };
  const error = createRefusal(status, { ...place, exchange: exchange() });
  return {
    outcome: status.kind === 'needs-reboot' ? 'needs-reboot' : 'refused',
    status: status.report,
    error,
  };
}

/** Returns the limits in a document: all of a capability document's, else those that apply to writing it back. */
function limitsIn(operation: Operation, response: Payload, document: WireDocument): Constraints | undefined {
  if (isLimitsDocument(operation)) return collectConstraints(response, document);
  return operation.reported?.by === operation.id
    ? operation.reported.limits(collectConstraints(response, document))
    : undefined;
}
