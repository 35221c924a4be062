/** Secrets that the specification wants encrypted by the sender without saying how (part 1, 5). */
import { FieldwrightError } from '../shared/errors.ts';
import type { Field, Operation } from '../protocol/definition.ts';

/** Paths of the fields that `value` sets and that must not travel readable: `Stream.StreamSourceList[0].URL.password`. */
function plainPaths(fields: readonly Field[], value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = value as Readonly<Record<string, unknown>>;
  return fields.flatMap((field) =>
    Object.hasOwn(entries, field.name)
      ? within(field, entries[field.name], at === '' ? field.name : `${at}.${field.name}`)
      : [],
  );
}

function within(field: Field, value: unknown, path: string): string[] {
  if (value === undefined || value === null || value === '') return [];
  if (field.needsEncryption === true) return [path];
  if (field.kind === 'object') return plainPaths(field.fields, value, path);
  if (field.kind === 'list' && Array.isArray(value))
    return value.flatMap((item: unknown, index) => within(field.item, item, `${path}[${index}]`));
  return [];
}

export interface PlainFieldRequest {
  readonly operation: Operation;
  readonly value: unknown;
  readonly url: string;
  readonly allowed: boolean;
}

/** Throws `consent-needed` where a stream or receiver password would go out readable. */
export function requireConsent({ operation, value, url, allowed }: PlainFieldRequest): void {
  if (allowed || url.startsWith('https:') || operation.request === undefined) return;
  const [path] = plainPaths(operation.request.fields, value);
  if (path === undefined) return;
  throw new FieldwrightError({
    code: 'consent-needed',
    source: 'user',
    operation: operation.id,
    device: url,
    path,
    message: 'This would send a user name or password readable over the network; nothing was sent.',
    hint: 'Use https:// for this device, or give your consent for this request.',
  });
}
