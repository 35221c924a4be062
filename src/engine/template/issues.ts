/** What the specification complains about, in the one error family; secrets are never quoted. */
import type { Issue, Payload } from '../../protocol/index.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import { isSensitiveAt } from './field-path.ts';

/** The message of an issue; for a secret field only what would be allowed, never what was given. */
export function issueMessage(payload: Payload, issue: Issue): string {
  if (!isSensitiveAt(payload, issue.path)) return issue.message;
  const { minLength, maxLength } = issue.allowed ?? {};
  const length = minLength === undefined && maxLength === undefined ? '' : ` It takes ${minLength ?? 0} to ${maxLength ?? 'any number of'} characters.`;
  return `The value given for "${issue.path}" does not fit.${length}`;
}

/** An issue of a value on its way to a device. */
export function issueError(payload: Payload, issue: Issue, context: { readonly operation: string; readonly device?: string }): ErrorShape {
  return {
    code: issue.code, source: 'user', message: issueMessage(payload, issue), operation: context.operation, path: issue.path,
    ...(context.device === undefined ? {} : { device: context.device }),
    ...(issue.nearest === undefined ? {} : { nearest: issue.nearest }),
    ...(issue.allowed === undefined ? {} : { allowed: issue.allowed }),
  };
}
