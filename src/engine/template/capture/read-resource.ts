/** Reads one setting of a device everywhere the device has it. */
import { isDeviceRefusal, mustStopDevice } from '#shared/error-meaning.ts';
import { say } from '#shared/details.ts';
import {
  createRefusal,
  redactBody,
  type Constraints,
  type Param,
  type Resource,
  type UnlistedNode,
} from '#protocol/index.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { Params } from '#shared/model.ts';
import type { Clock } from '#engine/api/host.ts';
import { readPatiently } from '#engine/device/transport/patient-read.ts';
import type { DeviceClient, ReadAnswer } from '#engine/device/client-types.ts';
import { readLimits } from '#engine/device/limits.ts';
import { listCandidates, type Candidates } from './which.ts';

export type Reading =
  | {
      readonly kind: 'value';
      readonly params: Params;
      readonly value: unknown;
      /** Returns the document as the device sent it, with its secrets masked; absent where it was not read. */
      readonly text?: () => string;
      /** Nodes that the specification does not describe. */
      readonly unlisted: readonly UnlistedNode[];
    }
  /** The device does not have it. */
  | { readonly kind: 'unsupported'; readonly params: Params; readonly error: ErrorShape }
  /** It answered in a way that cannot be used, or not at all. */
  | { readonly kind: 'failed'; readonly params: Params; readonly error: ErrorShape }
  /** There may be more of them than were asked for. */
  | { readonly kind: 'more'; readonly params: Params; readonly error: ErrorShape };

/** All that reading needs of a resource; what is only read has no more. */
export type Readable = Pick<Resource, 'name' | 'get' | 'capability'>;

export interface ReadContext {
  readonly client: DeviceClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Address, for errors. */
  readonly device: string;
  /** Capabilities that the device reports about itself. */
  readonly system: Constraints | undefined;
  /** Requests at once that the device takes. */
  readonly inFlight: number;
}

/**
 * Everything of this resource, parameters that are given fixed. Throws where going on is of no use: no connection,
 * no sign-in, cancelled. One odd answer is a reading of its own.
 */
export async function* readResource(
  resource: Readable,
  given: Params,
  context: ReadContext,
): AsyncGenerator<Reading> {
  const open = resource.get.params.filter(({ name }) => given[name] === undefined);
  const { capability } = resource;
  // Limits matter only where they say how many items there are; a refusal to report them means nothing.
  const own =
    open.length === 0 || capability === undefined
      ? undefined
      : await readLimits(capability, given, (operation, params) =>
          readPatiently(operation, params, context),
        ).catch(throwIfFatal);
  yield* readEach(resource, given, open, own?.constraints, context);
}

/** A device that hangs on one question may answer the next; one that cannot even be connected to will not. */
export function throwIfFatal(thrown: unknown): undefined {
  if (mustStopDevice(toErrorShape(thrown))) throw thrown;
  return undefined;
}

