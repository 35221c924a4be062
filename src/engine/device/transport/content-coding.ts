/**
 * Unpacks bodies that come packed although the request did not allow it: some small servers pack whatever
 * they send.
 */
import { promisify } from 'node:util';
import { createUnpackError, createAnswerTooLargeError } from './transport-errors.ts';

type Packing = 'gzip' | 'zlib';

/**
 * Detects how the body is packed, if its `Content-Encoding` and its own first bytes say so; the header alone
 * is not to be trusted (`utf-8` is seen there).
 */
export function detectPacking(
  body: Uint8Array,
  coding: string | readonly string[] | undefined,
): Packing | undefined {
  if (coding === undefined) return undefined;
  return isGzip(body) ? 'gzip' : isZlib(body) ? 'zlib' : undefined;
}

/**
 * Unpacks a body outside the event loop: even a small result may take long. @throws `answer-too-large`, or
 * `malformed-answer` if the packed data is broken
 */
export async function unpackBody(body: Uint8Array, packing: Packing, maxBytes: number): Promise<Uint8Array> {
  // Hardly a device packs.
  const { gunzip, inflate } = await import('node:zlib');
  const unpack = promisify(packing === 'gzip' ? gunzip : inflate);
  try {
    return await unpack(body, { maxOutputLength: maxBytes });
  } catch (cause) {
    throw (cause as { readonly code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE'
      ? createAnswerTooLargeError(maxBytes)
      : createUnpackError(cause);
  }
}

function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

/** Returns true for the two bytes before deflated data (RFC 1950, 2.2). Neither XML nor JSON begins so. */
function isZlib(body: Uint8Array): boolean {
  const [first = 0, second = 0] = body;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
