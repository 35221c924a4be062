/**
 * One write and its verdict: journal, send, read back. Status OK alone is no proof; a lost
 * connection is no failure. What the device shows afterwards decides.
 */
import { say, someOf } from '../../shared/details.ts';
import { defined } from '../../shared/defined.ts';
import { refusalOf } from '../../protocol/index.ts';
import {
  NOT_LET_IN,
  toErrorShape,
  type ErrorCode,
  type ErrorShape,
  type StatusReport,
} from '../../shared/errors.ts';
import type { Change, UnitNote, UnitOutcome } from '../../shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { Answer, DeviceClient } from '../device/client-types.ts';
import type { Desired, DeviceState } from '../plan/desired.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { ResolvedSection } from '../template/document.ts';
import { BUSY_DELAYS_MS } from '../device/transport/patient-read.ts';
import { holdsSecrets } from './holds-secrets.ts';
import type { SectionReader } from '../plans/read-section.ts';

export interface WriteRequest {
  readonly section: ResolvedSection;
  /** What a device that shows this should hold; no changes: nothing is left to do. */
  readonly want: (state: DeviceState) => Desired;
  readonly desired: Desired;
  /** Address, for errors. */
  readonly device: string;
  /** It was sent before, by an earlier run, and may still have arrived. */
  readonly sentBefore?: boolean;
}

interface WriteContext {
  readonly client: DeviceClient;
  readonly reader: SectionReader;
  readonly clock: Clock;
  /** Does not abort for a cancel: what is under way is finished. */
  readonly signal: AbortSignal;
  /** Resolves when the intent is durable. */
  readonly intent: (sent: string) => Promise<void>;
  readonly phase: (phase: 'writing' | 'verifying') => void;
}

export interface Verdict {
  readonly outcome: UnitOutcome;
  readonly status?: StatusReport;
  readonly error?: ErrorShape;
  readonly note?: UnitNote;
  /** The document that the device showed afterwards. */
  readonly shown?: string;
  /** The device cannot be worked on any further. */
  readonly stop?: ErrorShape;
}

/** Errors after which it is certain that the device did not take the request. */
const NOT_TAKEN: ReadonlySet<ErrorCode> = new Set([
  ...NOT_LET_IN,
  'vault-locked',
  'vault-damaged',
  'storage-damaged',
  'data-folder-in-use',
  'too-many-files',
  'not-available',
  'usage',
  'unknown-device',
  'consent-needed',
  'missing-parameter',
  'unknown-parameter',
  'wrong-type',
  'out-of-range',
  'too-long',
  'not-allowed',
]);
/** Whether a request that ended so may have reached the device all the same. */
export function mayHaveArrived({ sent, code }: ErrorShape): boolean {
  return sent ?? !NOT_TAKEN.has(code);
}

/** Patience with a device that vanished or restarts after a write, or takes it a moment after it said OK. */
const SETTLE_DELAYS_MS: readonly number[] = [500, 1500, 4000];
const SENDS = 2;

type Sent =
  | { readonly kind: 'status'; readonly answer: Answer }
  /** Sent, and the answer lost or unreadable. */
  | { readonly kind: 'uncertain'; readonly error: ErrorShape; readonly status?: StatusReport }
  | { readonly kind: 'not-sent'; readonly error: ErrorShape };

type Seen =
  | {
      readonly kind: 'shown';
      /** What would still have to change. */ readonly left: readonly Change[];
      readonly desired: Desired;
      readonly text: string;
    }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'lost'; readonly error: ErrorShape };

/** Never throws: whatever happens is a verdict. */
export async function writeSection(first: WriteRequest, context: WriteContext): Promise<Verdict> {
  let request = first;
  for (let attempt = 1; ; attempt += 1) {
    const sent = await send(request, context);
    if (sent.kind === 'not-sent') return { outcome: notTaken(request), error: sent.error, stop: sent.error };
    if (sent.kind === 'status') return judgeStatus(sent.answer, request, context);

    const seen = await lookBack(request, context, SETTLE_DELAYS_MS);
    if (
      seen.kind !== 'shown' ||
      !isUntouched(seen.left, request) ||
      !request.section.resource.put.idempotent ||
      attempt >= SENDS ||
      isAnswer(sent.error)
    )
      return judgeUncertain(sent, seen, request);
    // It did not arrive: once more, on what the device holds now.
    request = { ...request, desired: seen.desired, sentBefore: true };
  }
}

