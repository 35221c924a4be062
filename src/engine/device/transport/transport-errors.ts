/** Translates the errors of undici, Node and TLS into the error family. */
import { say, type BareDetailId } from '#shared/details.ts';
import { FieldwrightError, type ErrorCode, type ErrorShape, type ErrorSource } from '#shared/errors.ts';
import { explainError, findCause } from '#engine/files/open-files.ts';
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
/** Lengths that contradict each other, and a status line that undici's parser lets through. */
const MALFORMED = new Set(['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION']);
const NOBODY_THERE = new Set(['EHOSTUNREACH', 'EHOSTDOWN']);
const NOT_PERMITTED = new Set(['EACCES', 'EPERM']);
/** Errors of a name that has no address. */
export const NO_SUCH_NAME = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']);

/** Reasons OpenSSL gives, for people. */

const CERTIFICATE_REASONS: Readonly<Record<string, BareDetailId>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'device.certificate-self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'device.certificate-issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'device.certificate-issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'device.certificate-issuer',
  CERT_HAS_EXPIRED: 'device.certificate-expired',
  CERT_NOT_YET_VALID: 'device.certificate-early',
  ERR_TLS_CERT_ALTNAME_INVALID: 'device.certificate-other-name',
};

/**
 * Maps whatever ended an exchange. `sent`: the request had been handed to the socket, so for a
 * write the outcome is unknown.
 */
export function toTransportError(
  thrown: unknown,
  sent: boolean,
  platform: NodeJS.Platform = process.platform,
): FieldwrightError {
  if (thrown instanceof FieldwrightError) return thrown;
  if (thrown instanceof CertificateRefusal) return certificateError(thrown);
  const code = codeOf(thrown);
  if (code === 'ECONNREFUSED') return deviceError('connection-refused', say('device.refused'), thrown);
  if (!sent && UNREACHABLE.has(code)) return unreachable(code, thrown, platform);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || (!sent && code === 'ETIMEDOUT')) return connectTimeout(thrown);
  if (MALFORMED.has(code) || (thrown instanceof Error && thrown.name === 'HTTPParserError'))
    return deviceError('malformed-answer', say('device.not-http'), thrown, {
      sent,
    });
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return deviceError('answer-too-large', say('device.headers-too-large'), thrown, { sent });
  if (!sent && isTlsFailure(code)) return tlsError(code, thrown);
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED' || code === 'UND_ERR_ABORTED')
    return createCancelledError(sent);
  if (code === 'UND_ERR_INVALID_ARG')
    return new FieldwrightError(
      { code: 'usage', source: 'user', ...say('header-characters') },
      { cause: thrown },
    );
  return sent
    ? deviceError('connection-lost', say('device.broke-off'), thrown, {
        sent: true,
      })
    : deviceError('unreachable', say('device.broke-off-early'), thrown);
}

/** Returns the error of a request that did not go out because a module of this program could not be loaded. */
export function createLoadingError(thrown: unknown): FieldwrightError {
  return new FieldwrightError({ ...explainError(thrown), sent: false }, { cause: thrown });
}

/** Builds the error for no answer within the deadline; `begun`: its head was there. */
export function createTimeoutError(
  deadlineMs: number,
  { sent, begun = false }: { readonly sent: boolean; readonly begun?: boolean },
): FieldwrightError {
  if (!sent) return connectTimeout(undefined);
  const seconds = Math.round(deadlineMs / 100) / 10;
  return deviceError(
    'timeout',
    say(begun ? 'device.timeout-begun' : 'device.timeout', { seconds }),
    undefined,
    {
      sent: true,
    },
  );
}

export function createCancelledError(sent: boolean): FieldwrightError {
  return new FieldwrightError({ code: 'cancelled', source: 'user', ...say('cancelled'), sent });
}

export function createAnswerTooLargeError(bytes: number): FieldwrightError {
  const megabytes = Math.round(bytes / 1024 / 10.24) / 100;
  return deviceError('answer-too-large', say('device.answer-too-large', { megabytes }), undefined, {
    sent: true,
  });
}

/** Builds the error for a body that says it is packed, and cannot be unpacked. */
export function createUnpackError(cause: unknown): FieldwrightError {
  return deviceError('malformed-answer', say('device.packed-broken'), cause, {
    sent: true,
  });
}

function connectTimeout(cause: unknown): FieldwrightError {
  return deviceError('timeout', say('device.no-connection'), cause, {
    sent: false,
    reason: 'no-connection',
  });
}

function unreachable(code: string, cause: unknown, platform: NodeJS.Platform): FieldwrightError {
  if (NO_SUCH_NAME.has(code))
    return deviceError('unreachable', say('device.unknown-name'), findCause(cause), {
      reason: 'unknown-name',
    });
  if (NOT_PERMITTED.has(code)) return deviceError('unreachable', say('device.not-permitted'), cause);
  // macOS answers so, without a word, for a program that may not use the local network.
  if (platform === 'darwin' && NOBODY_THERE.has(code) && isLocal(cause))
    return deviceError('unreachable', say('device.nobody-there-mac'), cause);
  // The code means, in the own network, that the address is unused; beyond it, that the last router finds no
  // host.
  return NOBODY_THERE.has(code)
    ? deviceError('unreachable', say('device.nobody-there'), cause)
    : deviceError('unreachable', say('device.no-way'), cause);
}

/** Addresses of private networks. */
const LOCAL = /^(?:10\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.|169\.254\.|f[cd]|fe[89ab])/i;

function isLocal(thrown: unknown): boolean {
  return thrown instanceof Error && 'address' in thrown && LOCAL.test(String(thrown.address));
}

function certificateError(refusal: CertificateRefusal): FieldwrightError {
  const { offer } = refusal;
  if (offer === undefined) return deviceError('unreachable', say('device.no-certificate'), undefined);
  if (offer.pinned !== undefined) {
    return deviceError('certificate-changed', say('device.certificate-changed'), undefined, {
      certificate: offer,
    });
  }
  return deviceError(
    'certificate-untrusted',
    say(CERTIFICATE_REASONS[offer.reason] ?? 'device.certificate-unverified'),
    undefined,
    {
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
    return deviceError('unreachable', say('device.old-tls'), cause, {
      reason: 'old-tls',
    });
  }
  return NO_TLS.test(code)
    ? deviceError('unreachable', say('device.no-tls'), cause, {
        reason: 'no-tls',
      })
    : deviceError('unreachable', say('device.no-agreement'), cause, {
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
  words: ReturnType<typeof say>,
  cause: unknown,
  extra: Pick<ErrorShape, 'sent' | 'certificate' | 'reason'> = {},
): FieldwrightError {
  const source: ErrorSource = 'device';
  return new FieldwrightError({ code, source, ...words, ...extra }, { cause });
}
