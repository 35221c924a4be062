/** What undici, Node and TLS throw, in the words of the error family. */
import { FieldwrightError, isOutOfFiles, TOO_MANY_FILES } from '../../shared/errors.ts';
import type { ErrorCode, ErrorShape, ErrorSource } from '../../shared/errors.ts';
import { CertificateRefusal } from './certificate.ts';

const UNREACHABLE = new Set([
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EADDRNOTAVAIL',
  'EINVAL',
  'EACCES',
  'EPERM',
]);
const NOBODY_THERE = new Set(['EHOSTUNREACH', 'EHOSTDOWN']);
const NOT_PERMITTED = new Set(['EACCES', 'EPERM']);
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
  if (isOutOfFiles(thrown)) return new FieldwrightError(TOO_MANY_FILES, { cause: thrown });
  const code = codeOf(thrown);
  if (code === 'ECONNREFUSED')
    return deviceError('connection-refused', 'The device refuses connections at this port.', thrown, {
      hint: 'Check the port, and whether the web service of the device is switched on.',
    });
  if (!sent && UNREACHABLE.has(code)) return unreachable(code, thrown);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || (!sent && code === 'ETIMEDOUT')) return connectTimeout(thrown);
  if (thrown instanceof Error && thrown.name === 'HTTPParserError')
    return deviceError('malformed-answer', 'The answer is not HTTP, or breaks its rules.', thrown, {
      sent,
      hint: 'Check address, port and whether the device expects https://.',
    });
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return deviceError('answer-too-large', 'The headers of the answer are too large.', thrown, { sent });
  if (!sent && isTlsFailure(code)) return tlsError(code, thrown);
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED' || code === 'UND_ERR_ABORTED')
    return cancelledError(sent);
  if (code === 'UND_ERR_INVALID_ARG')
    return new FieldwrightError(
      { code: 'usage', source: 'user', message: 'The request holds characters that HTTP does not allow.' },
      { cause: thrown },
    );
  return sent
    ? deviceError('connection-lost', 'The connection broke off before the answer was complete.', thrown, {
        sent: true,
        hint: 'Try again. If it always happens, check whether this port expects https://, and what lies between this computer and the device.',
      })
    : deviceError('unreachable', 'The connection broke off while it was being made.', thrown);
}

/** No answer within the deadline; `begun`: its head was there. */
export function timeoutError(
  deadlineMs: number,
  { sent, begun = false }: { readonly sent: boolean; readonly begun?: boolean },
): FieldwrightError {
  if (!sent) return connectTimeout(undefined);
  const seconds = Math.round(deadlineMs / 100) / 10;
  return deviceError(
    'timeout',
    begun
      ? `The device began to answer but did not come to an end within ${seconds} s.`
      : `The device took the request but did not answer within ${seconds} s.`,
    undefined,
    {
      sent: true,
      hint: 'It may be busy or restarting: wait a minute, then try again. Where it is always slow, give its connection profile a longer deadline.',
    },
  );
}

export function cancelledError(sent: boolean): FieldwrightError {
  return new FieldwrightError({ code: 'cancelled', source: 'user', message: 'Cancelled.', sent });
}

export function tooLargeError(bytes: number): FieldwrightError {
  const megabytes = Math.round(bytes / 1024 / 10.24) / 100;
  return deviceError(
    'answer-too-large',
    `The answer is larger than ${megabytes} MiB and was not read further.`,
    undefined,
    { sent: true },
  );
}

/** The body says it is packed, and cannot be unpacked. */
export function packedError(cause: unknown): FieldwrightError {
  return deviceError(
    'malformed-answer',
    'The answer is compressed, and its compressed data is broken.',
    cause,
    {
      sent: true,
      hint: 'Try again. If it always happens, check what lies between this computer and the device.',
    },
  );
}

function connectTimeout(cause: unknown): FieldwrightError {
  return deviceError('timeout', 'No connection to the device came about in time; nothing was sent.', cause, {
    sent: false,
    reason: 'no-connection',
    hint: 'Check power and cabling, and whether the address is still right.',
  });
}

