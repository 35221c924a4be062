/** The whole interface as a list for faces. */
import { operations } from '../protocol/index.ts';
import type { Operation } from '../protocol/definition.ts';

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
