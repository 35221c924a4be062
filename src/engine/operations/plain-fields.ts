/** Secrets that the specification wants encrypted by the sender without saying how (part 1, 5). */
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import { listFieldLeaves, rootField, type Operation } from '#protocol/index.ts';

interface PlainFieldRequest {
  readonly operation: Operation;
  readonly value: unknown;
  readonly url: string;
  readonly allowed: boolean | undefined;
}

/** Throws `consent-needed` where a stream or receiver password would go out readable. */
export function requireConsent({ operation, value, url, allowed }: PlainFieldRequest): void {
  if (allowed === true || url.startsWith('https:') || operation.request === undefined) return;
  // `Stream.StreamSourceList[0].URL.password`
  const path = listFieldLeaves(rootField(operation.request), value).find(
    ({ field, value: held }) => field.needsEncryption === true && held !== null && held !== '',
  )?.path;
  if (path === undefined) return;
  throw userError('consent-needed', say('plain-fields'), { operation: operation.id, device: url, path });
}
