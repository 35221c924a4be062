/**
 * Every fingerprint of a person on a device. Some devices show one an answer: the next where it is asked for by its number,
 * or where the same search is repeated. What came is held against `numOfFP` of the person (part 2, 2.6).
 */
import { saysNo } from '../../../shared/error-meaning.ts';
import { toErrorShape } from '../../../shared/errors.ts';
import { MOST_FINGERS, MOST_READERS } from '../../../shared/prints.ts';
import type { Clock } from '../../api/host.ts';
import { askPatiently } from '../../device/transport/patient-read.ts';
import { newSearchId, printsOn, type Finger, type HeldPrint, type PrintClient } from './on-device.ts';

export interface PersonPrints {
  readonly held: readonly HeldPrint[];
  /** One answer was not all: what the device shows of a finger is certain only where it is asked for it. */
  readonly isPiecemeal: boolean;
  /** Of a device that says it has more fingerprints of the person than it shows. */
  readonly missing?: { readonly told: number; readonly shown: number };
}

interface PersonQuestion {
  readonly employeeNo: string;
  /** `numOfFP` of the person, where the device tells it. */
  readonly count?: number | undefined;
  /** Fingers that are wanted; absent: all of them. */
  readonly fingers?: readonly number[] | undefined;
}

interface Asking {
  readonly client: PrintClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const FINGERS: readonly number[] = Array.from({ length: MOST_FINGERS }, (_, index) => index + 1);
/** Fingers on readers: whatever a device shows beyond them is made up. */
const MOST_HELD = MOST_FINGERS * MOST_READERS;

/** Throws what stands between us and the device, and its refusals. */
export async function readPersonPrints(
  { employeeNo, count, fingers }: PersonQuestion,
  { client, clock, signal }: Asking,
): Promise<PersonPrints> {
  const found = new Map<string, HeldPrint>();
  const shown = (): ReadonlySet<number> => new Set([...found.values()].map((held) => held.fingerPrintID));

  /** Returns how many came that were not known. */
  const ask = async (question: Finger): Promise<number> => {
    const before = found.size;
    for (const held of await askPatiently(() => printsOn(client, question, signal), { clock, signal })) {
      const key = `${held.fingerPrintID}/${held.reader}`;
      if (!found.has(key) && found.size < MOST_HELD) found.set(key, held);
    }
    return found.size - before;
  };
  /** A device that refuses to be asked so shows nothing more. */
  const askOn = (question: Finger): Promise<number> =>
    ask(question).catch((thrown: unknown) => {
      if (saysNo(toErrorShape(thrown))) return 0;
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
  /** Without a count, one finger alone may be all there is, or all that comes at once. */
  const mayBeMore = (): boolean => !isWhole() && (count !== undefined || shown().size === 1);

  const everything = { employeeNo, searchID: newSearchId() };
  const first = await ask(everything);
  const isPiecemeal = mayBeMore();
  if (isPiecemeal && first > 0) await repeat(everything);
  if (isPiecemeal && mayBeMore())
    for (const fingerPrintID of fingers ?? FINGERS) {
      if (isWhole()) break;
      const question = { employeeNo, fingerPrintID, searchID: newSearchId() };
      // Its other readers may come with the same search.
      if ((await askOn(question)) > 0 || shown().has(fingerPrintID)) await repeat(question);
    }

  const held = [...found.values()].filter(
    ({ fingerPrintID }) => fingers === undefined || fingers.includes(fingerPrintID),
  );
  // A device may count a finger for each reader it is on.
  const isMissing =
    fingers === undefined && count !== undefined && shown().size < count && found.size !== count;
  return { held, isPiecemeal, ...(isMissing ? { missing: { told: count, shown: shown().size } } : {}) };
}