/** A write that the device did not get; where it was sent before as well, that one may still arrive. */
function notTaken({ sentBefore }: WriteRequest): UnitOutcome {
  return sentBefore === true ? 'unknown' : 'failed';
}

async function send(request: WriteRequest, context: WriteContext): Promise<Sent> {
  const operation = request.section.resource.put;
  const { device } = request;
  const placed = (thrown: unknown): ErrorShape => {
    const shape = toErrorShape(thrown);
    return { ...shape, operation: shape.operation ?? operation.id, device: shape.device ?? device };
  };
  try {
    await context.intent(request.desired.text);
  } catch (thrown) {
    // Without an intent on disk nothing is sent.
    return { kind: 'not-sent', error: placed(thrown) };
  }
  try {
    context.phase('writing');
    const answer = await sendPatiently(request, context);
    const { status } = answer;
    // A 2xx without a readable status is an answer of some kind, not a promise.
    return status.kind === 'none'
      ? { kind: 'uncertain', status: status.report, error: malformed(operation.id, device, answer) }
      : { kind: 'status', answer };
  } catch (thrown) {
    const error = placed(thrown);
    return { kind: mayHaveArrived(error) ? 'uncertain' : 'not-sent', error };
  }
}

/** Busy means not processed: the same request may go out again. */
async function sendPatiently(
  { section, desired, device }: WriteRequest,
  { client, clock, signal }: WriteContext,
): Promise<Answer> {
  // A secret is for the device as it stood in the plan that somebody looked at.
  const place = holdsSecrets(section.resource) ? { address: device } : {};
  const write = (): Promise<Answer> =>
    client.write(section.resource.put, section.params, desired.text, { signal, ...place });
  for (const delay of BUSY_DELAYS_MS) {
    const answer = await write();
    if (answer.status.kind !== 'busy') return answer;
    await clock.delay(delay, signal);
  }
  return write();
}

async function judgeStatus(
  { status, exchange }: Answer,
  request: WriteRequest,
  context: WriteContext,
): Promise<Verdict> {
  const place = { operation: request.section.resource.put.id, device: request.device };
  const report = { status: status.report };
  if (status.kind !== 'ok' && status.kind !== 'needs-reboot') {
    const error = refusalOf(status, { ...place, exchange: exchange() });
    if (status.kind === 'sign-in') return { outcome: notTaken(request), ...report, error, stop: error };
    // Busy means not processed.
    const seen: Seen = status.kind === 'busy' ? { kind: 'hidden' } : await lookBack(request, context, []);
    return judgeRefusal({ outcome: 'refused', ...report, error }, seen, request);
  }
  if (status.kind === 'needs-reboot') {
    const seen = await lookBack(request, context, []);
    return {
      outcome: 'needs-reboot',
      ...report,
      ...(seen.kind === 'shown' ? { shown: seen.text } : {}),
      ...(seen.kind === 'lost' ? { stop: seen.error } : {}),
    };
  }
  const seen = await lookUntilTaken(request, context);
  if (seen.kind === 'hidden') return { outcome: 'accepted', ...report };
  // It may have gone before it kept what it was told.
  if (seen.kind === 'lost') return { outcome: 'unknown', ...report, error: seen.error, stop: seen.error };
  const shown = { shown: seen.text };
  if (seen.left.length === 0) return { outcome: 'effective', ...report, ...shown };
  const left = visible(seen.left);
  if (left.length === 0) return { outcome: 'accepted', ...report, ...shown };
  return { outcome: 'ignored', ...report, ...shown, error: stillOld(left, request, 'old-after-ok') };
}

/** A device that shows only old values may take the new ones a moment later; one that shows some has made up its mind. */
async function lookUntilTaken(request: WriteRequest, context: WriteContext): Promise<Seen> {
  let seen = await lookBack(request, context, SETTLE_DELAYS_MS);
  for (const [round, delay] of SETTLE_DELAYS_MS.entries()) {
    const isOpen =
      seen.kind === 'shown' &&
      visible(seen.left).length > 0 &&
      (round === 0 || isUntouched(seen.left, request));
    if (!isOpen) break;
    await context.clock.delay(delay, context.signal).catch(() => undefined);
    seen = await lookBack(request, context, []);
  }
  return seen;
}

