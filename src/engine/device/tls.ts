/**
 * Whom an https device is trusted to be. Without a pin the system's trust decides; with one, only
 * the pinned certificate is accepted.
 *
 * The decision is made here, on the finished handshake and before a byte of a request is written,
 * rather than by Node's own options: a pin has to hold where the chain is already wrong
 * (self-signed, expired because the device thinks it is 1970, issued for another name), and there
 * Node skips `checkServerIdentity`. Sessions are never resumed, so every connection shows its certificate.
 */
import { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { FieldwrightError } from '../../shared/errors.ts';
import type { Address } from './address.ts';

/** Thrown by the connector; carries what a person needs to decide. */
export class CertificateRefusal extends Error {
  readonly fingerprint: string;
  readonly pinned: string | undefined;
  readonly reason: string;

  constructor(fingerprint: string, pinned: string | undefined, reason: string) {
    super('certificate refused');
    this.name = 'CertificateRefusal';
    this.fingerprint = fingerprint;
    this.pinned = pinned;
    this.reason = reason;
  }
}

/** Lower-case hex of a SHA-256 fingerprint written with or without colons; throws `usage`. */
export function normalizeFingerprint(text: string): string {
  const hex = text.trim().replace(/^sha-?256[:=\s/]+/i, '').replace(/[:\s-]/g, '').toLowerCase();
  if (/^[0-9a-f]{64}$/.test(hex)) return hex;
  throw new FieldwrightError({ code: 'usage', source: 'user', path: 'certificate', message: 'A certificate is named by its SHA-256 fingerprint: 64 hexadecimal digits.' });
}

/** As people compare it: `AB:CD:…`. */
export function showFingerprint(hex: string): string {
  return (hex.toUpperCase().match(/../g) ?? []).join(':');
}

export interface ConnectorOptions {
  readonly address: Address;
  /** Pinned fingerprint, lower-case hex. */
  readonly certificate: string | undefined;
  readonly connectTimeoutMs: number;
}

/** Opens the sockets of one device for undici. */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false, timeout: options.connectTimeoutMs, maxCachedSessions: 0,
    // Not "accept anything": refusalOf decides for every socket below.
    rejectUnauthorized: false,
  });
  return (target, callback) => {
    connect({ ...target, hostname: options.address.host, port: String(options.address.port) }, (...outcome) => {
      const [error, socket] = outcome;
      if (error !== null) return callback(error, null);
      const refusal = socket instanceof TLSSocket ? refusalOf(socket, options.certificate) : undefined;
      if (refusal === undefined) return callback(null, socket);
      socket.destroy();
      return callback(refusal, null);
    });
  };
}

function refusalOf(socket: TLSSocket, pinned: string | undefined): CertificateRefusal | undefined {
  const certificate = socket.getPeerCertificate();
  const fingerprint = (certificate.fingerprint256 ?? '').replaceAll(':', '').toLowerCase();
  if (pinned !== undefined) return fingerprint === pinned ? undefined : new CertificateRefusal(fingerprint, pinned, 'changed');
  return socket.authorized ? undefined : new CertificateRefusal(fingerprint, undefined, String(socket.authorizationError));
}
