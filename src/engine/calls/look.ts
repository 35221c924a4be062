/** Checks whether a device took a single call: by the document it replaced, the item it deleted, or another document. */
import { decode, operations, createRefusal, type Operation, type Resource } from '#protocol/index.ts';
import { answerKind } from '#shared/error-meaning.ts';
import { say } from '#shared/details.ts';
import { FieldwrightError, type ErrorShape } from '#shared/errors.ts';
import type { Change, Params } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { DeviceClient } from '../device/client-types.ts';
import { readPatiently } from '../device/transport/patient-read.ts';
import { computeDesiredState, type Desired, type DeviceState } from '../planning/pure/desired.ts';
import { createReader } from '../planning/read-section.ts';
import { getSpecifiedOperation } from '../operations/specified.ts';
import type { ResolvedSection } from '../template/document.ts';
import type { LookFor } from '../write/look-for.ts';
import type { Conclusion, Seen } from '../write/settle-write.ts';
import {
  lookAtSection,
  createNotEffectiveError,
  filterVisibleChanges,
  type ShownSection,
} from '../write/write-section.ts';

/** Request of a call, sent or still to be sent. */
export interface Sending {
  readonly operation: Operation;
  readonly params: Params;
  readonly resource: Resource | undefined;
  /** Body as it is sent, encoded. */
  readonly text: string | undefined;
}

interface LookContext {
  readonly client: DeviceClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Address of the device, for errors. */
  readonly device: string;
  /** Returns the check of an operation whose effect shows elsewhere than at its own path. */
  readonly looks: (operationId: string) => LookFor | undefined;
}

export interface CallLook {
  /** Reads whether the device took the call; absent if no document shows it. */
  readonly look?: () => Promise<Seen<object>>;
  /** Changes to the document that the call replaces; secrets masked. */
  readonly changes: readonly Change[];
  /** Returns the document that was shown. */
  readonly text: (shown: object | undefined) => string | undefined;
  /** Returns why a call that does not show counts as ignored. */
  readonly ignored: (conclusion: Conclusion<object>) => ErrorShape;
}

/** Returns the operation that reads what a call replaces or deletes; undefined if there is none. */
export function findReadOperation({
  operation,
  resource,
}: Pick<Sending, 'operation' | 'resource'>): Operation | undefined {
  if (resource !== undefined) return resource.get;
  return operation.method === 'DELETE'
    ? operations.find(
        ({ method, path, isCapability }) =>
          method === 'GET' && path === operation.path && isCapability !== true,
      )
    : undefined;
}

/** Prepares the check of a call. `before`: the document that it replaces or deletes, if it could be read. */
export function lookOfCall(
  sending: Sending,
  before: DeviceState | undefined,
  context: LookContext,
): CallLook {
  const { operation, resource } = sending;
  const other: CallLook = {
    changes: [],
    text: () => undefined,
    ignored: () => ({
      code: 'refused',
      source: 'app',
      operation: operation.id,
      device: context.device,
      ...say('call-not-shown'),
    }),
  };
  if (resource !== undefined) return lookAtDocument(resource, sending, before, context) ?? other;
  const look = context.looks(operation.id);
  if (look !== undefined) return { ...other, look: () => look(lookoutOf(sending, context)) };
  const reader = findReadOperation(sending);
  // An absent item proves the deletion only if it was present before.
  return reader === undefined || before === undefined
    ? other
    : { ...other, look: () => lookForNothing(reader, sending, context) };
}

/** Returns the section that a call replaces, as other parts of the engine read it. */
function buildResolvedSection(resource: Resource, params: Params): ResolvedSection {
  return {
    index: 0,
    set: resource.name,
    resource,
    params,
    value: undefined,
    optional: false,
    clamp: false,
    open: new Set(),
  };
}

function lookAtDocument(
  resource: Resource,
  { params, text = '' }: Sending,
  before: DeviceState | undefined,
  context: LookContext,
): CallLook | undefined {
  const payload = resource.put.request;
  const section = buildResolvedSection(resource, params);
  const want = (state: DeviceState): Desired => ({
    ...computeDesiredState(payload, decode(payload, text).value, state),
    text,
  });
  let desired: Desired;
  try {
    desired = before === undefined ? { text, value: undefined, changes: [], lost: [] } : want(before);
    decode(payload, text);
  } catch {
    // Raw text that the definition cannot read cannot be found in a document either.
    return undefined;
  }
  const reader = createReader(context);
  return {
    changes: desired.changes,
    look: async () => {
      const seen = await lookAtSection({ section, want, desired }, reader);
      // A device that had these values already cannot show whether it took the call.
      return desired.changes.length === 0 ? { ...seen, kind: 'hidden' } : seen;
    },
    text: (shown) => (shown as ShownSection | undefined)?.text,
    ignored: (conclusion) =>
      createNotEffectiveError(
        filterVisibleChanges(
          (conclusion.shown as ShownSection | undefined)?.desired.changes ?? desired.changes,
        ),
        { section, device: context.device, desired },
        conclusion,
      ),
  };
}

function lookoutOf({ operation, params, text }: Sending, { client, clock, signal }: LookContext) {
  return {
    params,
    body: valueOf(operation, text),
    clock,
    signal,
    async read<T>(id: string, given: Params = {}): Promise<T> {
      const answer = await readPatiently(getSpecifiedOperation(id), given, { client, clock, signal });
      if (answer.document === undefined)
        throw new FieldwrightError(
          createRefusal(answer.status, { operation: id, exchange: answer.exchange() }),
        );
      return answer.value as T;
    },
  };
}

function valueOf({ request }: Operation, text: string | undefined): unknown {
  if (request === undefined || text === undefined) return undefined;
  try {
    return decode(request, text).value;
  } catch {
    return undefined;
  }
}

/** Checks a deletion: reads the path of the item, which the device should no longer have. */
async function lookForNothing(
  reader: Operation,
  { params }: Sending,
  context: LookContext,
): Promise<Seen<object>> {
  const { status, document } = await readPatiently(reader, params, context);
  if (document !== undefined) return { kind: 'untouched', shown: {} };
  return answerKind(createRefusal(status)) === 'lacks' ? { kind: 'taken', shown: {} } : { kind: 'hidden' };
}
