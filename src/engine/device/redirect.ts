/** Devices redirect to their web page, to https, or to somebody else. */
import { defined } from '../../shared/defined.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import type { Address } from './address.ts';
import type { HttpAnswer } from './transport.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;

/**
 * Where a GET goes on to on the same device, as path and query; undefined when the answer is no
 * redirect. Throws `refused` where following would take the sign-in elsewhere or repeat a write.
 */
export function redirectPath(
  answer: HttpAnswer,
  request: { readonly method: string; readonly path: string; readonly hops: number },
  address: Address,
): string | undefined {
  if (!REDIRECTS.has(answer.http)) return undefined;
  const header = answer.headers['location'];
  const location = typeof header === 'string' ? header : header?.[0];
  if (location === undefined) return undefined;
  const base = address.origin + request.path;
  if (!URL.canParse(location, base)) throw refuse(answer, 'The device redirects to an address that is none.');
  const target = new URL(location, base);
  if (target.username !== '' || target.password !== '')
    throw refuse(answer, 'The device redirects to an address with a sign-in inside; it was not followed.');
  if (target.origin !== new URL(address.origin).origin) {
    throw refuse(
      answer,
      'The device redirects to another address; it was not followed, and nothing was sent there.',
      `If the device really is at ${target.origin}, change its address to that.`,
    );
  }
  if (request.method !== 'GET')
    throw refuse(answer, 'The device redirects a write; writes are never sent twice.');
  if (request.hops >= MAX_REDIRECTS)
    throw refuse(
      answer,
      `The device redirects more than ${MAX_REDIRECTS} times.`,
      'It may send everything it does not know to its web page: check the path prefix.',
    );
  return target.pathname + target.search;
}

function refuse(answer: HttpAnswer, message: string, hint?: string): FieldwrightError {
  return new FieldwrightError({
    code: 'refused',
    source: 'device',
    reason: 'redirect',
    message,
    status: { http: answer.http },
    ...defined({ hint }),
  });
}
