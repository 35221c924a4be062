/** Reads the fields of a certificate that people compare. Nothing in it is believed here. */
import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { CertificateInfo, CertificateOffer } from '#shared/trust.ts';
import { replaceUnseen } from '#shared/text/unseen.ts';

export interface ShownCertificate {
  readonly info: CertificateInfo;
  /** The system's own trust accepts it for the name or address that was asked for. */
  readonly trusted: boolean;
  /** Why the system does not: a code of OpenSSL or Node; empty where it does. */
  readonly reason: string;
}

/** Thrown by the connector; carries what a person needs to decide. Absent: no certificate was shown at all. */
export class CertificateRefusal extends Error {
  readonly offer: CertificateOffer | undefined;

  constructor(offer: CertificateOffer | undefined) {
    super('certificate refused');
    this.name = 'CertificateRefusal';
    this.offer = offer;
  }
}

const MOST = { text: 300, source: 10_000, names: 50, name: 253 };

/** Returns the certificate of the other side; undefined if it showed none. */
export function getShownCertificate(socket: TLSSocket): ShownCertificate | undefined {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return undefined;
  return {
    info: describe(certificate),
    trusted: socket.authorized,
    reason: socket.authorized ? '' : clean(String(socket.authorizationError), 100),
  };
}

function describe(certificate: X509Certificate): CertificateInfo {
  return {
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    subject: distinguished(certificate.subject),
    issuer: distinguished(certificate.issuer),
    names: alternativeNames(certificate.subjectAltName),
    validFrom: isoTime(certificate.validFromDate, certificate.validFrom),
    validTo: isoTime(certificate.validToDate, certificate.validTo),
    selfSigned: isSelfSigned(certificate),
  };
}

/** Formats a distinguished name, which Node writes with one attribute a line. */
function distinguished(name: string | undefined): string {
  return clean((name ?? '').slice(0, MOST.source).trim().replaceAll('\n', ', '), MOST.text);
}

/**
 * Lists names such as `DNS:gate.local, IP Address:10.0.0.5`; a value that could be mistaken is written as a
 * JSON string.
 */
function alternativeNames(text: string | undefined): string[] {
  const found = (text ?? '')
    .slice(0, MOST.source)
    .matchAll(/(?:^|, )[A-Za-z ]{1,30}:("(?:[^"\\]|\\.)*"|[^,]*)/g);
  return [...found]
    .slice(0, MOST.names)
    .map(([, value = '']) => clean(value, MOST.name))
    .filter((name) => name !== '');
}

function isoTime(date: Date, written: string): string {
  return Number.isNaN(date.getTime()) ? clean(written, 100) : date.toISOString();
}

function isSelfSigned(certificate: X509Certificate): boolean {
  try {
    return certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey);
  } catch {
    // A key of a kind that OpenSSL does not know.
    return false;
  }
}

function clean(text: string, most: number): string {
  const readable = replaceUnseen(text.slice(0, most * 4).toWellFormed(), () => '\uFFFD').trim();
  return readable.length > most ? `${readable.slice(0, most - 1)}…` : readable;
}

/** Returns the lower-case hex of a SHA-256 fingerprint written with or without colons. @throws `usage` */
export function normalizeFingerprint(text: string): string {
  const hex = text
    .trim()
    .replace(/^sha-?256[:=\s/]+/i, '')
    .replace(/[:\s-]/g, '')
    .toLowerCase();
  if (/^[0-9a-f]{64}$/.test(hex)) return hex;
  throw userError('usage', say('fingerprint-form'), { path: 'certificate' });
}
