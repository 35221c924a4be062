/** One device read for a report: what it reports of itself, and what it really answers to every harmless read. */
import { answerKind, isGone, isShutOut } from '#shared/error-meaning.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { mapDetailValues } from '#shared/details.ts';
import { FieldwrightError, toErrorShape, type ErrorShape, type StatusReport } from '#shared/errors.ts';
import type { Device, DeviceCapabilities, Params, Unlisted } from '#shared/model.ts';
import type { Fact, Mark } from '#shared/report-document.ts';
import { operations, redactProse, redactUnlisted, type Operation } from '#protocol/index.ts';
import type { Clock } from '../api/host.ts';
import type { DevicesApi, OperationsApi } from '../api/routes.ts';
import { findChannels, listDeviceReads } from '../operations/device-reads.ts';
import { removeSecretDefault } from '../operations/capability-limits.ts';
import type { DeviceClients } from '../device/client-types.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { listFirstFacts } from '../report-files/facts.ts';
import { mergeReads } from '../template/capture/merged.ts';
import {
  readResource,
  type ReadContext,
  type Readable,
  type Reading,
} from '../template/capture/read-resource.ts';
import { computeOncePer } from '#shared/once.ts';

/** Answer of a device to one read with its parameters (channel, preset, …), without secrets. */
export interface Answered {
  readonly operation: string;
  readonly params: Params;
  readonly mark: Extract<
    Mark,
    'works' | 'refused' | 'no-permission' | 'not-found' | 'malformed' | 'no-answer'
  >;
  /** Why it did not work, or why there may be more than was asked for. */
  readonly error?: ReadingError;
  readonly facts?: readonly Fact[];
  /** Number of omitted lines. */
  readonly omitted?: number;
  readonly unlisted?: readonly Unlisted[];
}
/** Part of an error that documents show. */
export type ReadingError = Pick<ErrorShape, 'code' | 'message' | 'detail' | 'status'>;

export interface DeviceReading {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  readonly kinds: Device['kinds'];
  /** Identity from discovery, `serial:…` or `mac:…`. */
  readonly identity?: string;
  readonly certificate?: string;
  /** ISO 8601. */
  readonly at: string;
  readonly flags: DeviceCapabilities['flags'];
  readonly limits: DeviceCapabilities['limits'];
  readonly onlyWhenAskedForAll: NonNullable<DeviceCapabilities['onlyWhenAskedForAll']>;
  /** Capability documents first. */
  readonly answers: readonly Answered[];
  /** Error that ended the reading; the answers are those received before it. */
  readonly error?: ReadingError;
}

export interface ReadingContext {
  readonly clients: DeviceClients;
  readonly clock: Clock;
  readonly devices: Pick<DevicesApi, 'find' | 'test'>;
  readonly capabilities: OperationsApi['capabilities'];
}

/** Lines of one answer, and characters of all answers of a device together. */
const MOST_FACTS = 2_000;
const MOST_TEXT = 1_500_000;
const MOST_UNLISTED = 200;
/** Far more than a device has; a hostile one has no end. */
const MOST_LIMITS = 5_000;

/** Throws what keeps the device from being read at all, `cancelled` among it. */
export async function readDevice(
  deviceId: string,
  context: ReadingContext,
  signal: AbortSignal,
): Promise<DeviceReading> {
  const { devices, clients, clock } = context;
  await learnKinds(deviceId, context, signal);
  const device = devices.find(deviceId);
  const capabilities = await context.capabilities({ deviceId }, signal);
  const answers = (capabilities.documents ?? []).map(({ operation, answered, error }): Answered => ({
    operation,
    params: {},
    mark: answered ? 'works' : markOf(error),
    ...(error !== undefined && { error: toReadingError(error) }),
  }));
  // A device that breaks off every single request gives no reading at all.
  const [first] = capabilities.problems;
  if (first !== undefined && answers.every(({ mark }) => mark === 'no-answer'))
    throw new FieldwrightError(first);
  const reading = {
    client: clients.get(deviceId),
    clock,
    signal,
    device: device.url,
    system: findChannels(capabilities),
    inFlight: device.profile.inFlight,
  };
  let text = MOST_TEXT;
  let broken: ReadingError | undefined;
  try {
    const wanted = listDeviceReads(device);
    const read = (resource: Readable) => readResource(resource, {}, reading satisfies ReadContext);
    for await (const { index, result } of mergeReads(wanted, read, reading.inFlight)) {
      const operation = wanted[index]?.get;
      if (operation === undefined) continue;
      const { answer, size } = bounded(answerOf(operation, result), text);
      text -= size;
      answers.push(answer);
    }
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    broken = toReadingError(toErrorShape(thrown));
  }
  return {
    deviceId,
    name: device.name,
    url: device.url,
    kinds: device.kinds,
    at: clock.now().toISOString(),
    flags: capabilities.flags.slice(0, MOST_LIMITS),
    limits: capabilities.limits.slice(0, MOST_LIMITS).map(removeSecretDefault),
    onlyWhenAskedForAll: capabilities.onlyWhenAskedForAll ?? [],
    answers: inOrder(answers),
    identity: device.identity,
    certificate: device.certificate,
    error: broken,
  };
}

