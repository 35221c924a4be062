/**
 * `100 Continue` that nobody asked for. Some devices send it before the answer to every request with a body,
 * and a client has to read past it (RFC 9110, 15.2); undici ends the connection instead, so that each write
 * would look lost. It is taken out before undici sees it.
 */
import type { Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.[01] 100[ \r]/;
const STATUS_AT = 'HTTP/1.1 '.length;
const STATUS_LINE_LENGTH = 'HTTP/1.1 100 '.length;

/** The bytes as they come go through `push`, of plain and of TLS sockets. */
export function skipContinue(socket: Socket): void {
  const push = socket.push.bind(socket);
  socket.push = (chunk: unknown, encoding) =>
    push(chunk instanceof Uint8Array ? withoutContinue(chunk) : chunk, encoding);
}

function withoutContinue(chunk: Uint8Array): Uint8Array {
  // Two bytes decide for nearly all data: `H`, and the `1` of `100`.
  if (chunk[0] !== 0x48 || chunk[STATUS_AT] !== 0x31) return chunk;
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (!STATUS_LINE.test(bytes.toString('latin1', 0, STATUS_LINE_LENGTH))) return chunk;
  const end = bytes.indexOf(HEAD_END);
  return end < 0 ? chunk : withoutContinue(bytes.subarray(end + HEAD_END.length));
}
