/**
 * Settles one write: journals the intent, sends the request, checks the device and concludes the outcome. A status alone
 * proves nothing, and a lost connection is no failure: what the device shows decides. Settings, people, fingerprints,
 * guided flows, model packages and single calls all use it, so that their outcomes have the same meaning.
 */
import { isWorthWaiting, isDeviceRefusal, mustStopDevice } from '#shared/error-meaning.ts';
import { toErrorShape, type ErrorShape, type StatusReport } from '#shared/errors.ts';
import type { Operation } from '#protocol/definition.ts';
import type { UnitOutcome } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { Answer } from '../device/client-types.ts';
import { PATIENCE_MS } from '../device/transport/patient-read.ts';
import { sendPatiently, type KeptSent, type Sent, type WritePlace } from './sent.ts';

/**
 * State that the device shows after a write. `taken`: all requested values. `unproved`: all that can be shown; the rest,
 * such as a password, never is. `untouched`: the previous values. `differs`: some of the requested values, or others.
 * `hidden`: the device does not show the requested values.
 */
export type Seen<Shown = unknown> =
  | { readonly kind: 'taken' | 'unproved' | 'untouched' | 'differs'; readonly shown: Shown }
  | { readonly kind: 'hidden'; readonly shown?: Shown };
/** Result of a check; `lost`: the device could not be read. */
export type Looked<Shown = unknown> = Seen<Shown> | { readonly kind: 'lost'; readonly error: ErrorShape };

/** Answer that preceded an `ignored` outcome, for the wording of its message. */
export type After = 'ok' | 'refusal' | 'loss' | 'timeout' | 'unreadable' | 'redirect';

export interface Conclusion<Shown = unknown> {
  readonly outcome: Extract<
    UnitOutcome,
    'effective' | 'accepted' | 'ignored' | 'needs-reboot' | 'refused' | 'unknown' | 'failed'
  >;
  readonly status?: StatusReport;
  /** Why the write failed; absent with `ignored`, for which the caller builds the error from `after` and `shown`. */
  readonly error?: ErrorShape;
  readonly after?: After;
  /** State that the device showed in the last check. */
  readonly shown?: Shown;
  /** Why the device cannot be used any further, if so. */
  readonly stop?: ErrorShape;
}

/**
 * Returns the outcome of a write from the result of its request, whether it had been sent before, and what the device
 * shows afterwards (`undefined`: not checked). The only place where this is decided.
 */
export function concludeWrite<Shown>(
  sent: KeptSent,
  seen: Looked<Shown> | undefined,
  sentBefore: boolean,
): Conclusion<Shown> {
  const status = sent.status === undefined ? {} : { status: sent.status };
  const shown =
    seen !== undefined && 'shown' in seen && seen.shown !== undefined ? { shown: seen.shown } : {};
  const stop = seen?.kind === 'lost' ? { stop: seen.error } : {};
  const ignored: Conclusion<Shown> = { outcome: 'ignored', ...status, ...shown, after: afterOf(sent) };
  const proved: Conclusion<Shown> | undefined =
    seen?.kind === 'taken' ? { outcome: 'effective', ...status, ...shown } : undefined;

  switch (sent.kind) {
    case 'not-sent':
      // An earlier attempt may still arrive.
      return {
        outcome: sentBefore ? 'unknown' : 'failed',
        ...status,
        error: sent.error,
        ...(mustStopDevice(sent.error) ? { stop: sent.error } : {}),
      };
    case 'busy':
      if (!sentBefore) return { outcome: 'refused', ...status, error: sent.error };
      return proved ?? { outcome: 'unknown', ...status, error: sent.error, ...stop };
    case 'restart':
      return { outcome: 'needs-reboot', ...status, ...shown, ...stop };
    case 'yes':
      switch (seen?.kind) {
        case 'taken':
          return { outcome: 'effective', ...status, ...shown };
        case 'untouched':
        case 'differs':
          return ignored;
        case 'lost':
          // The device may have gone offline before it stored the values.
          return { outcome: 'unknown', ...status, error: seen.error, ...stop };
        default:
          return { outcome: 'accepted', ...status, ...shown };
      }
    case 'no':
      // Some devices refuse a write but still take it, or a part of it.
      if (proved !== undefined) return proved;
      if (seen?.kind === 'differs') return ignored;
      if (seen?.kind === 'unproved') return { outcome: 'accepted', ...status, ...shown };
      return { outcome: 'refused', ...status, error: sent.error };
    case 'unclear':
      if (proved !== undefined) return proved;
      if (seen?.kind === 'differs') return ignored;
      // A redirect counts as an answer: if the device shows no effect, it refused the write.
      if (seen?.kind === 'untouched')
        return isDeviceRefusal(sent.error)
          ? { outcome: 'refused', ...status, ...shown, error: sent.error }
          : ignored;
      return { outcome: 'unknown', ...status, ...shown, error: sent.error, ...stop };
  }
}

