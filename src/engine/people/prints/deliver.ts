/**
 * One fingerprint to the readers of one device: sent once, again only where the device was busy or is proved not to have
 * it. What of a former run, or of a lost answer, is not known is found out by reading.
 */
import { isGone, isWorthWaiting } from '../../../shared/error-meaning.ts';
import { say } from '../../../shared/details.ts';
import { FieldwrightError, toErrorShape, type ErrorShape } from '../../../shared/errors.ts';
import { isGoodPrint, type ReaderResult } from '../../../shared/prints.ts';
import type { Clock } from '../../api/host.ts';
import type { DeviceClient } from '../../device/client-types.ts';
import { NEVER, printsOn, removePrint, sendPrint, type HeldPrint, type SetUp } from './on-device.ts';
import { KEPT_DAYS, type PrintItem, type Settled } from './print-rows.ts';

type Gone = Pick<ErrorShape, 'message' | 'hint' | 'detail'>;

export interface Delivery {
  readonly client: Pick<DeviceClient, 'write'>;
  readonly clock: Clock;
  /** Ends waits between attempts; what was sent is found out about all the same. */
  readonly stopped: AbortSignal;
  readonly item: PrintItem;
  readonly readers: readonly number[];
  /** Throws where the template cannot be had for a reason that may pass; undefined where it is gone for good. */
  readonly data: () => Promise<string | undefined>;
  /** Why it is gone, where it was not wiped. */
  readonly gone?: Gone;
  /** What goes out for a template: itself, or encrypted for this device. */
  readonly encrypt?: (data: string) => string;
  readonly checkPerson: boolean;
  /** Ask the device afterwards. */
  readonly verify: boolean;
  /** An earlier run may have sent it. */
  readonly maybeSent: boolean;
}

/** Waits of a device that is busy or cannot be reached for a moment. */
const PAUSES_MS = [500, 2_000, 5_000];
/** Times that a write whose answer was lost is sent again, each after reading that it did not arrive. */
const RESENDS = 2;
/** Throws where the device cannot be worked on any more: the item stays to be done. */
export async function deliver(delivery: Delivery): Promise<Settled> {
  const data = await delivery.data();
  if (data === undefined)
    return notSent(delivery, { code: 'not-found', source: 'app', ...(delivery.gone ?? wiped()) });
  if (data === '')
    return notSent(delivery, { code: 'not-available', source: 'device', ...say('prints-withheld') });
  let missing = delivery.readers;
  const known: ReaderResult[] = [];
  const take = (seen: readonly ReaderResult[]): void => {
    known.push(...seen);
    missing = missing.filter((reader) => !seen.some((result) => result.reader === reader));
  };
  if (delivery.maybeSent) take(await thereAlready(delivery, missing, data));
  for (let resends = 0; missing.length > 0; resends += 1) {
    const sent = await sendPatiently(delivery, missing, data);
    if (sent.kind === 'refused')
      return {
        readers: [...known, ...missing.map((reader) => ({ reader, status: 'refused' as const }))],
        error: sent.error,
      };
    if (sent.kind === 'results') {
      const { named, unnamed } = sorted(sent, missing);
      take(named);
      // A yes or nothing at all for a reader: whether it has the fingerprint is seen by reading.
      if (unnamed.length > 0) take(await seenOrUnanswered(delivery, unnamed, data));
      break;
    }
    // No answer, and it had left: it is looked for before it is sent again.
    take(await thereAlready(delivery, missing, data));
    if (resends >= RESENDS) throw new FieldwrightError(sent.error);
  }
  return { readers: delivery.verify ? await verified(delivery, known, data) : known };
}

function sorted({ readers }: Extract<SetUp, { kind: 'results' }>, asked: readonly number[]) {
  const named = readers.filter(({ reader }) => asked.includes(reader));
  return {
    named: [...new Map(named.map((result) => [result.reader, result])).values()],
    unnamed: asked.filter((reader) => !named.some((result) => result.reader === reader)),
  };
}

type Sent =
  Extract<SetUp, { kind: 'results' | 'refused' }> | { readonly kind: 'lost'; readonly error: ErrorShape };

/** With waits where the device is busy, or cannot be reached for a moment and nothing was sent. */
async function sendPatiently(delivery: Delivery, readers: readonly number[], data: string): Promise<Sent> {
  const { client, item, checkPerson, encrypt = (plain) => plain } = delivery;
  const print = { ...item, fingerData: encrypt(data) };
  return patiently(delivery, () => sendPrint(client, print, { signal: NEVER, readers, checkPerson }));
}

async function patiently(
  { clock, stopped }: Pick<Delivery, 'clock' | 'stopped'>,
  send: () => Promise<SetUp>,
): Promise<Sent> {
  for (let attempt = 0; ; attempt += 1) {
    const pause = PAUSES_MS[attempt];
    try {
      const sent = await send();
      if (sent.kind !== 'busy') return sent;
      if (pause === undefined) return { kind: 'refused', error: sent.error };
    } catch (thrown) {
      const error = toErrorShape(thrown);
      if (!isWorthWaiting(error)) throw thrown;
      if (error.sent !== false) return { kind: 'lost', error };
      if (pause === undefined) throw thrown;
    }
    await clock.delay(pause, stopped);
  }
}

