/** Converts issues from the specification to errors; secrets are never quoted. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { isSensitiveAt, type Issue, type Payload } from '#protocol/index.ts';
import { createDetail, formatDetail, type Detail } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';

/** Formats an issue; for a secret field it gives only the allowed values, never the given one. */
export function issueText(
  payload: Payload,
  issue: Issue,
): Pick<ErrorShape, 'message' | 'nearest' | 'allowed' | 'detail'> {
  const { nearest, allowed } = issue;
  const detail = isSensitiveAt(payload, issue.path) ? secretDetail(issue) : issue.detail;
  return {
    message: detail === undefined ? issue.message : formatDetail(detail),
    ...removeUndefined({ nearest, allowed, detail }),
  };
}

function secretDetail({ path, allowed: { minLength, maxLength } = {} }: Issue): Detail {
  if (minLength === undefined && maxLength === undefined)
    return createDetail('secret-does-not-fit', { field: path });
  return createDetail('secret-length', {
    field: path,
    min: minLength ?? 0,
    max: maxLength ?? 'any number of',
  });
}

/** An issue of a value on its way to a device. */
export function issueError(
  payload: Payload,
  issue: Issue,
  context: { readonly operation: string; readonly device?: string },
): ErrorShape {
  return {
    code: issue.code,
    source: 'user',
    ...issueText(payload, issue),
    operation: context.operation,
    path: issue.path,
    ...removeUndefined({ device: context.device }),
  };
}
