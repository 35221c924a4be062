/**
 * Meaning of each error code: for the request that it ended, for the device, and for the next request. Every other
 * place asks this table, so that no two places draw different conclusions from the same error.
 */
import type { ErrorCode, ErrorShape } from './errors.ts';

/** Fate of a request: it never left this computer, the device may have acted on it, or the device said no to it. */
type RequestFate = 'not-sent' | 'may-have-arrived' | 'answered-no';
/**
 * State of the device. `gone`: nothing answers at its address; `leaving`: a connection to it broke off; `shut`: the
 * device, or a check of its identity, keeps this account out; `there`: it answered; `unasked`: the error says nothing.
 */
type DeviceState = 'gone' | 'leaving' | 'shut' | 'there' | 'unasked';
/** Kind of answer, where one came. */
type AnswerKind =
  /** The device does not have what was asked for. */
  | 'lacks'
  /** It understood the request and refused its content or its moment. */
  | 'refuses'
  /** The account has no right to this path; the sign-in itself is fine. */
  | 'no-permission'
  /** The device was too busy and did nothing. */
  | 'busy'
  /** Something inside the device went wrong, which says nothing about the request. */
  | 'trouble'
  /** The answer is not readable, or too large. */
  | 'unreadable';
/** Scope of the cause: this request, every request to this device, or this program as a whole. */
type Scope = 'request' | 'device' | 'program';

interface ErrorMeaning {
  readonly request: RequestFate;
  readonly device: DeviceState;
  readonly scope: Scope;
  /** True if a retry of the same request may succeed a moment later. */
  readonly passes: boolean;
  readonly answer?: AnswerKind;
  /** The device looked at the name and password, or another device did, and refused them. */
  readonly refusesCredentials?: true;
}

const BAD_INPUT: ErrorMeaning = { request: 'not-sent', device: 'unasked', scope: 'request', passes: false };
const OWN_TROUBLE: ErrorMeaning = { ...BAD_INPUT, scope: 'program' };
const SHUT: ErrorMeaning = { request: 'not-sent', device: 'shut', scope: 'device', passes: false };
const NO_CONNECTION: ErrorMeaning = { request: 'not-sent', device: 'gone', scope: 'device', passes: true };
const NO_ANSWER: ErrorMeaning = { ...NO_CONNECTION, request: 'may-have-arrived', scope: 'request' };

function answered(answer: AnswerKind, passes = false): ErrorMeaning {
  const request = answer === 'unreadable' ? 'may-have-arrived' : 'answered-no';
  return { request, device: 'there', scope: 'request', passes, answer };
}

const MEANINGS: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  usage: BAD_INPUT,
  'unreadable-file': BAD_INPUT,
  'invalid-template': BAD_INPUT,
  'unknown-operation': BAD_INPUT,
  'unknown-section': BAD_INPUT,
  'unknown-field': BAD_INPUT,
  'unknown-parameter': BAD_INPUT,
  'missing-parameter': BAD_INPUT,
  'missing-field': BAD_INPUT,
  'read-only-field': BAD_INPUT,
  'wrong-type': BAD_INPUT,
  'out-of-range': BAD_INPUT,
  'not-allowed': BAD_INPUT,
  'too-long': BAD_INPUT,
  'condition-not-met': BAD_INPUT,
  'duplicate-section': BAD_INPUT,
  'duplicate-device': BAD_INPUT,
  'undefined-variable': BAD_INPUT,
  'unused-variable': BAD_INPUT,
  unusual: BAD_INPUT,
  'unknown-device': { ...BAD_INPUT, scope: 'device' },
  'plan-outdated': BAD_INPUT,
  'changed-meanwhile': BAD_INPUT,
  'confirmation-needed': BAD_INPUT,
  'consent-needed': BAD_INPUT,
  'input-too-large': BAD_INPUT,
  unreachable: NO_CONNECTION,
  'connection-refused': NO_CONNECTION,
  timeout: NO_ANSWER,
  'connection-lost': { ...NO_ANSWER, device: 'leaving' },
  'certificate-untrusted': SHUT,
  'certificate-changed': SHUT,
  'sign-in-required': SHUT,
  'sign-in-failed': { ...SHUT, refusesCredentials: true },
  'sign-in-paused': { ...SHUT, refusesCredentials: true },
  'account-locked': { ...SHUT, refusesCredentials: true },
  'basic-refused': SHUT,
  'not-activated': SHUT,
  'no-permission': answered('no-permission'),
  'malformed-answer': answered('unreadable', true),
  'answer-too-large': answered('unreadable'),
  'device-busy': answered('busy', true),
  'device-error': answered('trouble'),
  'invalid-operation': answered('lacks'),
  'invalid-format': answered('refuses'),
  'invalid-content': answered('refuses'),
  'not-supported': answered('lacks'),
  'reboot-required': answered('trouble'),
  'not-found': answered('lacks'),
  refused: answered('refuses'),
  'vault-locked': OWN_TROUBLE,
  'vault-damaged': OWN_TROUBLE,
  'storage-damaged': OWN_TROUBLE,
  'data-folder-in-use': OWN_TROUBLE,
  'too-many-files': OWN_TROUBLE,
  cancelled: { ...OWN_TROUBLE, request: 'may-have-arrived' },
  'not-available': OWN_TROUBLE,
  internal: { ...OWN_TROUBLE, request: 'may-have-arrived' },
};

