/** Removes fingerprints of a person from one device, and reads the device until it no longer shows them. */
import { isDeviceLost } from '#shared/error-meaning.ts';
import { FieldwrightError, type ErrorShape } from '#shared/errors.ts';
import type { PrintStatus, ReaderResult } from '#shared/people/fingerprints.ts';
import { askPatiently } from '../device/transport/patient-read.ts';
import { getSpecifiedOperation } from '../operations/specified.ts';
import { sendPatiently, type Sent } from '../write/sent.ts';
import {
  concludeWrite,
  lookPatiently,
  lookUntilTaken,
  mayRepeat,
  SENDS,
  type Looked,
  type Seen,
} from '../write/settle-write.ts';
import { createAsideClock } from './aside.ts';
import type { Delivery } from './deliver.ts';
import { NEVER, queryFingerprints, removePrint, type Finger, type HeldPrint } from './on-device.ts';
import { readPersonPrints, type PersonPrints } from './person-prints.ts';
import type { Settled } from './print-rows.ts';
import { SET_UP } from './read-print.ts';

/** Finger number that means all fingers of the person. */
export const EVERY_FINGER = 0;

export type Removal = Pick<Delivery, 'client' | 'clock' | 'stopped' | 'item' | 'aside'> & {
  /** Address of the device, for errors. */
  readonly device?: string;
  /** Readers to remove from; absent: all. */
  readonly readers?: readonly number[];
  /** `numOfFP` of the person, if the device reports it; compared with what the device returns. */
  readonly count?: number | undefined;
};

/** Attempts to remove a fingerprint from a reader, and the result of the last one. */
interface Attempt {
  readonly held: HeldPrint;
  readonly sent: Sent;
  readonly sends: number;
}

/** Removes one fingerprint, or all of a person. Throws if the device cannot be used any further, or the job is stopped. */
export async function remove(removal: Removal): Promise<Settled> {
  const { readers, stopped } = removal;
  const before = await readHeld(removal);
  const attempts = new Map<string, Attempt>();
  let left: readonly HeldPrint[] = before.held;
  let seen: Looked<readonly HeldPrint[]> | undefined;
  // A device that returns one fingerprint per answer returns the next after this one is removed.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const due = left.filter((held) => mayRemove(attempts.get(keyOf(held))));
    if (due.length === 0) break;
    for (const group of Map.groupBy(due, ({ fingerPrintID }) => fingerPrintID).values()) {
      const sent = await send(removal, group);
      for (const held of group)
        attempts.set(keyOf(held), { held, sent, sends: (attempts.get(keyOf(held))?.sends ?? 0) + 1 });
    }
    seen = await lookAfter(removal, { due, attempts, isPiecemeal: before.isPiecemeal });
    left = seen?.kind === 'lost' ? [] : (seen?.shown ?? []);
  }

  const isLeft = new Set(left.map(keyOf));
  const results = [...attempts.values()].map((attempt) => {
    const own = isLeft.has(keyOf(attempt.held)) ? 'untouched' : 'taken';
    const conclusion = concludeWrite(
      attempt.sent,
      seen?.kind === 'lost' ? seen : { kind: own, shown: undefined },
      attempt.sends > 1,
    );
    return { ...attempt.held, ...conclusion };
  });
  if (results.some(({ outcome }) => outcome !== 'effective')) stopped.throwIfAborted();
  for (const { outcome, error } of results)
    if (error !== undefined && (outcome === 'failed' || (outcome === 'unknown' && isDeviceLost(error))))
      throw new FieldwrightError(error);
  return settledOf(results, before, readers);
}

/** Rounds of removal at most, so that it ends even if a device keeps reporting new fingerprints. */
const MOST_ROUNDS = 20;

function settledOf(
  results: readonly (HeldPrint & { readonly outcome: keyof typeof STATUS; readonly error?: ErrorShape })[],
  { missing }: PersonPrints,
  readers: readonly number[] = [0],
): Settled {
  const told: ReaderResult[] = results.map(({ reader, fingerPrintID, outcome }) => {
    const status = STATUS[outcome];
    const seen = status === 'removed' || status === 'still-there';
    return { reader, finger: fingerPrintID, status, ...(seen ? { seen } : {}) };
  });
  if (missing !== undefined) told.push({ reader: 0, status: 'not-shown', counted: missing });
  else if (told.length === 0)
    told.push(...readers.map((reader) => ({ reader, status: 'absent', seen: true }) as const));
  const error = results.find((one) => one.outcome !== 'effective' && one.error !== undefined)?.error;
  return { readers: told, error };
}

