/**
 * Sends one fingerprint to the readers of one device: a write like any other (`settleWrite`), except that both the answer
 * and the check have a result per reader.
 */
import { isDeviceLost } from '#shared/error-meaning.ts';
import { say, sayWithReason } from '#shared/details.ts';
import { formatDeviceReason } from '#shared/device-reason.ts';
import { FieldwrightError, toErrorShape, type ErrorShape } from '#shared/errors.ts';
import {
  getFingerprintStatus,
  type PrintDifference,
  type ReaderResult,
} from '#shared/people/fingerprints.ts';
import type { ReaderAnswer } from '#protocol/definitions/access-control.ts';
import type { Clock } from '../api/host.ts';
import { redact } from '../device/redact.ts';
import { getSpecifiedOperation } from '../operations/specified.ts';
import {
  concludeWrite,
  lookPatiently,
  settleWrite,
  type Looked,
  type Looks,
  type Seen,
} from '../write/settle-write.ts';
import type { KeptSent, Sent } from '../write/sent.ts';
import { createAsideClock, type Aside } from './aside.ts';
import { compareFingerprint, lookForFinger, type Shown } from './look.ts';
import { parseReaderAnswers, sendPrint, type PrintClient } from './on-device.ts';
import type { PrintItem, Settled } from './print-rows.ts';
import { SET_UP } from './read-print.ts';
import type { Template } from './source.ts';

export interface Delivery {
  readonly client: PrintClient;
  /** Address of the device, for errors. */
  readonly device: string;
  readonly clock: Clock;
  /** Aborts waits; items not verified by then stay open. */
  readonly stopped: AbortSignal;
  readonly item: PrintItem;
  readonly readers: readonly number[];
  /** Returns the template. Throws if it cannot be read at the moment. */
  readonly template: () => Promise<Template>;
  /** Encrypts a template for this device; absent if it is sent in plain text. */
  readonly encrypt?: (data: string) => string;
  readonly checkPerson: boolean;
  /** True to check the device even after a success. */
  readonly verify: boolean;
  /** True if an earlier run may have sent the fingerprint. */
  readonly maybeSent: boolean;
  /** Lets other fingerprints proceed while this one waits for the device to show it. */
  readonly aside?: Aside;
}

/** Sends one fingerprint and returns its result. Throws if the device is lost or the job stopped; the item stays open. */
export async function deliver(delivery: Delivery): Promise<Settled> {
  const template = await delivery.template();
  if (template.kind === 'not-shown')
    return { readers: [{ reader: 0, status: 'not-shown', counted: template.counted }] };
  if (template.kind === 'none')
    return {
      readers: delivery.readers.map((reader) => ({ reader, status: 'not-sent' })),
      error: template.error,
    };
  const { data } = template;
  const encrypted = delivery.encrypt?.(data) ?? data;
  const hide = <T>(value: T): T => redact(value, [data, encrypted]);
  try {
    return hide(await new Sending(delivery, data, encrypted).settle());
  } catch (thrown) {
    throw thrown instanceof FieldwrightError ? new FieldwrightError(hide(thrown.shape)) : thrown;
  }
}

/** Delivery of one fingerprint with its template. */
class Sending {
  readonly #delivery: Delivery;
  readonly #wanted: { readonly print: PrintItem; readonly spellings: readonly string[] };
  readonly #body: string;
  /** Last answer, by reader. */
  #said: ReadonlyMap<number, ReaderAnswer> = new Map();

  constructor(delivery: Delivery, data: string, encrypted: string) {
    this.#delivery = delivery;
    this.#wanted = { print: delivery.item, spellings: [data, encrypted] };
    this.#body = encrypted;
  }

