/** Errors as they cross to a face: a literal code and a shape, never a stack or a foreign text. */
import { ORPCError } from '@orpc/server';
import { ValidationError } from '@orpc/contract';
import { say } from '#shared/details.ts';
import { explainError } from '#engine/files/open-files.ts';
import { FieldwrightError, type ErrorShape } from '#shared/errors.ts';
import { createInputError } from './input-error.ts';

const STATUS_OF_SOURCE = {
  user: 'BAD_REQUEST',
  device: 'BAD_GATEWAY',
  app: 'INTERNAL_SERVER_ERROR',
} as const;

type WireError = ORPCError<string, ErrorShape | undefined>;

/** The library's error with our shape in `data`. A rejected input names the field that was wrong. */
export function toWireError(thrown: unknown): WireError {
  if (thrown instanceof ORPCError) return fromLibrary(thrown);
  const shape = explainError(thrown);
  return new ORPCError(STATUS_OF_SOURCE[shape.source], { message: shape.message, data: shape });
}

/** True for what no code here meant to throw: worth a line in the log. */
export function isUnexpected(thrown: unknown): boolean {
  return (
    !(thrown instanceof FieldwrightError) &&
    !(thrown instanceof ORPCError) &&
    !(thrown instanceof Error && thrown.name === 'AbortError')
  );
}

function fromLibrary(error: ORPCError<string, unknown>): WireError {
  if (error.cause instanceof ValidationError && error.code === 'BAD_REQUEST') {
    const shape = createInputError(error.cause.issues, error.cause.data);
    return new ORPCError(error.code, { message: shape.message, data: shape });
  }
  if (error.code === 'BAD_REQUEST') {
    const shape: ErrorShape = { code: 'usage', source: 'app', ...say('message-unreadable') };
    return new ORPCError(error.code, { message: shape.message, data: shape });
  }
  // Already one of ours (a stream's), or the library's own: its data may hold internals.
  const data =
    error.data !== undefined && error.data === Object(error.data) && 'source' in Object(error.data)
      ? (error.data as ErrorShape)
      : undefined;
  return new ORPCError(error.code, { message: data?.message ?? error.code, data });
}
