/** Reads what a device claims to support, as flat lists; with `probe` also what it actually answers. */
import { answerKind, isDeviceLost } from '#shared/error-meaning.ts';
import { say } from '#shared/details.ts';
import { FieldwrightError, toErrorShape, userError, type ErrorShape } from '#shared/errors.ts';
import type { CapabilityFlag, Device, DeviceCapabilities, Params, ProbedRead } from '#shared/model.ts';
import {
  collectConstraints,
  findOperation,
  listFlags,
  isCapabilityDocument,
  isExpectedArea,
  operations,
  readConstraints,
  createRefusal,
} from '#protocol/index.ts';
import type { Operation, Payload } from '#protocol/definition.ts';
import { listCapabilityLimits } from './capability-limits.ts';
import type { OperationsApi } from '../api/routes.ts';
import type { DeviceClient, ReadAnswer, RequestOptions } from '../device/client-types.ts';
import type { DeviceConnections } from '../device/clients.ts';

/** Reads that are no capability documents but report capacities of the device (part 1, 2.2). */
const REPORTS_COUNTS: ReadonlySet<string> = new Set(['aiPlatform.info.get']);

/** Priority of probes, below the reads that a person waits for. */
const BACKGROUND = -1;

type Read<F> = { readonly found: F } | { readonly error: ErrorShape };

interface CapabilityReaderOptions {
  readonly clients: DeviceConnections;
  readonly find: (deviceId: string) => Device;
}

/** Returns `capabilities`. It throws if the device is unreachable or refuses the sign-in; other errors are `problems`. */
export function createCapabilityReader({
  clients,
  find,
}: CapabilityReaderOptions): OperationsApi['capabilities'] {
  return async ({ deviceId, ...options }, signal) => {
    const device = find(deviceId);
    const client = clients.get(device.id);
    const asked = operations.filter(
      (operation) =>
        isLimitsDocument(operation) &&
        isExpectedArea(operation.area, device.kinds) &&
        paramsOf(operation) !== undefined,
    );
    const reads =
      options.documents === false
        ? []
        : await readAll(client, asked, { signal }, (operation, answer) =>
            // Each report gets its own event-loop turn: masking all of them in one would take too long.
            client.shown(reportOf(operation, answer, device.url)),
          );
    const reports = reads.map(([operation, read]): Report =>
      'error' in read
        ? { ...NOTHING, problems: [read.error], documents: [unread(operation, read.error)] }
        : read.found,
    );
    const flags = reports.flatMap((report) => report.flags);
    const limits = reports.flatMap((report) => report.limits);
    const problems = reports.flatMap((report) => report.problems);
    const documents = reports.flatMap((report) => report.documents);
    const leftOut = await leftOutOfShortReport(client, flags, signal);
    const about = {
      deviceId: device.id,
      name: device.name,
      url: device.url,
      kinds: device.kinds,
      flags,
      limits,
      problems,
      ...(documents.length === 0 ? {} : { documents }),
      ...(leftOut.length === 0
        ? {}
        : { onlyWhenAskedForAll: leftOut.map(({ path, label }) => ({ path, label })) }),
    };
    return options.probe === true ? { ...about, probes: await probe(client, device.url, signal) } : about;
  };
}

/** Contents of one capability document. */
type Report = Pick<DeviceCapabilities, 'flags' | 'limits' | 'problems'> & {
  readonly documents: readonly ProbedRead[];
};
const NOTHING: Report = { flags: [], limits: [], problems: [], documents: [] };

function reportOf(operation: Operation, answer: ReadAnswer, url: string): Report {
  const documents = [probed(operation, answer, url)];
  if (answer.document === undefined)
    return { ...NOTHING, problems: refusal(operation, answer, url), documents };
  if (operation.response === undefined) return { ...NOTHING, documents };
  const claims = claimed.get(answer.document) ?? claimsOf(operation.id, operation.response, answer.document);
  claimed.set(answer.document, claims);
  return { ...NOTHING, documents, ...claims };
}

type Claims = Pick<Report, 'flags' | 'limits'>;
/** Claims by decoded document; equal answers of several devices share one document. */
const claimed = new WeakMap<NonNullable<ReadAnswer['document']>, Claims>();

function claimsOf(
  operation: string,
  response: Payload,
  document: NonNullable<ReadAnswer['document']>,
): Claims {
  const constraints = collectConstraints(response, document);
  return {
    limits: listCapabilityLimits(operation, response, constraints),
    flags: listFlags(response, constraints).map(({ listed, ...flag }) => ({
      operation,
      ...flag,
      ...(listed ? {} : { unlisted: true as const }),
    })),
  };
}

/** The report that can be asked for in full with `?type=all` (part 3, 4). */
const SYSTEM_REPORT = 'system.capabilities.get';

