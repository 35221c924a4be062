/** Fingerprints on one device: asking for them, sending one, removing one (part 2, 2.7). */
import { randomUUID } from 'node:crypto';
import { encode, isPlain, refusalOf, statusError } from '../../../protocol/index.ts';
import type { Operation } from '../../../protocol/definition.ts';
import { defined } from '../../../shared/defined.ts';
import { say, sayWithReason } from '../../../shared/details.ts';
import { deviceReason } from '../../../shared/device-reason.ts';
import { FieldwrightError, deviceError, type ErrorShape } from '../../../shared/errors.ts';
import { isGoodPrint, statusOfCode, type PrintOnDevice, type ReaderResult } from '../../../shared/prints.ts';
import type { Answer, DeviceClient } from '../../device/client-types.ts';
import { payloadOf } from '../../device/payload.ts';
import { redact } from '../../device/redact.ts';
import { SET_UP, type Print } from './read-print.ts';
import { specifiedOperation, specifiedRequest } from '../../specified.ts';

const QUERY = 'accessControl.fingerprints.query';

/** A fingerprint with its template, as a device has it. */
export interface HeldPrint extends PrintOnDevice {
  /** Empty where the device does not give it out. */
  readonly fingerData: string;
  readonly leaderFP?: readonly number[];
}

export type SetUp =
  /** What the device says of each reader it names. */
  | { readonly kind: 'results'; readonly readers: readonly ReaderResult[] }
  | { readonly kind: 'busy'; readonly error: ErrorShape }
  | { readonly kind: 'refused'; readonly error: ErrorShape };

export interface Finger {
  readonly employeeNo: string;
  readonly fingerPrintID?: number;
  readonly reader?: number;
}

type Client = Pick<DeviceClient, 'write'>;

/** Everything the device has of a person, a finger or a reader. Throws where the device cannot be asked, or refuses. */
export async function printsOn(
  client: Client,
  { employeeNo, fingerPrintID, reader }: Finger,
  signal: AbortSignal,
): Promise<readonly HeldPrint[]> {
  const operation = specifiedOperation(QUERY);
  const condition = {
    searchID: randomUUID().replaceAll('-', ''),
    employeeNo,
    ...defined({ cardReaderNo: reader, fingerPrintID }),
  };
  const answer = await client.write(operation, {}, bodyOf(operation, condition), { signal });
  refuseRefusal(answer, operation);
  const value = valueOf(operation, answer);
  if (value === undefined) throw unreadable(answer, operation);
  const list: readonly unknown[] = Array.isArray(value['FingerPrintList']) ? value['FingerPrintList'] : [];
  return list.filter(isPlain).flatMap((held) => {
    const { cardReaderNo, fingerPrintID: finger, fingerType, fingerData, leaderFP } = held;
    if (typeof finger !== 'number') return [];
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

interface SetUpOptions {
  readonly signal: AbortSignal;
  readonly readers: readonly number[];
  readonly checkPerson: boolean;
}

/** Sends one fingerprint to readers of one device. Throws where no usable answer came. Nothing that comes back holds the template. */
export async function sendPrint(
  client: Client,
  print: Omit<Print, 'readers'>,
  { signal, readers, checkPerson }: SetUpOptions,
): Promise<SetUp> {
  const { employeeNo, fingerPrintID, fingerType, fingerData, leaderFP } = print;
  const body = {
    employeeNo,
    enableCardReader: readers,
    fingerPrintID,
    fingerType,
    fingerData,
    ...defined({ leaderFP }),
    ...(checkPerson ? { checkEmployeeNo: true } : {}),
  };
  try {
    return redact(await setUp(client, body, signal), [fingerData]);
  } catch (thrown) {
    throw thrown instanceof FieldwrightError
      ? new FieldwrightError(redact(thrown.shape, [fingerData]))
      : thrown;
  }
}

/** Of a request that is finished whatever happens: a write, or what looks after one. */
export const NEVER = new AbortController().signal;

export function removePrint(
  client: Client,
  { employeeNo, fingerPrintID, fingerType }: Pick<Print, 'employeeNo' | 'fingerPrintID' | 'fingerType'>,
  readers: readonly number[],
): Promise<SetUp> {
  return setUp(
    client,
    { employeeNo, enableCardReader: readers, fingerPrintID, deleteFingerPrint: true, fingerType },
    NEVER,
  );
}

async function setUp(client: Client, body: object, signal: AbortSignal): Promise<SetUp> {
  const operation = specifiedOperation(SET_UP);
  const answer = await client.write(operation, {}, bodyOf(operation, body), { signal });
  const { kind } = answer.status;
  if (kind === 'busy' || kind === 'refused' || kind === 'unsupported')
    return {
      kind: kind === 'busy' ? 'busy' : 'refused',
      error: explained(refusalOf(answer.status, { operation: operation.id, exchange: answer.exchange() })),
    };
  const value = valueOf(operation, answer);
  const list: readonly unknown[] =
    value !== undefined && Array.isArray(value['StatusList']) ? value['StatusList'] : [];
  return { kind: 'results', readers: list.filter(isPlain).flatMap(readerResult) };
}

function readerResult({
  id,
  cardReaderRecvStatus,
  errorMsg,
}: Readonly<Record<string, unknown>>): ReaderResult | [] {
  const code = wholeOf(cardReaderRecvStatus);
  const reader = wholeOf(id);
  if (reader === undefined || code === undefined) return [];
  const status = statusOfCode(code);
  const text = typeof errorMsg === 'string' ? errorMsg.trim() : '';
  // Only there it is the number of a person; elsewhere it is the device's reason.
  if (status === 'exists')
    return { reader, status, code, ...(text === '' ? {} : { owner: text.slice(0, 32) }) };
  const reason = isGoodPrint(status) ? undefined : deviceReason({ http: 200, errorMsg: text.slice(0, 300) });
  return { reader, status, code, ...defined({ reason }) };
}

function wholeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
}

/** A refusal of somebody whom the device does not know is told in words of its own. */
function explained(error: ErrorShape): ErrorShape {
  return error.status?.subStatusCode === 'unknownPerson' ||
    error.status?.subStatusCode === 'employeeNoNotExist'
    ? { ...error, ...sayWithReason(deviceReason(error.status), 'prints-person-unknown') }
    : error;
}

/** The payload of an answer; undefined where it has none, or none that can be read. */
function valueOf(operation: Operation, answer: Answer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = payloadOf(operation, answer)?.value;
    return isPlain(value) ? value : undefined;
  } catch (thrown) {
    if (thrown instanceof FieldwrightError) return undefined;
    throw thrown;
  }
}

function refuseRefusal(answer: Answer, operation: Operation): void {
  const { kind } = answer.status;
  if (kind !== 'ok' && kind !== 'none' && kind !== 'needs-reboot')
    throw statusError(answer.status, { operation: operation.id, exchange: answer.exchange() });
}

function unreadable(answer: Answer, operation: Operation): FieldwrightError {
  return deviceError('malformed-answer', say('prints-unreadable'), {
    operation: operation.id,
    status: answer.status.report,
  });
}

function bodyOf(operation: Operation, value: object): string {
  return encode(specifiedRequest(operation), value);
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number');
}
