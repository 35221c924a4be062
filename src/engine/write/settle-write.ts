/**
 * One write, from its intent on disk to what became of it: sent, and looked at afterwards. A status alone is no proof, and
 * a lost connection no failure: what the device shows decides. Settings, people, fingerprints, steps of guided flows, model
 * packages and single calls all end here, so that they cannot disagree.
 */
import { defined } from '../../shared/defined.ts';
import { isWorthWaiting, saysNo, stopsDevice } from '../../shared/error-meaning.ts';
import { toErrorShape, type ErrorShape, type StatusReport } from '../../shared/errors.ts';
import type { Operation } from '../../protocol/definition.ts';
import type { UnitOutcome } from '../../shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { Answer } from '../device/client-types.ts';
import { PATIENCE_MS } from '../device/transport/patient-read.ts';
import { sendPatiently, type KeptSent, type Sent, type WritePlace } from './sent.ts';

/**
 * What the device shows of a write. `taken`: all of it. `unproved`: all that can be shown, while the rest, such as a
 * password, never is. `untouched`: what it showed before. `differs`: a part of it, or something else. `hidden`: it shows
 * nothing of what was asked.
 */
export type Seen<Shown = unknown> =
  | { readonly kind: 'taken' | 'unproved' | 'untouched' | 'differs'; readonly shown: Shown }
  | { readonly kind: 'hidden'; readonly shown?: Shown };
/** `lost`: the device could not be read. */
export type Looked<Shown = unknown> = Seen<Shown> | { readonly kind: 'lost'; readonly error: ErrorShape };

/** What came before a device that does not show what was asked, so that a sentence can say it. */
export type After = 'ok' | 'refusal' | 'loss' | 'timeout' | 'unreadable' | 'redirect';

export interface Conclusion<Shown = unknown> {
  readonly outcome: Extract<
    UnitOutcome,
    'effective' | 'accepted' | 'ignored' | 'needs-reboot' | 'refused' | 'unknown' | 'failed'
  >;
  readonly status?: StatusReport;
  /** Why it is not as asked; absent with `ignored`, where the caller words it with `after` and `shown`. */
  readonly error?: ErrorShape;
  readonly after?: After;
  /** What the device showed at last. */
  readonly shown?: Shown;
  /** The device cannot be worked on any further, for this reason. */
  readonly stop?: ErrorShape;
}

/**
 * The one table: what a write became, by what its request came to, whether it had been sent before, and what the device
 * shows afterwards (`undefined`: nobody looked).
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
        ...(stopsDevice(sent.error) ? { stop: sent.error } : {}),
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
          // It may have gone before it kept what it was told.
          return { outcome: 'unknown', ...status, error: seen.error, ...stop };
        default:
          return { outcome: 'accepted', ...status, ...shown };
      }
    case 'no':
      // Some devices refuse and take it all the same, or a part of it.
      if (proved !== undefined) return proved;
      if (seen?.kind === 'differs') return ignored;
      if (seen?.kind === 'unproved') return { outcome: 'accepted', ...status, ...shown };
      return { outcome: 'refused', ...status, error: sent.error };
    case 'unclear':
      if (proved !== undefined) return proved;
      if (seen?.kind === 'differs') return ignored;
      // A redirect is an answer, only elsewhere: what shows no trace of the write was refused.
      if (seen?.kind === 'untouched')
        return saysNo(sent.error) ? { outcome: 'refused', ...status, ...shown, error: sent.error } : ignored;
      return { outcome: 'unknown', ...status, ...shown, error: sent.error, ...stop };
  }
}

function afterOf(sent: KeptSent): After {
  if (!('error' in sent)) return 'ok';
  if (sent.kind === 'no' || sent.kind === 'busy') return 'refusal';
  if (sent.kind === 'unclear' && sent.status !== undefined) return 'unreadable';
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

/** A write that is to be settled. */
export interface Write<Shown> extends WritePlace {
  /** Resolves when the intent is on disk; nothing is sent where it rejects. `shown` is what the device held when an earlier attempt was seen to be lost. */
  readonly intend: (shown: Shown | undefined) => Promise<void>;
  /** Sends the request once, laid over what the device showed last. */
  readonly send: (shown: Shown | undefined) => Promise<Answer>;
  /** Reads what the device shows of it. Absent where nothing shows it. */
  readonly look?: () => Promise<Seen<Shown>>;
  /** It was sent before, by an earlier run, and may still arrive. */
  readonly sentBefore?: boolean;
  /** Sending it once more does no harm where the device was seen not to have it, although the operation is not idempotent. */
  readonly repeats?: boolean;
  /** Says how to look where an answer tells more than yes or no; undefined: as after every other write. */
  readonly looks?: (sent: Sent) => Looks | undefined;
  readonly clock: Clock;
  /**
   * Ends waits. Where it aborts for a cancel, what was not proved by then is to be found out later; else what is under way
   * is finished.
   */
  readonly signal: AbortSignal;
  /** Hears what is going on. */
  readonly phase?: (phase: 'writing' | 'verifying') => void;
}

/** How a device is looked at: until it can be read (`patiently`), or until it shows the write. */
export type Looks = 'not' | 'once' | 'patiently' | 'until-taken';

export interface Settled<Shown> extends Conclusion<Shown> {
  /** The answer of the last attempt; absent where none could be read. */
  readonly answer?: Answer;
  /** What the last attempt came to. */
  readonly sent: Sent;
  /** What was seen at last; absent where nobody looked. */
  readonly seen?: Looked<Shown>;
}

/** A write that was seen not to have arrived is sent so often in all. */
export const SENDS = 2;

/** Sends a write, looks at the device afterwards and says what became of it. Never throws. */
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
      // It did not arrive: once more, on what the device holds now.
      before = first.shown;
      sentBefore = true;
      continue;
    }
    const looks = write.looks?.(sent) ?? looksAfter(sent, sentBefore);
    const seen = await lookAsTold(looks, write, first);
    return {
      ...concludeWrite(sent, seen, sentBefore),
      sent,
      ...defined({ answer: 'answer' in sent ? sent.answer : undefined, seen }),
    };
  }
}

/** Sending it again does no harm, and may do better: an answer that leads elsewhere leads there again. */
export function mayRepeat(sent: Sent, { idempotent }: Pick<Operation, 'idempotent'>): boolean {
  return idempotent && sent.kind === 'unclear' && !saysNo(sent.error);
}

async function intendAndSend<Shown>(write: Write<Shown>, before: Shown | undefined): Promise<Sent> {
  const { operation, device } = write;
  try {
    await write.intend(before);
  } catch (thrown) {
    // Without an intent on disk nothing is sent.
    const error = toErrorShape(thrown);
    return { kind: 'not-sent', error: { operation: operation.id, device, ...error, sent: false } };
  }
  write.phase?.('writing');
  return sendPatiently({ ...write, send: () => write.send(before) });
}

/** What has to be looked at, and how patiently, depends on what the request came to. */
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

/** Looks until the device can be read, as long as the one patience lasts. */
export function lookPatiently<Shown>(write: Looking<Shown>): Promise<Looked<Shown> | undefined> {
  return lookWhile(write, (seen) => seen?.kind === 'lost' && isWorthWaiting(seen.error));
}

/**
 * Looks until the device shows the write, as long as the one patience lasts. A device that shows only what it held before
 * may take the new values a moment later; one that shows a part of them gets one more look, and has then made up its mind.
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
