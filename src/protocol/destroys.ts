/** Which requests take something away for good, so that a person has to agree to them. */
import type { Operation } from './definition.ts';
import { operationAt } from './operation-at.ts';
import { isPlain, own } from './value.ts';

/** Returns whether the operation destroys something with this body, in the shape of the definition. */
export function destroys({ destroys: what }: Pick<Operation, 'destroys'>, body: unknown): boolean {
  if (what === undefined || what === true) return what === true;
  const asked = isPlain(body) ? own(body, what.when) : undefined;
  return asked !== undefined && asked !== null && asked !== false;
}

/** Returns whether the operation destroys something with this text as its body. */
export function textDestroys({ destroys: what }: Pick<Operation, 'destroys'>, text: string): boolean {
  if (what === undefined || what === true) return what === true;
  // A device may read what we cannot: whatever is not plainly a `false` counts, however it is written.
  const plain = text.replace(/\\u([0-9a-f]{4})/gi, (_all, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return new RegExp(`${what.when}"?\\s*[:>](?!\\s*"?false\\b)`, 'i').test(plain);
}

/** A request to a path of the interface, text as it is. */
export interface TextRequest {
  readonly method: string;
  /** Percent-encoded, beginning with `/API` or with the device's prefix. */
  readonly path: string;
  readonly body?: string;
}

/** Returns whether a request destroys something: every DELETE does, and what an operation at its path says. */
export function requestDestroys({ method, path, body = '' }: TextRequest, prefix: string): boolean {
  if (method.toUpperCase() === 'DELETE') return true;
  const found = operationAt({ method, path }, prefix);
  return found !== undefined && textDestroys(found.operation, body);
}
