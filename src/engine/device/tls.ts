/**
 * Whom an https device is trusted to be. Without a pin the system's trust decides; with one, only
 * the pinned certificate is accepted.
 *
 * The decision is made here, on the finished handshake and before a byte of a request is written,
 * rather than by Node's own options: a pin has to hold where the chain is already wrong
 * (self-signed, expired because the device thinks it is 1970, issued for another name), and there
 * Node skips `checkServerIdentity`. Sessions are never resumed, so every connection shows its certificate.
 */
import { constants } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import type { CertificateOffer } from '../../shared/trust.ts';
import type { Address } from './address.ts';
import { shownCertificate } from './certificate.ts';
import type { ShownCertificate } from './certificate.ts';

/**
 * Decides on the certificate of one handshake, at once: parallel handshakes are judged one after the
 * other, each against what the one before it left. Gives what stands against it, or undefined.
 */
export type JudgeCertificate = (shown: ShownCertificate) => CertificateOffer | undefined;

/** Thrown by the connector; carries what a person needs to decide. Absent: no certificate was shown at all. */
export class CertificateRefusal extends Error {
  readonly offer: CertificateOffer | undefined;

  constructor(offer: CertificateOffer | undefined) {
    super('certificate refused');
    this.name = 'CertificateRefusal';
    this.offer = offer;
  }
}

export interface ConnectorOptions {
  readonly address: Address;
  readonly judge: JudgeCertificate;
  readonly connectTimeoutMs: number;
}

/** Opens the sockets of one device for undici. */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false, timeout: options.connectTimeoutMs, maxCachedSessions: 0,
    // Not "accept anything": `check` decides for every socket below.
    rejectUnauthorized: false,
    // A handshake anew inside the connection could show another certificate, which nobody would look at.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  });
  return (target, callback) => {
    connect({ ...target, hostname: options.address.host, port: String(options.address.port) }, (...outcome) => {
      const [error, socket] = outcome;
      if (error !== null) return callback(error, null);
      try {
        if (socket instanceof TLSSocket) check(socket, options.judge);
        return callback(null, socket);
      } catch (refusal) {
        socket.destroy();
        return callback(refusal instanceof Error ? refusal : new CertificateRefusal(undefined), null);
      }
    });
  };
}

function check(socket: TLSSocket, judge: JudgeCertificate): void {
  const shown = shownCertificate(socket);
  const offer = shown === undefined ? undefined : judge(shown);
  if (shown === undefined || offer !== undefined) throw new CertificateRefusal(offer);
}
