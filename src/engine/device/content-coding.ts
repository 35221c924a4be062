/** Bodies that come packed although nobody asked for it: some small servers pack whatever they send. */
import { gunzipSync, inflateSync } from 'node:zlib';
import { packedError, tooLargeError } from './transport-errors.ts';

/**
 * The body unpacked where its `Content-Encoding` and its own first bytes say that it is packed; the header
 * alone is not to be trusted (`utf-8` is seen there). Throws `answer-too-large`, and `malformed-answer` where
 * the packed data is broken.
 */
export function unpackBody(body: Uint8Array, coding: string | readonly string[] | undefined, maxBytes: number): Uint8Array {
  if (coding === undefined) return body;
  const unpack = isGzip(body) ? gunzipSync : isZlib(body) ? inflateSync : undefined;
  if (unpack === undefined) return body;
  try {
    return unpack(body, { maxOutputLength: maxBytes });
  } catch (cause) {
    throw (cause as { readonly code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLargeError(maxBytes) : packedError(cause);
  }
}

function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

/** The two bytes before deflated data (RFC 1950, 2.2). Neither XML nor JSON begins so. */
function isZlib(body: Uint8Array): boolean {
  const [first = 0, second = 0] = body;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
