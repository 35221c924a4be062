/** Converts errors thrown by the engine, or on the way to it, back to the one error family. */
import { ORPCError } from '@orpc/client';
import { say } from '#shared/details.ts';
import { FieldwrightError, isErrorShape, toErrorShape, type ErrorShape } from '#shared/errors.ts';

/** Made here, not by the engine: codes alone cannot tell the two apart. */
const connectionErrors = new WeakSet<FieldwrightError>();

function connectionError(shape: ErrorShape): FieldwrightError {
  const error = new FieldwrightError(shape);
  connectionErrors.add(error);
  return error;
}

/** A call that was never sent. */
export function createNotConnectedError(): FieldwrightError {
  return connectionError({
    code: 'not-available',
    source: 'app',
    ...say('not-connected'),
  });
}

/** A call or stream whose answer was still awaited. */
export function createConnectionLostError(): FieldwrightError {
  return connectionError({
    code: 'connection-lost',
    source: 'app',
    ...say('answer-lost'),
    hint: 'What was asked may have been done: look before asking again.',
  });
}

export function createSessionRefusedError(): FieldwrightError {
  return new FieldwrightError({
    code: 'not-available',
    source: 'app',
    ...say('session-unknown'),
  });
}

export function createClientClosedError(): FieldwrightError {
  return new FieldwrightError({
    code: 'cancelled',
    source: 'user',
    message: 'This page has ended its connection.',
  });
}

/** Errors of the connection itself, which a new connection mends. */
export function isConnectionError(error: FieldwrightError): boolean {
  return connectionErrors.has(error);
}

export function toFieldwrightError(thrown: unknown): FieldwrightError {
  if (thrown instanceof FieldwrightError) return thrown;
  if (thrown instanceof ORPCError) {
    const data: unknown = thrown.data;
    if (isErrorShape(data)) return new FieldwrightError(data);
    if (thrown.code === 'NOT_FOUND') {
      return new FieldwrightError({
        code: 'usage',
        source: 'app',
        message: 'This Fieldwright does not offer what the page asked for.',
        hint: 'The page may be older than the program: reload it.',
      });
    }
  }
  return new FieldwrightError(toErrorShape(thrown), { cause: thrown });
}
