/** Schemas of the documents that jobs of kind `call` store. */
import { z } from 'zod';
import { computeOnce } from '#shared/once.ts';
import { findOperation, findResource, type Operation, type Resource } from '#protocol/index.ts';
import type { Change, Params } from '#shared/model.ts';
import type { StoredUnit } from '../jobs/types.ts';

export const callSchemas = computeOnce(() => ({
  body: z.object({}),
  device: z.object({}),
  detail: z.object({
    /** Name of the section that the call writes, else the id of its operation, else method and path. */
    set: z.string(),
    params: z.custom<Params>((value) => typeof value === 'object' && value !== null),
    /** Changes to the document, secrets masked; empty if the previous document is unknown. */
    changes: z.array(z.custom<Change>((value) => typeof value === 'object' && value !== null)),
  }),
  unit: z.object({}),
}));

export interface CallDocuments {
  readonly body: z.infer<ReturnType<typeof callSchemas>['body']>;
  readonly device: z.infer<ReturnType<typeof callSchemas>['device']>;
  readonly detail: z.infer<ReturnType<typeof callSchemas>['detail']>;
  readonly unit: z.infer<ReturnType<typeof callSchemas>['unit']>;
}
export type CallUnit = StoredUnit<CallDocuments>;

/** Returns the name under which an operation is stored. */
export function setOf({ id }: Operation): string {
  return findReplacedResource(id)?.name ?? id;
}

/** Returns the section whose document the operation replaces. */
export function findReplacedResource(operationId: string): Resource | undefined {
  return operationId.endsWith('.put') ? findResource(operationId.slice(0, -'.put'.length)) : undefined;
}

/** Returns the operation stored under a name; undefined for a path of no operation. */
export function findStoredOperation(set: string): Operation | undefined {
  return findResource(set)?.put ?? findOperation(set);
}
