/** The whole interface as a list for faces. */
import { destroys, findOperation, operations, textDestroys } from '../../protocol/index.ts';
import { onlyReads, type Operation } from '../../protocol/definition.ts';

export type OperationEntry = Pick<Operation, 'id' | 'method' | 'path' | 'format' | 'area' | 'specified'>;

/** Every operation in the specification's order. */
export function listOperations(): readonly OperationEntry[] {
  return operations.map(({ id, method, path, format, area, specified }) => ({
    id,
    method,
    path,
    format,
    area,
    specified,
  }));
}

/** False for what only reads, and for what is no operation. */
export function changesDevices(id: string): boolean {
  const operation = findOperation(id);
  return operation !== undefined && !onlyReads(operation);
}

/** Returns whether a call takes something away for good. `raw`: the body is text as it goes out. */
export function callDestroys(id: string, body: unknown, raw: boolean): boolean {
  const operation = findOperation(id);
  if (operation === undefined) return false;
  return raw && typeof body === 'string' ? textDestroys(operation, body) : destroys(operation, body);
}
