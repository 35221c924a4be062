/** The limits a device reports for an operation, from its capability twin. */
import { constraintsOf, findOperation } from '../../protocol/index.ts';
import type { Constraints, Operation, Payload, WireDocument } from '../../protocol/index.ts';
import { toErrorShape } from '../../shared/errors.ts';
import type { Params } from '../../shared/model.ts';
import type { ReadAnswer } from './client-types.ts';
import { remembering } from './recent.ts';

const constraintsLately = remembering((payload: Payload, _text, document: WireDocument): Constraints => constraintsOf(payload, document));

/** The twin's own variables out of those of the operation it limits. */
export function limitParams(capability: Operation, params: Params): Params {
  return Object.fromEntries(capability.params.flatMap(({ name }) => (params[name] === undefined ? [] : [[name, params[name]]])));
}

export function capabilityTwin(operation: Operation): Operation | undefined {
  return operation.capability === undefined ? undefined : findOperation(operation.capability);
}

/**
 * What `capability` reports; undefined where the device reports nothing or nothing readable. Throws
 * what `read` throws where there is no answer at all.
 */
export async function readLimits(capability: Operation, params: Params, read: (operation: Operation, params: Params) => Promise<ReadAnswer>): Promise<Constraints | undefined> {
  try {
    const answer = await read(capability, limitParams(capability, params));
    if (answer.document === undefined || capability.response === undefined) return undefined;
    return constraintsLately(capability.response, answer.document.text, answer.document);
  } catch (thrown) {
    // A report that cannot be read narrows nothing; a device that cannot be reached is another matter.
    if (toErrorShape(thrown).code === 'malformed-answer') return undefined;
    throw thrown;
  }
}
