/**
 * Reads every fingerprint of a person on a device. Some devices return one per answer; the next comes if it is asked for
 * by its number, or if the search is repeated. The result is compared with `numOfFP` of the person (part 2, 2.6).
 */
import { isDeviceRefusal } from '#shared/error-meaning.ts';
import { toErrorShape } from '#shared/errors.ts';
import { MOST_FINGERS, MOST_READERS } from '#shared/people/fingerprints.ts';
import type { Clock } from '../api/host.ts';
import { askPatiently } from '../device/transport/patient-read.ts';
import {
  createSearchId,
  queryFingerprints,
  type Finger,
  type HeldPrint,
  type PrintClient,
} from './on-device.ts';

export interface PersonPrints {
  readonly held: readonly HeldPrint[];
  /** True if one answer did not hold all fingerprints; then each finger must be asked for to be certain. */
  readonly isPiecemeal: boolean;
  /** Counts of a device that reports more fingerprints of the person (`told`) than it returns (`shown`). */
  readonly missing?: { readonly told: number; readonly shown: number };
}

interface PersonQuestion {
  readonly employeeNo: string;
  /** `numOfFP` of the person, if the device reports it. */
  readonly count?: number | undefined;
  /** Numbers of the fingers to read; absent: all. */
  readonly fingers?: readonly number[] | undefined;
}

interface Asking {
  readonly client: PrintClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const FINGERS: readonly number[] = Array.from({ length: MOST_FINGERS }, (_, index) => index + 1);
/** Fingerprints a person can have on all readers; any beyond them are ignored. */
const MOST_HELD = MOST_FINGERS * MOST_READERS;

/** Reads the fingerprints of a person. Throws if the device cannot be reached, or refuses the first query. */
export async function readPersonPrints(
  { employeeNo, count, fingers }: PersonQuestion,
  { client, clock, signal }: Asking,
): Promise<PersonPrints> {
  const found = new Map<string, HeldPrint>();
  const shown = (): ReadonlySet<number> => new Set([...found.values()].map((held) => held.fingerPrintID));

  /** Sends a query and returns the number of new fingerprints. */
  const ask = async (question: Finger): Promise<number> => {
    const before = found.size;
    for (const held of await askPatiently(() => queryFingerprints(client, question, signal), {
      clock,
      signal,
    })) {
      const key = `${held.fingerPrintID}/${held.reader}`;
      if (!found.has(key) && found.size < MOST_HELD) found.set(key, held);
    }
    return found.size - before;
  };
  /** Asks like `ask`, but counts a refusal as no new fingerprints. */
  const askOn = (question: Finger): Promise<number> =>
    ask(question).catch((thrown: unknown) => {
      if (isDeviceRefusal(toErrorShape(thrown))) return 0;
      throw thrown;
    });
  const repeat = async (question: Finger): Promise<void> => {
    for (let came = 1; came > 0;) came = await askOn(question);
  };
  const isWhole = (): boolean => {
    const all = shown();
    if (fingers?.every((finger) => all.has(finger)) === true) return true;
    return count !== undefined && all.size >= count;
  };
  /** Returns true if more may follow; without a count, a single finger may be all there is, or one answer of several. */
  const mayBeMore = (): boolean => !isWhole() && (count !== undefined || shown().size === 1);

  const everything = { employeeNo, searchID: createSearchId() };
  const first = await ask(everything);
  const isPiecemeal = mayBeMore();
  if (isPiecemeal && first > 0) await repeat(everything);
  if (isPiecemeal && mayBeMore())
    for (const fingerPrintID of fingers ?? FINGERS) {
      if (isWhole()) break;
      const question = { employeeNo, fingerPrintID, searchID: createSearchId() };
      // The other readers of the finger may follow in the same search.
      if ((await askOn(question)) > 0 || shown().has(fingerPrintID)) await repeat(question);
    }

  const held = [...found.values()].filter(
    ({ fingerPrintID }) => fingers === undefined || fingers.includes(fingerPrintID),
  );
  // A device may count a finger once per reader.
  const isMissing =
    fingers === undefined && count !== undefined && shown().size < count && found.size !== count;
  return { held, isPiecemeal, ...(isMissing ? { missing: { told: count, shown: shown().size } } : {}) };
}