/** Some devices refuse and take it all the same, or a part of it. */
function judgeRefusal(
  refused: Verdict & { readonly error: ErrorShape },
  seen: Seen,
  request: WriteRequest,
): Verdict {
  const wanted = visible(request.desired.changes).length;
  if (seen.kind !== 'shown' || wanted === 0 || isUntouched(seen.left, request)) return refused;
  const { error: _said, ...report } = refused;
  const left = visible(seen.left);
  if (left.length === 0)
    return { ...report, outcome: seen.left.length === 0 ? 'effective' : 'accepted', shown: seen.text };
  return {
    ...report,
    outcome: 'ignored',
    shown: seen.text,
    error: stillOld(left, request, 'old-after-refusal'),
  };
}

function judgeUncertain(
  sent: Extract<Sent, { kind: 'uncertain' }>,
  seen: Seen,
  request: WriteRequest,
): Verdict {
  const report = sent.status === undefined ? {} : { status: sent.status };
  if (seen.kind === 'lost') return { outcome: 'unknown', ...report, error: sent.error, stop: seen.error };
  if (seen.kind === 'hidden' || (seen.left.length > 0 && visible(seen.left).length === 0))
    return { outcome: 'unknown', ...report, error: sent.error };
  const shown = { shown: seen.text };
  if (seen.left.length === 0) return { outcome: 'effective', ...report, ...shown };
  if (isAnswer(sent.error) && isUntouched(seen.left, request))
    return { outcome: 'refused', ...report, ...shown, error: sent.error };
  return {
    outcome: 'ignored',
    ...report,
    ...shown,
    error: stillOld(
      visible(seen.left),
      request,
      sent.status === undefined ? (LOST[sent.error.code] ?? 'old-after-loss') : 'old-after-unreadable',
    ),
  };
}

/** What became of an answer that is missing. */
const LOST: Partial<Record<ErrorCode, OldAfter>> = {
  timeout: 'old-after-timeout',
  'answer-too-large': 'old-after-unreadable',
  'malformed-answer': 'old-after-unreadable',
  refused: 'old-after-redirect',
};

/** The device did answer, only elsewhere: sending the same again gets the same. */
function isAnswer({ code }: ErrorShape): boolean {
  return code === 'refused';
}

/** Reads until the device shows something, as long as the delays last. */
async function lookBack(
  request: WriteRequest,
  context: WriteContext,
  delays: readonly number[],
): Promise<Seen> {
  context.phase('verifying');
  for (let round = 0; ; round += 1) {
    try {
      const read = await context.reader.read(request.section);
      if (read.kind !== 'state') return { kind: 'hidden' };
      const { text } = read.state.document;
      // Most devices show exactly what they were sent.
      if (text === request.desired.text) return { kind: 'shown', left: [], desired: request.desired, text };
      const desired = request.want(read.state);
      return { kind: 'shown', left: desired.changes, desired, text };
    } catch (thrown) {
      const error = toErrorShape(thrown);
      const delay = delays[round];
      if (delay === undefined || !mayPass(error))
        return { kind: 'lost', error: { ...error, device: error.device ?? request.device } };
      await context.clock.delay(delay, context.signal).catch(() => undefined);
    }
  }
}

/** Reasons that a restarting device or a bad network leaves behind. */
export function mayPass({ code }: ErrorShape): boolean {
  return (
    code === 'connection-lost' ||
    code === 'connection-refused' ||
    code === 'timeout' ||
    code === 'unreachable' ||
    code === 'malformed-answer'
  );
}

function isUntouched(left: readonly Change[], { desired }: WriteRequest): boolean {
  return canonicalJson(left) === canonicalJson(desired.changes) && visible(left).length > 0;
}

/** Changes that a device would show: secrets are written and never shown again. */
export function visible(left: readonly Change[]): readonly Change[] {
  return left.filter((change) => change.sensitive !== true);
}

/** What came before a device that still shows the old values. */
type OldAfter = `old-after-${'ok' | 'refusal' | 'loss' | 'timeout' | 'unreadable' | 'redirect'}`;

function stillOld(
  left: readonly Change[],
  { section, device, desired }: WriteRequest,
  how: OldAfter,
): ErrorShape {
  const part = left.length < visible(desired.changes).length ? '-in-part' : '';
  const [first] = left;
  return {
    code: 'refused',
    source: 'device',
    operation: section.resource.put.id,
    device,
    ...defined({ path: first?.path }),
    ...say(`${how}${part}`, { names: someOf(left.map(({ path }) => path)) }),
  };
}

function malformed(operation: string, device: string, { status, exchange }: Answer): ErrorShape {
  return {
    code: 'malformed-answer',
    source: 'device',
    ...say('write-answer-unreadable'),
    operation,
    device,
    status: status.report,
    exchange: exchange(),
  };
}
