/**
 * Looks up parts of the specification that our own code needs by name: a missing one is a mistake in the
 * program.
 */
import { findField, findOperation, findResource, type Operation, type Resource } from '#protocol/index.ts';
import type { Field, Payload } from '#protocol/definition.ts';

export function getSpecifiedOperation(id: string): Operation {
  return found(findOperation(id), `operation ${id}`);
}

export function getSpecifiedResource(set: string): Resource {
  return found(findResource(set), `resource ${set}`);
}

export function getSpecifiedRequest({ id, request }: Operation): Payload {
  return found(request, `request of ${id}`);
}

export function getSpecifiedResponse({ id, response }: Operation): Payload {
  return found(response, `answer of ${id}`);
}

export function getSpecifiedField(payload: Payload, path: string): Field {
  return found(findField(payload, path), `field ${path}`);
}

function found<T>(definition: T | undefined, name: string): T {
  if (definition === undefined) throw new TypeError(`no ${name}`);
  return definition;
}
