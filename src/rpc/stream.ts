/** An engine's event stream on its way to a face. */
import { toWireError } from './wire-error.ts';

/**
 * Opens the source with a signal that fires when the caller aborts or stops reading, so that no
 * source outlives its reader. Errors cross with their shape.
 */
export async function* openStream<Event>(
  signal: AbortSignal,
  open: (ended: AbortSignal) => AsyncIterable<Event>,
): AsyncGenerator<Event, void, void> {
  const controller = new AbortController();
  const ended = AbortSignal.any([signal, controller.signal]);
  try {
    for await (const event of open(ended)) {
      if (ended.aborted) return;
      yield event;
    }
  } catch (error) {
    // The reader has disconnected: there is no recipient, and its disconnecting is no error.
    if (!signal.aborted) throw toWireError(error);
  } finally {
    controller.abort();
  }
}
