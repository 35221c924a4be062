/** The payload of an answer that was not refused. */
import { FieldwrightError } from '#shared/errors.ts';
import { decode, decodeCapability, isCapabilityDocument, type Decoded } from '#protocol/index.ts';
import type { Operation, Payload } from '#protocol/definition.ts';
import type { Answer } from './client-types.ts';
import { rememberRecent } from './recent.ts';

type Read = (payload: Payload, text: string) => Decoded;
const decodeLately: Read = rememberRecent((payload: Payload, text) => decode(payload, text));
const decodeCapabilityLately: Read = rememberRecent(decodeCapability);

/**
 * Decodes the operation's payload out of the answer; undefined if the answer is only a status, or empty. Some
 * devices put the success of part 1, 2.4 beside the payload, and an object whose members are all
 * optional may come empty: what looks like a JSON status is read as the payload first. Throws
 * `malformed-answer` for another document, `answer-too-large`.
 */
export function decodePayload(operation: Operation, { status, text }: Answer): Decoded | undefined {
  const payload = operation.response;
  if (payload === undefined) return undefined;
  const read = readerOf(operation);
  if (status.kind === 'none') return read(payload, text);
  if (status.kind !== 'ok' || status.body !== 'json-status' || payload.format !== 'json') return undefined;
  const found = decoded(read, payload, text);
  // A payload with a root name of its own cannot be mistaken.
  if (found === undefined || payload.root !== undefined) return found;
  if (Object.keys(found.value as object).length > 0) return found;
  // No member at all: nothing is reported. A status alone: the payload is missing.
  const bare = found.document.format === 'json' && (found.document.tree.children ?? []).length === 0;
  return bare && payload.fields.every((field) => field.required !== true) ? found : undefined;
}

/** Returns the decoder of an operation; without the cache for sensitive ones, so that no secrets stay in memory. */
function readerOf(operation: Operation): Read {
  if (isCapabilityDocument(operation)) return operation.sensitive ? decodeCapability : decodeCapabilityLately;
  return operation.sensitive ? decode : decodeLately;
}

function decoded(read: Read, payload: Payload, text: string): Decoded | undefined {
  try {
    return read(payload, text);
  } catch (error) {
    if (error instanceof FieldwrightError && error.code === 'malformed-answer') return undefined;
    throw error;
  }
}
