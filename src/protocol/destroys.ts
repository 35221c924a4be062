/** Requests that destroy something for good, so that a person has to confirm them. */
import type { Operation } from './definition.ts';
import { findOperationAt } from './operation-at.ts';
import { isPlain, getOwn } from './value.ts';

/** Returns whether the operation destroys something with this body, in the shape of the definition. */
export function isDestructive({ destroys: what }: Pick<Operation, 'destroys'>, body: unknown): boolean {
  if (what === undefined || what === true) return what === true;
  const asked = isPlain(body) ? getOwn(body, what.when) : undefined;
  return asked !== undefined && asked !== null && asked !== false;
}

/** Returns whether the operation destroys something with this text as its body. */
export function isTextDestructive({ destroys: what }: Pick<Operation, 'destroys'>, text: string): boolean {
  if (what === undefined || what === true) return what === true;
  // A device may accept spellings that we do not, so everything except a plain `false` counts as true.
  const plain = text.replace(/\\u([0-9a-f]{4})/gi, (_all, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return new RegExp(`${what.when}"?\\s*[:>](?!\\s*"?false\\b)`, 'i').test(plain);
}

/** Request to a path of the interface, with its body as unparsed text. */
export interface TextRequest {
  readonly method: string;
  /** Percent-encoded, beginning with `/API` or with the device's prefix. */
  readonly path: string;
  readonly body?: string;
}

/** Returns whether a request destroys something: every DELETE does, and so does an operation that says so. */
export function requestDestroys({ method, path, body = '' }: TextRequest, prefix: string): boolean {
  if (method.toUpperCase() === 'DELETE') return true;
  const found = findOperationAt({ method, path }, prefix);
  return found !== undefined && isTextDestructive(found.operation, body);
}