function afterOf(sent: KeptSent): After {
  if (!('error' in sent)) return 'ok';
  if (sent.kind === 'no' || sent.kind === 'busy') return 'refusal';
  switch (sent.error.code) {
    case 'timeout':
      return 'timeout';
    case 'answer-too-large':
    case 'malformed-answer':
      return 'unreadable';
    case 'refused':
      return 'redirect';
    default:
      return 'loss';
  }
}

export interface Write<Shown> extends WritePlace {
  /** Resolves when the intent is on disk; if it rejects, nothing is sent. `shown`: state after a lost earlier attempt. */
  readonly intend: (shown: Shown | undefined) => Promise<void>;
  /** Sends the request once, merged into the state that the device showed last. */
  readonly send: (shown: Shown | undefined) => Promise<Answer>;
  /** Checks the device for the write; absent if no document shows it. */
  readonly look?: () => Promise<Seen<Shown>>;
  /** True if an earlier run sent the write, so that it may still arrive. */
  readonly sentBefore?: boolean;
  /** True if a non-idempotent write may be repeated after a check showed that the device did not take it. */
  readonly repeats?: boolean;
  /** Returns how to check, if an answer says more than success or refusal; undefined: as after any other write. */
  readonly looks?: (sent: Sent) => Looks | undefined;
  readonly clock: Clock;
  /**
   * Aborts waits. If it aborts on a cancel, writes not verified by then are checked later; otherwise requests under way
   * are finished.
   */
  readonly signal: AbortSignal;
  /** Receives each phase as it begins. */
  readonly phase?: (phase: 'writing' | 'verifying') => void;
}

/** Ways to check a device: until it can be read (`patiently`), or until it shows the write (`until-taken`). */
export type Looks = 'not' | 'once' | 'patiently' | 'until-taken';

export interface Settled<Shown> extends Conclusion<Shown> {
  /** Answer of the last attempt; absent if none could be read. */
  readonly answer?: Answer;
  /** Result of the last attempt. */
  readonly sent: Sent;
  /** Result of the last check; absent if there was none. */
  readonly seen?: Looked<Shown>;
}

/** Attempts in all for a write that a check showed not to have arrived. */
export const SENDS = 2;

/** Sends a write, checks the device afterwards and returns the outcome. Never throws. */
export async function settleWrite<Shown>(write: Write<Shown>): Promise<Settled<Shown>> {
  let before: Shown | undefined;
  let sentBefore = write.sentBefore === true;
  const repeatable = { idempotent: write.repeats ?? write.operation.idempotent };
  for (let attempt = 1; ; attempt += 1) {
    const sent = await intendAndSend(write, before);
    const first = sent.kind === 'unclear' ? await lookPatiently(write) : undefined;
    if (
      first?.kind === 'untouched' &&
      attempt < SENDS &&
      !write.signal.aborted &&
      mayRepeat(sent, repeatable)
    ) {
      // The write did not arrive: send it again, merged into the current state of the device.
      before = first.shown;
      sentBefore = true;
      continue;
    }
    const looks = write.looks?.(sent) ?? looksAfter(sent, sentBefore);
    const seen = await lookAsTold(looks, write, first);
    return {
      ...concludeWrite(sent, seen, sentBefore),
      sent,
      answer: 'answer' in sent ? sent.answer : undefined,
      seen,
    };
  }
}

