import { AREAS, isReadOnly, type Area, type Operation } from '#protocol/definition.ts';
import { operations } from '#protocol/catalogue.ts';
import { isDestructive, requestDestroys, type TextRequest } from '#protocol/destroys.ts';
import { isExpectedArea } from '#protocol/kinds.ts';
import { findOperationAt } from '#protocol/operation-at.ts';
import type { DeviceKind } from '#shared/model.ts';
import type { FieldLabels } from '#renderer/common/labels/field-labels.ts';
import { getOperationLabel } from '#renderer/common/labels/operation-label.ts';

/** Route parameter of the free request. */
export const FREE_REQUEST = 'request';

interface OperationGroup {
  readonly area: Area;
  /** False where a device of these kinds does not show the area. */
  readonly isThere: boolean;
  readonly operations: readonly Operation[];
}

/**
 * Returns the operations in which every word of `search` occurs (id, method, path or label), by area: first the areas that a device of
 * `kinds` has.
 */
export function groupOperations(
  search: string,
  words: FieldLabels,
  kinds: readonly DeviceKind[] = [],
): readonly OperationGroup[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = operations.filter((operation) => {
    const text =
      `${operation.id} ${operation.method} ${operation.path} ${operation.label} ${getOperationLabel(words, operation)}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return AREAS.map((area) => ({
    area,
    isThere: isExpectedArea(area, kinds),
    operations: found.filter((operation) => operation.area === area),
  }))
    .filter((group) => group.operations.length > 0)
    .sort((a, b) => Number(b.isThere) - Number(a.isThere));
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