  async settle(): Promise<Settled> {
    const { maybeSent, stopped, readers, client, item, checkPerson, device } = this.#delivery;
    const { clock, phase } = createAsideClock(this.#delivery);
    const looking = { look: () => this.#look(), clock, phase, device, signal: stopped };
    const before = maybeSent ? await lookPatiently<Shown>(looking) : undefined;
    if (before?.kind === 'lost' && isDeviceLost(before.error)) throw new FieldwrightError(before.error);
    const there = new Set(readers.filter((reader) => this.#seenOf(reader, before)?.kind === 'taken'));
    if (there.size === readers.length)
      return { readers: readers.map((reader) => ({ reader, status: 'taken', seen: true })) };

    const { sent, seen } = await settleWrite<Shown>({
      ...looking,
      operation: getSpecifiedOperation(SET_UP),
      repeats: true,
      sentBefore: maybeSent,
      // The worker journalled the intent before it passed on the item.
      intend: () => Promise.resolve(),
      send: async (shown) => {
        const missing = readers.filter(
          (reader) => !there.has(reader) && (shown === undefined || this.#judge(reader, shown) !== 'taken'),
        );
        const print = { ...item, fingerData: this.#body };
        const answer = await sendPrint(client, print, { readers: missing, checkPerson });
        this.#said = new Map(parseReaderAnswers(answer).map((one) => [one.reader, one]));
        return answer;
      },
      looks: (came) => this.#looks(came, there),
    });
    const results = readers.map((reader) =>
      there.has(reader)
        ? { result: { reader, status: 'taken', seen: true } as const }
        : this.#conclude(reader, sent, this.#seenOf(reader, seen)),
    );
    const error = results.find((one) => one.error !== undefined)?.error;
    return { readers: results.map(({ result }) => result), error };
  }

  /** Returns how to check: not at all after a success of every reader, unless `verify`; `EXISTS` needs one check. */
  #looks(sent: Sent, there: ReadonlySet<number>): Looks | undefined {
    if (sent.kind !== 'yes' && (sent.kind !== 'no' || this.#said.size === 0)) return undefined;
    const open = this.#delivery.readers.filter((reader) => !there.has(reader));
    const said = open.map((reader) => this.#said.get(reader)?.code);
    if (said.every((code) => code === SUCCESS)) return this.#delivery.verify ? 'until-taken' : 'not';
    const waits = said.some((code) => code === undefined || (code === SUCCESS && this.#delivery.verify));
    return waits ? 'until-taken' : 'once';
  }

  async #look(): Promise<Seen<Shown>> {
    const { client, item, readers } = this.#delivery;
    const shown = await lookForFinger(client, item, readers);
    if (shown === undefined) return { kind: 'hidden' };
    // Readers that refused are not waited for.
    const heeded = readers.filter((reader) => (this.#said.get(reader)?.code ?? SUCCESS) === SUCCESS);
    const kinds = new Set(
      (heeded.length === 0 ? readers : heeded).map((reader) => this.#judge(reader, shown)),
    );
    const kind = (['untouched', 'differs', 'hidden'] as const).find((each) => kinds.has(each)) ?? 'taken';
    // A template that the device hides may be the previous fingerprint: send it again, the answer decides.
    return { kind: kind === 'hidden' && this.#said.size === 0 ? 'untouched' : kind, shown };
  }

  /** Compares what a reader shows with the fingerprint; a different template counts as the previous one. */
  #judge(reader: number, shown: Shown): 'taken' | 'untouched' | 'differs' | 'hidden' {
    const held = shown.get(reader);
    if (held === undefined) return 'untouched';
    const [first] = compareFingerprint(this.#wanted, held);
    if (first === undefined) return held.fingerData === '' ? 'hidden' : 'taken';
    return first.field === 'fingerData' ? 'untouched' : 'differs';
  }

  #seenOf(reader: number, seen: Looked<Shown> | undefined): Looked<readonly PrintDifference[]> | undefined {
    if (seen === undefined || seen.kind === 'lost' || seen.shown === undefined)
      return seen === undefined || seen.kind === 'lost' ? seen : { kind: 'hidden' };
    const held = seen.shown.get(reader);
    return {
      kind: this.#judge(reader, seen.shown),
      shown: held === undefined ? [] : compareFingerprint(this.#wanted, held),
    };
  }

  #conclude(
    reader: number,
    sent: Sent,
    seen: Looked<readonly PrintDifference[]> | undefined,
  ): { readonly result: ReaderResult; readonly error?: ErrorShape } {
    const { maybeSent, stopped, item } = this.#delivery;
    const said = this.#said.get(reader);
    const { employeeNo } = item;
    const own = sentTo(said, sent, { employeeNo, isNamed: this.#said.size > 0 });
    // A success counts without `verify`: a check made for another reader may have been too early for this
    // one.
    const isTrusted = !this.#delivery.verify && said?.code === SUCCESS && seen?.kind !== 'taken';
    const { outcome, error, shown, stop } = concludeWrite(own, isTrusted ? undefined : seen, maybeSent);
    const result = { reader, ...wordsOfReader(said) };
    switch (outcome) {
      case 'effective':
        return { result: { ...result, status: isSetAlready(said) ? 'there-already' : 'taken', seen: true } };
      case 'accepted':
        return { result: { ...result, status: isSetAlready(said) ? 'there-already' : 'taken' } };
      case 'needs-reboot':
        return { result: { ...result, status: 'needs-reboot' } };
      default:
    }
    // A fingerprint that may still appear is checked when the job resumes.
    stopped.throwIfAborted();
    if (outcome === 'failed' || (stop !== undefined && isDeviceLost(stop)))
      throw new FieldwrightError(stop ?? error ?? toErrorShape(undefined));
    if (outcome === 'unknown') return { result: { ...result, status: 'unknown' }, error };
    if (said !== undefined && said.code !== SUCCESS && (own.kind === 'no' || seen?.kind !== 'differs'))
      return { result: { ...result, status: getFingerprintStatus(said.code) } };
    if (own.kind === 'no' || outcome === 'refused') {
      const reason = error ?? ('error' in own ? own.error : undefined);
      return {
        result: { ...result, status: 'refused' },
        error: reason && explained(reason),
      };
    }
    return shown === undefined || shown.length === 0
      ? { result: { ...result, status: 'ignored' } }
      : { result: { ...result, status: 'differs', differs: shown } };
  }
}

/** cardReaderRecvStatus of part 2, 2.7. */
const SUCCESS = 1;
const EXISTS = 5;
const NOTHING_TO_DO = 8;

/** Returns true if the reader says that it has the fingerprint already; a check shows whether that is so. */
function isSetAlready(said: ReaderAnswer | undefined): boolean {
  return said?.code === EXISTS || said?.code === NOTHING_TO_DO;
}

/** Returns the result of the request on one reader; `unclear` if the answer names readers, but not this one. */
function sentTo(said: ReaderAnswer | undefined, sent: Sent, { employeeNo, isNamed }: Whose): KeptSent {
  if (sent.kind !== 'yes' && sent.kind !== 'no') return sent;
  const { status } = sent;
  // A reader that already has this finger of this person claims success.
  if (said?.code === SUCCESS || (said?.code === EXISTS && said.errorMsg?.trim() === employeeNo))
    return { kind: 'yes', status };
  if (said !== undefined || !isNamed) return sent;
  const error: ErrorShape = { code: 'malformed-answer', source: 'device', ...say('print-unanswered') };
  return { kind: 'unclear', status, error };
}

interface Whose {
  readonly employeeNo: string;
  /** True if the answer names readers. */
  readonly isNamed: boolean;
}

/** Returns the error with a message of its own if the device does not know the person. */
function explained(error: ErrorShape): ErrorShape {
  return PERSON_UNKNOWN.has(error.status?.subStatusCode ?? '')
    ? { ...error, ...sayWithReason(formatDeviceReason(error.status), 'prints-person-unknown') }
    : error;
}

const PERSON_UNKNOWN: ReadonlySet<string> = new Set(['unknownPerson', 'employeeNoNotExist']);

/** Returns the parts of a reader's answer to store: with code 5 its text is an employee number, else a reason. */
function wordsOfReader(said: ReaderAnswer | undefined): Pick<ReaderResult, 'code' | 'owner' | 'reason'> {
  if (said === undefined) return {};
  const { code } = said;
  const text = said.errorMsg?.trim() ?? '';
  if (code === EXISTS) return { code, ...(text === '' ? {} : { owner: text.slice(0, 32) }) };
  const reason =
    code === SUCCESS ? undefined : formatDeviceReason({ http: 200, errorMsg: text.slice(0, 300) });
  return { code, reason };
}