/** Returns true if sending again is harmless and may succeed; not after a redirect, which would only repeat. */
export function mayRepeat(sent: Sent, { idempotent }: Pick<Operation, 'idempotent'>): boolean {
  return idempotent && sent.kind === 'unclear' && !isDeviceRefusal(sent.error);
}

async function intendAndSend<Shown>(write: Write<Shown>, before: Shown | undefined): Promise<Sent> {
  const { operation, device } = write;
  try {
    await write.intend(before);
  } catch (thrown) {
    // Nothing is sent unless the intent is on disk.
    const error = toErrorShape(thrown);
    return { kind: 'not-sent', error: { operation: operation.id, device, ...error, sent: false } };
  }
  write.phase?.('writing');
  return sendPatiently({ ...write, send: () => write.send(before) });
}

/** Returns how to check the device after a request with this result. */
function looksAfter(sent: Sent, sentBefore: boolean): Looks {
  switch (sent.kind) {
    case 'not-sent':
      return 'not';
    case 'busy':
      return sentBefore ? 'patiently' : 'not';
    case 'restart':
    case 'no':
      return 'once';
    case 'yes':
    case 'unclear':
      return 'until-taken';
  }
}

function lookAsTold<Shown>(
  looks: Looks,
  write: Write<Shown>,
  first: Looked<Shown> | undefined,
): Promise<Looked<Shown> | undefined> | undefined {
  switch (looks) {
    case 'not':
      return undefined;
    case 'once':
      return lookOnce(write);
    case 'patiently':
      return lookPatiently(write);
    case 'until-taken':
      return lookUntilTaken(write, first);
  }
}

async function lookOnce<Shown>({
  look,
  phase,
  device,
}: Pick<Write<Shown>, 'look' | 'phase' | 'device'>): Promise<Looked<Shown> | undefined> {
  if (look === undefined) return undefined;
  phase?.('verifying');
  try {
    return await look();
  } catch (thrown) {
    const error = toErrorShape(thrown);
    return { kind: 'lost', error: { ...error, device: error.device ?? device } };
  }
}

/** Checks until the device can be read, after the waits of `PATIENCE_MS` at most. */
export function lookPatiently<Shown>(write: Looking<Shown>): Promise<Looked<Shown> | undefined> {
  return lookWhile(write, (seen) => seen?.kind === 'lost' && isWorthWaiting(seen.error));
}

/**
 * Checks until the device shows the write, after the waits of `PATIENCE_MS` at most. A device that still shows the old
 * values may take the new ones a moment later; one that shows a part of them gets one more check, which is final.
 */
export function lookUntilTaken<Shown>(
  write: Looking<Shown>,
  first?: Looked<Shown>,
): Promise<Looked<Shown> | undefined> {
  let partly = 0;
  const goesOn = (seen: Looked<Shown> | undefined): boolean => {
    if (seen?.kind === 'lost') return isWorthWaiting(seen.error);
    if (seen?.kind === 'differs') return (partly += 1) === 1;
    return seen?.kind === 'untouched';
  };
  return lookWhile(write, goesOn, first);
}

type Looking<Shown> = Pick<Write<Shown>, 'look' | 'phase' | 'device' | 'clock' | 'signal'>;

async function lookWhile<Shown>(
  write: Looking<Shown>,
  goesOn: (seen: Looked<Shown> | undefined) => boolean,
  first?: Looked<Shown>,
): Promise<Looked<Shown> | undefined> {
  let seen = first ?? (await lookOnce(write));
  for (const delay of PATIENCE_MS) {
    if (!goesOn(seen) || write.signal.aborted) break;
    await write.clock.delay(delay, write.signal).catch(() => undefined);
    seen = await lookOnce(write);
  }
  return seen;
}
