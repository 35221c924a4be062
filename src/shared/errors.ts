/**
 * The one error family. Its JSON form is what scripts, screens and the journal see; code recognises an error
 * by `code`, never by its message.
 */
import { removeUndefined } from './remove-undefined.ts';
import { say, type Detail } from './details.ts';
import type { Exchange } from './exchange.ts';
import type { CertificateOffer } from './trust.ts';

/** Source of an error: `device` only for what the device answered, or for the connection to it. */
export type ErrorSource = 'user' | 'device' | 'app';

export const ERROR_CODES = [
  // These concern the person's input: nothing was sent.
  'usage',
  'unreadable-file',
  'invalid-template',
  'unknown-operation',
  'unknown-section',
  'unknown-field',
  'unknown-parameter',
  'missing-parameter',
  'missing-field',
  'read-only-field',
  'wrong-type',
  'out-of-range',
  'not-allowed',
  'too-long',
  'condition-not-met',
  'duplicate-section',
  'duplicate-device',
  'undefined-variable',
  'unused-variable',
  'unusual',
  'unknown-device',
  'plan-outdated',
  'changed-meanwhile',
  'confirmation-needed',
  'consent-needed',
  'input-too-large',
  // These happen between us and the device.
  'unreachable',
  'connection-refused',
  'timeout',
  'connection-lost',
  'certificate-untrusted',
  'certificate-changed',
  'sign-in-required',
  'sign-in-failed',
  'sign-in-paused',
  'account-locked',
  'basic-refused',
  'not-activated',
  // The device answered with these.
  'no-permission',
  'malformed-answer',
  'answer-too-large',
  'device-busy',
  'device-error',
  'invalid-operation',
  'invalid-format',
  'invalid-content',
  'not-supported',
  'reboot-required',
  'not-found',
  'refused',
  // These happen in this program.
  'vault-locked',
  'vault-damaged',
  'storage-damaged',
  'data-folder-in-use',
  'too-many-files',
  'cancelled',
  'not-available',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Status in a device's answer, from either status family. Every field is as the device sent it. */
export interface StatusReport {
  readonly http: number;
  readonly statusCode?: number | string;
  readonly statusString?: string;
  readonly subStatusCode?: string;
  readonly errorCode?: number;
  readonly errorMsg?: string;
}

/** State of an account's lock: remaining attempts, or the time until it unlocks. */
export interface SignInLock {
  readonly locked?: boolean;
  readonly attemptsLeft?: number;
  /** ISO 8601: when the device said it unlocks, by this computer's clock. */
  readonly unlocksAt?: string;
}

/** Causes of one code that need other words and other steps. */
export const ERROR_REASONS = {
  'confirmation-needed': ['outside-busy', 'outside-no', 'outside-nobody', 'replaces-working'],
  unreachable: ['unknown-name', 'no-tls', 'old-tls'],
  timeout: ['no-connection'],
  'basic-refused': ['plain-http', 'not-agreed', 'digest-before', 'profile', 'policy'],
  'sign-in-required': ['profile', 'unknown-scheme', 'tags-differ', 'other-device', 'weaker-digest'],
  'sign-in-paused': ['refused-elsewhere'],
  'not-found': ['not-this-interface'],
  refused: ['redirect', 'wants-tls'],
} as const satisfies Partial<Record<ErrorCode, readonly string[]>>;
export type ErrorReason = (typeof ERROR_REASONS)[keyof typeof ERROR_REASONS][number];

/** Values that would be allowed; lengths count characters. */
export interface AllowedValues {
  readonly options?: readonly (string | number | boolean)[];
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** JSON form of an error; the first eight fields are the command line's contract. */
export interface ErrorShape {
  readonly code: ErrorCode;
  readonly source: ErrorSource;
  readonly message: string;
  readonly operation?: string;
  /** Position in the value or document: `sections[0].value.emissivity`. */
  readonly path?: string;
  readonly device?: string;
  readonly status?: StatusReport;
  /** Advised next step, for a person. */
  readonly hint?: string;
  /**
   * Set if no usable answer came: true if the request was sent, so that the outcome of a write is unknown.
   */
  readonly sent?: boolean;
  /** Position in a file, 1-based. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The nearest known name to the one that was not known. */
  readonly nearest?: string;
  readonly reason?: ErrorReason;
  readonly allowed?: AllowedValues;
  /** The message as data, for other languages: where code and the members above do not say it all. */
  readonly detail?: Detail;
  /** Request and answer, redacted; bodies are short unless the caller asked for a trace. */
  readonly exchange?: Exchange;
  /** Lock that the device reported after a failed sign-in. */
  readonly lock?: SignInLock;
  /** Certificate to compare, for `certificate-untrusted` and `certificate-changed`. */
  readonly certificate?: CertificateOffer;
  /** Further errors of the same check, when there is more than one. */
  readonly others?: readonly ErrorShape[];
}

/** The only error class that crosses a room's border. */
export class FieldwrightError extends Error {
  readonly shape: ErrorShape;

  /** Becomes `too-many-files` where that is the cause: whatever could not be opened, the reason is not its own. */
  constructor(given: ErrorShape, options?: { readonly cause?: unknown }) {
    const shape = isOutOfFiles(options?.cause) ? tooManyFiles(given) : given;
    super(shape.message, options);
    this.name = 'FieldwrightError';
    this.shape = shape;
  }

  get code(): ErrorCode {
    return this.shape.code;
  }

  /** Returns the same error with further fields about its place. */
  with(extra: Partial<ErrorShape>): FieldwrightError {
    return new FieldwrightError({ ...this.shape, ...extra }, { cause: this.cause });
  }

  toJSON(): ErrorShape {
    return this.shape;
  }
}

/**
 * Sentence of an error (`say`) and its other fields, without undefined ones; `cause` stays in this process.
 */
type Sentence = Pick<ErrorShape, 'message' | 'hint' | 'detail'>;
type Known = Partial<ErrorShape> & { readonly cause?: unknown };

function errorFrom(source: ErrorSource) {
  return (code: ErrorCode, sentence: Sentence, { cause, ...known }: Known = {}): FieldwrightError =>
    new FieldwrightError({ code, source, ...sentence, ...removeUndefined(known) }, { cause });
}

/** An error that the person can mend. */
export const userError = errorFrom('user');
/** An error that a device reported, or an error of the connection to it. */
export const deviceError = errorFrom('device');
/** An error of this program, its files or its computer, or one that it concluded by itself from what a device shows. */
export const appError = errorFrom('app');

/** Returns the error of a process that may open no more files, met where `given` was. */
function tooManyFiles({ device, operation, sent = false }: Partial<ErrorShape> = {}): ErrorShape {
  return {
    code: 'too-many-files',
    source: 'app',
    ...say('too-many-files'),
    sent,
    ...removeUndefined({ device, operation }),
  };
}

/** Numbers of ENFILE and EMFILE on Linux and macOS: Node names no error of its list of network interfaces. */
const UNNAMED = new Set<unknown>([23, 24]);
/** Errors within errors that are looked into. */
const DEEPEST_CAUSE = 8;

/**
 * Returns true if this process, or the system, ran out of files, by the error itself, its cause or one of
 * several errors; a connection counts as a file.
 */
export function isOutOfFiles(thrown: unknown, depth = 0): boolean {
  if (typeof thrown !== 'object' || thrown === null || depth > DEEPEST_CAUSE) return false;
  if (thrown instanceof FieldwrightError) return thrown.code === 'too-many-files';
  const { code, errno, cause, errors } = thrown as Partial<
    Record<'code' | 'errno' | 'cause' | 'errors', unknown>
  >;
  if (code === 'EMFILE' || code === 'ENFILE') return true;
  if (code === 'ERR_SYSTEM_ERROR' && UNNAMED.has(errno)) return true;
  const inner = [cause, ...(thrown instanceof AggregateError && Array.isArray(errors) ? errors : [])];
  return inner.some((each) => isOutOfFiles(each, depth + 1));
}

/** Returns the shape of a thrown value; an unexpected error becomes `internal` without its text. */
export function toErrorShape(thrown: unknown): ErrorShape {
  if (thrown instanceof FieldwrightError) return thrown.shape;
  if (isOutOfFiles(thrown)) return tooManyFiles();
  if (thrown instanceof Error && thrown.name === 'AbortError')
    return { code: 'cancelled', source: 'user', ...say('cancelled') };
  return {
    code: 'internal',
    source: 'app',
    ...say('unexpected'),
  };
}

/** Returns true for a plain object that has the shape of an error (it may have crossed a wire). */
export function isErrorShape(value: unknown): value is ErrorShape {
  if (typeof value !== 'object' || value === null) return false;
  const shape = value as Record<string, unknown>;
  return (
    typeof shape['code'] === 'string' &&
    (ERROR_CODES as readonly string[]).includes(shape['code']) &&
    typeof shape['message'] === 'string'
  );
}