function unreachable(code: string, cause: unknown): FieldwrightError {
  if (NO_SUCH_NAME.has(code))
    return deviceError('unreachable', 'The name of the device is not known on this network.', cause, {
      reason: 'unknown-name',
      hint: 'Use its IP address.',
    });
  if (NOT_PERMITTED.has(code))
    return deviceError(
      'unreachable',
      'The operating system does not let Fieldwright connect to this address.',
      cause,
      { hint: 'Check the firewall of this computer, and its privacy settings for the local network.' },
    );
  // In the own network it means that nobody has the address; beyond it, that the last router knows nobody.
  return NOBODY_THERE.has(code)
    ? deviceError('unreachable', 'Nobody answers at this address.', cause, {
        hint: 'Check power and cable of the device, and that this computer is in its network. It may have another address now: search for it.',
      })
    : deviceError('unreachable', 'There is no way to the device from this computer.', cause, {
        hint: 'Check that this computer is connected, and in the same network as the device.',
      });
}

function certificateError(refusal: CertificateRefusal): FieldwrightError {
  const { offer } = refusal;
  if (offer === undefined)
    return deviceError('unreachable', 'The device showed no certificate; nothing was sent.', undefined);
  if (offer.pinned !== undefined) {
    return deviceError(
      'certificate-changed',
      'The certificate of the device is not the one that was accepted for it; nothing was sent.',
      undefined,
      {
        hint: 'Accept the new one only if you know why it changed: compare its fingerprint with the one the device shows.',
        certificate: offer,
      },
    );
  }
  const reason = CERTIFICATE_REASONS[offer.reason] ?? 'it could not be verified';
  return deviceError(
    'certificate-untrusted',
    `The certificate of the device is not trusted: ${reason}. Nothing was sent.`,
    undefined,
    {
      hint: 'Compare its fingerprint with the one the device shows, then accept it for this device.',
      certificate: offer,
    },
  );
}

/** The other side does speak TLS, but none that is safe enough: a version before 1.2, or keys and ciphers that can be broken. */
const OUTDATED_TLS =
  /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|HANDSHAKE_FAILURE|TOO_SMALL|NO_CIPHER|NO_SHARED|CIPHER_RETURNED|SIGNATURE_TYPE|SIGNATURE_ALGORITHM|UNSAFE_LEGACY|INSUFFICIENT_SECURITY/;
const NO_TLS = /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH|RECORD_TOO/;

function tlsError(code: string, cause: unknown): FieldwrightError {
  if (OUTDATED_TLS.test(code)) {
    return deviceError(
      'unreachable',
      'The device knows only outdated encryption: a version of TLS before 1.2, or keys that are too weak. Nothing was sent.',
      cause,
      {
        hint: 'Update the firmware of the device, or switch TLS 1.2 on in it. In a network you trust it can be reached with http:// instead; Digest does not send the password itself.',
        reason: 'old-tls',
      },
    );
  }
  return NO_TLS.test(code)
    ? deviceError('unreachable', 'This port does not speak https://; nothing was sent.', cause, {
        hint: 'Check the port, or try the address with http://.',
        reason: 'no-tls',
      })
    : deviceError('unreachable', 'No secure connection could be agreed on; nothing was sent.', cause, {
        hint: 'Check the port, and whether the web service of the device speaks https:// there.',
        reason: 'no-tls',
      });
}

function isTlsFailure(code: string): boolean {
  return code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_');
}

function codeOf(thrown: unknown): string {
  if (
    thrown instanceof AggregateError &&
    thrown.errors.length > 0 &&
    codeOf({ code: (thrown as { code?: unknown }).code }) === ''
  )
    return codeOf(thrown.errors[0]);
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return '';
  return typeof thrown.code === 'string' ? thrown.code : '';
}

function deviceError(
  code: ErrorCode,
  message: string,
  cause: unknown,
  extra: Pick<ErrorShape, 'hint' | 'sent' | 'certificate' | 'reason'> = {},
): FieldwrightError {
  const source: ErrorSource = 'device';
  return new FieldwrightError({ code, source, message, ...extra }, { cause });
}
