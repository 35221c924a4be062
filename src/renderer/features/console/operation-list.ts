import { AREAS, onlyReads, type Area, type Operation } from '../../../protocol/definition.ts';
import { operations } from '../../../protocol/catalogue.ts';
import type { FieldLabels } from '../../common/labels/field-labels.ts';

/** Route parameter of the free request. */
export const FREE_REQUEST = 'request';

interface OperationGroup {
  readonly area: Area;
  readonly operations: readonly Operation[];
}

/** Name of an operation in the person's language. */
export function operationLabel(words: FieldLabels, operation: Operation): string {
  return words[operation.id] ?? operation.label;
}

/** The operations in which every word of `search` occurs (id, method, path or label), by area. */
export function groupOperations(search: string, words: FieldLabels): readonly OperationGroup[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = operations.filter((operation) => {
    const text =
      `${operation.id} ${operation.method} ${operation.path} ${operation.label} ${operationLabel(words, operation)}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return AREAS.map((area) => ({
    area,
    operations: found.filter((operation) => operation.area === area),
  })).filter((group) => group.operations.length > 0);
}

/** How much a person has to say before it is sent. */
type Care = 'none' | 'confirm' | 'type';

/** What only reads goes at once; what takes something away for good has to be typed. */
export function careFor(operation: Operation, body: unknown): Care {
  if (operation.method === 'DELETE' || saysDelete(body)) return 'type';
  return onlyReads(operation) ? 'none' : 'confirm';
}

export function careForMethod(method: string): Care {
  return method === 'GET' ? 'none' : method === 'DELETE' ? 'type' : 'confirm';
}

/** `deleteUser` and `deleteFingerPrint` remove people and prints through an ordinary write (part 2, 2.6 and 2.7). */
function saysDelete(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return Object.entries(body).some(
    ([name, value]: [string, unknown]) => (value === true && /^delete[A-Z]/.test(name)) || saysDelete(value),
  );
}