/** Returns flags that only the full report has: a device may be set to return a reduced one. */
async function leftOutOfShortReport(
  client: DeviceClient,
  flags: readonly CapabilityFlag[],
  signal: AbortSignal,
): Promise<readonly CapabilityFlag[]> {
  const reported = flags.filter(
    ({ operation, state }) => operation === SYSTEM_REPORT && state !== 'not-reported',
  );
  const operation = findOperation(SYSTEM_REPORT);
  if (reported.length === 0 || operation?.response === undefined) return [];
  try {
    const answer = await client.raw(
      { method: 'GET', path: operation.path.slice(0, operation.path.indexOf('?')) },
      { signal },
    );
    if (answer.status.kind !== 'none') return [];
    const brief = listFlags(operation.response, readConstraints(operation.response, answer.text));
    const shown = new Set(brief.filter(({ state }) => state !== 'not-reported').map(({ path }) => path));
    return reported.filter(({ path }) => !shown.has(path));
  } catch (error) {
    // The full report is there; that the short one is not says nothing about the device.
    if (answerKind(toErrorShape(error)) === 'unreadable') return [];
    throw error;
  }
}

/** Sends every GET that changes nothing and needs no parameters, and returns what the device answered. */
async function probe(client: DeviceClient, url: string, signal: AbortSignal): Promise<readonly ProbedRead[]> {
  const reads = await readAll(
    client,
    operations.filter((operation) => isHarmlessRead(operation) && paramsOf(operation) !== undefined),
    { signal, priority: BACKGROUND },
    (operation, answer) => probed(operation, answer, url),
  );
  return reads.map(([operation, read]) => ('error' in read ? unread(operation, read.error) : read.found));
}

/** Returns true for a GET that reads device data; capability documents do not count. */
export function isHarmlessRead(operation: Operation): boolean {
  return operation.method === 'GET' && operation.isCapability !== true && operation.response !== undefined;
}

function probed({ id }: Operation, { status, document }: ReadAnswer, url: string): ProbedRead {
  return document === undefined
    ? {
        operation: id,
        answered: false,
        status: status.report,
        error: createRefusal(status, { operation: id, device: url }),
      }
    : { operation: id, answered: true, status: status.report };
}

function unread({ id }: Operation, error: ErrorShape): ProbedRead {
  return { operation: id, answered: false, status: error.status ?? { http: 0 }, error };
}

/**
 * Reads the first document alone, so that a device that refuses the sign-in is asked once; then as many in parallel as
 * the device takes. Keeps only the result of `find` for each answer: all answers together may be large.
 */
async function readAll<F>(
  client: DeviceClient,
  wanted: readonly Operation[],
  { signal, ...options }: RequestOptions,
  find: (operation: Operation, answer: ReadAnswer) => F,
): Promise<(readonly [Operation, Read<F>])[]> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  async function read(operation: Operation): Promise<readonly [Operation, Read<F>]> {
    try {
      return [
        operation,
        { found: find(operation, await readSomewhere(client, operation, { ...options, signal: either })) },
      ];
    } catch (thrown) {
      const error = toErrorShape(thrown);
      if (!stop.signal.aborted && isDeviceLost(error)) stop.abort(thrown);
      return [operation, { error }];
    }
  }
  const [first, ...rest] = wanted;
  if (first === undefined) return [];
  const results = [await read(first)];
  if (!stop.signal.aborted) results.push(...(await Promise.all(rest.map(read))));
  if (stop.signal.aborted)
    throw stop.signal.reason instanceof FieldwrightError
      ? stop.signal.reason
      : userError('cancelled', say('cancelled'));
  return results;
}

/** Returns true for a document that reports limits or capacities of the device. */
export function isLimitsDocument(operation: Operation): boolean {
  return (
    operation.response !== undefined && (isCapabilityDocument(operation) || REPORTS_COUNTS.has(operation.id))
  );
}

/** Channels to try: cameras with a visible and a thermal sensor often answer on channel 2. */
const CHANNELS = [1, 2, 3, 4] as const;

/** Returns the answer of the first channel that has the document, else that of channel 1. */
async function readSomewhere(
  client: DeviceClient,
  operation: Operation,
  options: RequestOptions,
): Promise<ReadAnswer> {
  const params = paramsOf(operation) ?? {};
  const first = await client.read(operation, params, options);
  if (params['channelID'] === undefined || first.document !== undefined || !isMissing(first)) return first;
  for (const channelID of CHANNELS.slice(1)) {
    const other = await client.read(operation, { channelID }, options);
    if (other.document !== undefined) return other;
    if (!isMissing(other)) break;
  }
  return first;
}

/** Returns true if only this channel lacks the document; false if the device says that it lacks the operation. */
function isMissing({ status, http }: ReadAnswer): boolean {
  return (http === 404 || status.kind === 'unsupported') && status.report.subStatusCode !== 'notSupport';
}

/** Returns the parameters of the first attempt; undefined if the operation needs a value that is not known. */
function paramsOf(operation: Operation): Params | undefined {
  const open = operation.params.filter((param) => param.default === undefined && param.name !== 'channelID');
  if (open.length > 0) return undefined;
  return operation.params.some((param) => param.name === 'channelID' && param.default === undefined)
    ? { channelID: CHANNELS[0] }
    : {};
}

/** Returns the error of a refusal; none for `unsupported`, which is an answer and not a problem. */
function refusal(operation: Operation, { status, exchange }: ReadAnswer, url: string): ErrorShape[] {
  return status.kind === 'unsupported'
    ? []
    : [createRefusal(status, { operation: operation.id, device: url, exchange: exchange() })];
}