const STATUS = {
  effective: 'removed',
  accepted: 'unknown',
  ignored: 'still-there',
  'needs-reboot': 'needs-reboot',
  refused: 'refused',
  unknown: 'unknown',
  failed: 'unknown',
} as const satisfies Readonly<Record<ReturnType<typeof concludeWrite>['outcome'], PrintStatus>>;

function mayRemove(attempt: Attempt | undefined): boolean {
  return attempt === undefined || (attempt.sends < SENDS && mayRepeat(attempt.sent, { idempotent: true }));
}

function keyOf({ fingerPrintID, reader }: HeldPrint): string {
  return `${fingerPrintID}/${reader}`;
}

/** Reads the fingerprints to remove: of the finger, or of the person, on the chosen readers. */
async function readHeld(removal: Removal): Promise<PersonPrints> {
  const { client, item, count, clock, stopped } = removal;
  const { employeeNo, fingerPrintID } = item;
  const asking = { client, clock, signal: stopped };
  const found =
    fingerPrintID === EVERY_FINGER
      ? await readPersonPrints({ employeeNo, count }, asking)
      : {
          isPiecemeal: false,
          held: await askPatiently(() => queryFingerprints(client, item, NEVER), asking),
        };
  return { ...found, held: meant(removal, found.held) };
}

function meant({ item, readers }: Removal, held: readonly HeldPrint[]): readonly HeldPrint[] {
  return held.filter(
    ({ reader, fingerPrintID }) =>
      (readers === undefined || readers.includes(reader)) &&
      (item.fingerPrintID === EVERY_FINGER || item.fingerPrintID === fingerPrintID),
  );
}

async function send(
  { client, item, clock, stopped, device = '' }: Removal,
  group: readonly HeldPrint[],
): Promise<Sent> {
  const [{ fingerPrintID, fingerType }] = group as [HeldPrint, ...HeldPrint[]];
  const print = { employeeNo: item.employeeNo, fingerPrintID, fingerType };
  return sendPatiently({
    operation: getSpecifiedOperation(SET_UP),
    device,
    clock,
    signal: stopped,
    send: () =>
      removePrint(
        client,
        print,
        group.map(({ reader }) => reader),
      ),
  });
}

interface Due {
  readonly due: readonly HeldPrint[];
  readonly attempts: ReadonlyMap<string, Attempt>;
  readonly isPiecemeal: boolean;
}

/** Checks what is left on the device; waits for it (`PATIENCE_MS`) if it may still carry out a request. */
async function lookAfter(
  removal: Removal,
  { due, attempts, isPiecemeal }: Due,
): Promise<Looked<readonly HeldPrint[]> | undefined> {
  const { client, item, stopped, device = '' } = removal;
  const { clock, phase } = createAsideClock(removal);
  const { employeeNo, fingerPrintID } = item;
  const isOne = fingerPrintID !== EVERY_FINGER;
  const ask = async (question: Finger): Promise<readonly HeldPrint[]> =>
    meant(removal, await queryFingerprints(client, question, NEVER));
  const look = async (): Promise<Seen<readonly HeldPrint[]>> => {
    const shown = new Map<string, HeldPrint>();
    const add = (some: readonly HeldPrint[]): void => some.forEach((held) => shown.set(keyOf(held), held));
    add(await ask({ employeeNo, ...(isOne ? { fingerPrintID } : {}) }));
    // A device that returns one fingerprint may have more, which it returns only if asked for them.
    for (const held of due)
      if ((isPiecemeal || shown.size > 0) && !shown.has(keyOf(held)))
        add(await ask({ employeeNo, fingerPrintID: held.fingerPrintID, reader: held.reader }));
    const waits = due.some((held) => shown.has(keyOf(held)));
    return { kind: waits ? 'untouched' : 'taken', shown: [...shown.values()] };
  };
  const looking = { clock, phase, device, signal: stopped, look };
  const isPromised = due.some((held) => PROMISES.has(attempts.get(keyOf(held))?.sent.kind));
  return isPromised ? lookUntilTaken(looking) : lookPatiently(looking);
}

/** Requests that the device may still carry out. */
const PROMISES: ReadonlySet<Sent['kind'] | undefined> = new Set(['yes', 'unclear'] as const);
