import { AREAS, isReadOnly, type Area, type Operation } from '#protocol/definition.ts';
import { operations } from '#protocol/catalogue.ts';
import { isDestructive, requestDestroys, type TextRequest } from '#protocol/destroys.ts';
import { findOperationAt } from '#protocol/operation-at.ts';
import type { FieldLabels } from '#renderer/common/labels/field-labels.ts';
import { getOperationLabel } from '#renderer/common/labels/operation-label.ts';

/** Route parameter of the free request. */
export const FREE_REQUEST = 'request';

interface OperationGroup {
  readonly area: Area;
  readonly operations: readonly Operation[];
}

/** The operations in which every word of `search` occurs (id, method, path or label), by area. */
export function groupOperations(search: string, words: FieldLabels): readonly OperationGroup[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = operations.filter((operation) => {
    const text =
      `${operation.id} ${operation.method} ${operation.path} ${operation.label} ${getOperationLabel(words, operation)}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return AREAS.map((area) => ({
    area,
    operations: found.filter((operation) => operation.area === area),
  })).filter((group) => group.operations.length > 0);
}

/** How much a person has to say before it is sent. */
type Care = 'none' | 'confirm' | 'type';

/**
 * Returns the confirmation that an operation needs: none for a read; typing for one that removes data for
 * good.
 */
export function getCare(operation: Operation, body: unknown): Care {
  if (isDestructive(operation, body)) return 'type';
  return isReadOnly(operation) ? 'none' : 'confirm';
}

/** The same for a request, text as it is. `prefix`: what the device has instead of `/API`. */
export function getRequestCare(request: TextRequest, prefix: string): Care {
  if (requestDestroys(request, prefix)) return 'type';
  const found = findOperationAt(request, prefix);
  return request.method === 'GET' || (found !== undefined && isReadOnly(found.operation))
    ? 'none'
    : 'confirm';
}
