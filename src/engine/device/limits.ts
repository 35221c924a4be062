/** The limits a device reports for an operation, from its capability twin. */
import { constraintsOf, findOperation } from '../../protocol/index.ts';
import type { Constraints, Operation, Payload, WireDocument } from '../../protocol/index.ts';
import { toErrorShape } from '../../shared/errors.ts';
import type { ErrorCode } from '../../shared/errors.ts';
import type { Params } from '../../shared/model.ts';
import { rememberedByPair } from '../plan/remembered.ts';
import type { ReadAnswer } from './client-types.ts';
import { remembering } from './recent.ts';

const constraintsLately = remembering((payload: Payload, _text, document: WireDocument): Constraints =>
  constraintsOf(payload, document),
);

/** The twin's own variables out of those of the operation it limits. */
export function limitParams(capability: Operation, params: Params): Params {
  return Object.fromEntries(
    capability.params.flatMap(({ name }) => (params[name] === undefined ? [] : [[name, params[name]]])),
  );
}

export function capabilityTwin(operation: Operation): Operation | undefined {
  return operation.capability === undefined ? undefined : findOperation(operation.capability);
}

type Read = (operation: Operation, params: Params) => Promise<ReadAnswer>;

export interface LimitsRequest {
  /** The write whose limits are asked for. */
  readonly operation: Operation;
  readonly params: Params;
  readonly read: Read;
  /** What the capability twin said, where it was asked already. */
  readonly claimed?: Promise<Constraints | undefined>;
  /** The document that is replaced, where it was read already. */
  readonly replaced?: WireDocument;
}

/**
 * Everything a device says about what a write takes: in its capability twin, and in documents of its own that limit
 * it too. Undefined where it has no such place. Throws what `read` throws where there is no answer at all.
 */
export async function limitsOfWrite({
  operation,
  params,
  read,
  replaced,
  claimed,
}: LimitsRequest): Promise<Constraints | undefined> {
  const twin = capabilityTwin(operation);
  const own = await (claimed ?? (twin === undefined ? undefined : readLimits(twin, params, read)));
  const shown = await readShown(operation, params, read, replaced);
  return own === undefined || shown === undefined
    ? (own ?? shown)
    : onceForBoth(own, shown, () => narrowest(own, shown));
}

/** Alike devices share theirs, and with it all that is found out from it. */
const onceForBoth = rememberedByPair<Constraints>();
const onceForShown = rememberedByPair<Constraints>();
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
): Promise<Constraints | undefined> {
  const reader = reported === undefined ? undefined : findOperation(reported.by);
  if (reported === undefined || reader?.response === undefined) return undefined;
  const document =
    replaced ?? (await readable(async () => (await read(reader, limitParams(reader, params))).document));
  if (document === undefined) return NOTHING_SHOWN;
  const constraints = constraintsLately(reader.response, document.text, document);
  return onceForShown(reported, constraints, () => reported.limits(constraints));
}

/**
 * What `capability` reports; undefined where the device reports nothing or nothing readable. Throws
 * what `read` throws where there is no answer at all.
 */
export function readLimits(
  capability: Operation,
  params: Params,
  read: Read,
): Promise<Constraints | undefined> {
  return readable(async () => {
    const answer = await read(capability, limitParams(capability, params));
    if (answer.document === undefined || capability.response === undefined) return undefined;
    return constraintsLately(capability.response, answer.document.text, answer.document);
  });
}

const UNREADABLE: ReadonlySet<ErrorCode> = new Set(['malformed-answer', 'answer-too-large']);

/** A report that cannot be read narrows nothing; a device that cannot be reached is another matter. */
async function readable<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await read();
  } catch (thrown) {
    if (UNREADABLE.has(toErrorShape(thrown).code)) return undefined;
    throw thrown;
  }
}
