/** What a device claims to support, flattened; with `probe` also what it really answers. */
import { answerKind, isDeviceLost } from '../../shared/error-meaning.ts';
import { say } from '../../shared/details.ts';
import { FieldwrightError, toErrorShape, userError, type ErrorShape } from '../../shared/errors.ts';
import type { CapabilityFlag, Device, DeviceCapabilities, Params, ProbedRead } from '../../shared/model.ts';
import {
  constraintsOf,
  findOperation,
  flagsOf,
  isCapabilityDocument,
  isExpectedArea,
  operations,
  readConstraints,
  refusalOf,
} from '../../protocol/index.ts';
import type { Operation, Payload } from '../../protocol/definition.ts';
import { limitsOf } from './capability-limits.ts';
import type { OperationsApi } from '../api/routes.ts';
import type { DeviceClient, ReadAnswer, RequestOptions } from '../device/client-types.ts';
import type { DeviceConnections } from '../device/clients.ts';

/** Information that holds counts of what the device can do (part 1, 2.2). */
const REPORTS_COUNTS: ReadonlySet<string> = new Set(['aiPlatform.info.get']);

/** Behind what a person waits for: the page that is open reads while the rest is probed. */
const BACKGROUND = -1;

type Read<F> = { readonly found: F } | { readonly error: ErrorShape };

interface CapabilityReaderOptions {
  readonly clients: DeviceConnections;
  readonly find: (deviceId: string) => Device;
}

/** Throws where the device cannot be reached or does not let us in; a single unreadable document is a problem in the answer. */
export function createCapabilityReader({
  clients,
  find,
}: CapabilityReaderOptions): OperationsApi['capabilities'] {
  return async ({ deviceId, ...options }, signal) => {
    const device = find(deviceId);
    const client = clients.get(device.id);
    const asked = operations.filter(
      (operation) =>
        reportsLimits(operation) &&
        isExpectedArea(operation.area, device.kinds) &&
        paramsOf(operation) !== undefined,
    );
    const reads =
      options.documents === false
        ? []
        : await readAll(client, asked, { signal }, (operation, answer) =>
            // Each in a turn of its own: all of them together hold more than may be searched in one.
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

/** What one document tells. */
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
/** By what was decoded, which is one and the same where devices of one model answer alike. */
const claimed = new WeakMap<NonNullable<ReadAnswer['document']>, Claims>();

function claimsOf(
  operation: string,
  response: Payload,
  document: NonNullable<ReadAnswer['document']>,
): Claims {
  const constraints = constraintsOf(response, document);
  return {
    limits: limitsOf(operation, response, constraints),
    flags: flagsOf(response, constraints).map(({ listed, ...flag }) => ({
      operation,
      ...flag,
      ...(listed ? {} : { unlisted: true as const }),
    })),
  };
}

/** The report that can be asked for in full with `?type=all` (part 3, 4). */
const SYSTEM_REPORT = 'system.capabilities.get';

/** A device may be set to return a reduced report: what of the full one does it leave out then? */
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
    const brief = flagsOf(operation.response, readConstraints(operation.response, answer.text));
    const shown = new Set(brief.filter(({ state }) => state !== 'not-reported').map(({ path }) => path));
    return reported.filter(({ path }) => !shown.has(path));
  } catch (error) {
    // The full report is there; that the short one is not says nothing about the device.
    if (answerKind(toErrorShape(error)) === 'unreadable') return [];
    throw error;
  }
}

/** GETs that change nothing and need nothing known: the claim beside what is really answered. */
async function probe(client: DeviceClient, url: string, signal: AbortSignal): Promise<readonly ProbedRead[]> {
  const reads = await readAll(
    client,
    operations.filter((operation) => isHarmlessRead(operation) && paramsOf(operation) !== undefined),
    { signal, priority: BACKGROUND },
    (operation, answer) => probed(operation, answer, url),
  );
  return reads.map(([operation, read]) => ('error' in read ? unread(operation, read.error) : read.found));
}

/** Shows something of the device and changes nothing; documents of what it takes are no such read. */
export function isHarmlessRead(operation: Operation): boolean {
  return operation.method === 'GET' && operation.isCapability !== true && operation.response !== undefined;
}

function probed({ id }: Operation, { status, document }: ReadAnswer, url: string): ProbedRead {
  return document === undefined
    ? {
        operation: id,
        answered: false,
        status: status.report,
        error: refusalOf(status, { operation: id, device: url }),
      }
    : { operation: id, answered: true, status: status.report };
}

function unread({ id }: Operation, error: ErrorShape): ProbedRead {
  return { operation: id, answered: false, status: error.status ?? { http: 0 }, error };
}

/**
 * The first alone, so that a device that does not let us in is asked once; then as many as the device takes. Of each
 * answer only what `find` gives is kept: together they may be large.
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

/** True for a document of what the device takes or has. */
export function reportsLimits(operation: Operation): boolean {
  return (
    operation.response !== undefined && (isCapabilityDocument(operation) || REPORTS_COUNTS.has(operation.id))
  );
}

/** Channels that are tried: that of a camera with a visible and a thermal one is often 2. */
const CHANNELS = [1, 2, 3, 4] as const;

/** The answer of the first channel that has it; where none has, that of channel 1. */
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

/** There is no such channel; a device that says in so many words that it does not have the operation is not asked on. */
function isMissing({ status, http }: ReadAnswer): boolean {
  return (http === 404 || status.kind === 'unsupported') && status.report.subStatusCode !== 'notSupport';
}

/** Where to begin; undefined where a parameter has to be known. */
function paramsOf(operation: Operation): Params | undefined {
  const open = operation.params.filter((param) => param.default === undefined && param.name !== 'channelID');
  if (open.length > 0) return undefined;
  return operation.params.some((param) => param.name === 'channelID' && param.default === undefined)
    ? { channelID: CHANNELS[0] }
    : {};
}

/** Not supported is an answer, not a problem. */
function refusal(operation: Operation, { status, exchange }: ReadAnswer, url: string): ErrorShape[] {
  return status.kind === 'unsupported'
    ? []
    : [refusalOf(status, { operation: operation.id, device: url, exchange: exchange() })];
}
