/**
 * Decides which server an https device is trusted to be. Without a pin the system's trust decides; with one,
 * only the pinned certificate is accepted.
 *
 * The decision is made here, on the finished handshake and before a byte of a request is written, rather than
 * by Node's own options: a pin has to hold where the chain is already wrong (self-signed, expired because the
 * device thinks it is 1970, issued for another name), and there Node skips `checkServerIdentity`. Sessions
 * are never resumed, so every connection shows its certificate.
 */
import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { isOutOfFiles } from '#shared/errors.ts';
import type { CertificateOffer } from '#shared/trust.ts';
import { getPolicy } from '#engine/files/policy.ts';
import type { Address } from './address.ts';
import { CertificateRefusal, getShownCertificate, type ShownCertificate } from './certificate.ts';
import { WITHOUT_DHE } from './ciphers.ts';
import { mendAnswers } from './mend-answer.ts';
import type { SocketHolder } from './sockets.ts';

/**
 * Judges the certificate of one handshake, at once: parallel handshakes are judged one after the other, each
 * against the result of the one before. Returns the certificate as an offer to a person if it is not trusted,
 * else undefined.
 */
export type JudgeCertificate = (shown: ShownCertificate) => CertificateOffer | undefined;

interface Intake {
  readonly maxBytes: number;
  readonly tooLarge: () => Error;
}

interface ConnectorOptions {
  readonly address: Address;
  readonly judge: JudgeCertificate;
  readonly connectTimeoutMs: number;
  /** Most that a socket takes in for one request, whatever it is, and what it ends with beyond. */
  readonly intake: Intake;
  readonly sockets: SocketHolder;
}

/** Opens the sockets of one device for undici. */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { minimumTls } = getPolicy();
  const connect = buildConnector({
    allowH2: false,
    timeout: options.connectTimeoutMs,
    maxCachedSessions: 0,
    // Not "accept anything": `check` decides for every socket below.
    rejectUnauthorized: false,
    ...(minimumTls && { minVersion: `TLSv${minimumTls}` as const }),
    // Renegotiation inside the connection could show another certificate, which would not be checked.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ciphers: `${constants.defaultCipherList}:${WITHOUT_DHE}`,
  });
  const { sockets } = options;
  return function open(target, callback) {
    const place = { ...target, hostname: options.address.host, port: String(options.address.port) };
    sockets.opening();
    connect({ ...place, protocol: 'http:' }, (...tcp) => {
      const [error, raw] = tcp;
      if (error !== null) {
        sockets.failed();
        const freed = isOutOfFiles(error) ? sockets.whenOneCloses() : undefined;
        if (freed === undefined) return callback(error, null);
        void freed.then(() => open(target, callback));
        return;
      }
      sockets.opened(raw);
      if (target.protocol !== 'https:') return callback(null, ready(raw, raw, options.intake));
      connect({ ...place, httpSocket: raw }, (...outcome) => {
        const [failure, socket] = outcome;
        if (failure !== null) return callback(failure, null);
        try {
          check(socket as TLSSocket, options.judge);
          return callback(null, ready(socket, raw, options.intake));
        } catch (refusal) {
          socket.destroy();
          return callback(refusal instanceof Error ? refusal : new CertificateRefusal(undefined), null);
        }
      });
    });
  };
}

function ready<Given extends Socket>(socket: Given, raw: Socket, intake: Intake): Given {
  mendAnswers(socket);
  readInPieces(socket);
  watch(socket, raw, intake);
  return socket;
}

/** Bytes that undici's parser gets at once. */
const PIECE = 4 * 1024;

/**
 * Reads from the socket in small pieces: undici makes an error for each header and trailer beyond the limit,
 * up to the end of the piece that it parses.
 */
function readInPieces(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size = Math.min(socket.readableLength, PIECE)): unknown =>
    socket.destroyed ? null : (read(size === 0 ? undefined : size) as unknown);
}

/**
 * Resets a connection that is given up while an answer is due. After a normal close the system would go on
 * sending what was not acknowledged: a write that was given up while a cable was out would arrive after the
 * cable is back, behind later writes. If the stream has ended on our side nothing can be reset, nor is there
 * a need. A connection whose answer does not end, in whichever of its parts, is given up too.
 */
function watch(socket: Socket, raw: Socket, { maxBytes, tooLarge }: Intake): void {
  const write = socket.write.bind(socket);
  const push = socket.push.bind(socket);
  const destroy = raw.destroy.bind(raw);
  let answerDue = false;
  let received = 0;
  let reset: { readonly reason: Error | undefined } | undefined;
  socket.write = (...given: unknown[]) => {
    answerDue = true;
    received = 0;
    return Reflect.apply(write, socket, given);
  };
  socket.push = (chunk: unknown, encoding) => {
    answerDue = false;
    received += chunk instanceof Uint8Array ? chunk.byteLength : 0;
    if (received <= maxBytes) return push(chunk, encoding);
    socket.destroy(tooLarge());
    return false;
  };
  raw.destroy = (error) => {
    if (!answerDue || reset !== undefined || raw.destroyed || socket.writableEnded)
      return destroy(error ?? reset?.reason);
    reset = { reason: error };
    // Comes back here to destroy itself.
    return raw.resetAndDestroy();
  };
}

function check(socket: TLSSocket, judge: JudgeCertificate): void {
  const shown = getShownCertificate(socket);
  const offer = shown === undefined ? undefined : judge(shown);
  if (shown === undefined || offer !== undefined) throw new CertificateRefusal(offer);
}
