/** The whole interface as a list for faces. */
import { findOperation, operations } from '../../protocol/index.ts';
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
