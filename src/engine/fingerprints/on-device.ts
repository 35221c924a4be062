/** Fingerprints on one device: asking for them, sending one, removing one (part 2, 2.7). */
import { randomUUID } from 'node:crypto';
import { encode, isPlain, createStatusError } from '#protocol/index.ts';
import type { Operation } from '#protocol/definition.ts';
import { readReaderAnswers, type ReaderAnswer } from '#protocol/definitions/access-control.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say } from '#shared/details.ts';
import { FieldwrightError, deviceError } from '#shared/errors.ts';
import type { PrintOnDevice } from '#shared/people/fingerprints.ts';
import type { Answer, DeviceClient } from '../device/client-types.ts';
import { decodePayload } from '../device/payload.ts';
import { LONGEST_LINE as LONGEST_TEMPLATE } from './lines.ts';
import { SET_UP, type Print } from './read-print.ts';
import { getSpecifiedOperation, getSpecifiedRequest } from '../operations/specified.ts';

const QUERY = 'accessControl.fingerprints.query';

/** A fingerprint with its template, as a device has it. */
export interface HeldPrint extends PrintOnDevice {
  /** Template; empty if the device does not return it. */
  readonly fingerData: string;
  readonly leaderFP?: readonly number[];
}

/** Query for fingerprints: all of a person, one finger, or one finger on one reader. */
export interface Finger {
  readonly employeeNo: string;
  readonly fingerPrintID?: number;
  readonly reader?: number;
  /** Id of an earlier query, to continue it; absent for a new search. */
  readonly searchID?: string;
}

export type PrintClient = Pick<DeviceClient, 'write'>;

export function createSearchId(): string {
  return randomUUID().replaceAll('-', '');
}

/**
 * Sends one query and returns the fingerprints in the answer; some devices return one per answer (`readPersonPrints`
 * reads all). Throws if the device cannot be asked, refuses, or gives neither a list nor `NoFP`.
 */
export async function queryFingerprints(
  client: PrintClient,
  { employeeNo, fingerPrintID, reader, searchID = createSearchId() }: Finger,
  signal: AbortSignal,
): Promise<readonly HeldPrint[]> {
  const operation = getSpecifiedOperation(QUERY);
  const condition = { searchID, employeeNo, ...removeUndefined({ cardReaderNo: reader, fingerPrintID }) };
  const answer = await client.write(operation, {}, bodyOf(operation, condition), { signal });
  refuseRefusal(answer, operation);
  const { FingerPrintList: list, status } = valueOf(operation, answer) ?? {};
  if (!Array.isArray(list)) {
    // `NoFP` means none; any other status says nothing about the fingerprints.
    if (typeof status === 'string' && /^no/i.test(status)) return [];
    throw unreadable(answer, operation);
  }
  return list.filter(isPlain).flatMap((held) => {
    const { cardReaderNo, fingerPrintID: finger, fingerType, fingerData, leaderFP } = held;
    if (typeof finger !== 'number') return [];
    if (typeof fingerData === 'string' && fingerData.length > LONGEST_TEMPLATE)
      throw deviceError('answer-too-large', say('prints-too-long', { max: LONGEST_TEMPLATE }), {
        operation: operation.id,
      });
    return {
      employeeNo,
      fingerPrintID: finger,
      fingerType: typeof fingerType === 'string' ? fingerType : 'normalFP',
      reader: typeof cardReaderNo === 'number' ? cardReaderNo : (reader ?? 1),
      fingerData: typeof fingerData === 'string' ? fingerData : '',
      ...(isNumbers(leaderFP) ? { leaderFP } : {}),
    };
  });
}

interface PrintTarget {
  readonly readers: readonly number[];
  /** True to make the device refuse a person it does not know. */
  readonly checkPerson: boolean;
}

/** Sends one fingerprint to readers of one device. A device may repeat the template in its answer. */
export function sendPrint(
  client: PrintClient,
  { employeeNo, fingerPrintID, fingerType, fingerData, leaderFP }: Omit<Print, 'readers'>,
  { readers, checkPerson }: PrintTarget,
): Promise<Answer> {
  return setUp(client, {
    employeeNo,
    enableCardReader: readers,
    fingerPrintID,
    fingerType,
    fingerData,
    ...removeUndefined({ leaderFP }),
    ...(checkPerson ? { checkEmployeeNo: true } : {}),
  });
}

/** Signal that never aborts, for requests that must be finished: writes, and the checks after them. */
export const NEVER = new AbortController().signal;

export function removePrint(
  client: PrintClient,
  { employeeNo, fingerPrintID, fingerType }: Pick<Print, 'employeeNo' | 'fingerPrintID' | 'fingerType'>,
  readers: readonly number[],
): Promise<Answer> {
  return setUp(client, {
    employeeNo,
    enableCardReader: readers,
    fingerPrintID,
    deleteFingerPrint: true,
    fingerType,
  });
}

async function setUp(client: PrintClient, body: object): Promise<Answer> {
  const operation = getSpecifiedOperation(SET_UP);
  return client.write(operation, {}, bodyOf(operation, body), { signal: NEVER });
}

/** Returns the answer of each reader that is named; empty if the answer cannot be read. */
export function parseReaderAnswers(answer: Answer): readonly ReaderAnswer[] {
  return readReaderAnswers(valueOf(getSpecifiedOperation(SET_UP), answer) ?? {});
}

/** The payload of an answer; undefined where it has none, or none that can be read. */
function valueOf(operation: Operation, answer: Answer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = decodePayload(operation, answer)?.value;
    return isPlain(value) ? value : undefined;
  } catch (thrown) {
    if (thrown instanceof FieldwrightError) return undefined;
    throw thrown;
  }
}

function refuseRefusal(answer: Answer, operation: Operation): void {
  const { kind } = answer.status;
  if (kind !== 'ok' && kind !== 'none' && kind !== 'needs-reboot')
    throw createStatusError(answer.status, { operation: operation.id, exchange: answer.exchange() });
}

function unreadable(answer: Answer, operation: Operation): FieldwrightError {
  return deviceError('malformed-answer', say('prints-unreadable'), {
    operation: operation.id,
    status: answer.status.report,
  });
}

function bodyOf(operation: Operation, value: object): string {
  return encode(getSpecifiedRequest(operation), value);
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number');
}