async function* readEach(
  resource: Readable,
  params: Params,
  open: readonly Param[],
  own: Constraints | undefined,
  context: ReadContext,
): AsyncGenerator<Reading> {
  const [param, ...rest] = open;
  if (param === undefined) {
    yield await readOnce(resource, params, context);
    return;
  }
  const series = seriesOf(listCandidates(param, { system: context.system, own }));
  let missing = 0;
  let found = false;
  const refusals: Reading[] = [];
  const within = (value: string | number): Params => ({ ...params, [param.name]: value });
  const asked: Promise<Reading>[] = [];
  /** The answer there, asked for together with the next ones that are asked for whatever it is. */
  const answersAt = (at: number): Promise<Reading>[] => {
    const sure = series.mayEnd ? 0 : found ? Infinity : series.patience - missing - 1;
    const end = at + Math.min(sure + 1, context.inFlight);
    for (const value of series.values.slice(asked.length, end)) {
      const reading = readOnce(resource, within(value), context);
      // An earlier reading may end the series, and this one is then never awaited.
      reading.catch(() => undefined);
      asked.push(reading);
    }
    return asked.slice(at, at + 1);
  };
  for (const [at, value] of series.values.entries()) {
    let here = false;
    for await (const reading of rest.length === 0
      ? answersAt(at)
      : readEach(resource, within(value), rest, own, context)) {
      // Devices refuse what they do not have in many ways.
      if (reading.kind === 'unsupported' || (series.mayEnd && isRefusal(reading))) {
        refusals.push(reading);
        continue;
      }
      here = true;
      yield reading;
      // A device that cannot answer is not asked again and again for what may not exist.
      if (reading.kind === 'failed' && series.mayEnd) return;
    }
    found ||= here;
    missing = here ? 0 : missing + 1;
    if (found ? missing >= series.gap && at + 1 >= series.patience : missing >= series.patience) break;
  }
  const failed = refusals.find(({ kind }) => kind === 'failed');
  const [first] = refusals;
  // A missing further item is no refusal; a missing first item is.
  if (found && failed !== undefined) yield failed;
  if (!found && first !== undefined) yield { ...first, params };
  if (missing === 0 && found && series.mayEnd)
    yield { kind: 'more', params, error: mayHaveMore(resource, param, series.values.at(-1) ?? '', context) };
}

/** It answered, and said no in a way of its own. */
function isRefusal(reading: Reading): boolean {
  return reading.kind === 'failed' && isDeviceRefusal(reading.error);
}

interface Series {
  readonly values: readonly (string | number)[];
  /** Number of consecutive missing items that ends the series. */
  readonly gap: number;
  /** Number of items that are always requested; if all of them are missing, there are none. */
  readonly patience: number;
  /** The device did not report how many there are. */
  readonly mayEnd: boolean;
}

/** One channel may lack what the others have, often the first; a device of another kind lacks it everywhere. */
const PATIENCE = 4;

function seriesOf(candidates: Candidates): Series {
  if (candidates.kind === 'listed')
    return {
      values: candidates.values,
      gap: Infinity,
      patience: PATIENCE,
      mayEnd: candidates.guessed === true,
    };
  const { from, to, sparse } = candidates;
  const values = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  return sparse
    ? { values, gap: Infinity, patience: Infinity, mayEnd: false }
    : { values, gap: 1, patience: PATIENCE, mayEnd: true };
}

function mayHaveMore(
  resource: Readable,
  param: Param,
  last: string | number,
  { device }: ReadContext,
): ErrorShape {
  return {
    code: 'input-too-large',
    source: 'app',
    operation: resource.get.id,
    device,
    ...say('capture-counted', { name: param.name, last, resource: resource.name }),
  };
}

async function readOnce(resource: Readable, params: Params, context: ReadContext): Promise<Reading> {
  const operation = resource.get;
  const payload = operation.response;
  try {
    const answer = await readPatiently(operation, params, context);
    const { document } = answer;
    if (document === undefined || payload === undefined)
      return refused(answer, operation.id, params, context);
    return {
      kind: 'value',
      params,
      value: answer.shown(answer.value),
      text: () => answer.shown(redactBody(document.text, { payload, sensitive: true })),
      unlisted: answer.unlisted.map(({ path, read }) => ({ path, read: () => answer.shown(read()) })),
    };
  } catch (thrown) {
    throwIfFatal(thrown);
    const error = toErrorShape(thrown);
    return {
      kind: 'failed',
      params,
      error: { ...error, operation: error.operation ?? operation.id, device: error.device ?? context.device },
    };
  }
}

/** "Not supported", "no such thing" and "not possible now" are answers; anything else is a failure. */
function refused(
  { status }: ReadAnswer,
  operation: string,
  params: Params,
  { device }: ReadContext,
): Reading {
  const error = createRefusal(status, { operation, device });
  const isNo =
    status.kind === 'unsupported' || error.code === 'invalid-operation' || error.code === 'not-found';
  return { kind: isNo ? 'unsupported' : 'failed', params, error };
}
