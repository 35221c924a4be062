/** The limits a device reports for an operation, from its capability twin. */
import { answerKind } from '#shared/error-meaning.ts';
import {
  collectConstraints,
  findOperation,
  type Constraints,
  type Operation,
  type Payload,
  type WireDocument,
} from '#protocol/index.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say } from '#shared/details.ts';
import { toErrorShape } from '#shared/errors.ts';
import type { Params } from '#shared/model.ts';
import type { ReportedLimits } from '../planning/pure/plan-section.ts';
import { rememberByPair } from '../planning/pure/remembered.ts';
import type { ReadAnswer } from './client-types.ts';
import { rememberRecent } from './recent.ts';

const constraintsLately = rememberRecent((payload: Payload, _text, document: WireDocument): Constraints =>
  collectConstraints(payload, document),
);

/** Picks the twin's own variables out of those of the operation it limits. */
export function limitParams(capability: Operation, params: Params): Params {
  return Object.fromEntries(
    capability.params.flatMap(({ name }) => (params[name] === undefined ? [] : [[name, params[name]]])),
  );
}

export function findCapabilityTwin(operation: Operation): Operation | undefined {
  return operation.capability === undefined ? undefined : findOperation(operation.capability);
}

type Read = (operation: Operation, params: Params) => Promise<ReadAnswer>;

interface LimitsRequest {
  readonly operation: Operation;
  readonly params: Params;
  readonly read: Read;
  /** Limits from the capability twin, if it was read already. */
  readonly claimed?: Promise<ReportedLimits>;
  /** The document that is replaced, where it was read already. */
  readonly replaced?: WireDocument;
}

/**
 * Reads everything that a device reports on what a write takes: in its capability twin, and in documents of
 * its own that limit it too. Throws what `read` throws if there is no answer at all.
 */
export async function readWriteLimits({
  operation,
  params,
  read,
  replaced,
  claimed,
}: LimitsRequest): Promise<ReportedLimits> {
  const twin = findCapabilityTwin(operation);
  const own: ReportedLimits = await (claimed ?? (twin === undefined ? {} : readLimits(twin, params, read)));
  const shown = await readShown(operation, params, read, replaced);
  return removeUndefined({
    constraints: bothOf(own.constraints, shown.constraints),
    unread: own.unread ?? shown.unread,
  });
}

function bothOf(own: Constraints | undefined, shown: Constraints | undefined): Constraints | undefined {
  return own === undefined || shown === undefined
    ? (own ?? shown)
    : onceForBoth(own, shown, () => narrowest(own, shown));
}

/** Alike devices share theirs, and with it all that is found out from it. */
const onceForBoth = rememberByPair<Constraints>();
const onceForShown = rememberByPair<Constraints>();
const NOTHING_SHOWN: Constraints = new Map();

function narrowest(own: Constraints, shown: Constraints): Constraints {
  const both = new Map(own);
  for (const [path, constraint] of shown) {
    const known = own.get(path);
    const size = Math.min(known?.size ?? Infinity, constraint.size ?? Infinity);
    both.set(path, { ...constraint, ...known, ...(size < Infinity && { size }) });
  }
  return both;
}

async function readShown(
  { reported }: Operation,
  params: Params,
  read: Read,
  replaced: WireDocument | undefined,
): Promise<ReportedLimits> {
  const reader = reported === undefined ? undefined : findOperation(reported.by);
  if (reported === undefined || reader?.response === undefined) return {};
  const { response } = reader;
  const shown = await readable(
    async () => replaced ?? (await read(reader, limitParams(reader, params))).document,
    (document) => {
      const constraints = constraintsLately(response, document.text, document);
      return onceForShown(reported, constraints, () => reported.limits(constraints));
    },
  );
  return { constraints: NOTHING_SHOWN, ...shown };
}

/** Reads the limits that `capability` reports. Throws what `read` throws if there is no answer at all. */
export function readLimits(capability: Operation, params: Params, read: Read): Promise<ReportedLimits> {
  const { response } = capability;
  if (response === undefined) return Promise.resolve({});
  return readable(
    async () => (await read(capability, limitParams(capability, params))).document,
    (document) => constraintsLately(response, document.text, document),
  );
}

/** Reads a report. An unreadable one narrows nothing, which is noted; an unreachable device is an error. */
async function readable(
  read: () => Promise<WireDocument | undefined>,
  limits: (document: WireDocument) => Constraints,
): Promise<ReportedLimits> {
  try {
    const document = await read();
    return document === undefined ? {} : { constraints: limits(document) };
  } catch (thrown) {
    const error = toErrorShape(thrown);
    if (answerKind(error) !== 'unreadable') throw thrown;
    return { unread: { ...error, ...say('limits-unread', { why: error.message }) } };
  }
}
