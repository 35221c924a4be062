/** Lists all operations, and says which of them change or destroy something. */
import { isDestructive, findOperation, operations, isTextDestructive } from '#protocol/index.ts';
import { isReadOnly, type Operation } from '#protocol/definition.ts';

type OperationEntry = Pick<Operation, 'id' | 'method' | 'path' | 'format' | 'area' | 'specified'>;

/** Returns every operation, in the order of the specification. */
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

/** Returns true if an operation may change a device; false for one that only reads, and for an unknown id. */
export function mayChangeDevice(id: string): boolean {
  const operation = findOperation(id);
  return operation !== undefined && !isReadOnly(operation);
}

/** Returns true if a call deletes something permanently. `raw`: the body is text and is sent unchanged. */
export function callDestroys(id: string, body: unknown, raw: boolean): boolean {
  const operation = findOperation(id);
  if (operation === undefined) return false;
  return raw && typeof body === 'string'
    ? isTextDestructive(operation, body)
    : isDestructive(operation, body);
}
