/**
 * `100 Continue` that nobody asked for. Some devices send it before the answer to every request with a body,
 * and a client has to read past it (RFC 9110, 15.2); undici ends the connection instead, so that each write
 * would look lost. It is taken out before undici sees it.
 */
import type { Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
/** How it begins, of one length; the reason after the number may be left out, and the space with it. */
const BEGINNINGS = ['HTTP/1.1 100 ', 'HTTP/1.0 100 ', 'HTTP/1.1 100\r', 'HTTP/1.0 100\r'] as const;
const LENGTH = BEGINNINGS[0].length;
const STATUS_AT = 'HTTP/1.1 '.length;
const ONE = '1'.charCodeAt(0);
const NOTHING = new Uint8Array(0);
/** Longest head that is waited for; what is longer goes on as it is. */
const LONGEST = 4096;

/** The bytes as they come go through `push`, of plain and of TLS sockets. Small servers send a line at a time: what may become such a head is held. */
export function skipContinue(socket: Socket): void {
  const push = socket.push.bind(socket);
  const write = socket.write.bind(socket);
  let isStart = false;
  let held: Uint8Array = NOTHING;
  socket.write = (...given: unknown[]) => {
    isStart = true;
    return Reflect.apply(write, socket, given);
  };
  socket.push = (chunk: unknown, encoding) => {
    // A body may begin a piece with anything.
    if (!isStart) return push(chunk, encoding);
    if (!(chunk instanceof Uint8Array)) {
      if (held.byteLength > 0) push(held, encoding);
      return push(chunk, encoding);
    }
    const rest = withoutContinue(held.byteLength === 0 ? chunk : Buffer.concat([held, chunk]));
    const isHeld = rest.byteLength < LONGEST && mayBecomeContinue(rest);
    held = isHeld ? Buffer.from(rest) : NOTHING;
    isStart = isHeld || rest.byteLength === 0;
    return push(isHeld ? NOTHING : rest, encoding);
  };
}

function withoutContinue(chunk: Uint8Array): Uint8Array {
  if (!isContinue(chunk)) return chunk;
  const bytes = textable(chunk);
  const end = bytes.indexOf(HEAD_END);
  return end < 0 ? chunk : withoutContinue(bytes.subarray(end + HEAD_END.length));
}

function isContinue(chunk: Uint8Array): boolean {
  return chunk.byteLength >= LENGTH && mayBecomeContinue(chunk);
}

/** It begins so, as far as it is there. */
function mayBecomeContinue(chunk: Uint8Array): boolean {
  // Most answers are told apart by the first digit of their status alone.
  if (chunk.byteLength > STATUS_AT && chunk[STATUS_AT] !== ONE) return false;
  const begun = textable(chunk).toString('latin1', 0, LENGTH);
  return begun !== '' && BEGINNINGS.some((beginning) => beginning.startsWith(begun));
}

function textable(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
