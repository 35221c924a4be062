/** What undici, Node and TLS throw, in the words of the error family. */
import { errors } from 'undici';
import { FieldwrightError } from '../../shared/errors.ts';
import type { ErrorCode, ErrorShape, ErrorSource } from '../../shared/errors.ts';
import { CertificateRefusal } from './tls.ts';

const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EADDRNOTAVAIL', 'EINVAL', 'EACCES', 'EPERM']);
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']);

/** Reasons OpenSSL gives, for people. */
const CERTIFICATE_REASONS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its issuer is not known to this computer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is not known to this computer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its issuer is not known to this computer',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it was issued for another name',
};

/**
 * Maps whatever ended an exchange. `sent`: the request had been handed to the socket, so for a
 * write the outcome is unknown.
 */
export function transportError(thrown: unknown, sent: boolean): FieldwrightError {
  if (thrown instanceof FieldwrightError) return thrown;
  if (thrown instanceof CertificateRefusal) return certificateError(thrown);
  const code = codeOf(thrown);
  if (code === 'ECONNREFUSED') return deviceError('connection-refused', 'The device refuses connections at this port.', thrown, { hint: 'Check the port, and whether the web service of the device is switched on.' });
  if (!sent && UNREACHABLE.has(code)) return unreachable(code, thrown);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || (!sent && code === 'ETIMEDOUT')) return connectTimeout(thrown);
  if (thrown instanceof errors.HTTPParserError) return deviceError('malformed-answer', 'The answer is not HTTP.', thrown, { sent, hint: 'Check address, port and whether the device expects https://.' });
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return deviceError('answer-too-large', 'The headers of the answer are too large.', thrown, { sent });
  if (isTlsFailure(code)) return deviceError('unreachable', 'No secure connection could be agreed on.', thrown, { hint: 'The port may not speak https://, or the device may only know outdated versions of TLS.', reason: 'no-tls' });
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED' || code === 'UND_ERR_ABORTED') return cancelledError(sent);
  if (code === 'UND_ERR_INVALID_ARG') return new FieldwrightError({ code: 'usage', source: 'user', message: 'The request holds characters that HTTP does not allow.' }, { cause: thrown });
  return sent
    ? deviceError('connection-lost', 'The connection broke off before the answer was complete.', thrown, { sent: true, hint: 'Try again. If it always happens, check whether this port expects https://, and what lies between this computer and the device.' })
    : deviceError('unreachable', 'The connection broke off while it was being made.', thrown);
}

/** No answer within the deadline. */
export function timeoutError(deadlineMs: number, sent: boolean): FieldwrightError {
  if (!sent) return connectTimeout(undefined);
  const seconds = Math.round(deadlineMs / 100) / 10;
  return deviceError('timeout', `The device took the request but did not answer within ${seconds} s.`, undefined, { sent: true });
}

export function cancelledError(sent: boolean): FieldwrightError {
  return new FieldwrightError({ code: 'cancelled', source: 'user', message: 'Cancelled.', sent });
}

export function tooLargeError(bytes: number): FieldwrightError {
  const megabytes = Math.round(bytes / 1024 / 10.24) / 100;
  return deviceError('answer-too-large', `The answer is larger than ${megabytes} MiB and was not read further.`, undefined, { sent: true });
}

function connectTimeout(cause: unknown): FieldwrightError {
  return deviceError('timeout', 'No connection to the device came about in time; nothing was sent.', cause, { sent: false, reason: 'no-connection', hint: 'Check power and cabling, and whether the address is still right.' });
}

function unreachable(code: string, cause: unknown): FieldwrightError {
  return NO_SUCH_NAME.has(code)
    ? deviceError('unreachable', 'The name of the device is not known on this network.', cause, { reason: 'unknown-name', hint: 'Use its IP address.' })
    : deviceError('unreachable', 'There is no way to the device from this computer.', cause, { hint: 'Check that this computer is in the same network as the device.' });
}

function certificateError(refusal: CertificateRefusal): FieldwrightError {
  const { offer } = refusal;
  if (offer === undefined) return deviceError('unreachable', 'The device showed no certificate; nothing was sent.', undefined);
  if (offer.pinned !== undefined) {
    return deviceError('certificate-changed', 'The certificate of the device is not the one that was accepted for it; nothing was sent.', undefined, {
      hint: 'Accept the new one only if you know why it changed: compare its fingerprint with the one the device shows.', certificate: offer,
    });
  }
  const reason = CERTIFICATE_REASONS[offer.reason] ?? 'it could not be verified';
  return deviceError('certificate-untrusted', `The certificate of the device is not trusted: ${reason}. Nothing was sent.`, undefined, {
    hint: 'Compare its fingerprint with the one the device shows, then accept it for this device.', certificate: offer,
  });
}

function isTlsFailure(code: string): boolean {
  return code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_');
}

function codeOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0 && codeOf({ code: (thrown as { code?: unknown }).code }) === '') return codeOf(thrown.errors[0]);
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return '';
  return typeof thrown.code === 'string' ? thrown.code : '';
}

function deviceError(code: ErrorCode, message: string, cause: unknown, extra: Pick<ErrorShape, 'hint' | 'sent' | 'certificate' | 'reason'> = {}): FieldwrightError {
  const source: ErrorSource = 'device';
  return new FieldwrightError({ code, source, message, ...extra }, { cause });
}
