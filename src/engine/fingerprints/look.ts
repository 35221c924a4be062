/** Reads one finger from a device and compares it with the requested one. */
import { answerKind, isDeviceRefusal } from '#shared/error-meaning.ts';
import { toErrorShape } from '#shared/errors.ts';
import type { PrintDifference } from '#shared/people/fingerprints.ts';
import { NEVER, queryFingerprints, type HeldPrint, type PrintClient } from './on-device.ts';
import type { PrintItem } from './print-rows.ts';

/** Fingerprints with the number of the finger, by reader. */
export type Shown = ReadonlyMap<number, HeldPrint>;

/**
 * Returns what readers show under the number of a finger; undefined if the device does not show fingerprints at all.
 * Throws if it cannot be asked at the moment.
 */
export async function lookForFinger(
  client: PrintClient,
  { employeeNo, fingerPrintID }: Pick<PrintItem, 'employeeNo' | 'fingerPrintID'>,
  readers: readonly number[],
): Promise<Shown | undefined> {
  const found = new Map<number, HeldPrint>();
  const ask = async (reader?: number): Promise<void> => {
    const question = { employeeNo, fingerPrintID, reader };
    for (const held of await queryFingerprints(client, question, NEVER))
      if (held.fingerPrintID === fingerPrintID && !found.has(held.reader)) found.set(held.reader, held);
  };
  try {
    await ask();
    // A device may return one fingerprint per answer: ask for those of the other readers.
    if (found.size === 1) for (const reader of readers) if (!found.has(reader)) await ask(reader);
  } catch (thrown) {
    const error = toErrorShape(thrown);
    if (isDeviceRefusal(error) && answerKind(error) !== 'trouble') return undefined;
    throw thrown;
  }
  return found;
}

interface Wanted {
  readonly print: Pick<PrintItem, 'fingerType' | 'leaderFP'>;
  /** The template in plain text and as it was sent: a device may show either. */
  readonly spellings: readonly string[];
}

/** Returns the differences from the requested fingerprint, the template first; a hidden template counts as equal. */
export function compareFingerprint(
  { print: { fingerType, leaderFP }, spellings }: Wanted,
  held: HeldPrint,
): readonly PrintDifference[] {
  const differences: PrintDifference[] = [];
  if (held.fingerData !== '' && !spellings.some((data) => isSameTemplate(data, held.fingerData)))
    differences.push({ field: 'fingerData' });
  if (held.fingerType !== fingerType)
    differences.push({ field: 'fingerType', asked: fingerType, shown: held.fingerType.slice(0, 32) });
  if (leaderFP !== undefined && !isSameSet(leaderFP, held.leaderFP ?? []))
    differences.push({ field: 'leaderFP', asked: listed(leaderFP), shown: listed(held.leaderFP ?? []) });
  return differences;
}

/** Compares decoded templates: Base64 may have line ends and padding, or not. */
function isSameTemplate(one: string, other: string): boolean {
  return one === other || Buffer.from(one, 'base64').equals(Buffer.from(other, 'base64'));
}

function isSameSet(one: readonly number[], other: readonly number[]): boolean {
  const [a, b] = [new Set(one), new Set(other)];
  return a.size === b.size && [...a].every((door) => b.has(door));
}

function listed(doors: readonly number[]): string {
  return doors.length === 0 ? '–' : [...new Set(doors)].slice(0, 16).join(', ');
}