/** Part of an error that the questions below ask about; `sent` is what the transport saw of this very request. */
export type Failure = Pick<ErrorShape, 'code' | 'sent'>;

/** Returns whether the device may have acted on the request that ended with this error. */
export function mayHaveArrived({ code, sent }: Failure): boolean {
  return sent ?? MEANINGS[code].request !== 'not-sent';
}

/** Returns whether the device answered with a readable refusal. A device that was too busy did not refuse. */
export function isDeviceRefusal({ code }: Failure): boolean {
  const { request, answer } = MEANINGS[code];
  return request === 'answered-no' && answer !== 'busy';
}

/** Returns whether the connection to the device is gone: it is off, restarting, or the network is cut. */
export function isGone({ code }: Failure): boolean {
  return MEANINGS[code].device === 'gone' || MEANINGS[code].device === 'leaving';
}

/** Returns whether the address answers but nothing listens there: the device is starting or stopping, the network works. */
export function isDown({ code }: Failure): boolean {
  return code === 'connection-refused';
}

/** Returns whether no connection to the device could be made. */
export function isUnreachable(error: Failure): boolean {
  return MEANINGS[error.code].device === 'gone' && !mayHaveArrived(error);
}

/** Returns whether the device, or a check of its identity, keeps this account out. */
export function isShutOut({ code }: Failure): boolean {
  return MEANINGS[code].device === 'shut';
}

/** Returns whether the request was not sent because the identity of the device is in doubt. */
export function isIdentityInDoubt({ code }: Failure): boolean {
  return code === 'certificate-untrusted' || code === 'certificate-changed';
}

/** Returns whether a device refused the user name and password. */
export function isCredentialRefusal({ code }: Failure): boolean {
  return MEANINGS[code].refusesCredentials === true;
}

/** Returns whether the error says nothing about the device, because the device was not asked. */
export function isSilentAboutDevice({ code }: Failure): boolean {
  return MEANINGS[code].device === 'unasked' || code === 'sign-in-paused';
}

/** Returns whether the same request may do better a moment later. */
export function isWorthWaiting({ code }: Failure): boolean {
  return MEANINGS[code].passes;
}

/** Returns whether the device may do it later without the help of a person: it is away, too busy, or has to restart first. */
export function isPassing(error: Failure): boolean {
  return isGone(error) || answerKind(error) === 'busy' || error.code === 'reboot-required';
}

/** Returns whether every other request to this device would fail for the same reason now. */
export function mustStopDevice(error: Failure): boolean {
  const { scope } = MEANINGS[error.code];
  return scope !== 'request' || isUnreachable(error);
}

/** Returns whether nothing further can be asked of the device now: the connection is lost, or the device keeps this account out. */
export function isDeviceLost(error: Failure): boolean {
  return isGone(error) || mustStopDevice(error);
}

/** Returns whether this program itself is the cause, and nothing was sent. */
export function isOwnTrouble(error: Failure): boolean {
  return MEANINGS[error.code].scope === 'program' && !mayHaveArrived(error);
}

/**
 * Returns whether the device says that it lacks the operation, or the object that a parameter names. An internal error,
 * a missing permission and an unreadable answer do not say so.
 */
export function isMissingOnDevice(error: Failure): boolean {
  const kind = answerKind(error);
  return kind === 'lacks' || kind === 'refuses';
}

/** Returns whether the device looked at the content of the request and refused it. */
export function isContentRefusal({ code }: Failure): boolean {
  return code === 'invalid-content';
}

/** Returns the kind of the answer; undefined if there was none. */
export function answerKind({ code }: Failure): AnswerKind | undefined {
  return MEANINGS[code].answer;
}