/** Readers that show exactly this fingerprint. One without its template may be that of before: it is sent again. */
async function thereAlready(
  delivery: Delivery,
  readers: readonly number[],
  data: string,
): Promise<readonly ReaderResult[]> {
  const held = await heldNow(delivery);
  return readers
    .filter((reader) => held.get(reader)?.fingerData !== '' && isSame(held.get(reader), data, delivery))
    .map((reader) => ({ reader, status: 'taken', seen: true }));
}

async function seenOrUnanswered(
  delivery: Delivery,
  readers: readonly number[],
  data: string,
): Promise<readonly ReaderResult[]> {
  const held = await heldNow(delivery).catch((thrown: unknown) => {
    if (isGone(toErrorShape(thrown))) throw thrown;
    return new Map<number, HeldPrint>();
  });
  return readers.map((reader) => {
    const seen = isSame(held.get(reader), data, delivery);
    return seen ? { reader, status: 'taken', seen } : { reader, status: 'unanswered' };
  });
}

/** What a device said yes to is asked for: it has it, another one, or nothing. */
async function verified(
  delivery: Delivery,
  results: readonly ReaderResult[],
  data: string,
): Promise<readonly ReaderResult[]> {
  if (!results.some(({ status, seen }) => isGoodPrint(status) && seen !== true)) return results;
  const held = await heldNow(delivery);
  return results.map((result) => {
    if (!isGoodPrint(result.status) || result.seen === true) return result;
    const found = held.get(result.reader);
    if (found === undefined) return { ...result, status: 'ignored' };
    return isSame(found, data, delivery) ? { ...result, seen: true } : { ...result, status: 'differs' };
  });
}

async function heldNow(delivery: Removal): Promise<ReadonlyMap<number, HeldPrint>> {
  return new Map((await allHeld(delivery)).map((one) => [one.reader, one]));
}

/** What the device has of the item's finger, with patience. */
async function allHeld({ client, item, clock, stopped }: Removal): Promise<readonly HeldPrint[]> {
  const { employeeNo, fingerPrintID } = item;
  const isOne = fingerPrintID !== EVERY_FINGER;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const held = await printsOn(client, { employeeNo, ...(isOne ? { fingerPrintID } : {}) }, NEVER);
      return isOne ? held.filter((one) => one.fingerPrintID === fingerPrintID) : held;
    } catch (thrown) {
      const pause = PAUSES_MS[attempt];
      if (pause === undefined || !isWorthWaiting(toErrorShape(thrown))) throw thrown;
      await clock.delay(pause, stopped);
    }
  }
}

/** A device that does not give templates out, or not in the clear, shows at least that there is one. */
function isSame(held: HeldPrint | undefined, data: string, { encrypt }: Pick<Delivery, 'encrypt'>): boolean {
  if (held === undefined) return false;
  return held.fingerData === '' || held.fingerData === data || held.fingerData === encrypt?.(data);
}

function wiped(): Gone {
  return say('prints-gone', { days: KEPT_DAYS });
}

function notSent({ readers }: Delivery, error: ErrorShape): Settled {
  return { readers: readers.map((reader) => ({ reader, status: 'not-sent' })), error };
}

/** In the place of a finger's number: all that the person has. */
export const EVERY_FINGER = 0;

type Removal = Pick<Delivery, 'client' | 'clock' | 'stopped' | 'item'> & {
  /** Absent: from every reader. */
  readonly readers?: readonly number[];
};

/** Removes a fingerprint, or all of a person, and asks the device again. Throws as `deliver`. */
export async function remove(removal: Removal): Promise<Settled> {
  const { client, item, readers } = removal;
  const wanted = (held: readonly HeldPrint[]): readonly HeldPrint[] =>
    held.filter(({ reader }) => readers === undefined || readers.includes(reader));
  const before = wanted(await allHeld(removal));
  if (before.length === 0)
    return { readers: (readers ?? [0]).map((reader) => ({ reader, status: 'absent', seen: true })) };
  let error: ErrorShape | undefined;
  for (const group of Map.groupBy(before, ({ fingerPrintID }) => fingerPrintID).values()) {
    const [{ fingerPrintID, fingerType }] = group as [HeldPrint, ...HeldPrint[]];
    const print = { employeeNo: item.employeeNo, fingerPrintID, fingerType };
    const sent = await patiently(removal, () =>
      removePrint(
        client,
        print,
        group.map(({ reader }) => reader),
      ),
    );
    if (sent.kind !== 'results') error ??= sent.error;
  }
  const after = wanted(await allHeld(removal));
  const isLeft = (one: HeldPrint): boolean =>
    after.some(({ fingerPrintID, reader }) => fingerPrintID === one.fingerPrintID && reader === one.reader);
  return {
    readers: before.map((one) => ({
      reader: one.reader,
      finger: one.fingerPrintID,
      status: isLeft(one) ? 'still-there' : 'removed',
      seen: true,
    })),
    ...(error !== undefined && after.length > 0 ? { error } : {}),
  };
}