/** Learns the kinds of a device that was never tested: they decide which documents are requested. */
async function learnKinds(deviceId: string, { devices }: ReadingContext, signal: AbortSignal): Promise<void> {
  if (devices.find(deviceId).kinds.length > 0) return;
  const [test] = await devices.test({ ids: [deviceId], learnsKinds: true }, signal);
  if (test?.error !== undefined) throw new FieldwrightError(test.error);
}

function answerOf(operation: Operation, reading: Reading): Answered {
  const { params } = reading;
  const place = { operation: operation.id, params };
  if (reading.kind === 'more') return { ...place, mark: 'works', error: toReadingError(reading.error) };
  if (reading.kind !== 'value')
    return { ...place, mark: markOf(reading.error), error: toReadingError(reading.error) };
  const { facts, omitted } = linesOf(operation, reading.value);
  const unlisted = reading.unlisted
    .slice(0, MOST_UNLISTED)
    .map(({ path, read }) => redactUnlisted(operation.response, { path, value: read() }));
  return {
    ...place,
    mark: 'works',
    facts,
    ...(omitted > 0 && { omitted }),
    ...(unlisted.length > 0 && { unlisted }),
  };
}

type Lines = ReturnType<typeof listFirstFacts>;
/** Lines by decoded document; devices of one model that answer alike share one document. */
const known = new WeakMap<object, Lines>();

function linesOf(operation: Operation, value: unknown): Lines {
  const key = typeof value === 'object' ? value : null;
  const lines = (key && known.get(key)) ?? listFirstFacts(operation, value, MOST_FACTS);
  if (key !== null) known.set(key, lines);
  return lines;
}

/** Drops the lines of an answer that is too large, and counts them as omitted. */
function bounded(answer: Answered, most: number): { readonly answer: Answered; readonly size: number } {
  const { facts = [], unlisted = [], omitted = 0, ...rest } = answer;
  const size = JSON.stringify(rest).length + sizeOf(facts) + sizeOf(unlisted);
  if (size <= most) return { answer, size };
  const without = { ...rest, omitted: omitted + facts.length + unlisted.length };
  return { answer: without, size: JSON.stringify(without).length };
}

/** Returns the length of a list as JSON, in characters. */
const sizeOf = computeOncePer((list: readonly unknown[]) =>
  list.length === 0 ? 0 : JSON.stringify(list).length,
);

/** Returns what an error says of the operation that was asked for. */
export function markOf(error: Pick<ErrorShape, 'code' | 'status'> | undefined): Answered['mark'] {
  if (error === undefined) return 'refused';
  const kind = answerKind(error);
  if (kind === 'unreadable') return 'malformed';
  if (kind === 'busy' || isGone(error)) return 'no-answer';
  if (kind === 'no-permission' || isShutOut(error)) return 'no-permission';
  return kind === 'lacks' && error.code !== 'invalid-operation' ? 'not-found' : 'refused';
}

export function toReadingError(error: ErrorShape): ReadingError {
  const { code, message, detail, status } = error;
  return {
    code,
    message: redactProse(message),
    ...removeUndefined({
      detail: detail && mapDetailValues(detail, redactProse),
      status: status === undefined ? undefined : shownStatus(status),
    }),
  };
}

/** The device's own words may be anything. */
function shownStatus(status: StatusReport): StatusReport {
  const shown = Object.entries(status).map(([name, held]: [string, unknown]) => [
    name,
    typeof held === 'string' ? redactProse(held) : held,
  ]);
  return { ...status, ...(Object.fromEntries(shown) as Partial<StatusReport>) };
}

const PLACE = new Map(operations.map(({ id }, at) => [id, at]));

/** Sorts answers, which arrive in any order, by their order in the specification. */
function inOrder(answers: readonly Answered[]): readonly Answered[] {
  return answers
    .map((answer) => ({
      answer,
      isDocument: answer.operation.endsWith('.capabilities.get') ? 0 : 1,
      place: PLACE.get(answer.operation) ?? 0,
      params: encodeCanonicalJson(answer.params),
    }))
    .sort(
      (a, b) =>
        a.isDocument - b.isDocument ||
        a.place - b.place ||
        (a.params === b.params ? 0 : NUMBERED.compare(a.params, b.params)),
    )
    .map(({ answer }) => answer);
}

const NUMBERED = new Intl.Collator('en', { numeric: true });
