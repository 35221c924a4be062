/** Follows a stream of the engine, also across a lost connection. */
import type { FieldwrightError } from '#shared/errors.ts';
import type { Connection } from './connection.ts';
import { isConnectionError, toFieldwrightError } from './errors.ts';

export type StreamProcedure<Input, Event> = (
  input: Input,
  options: { readonly signal?: AbortSignal },
) => Promise<AsyncIterable<Event>>;

export interface SubscribeOptions {
  /** The stream failed and is over. A lost connection comes here only with `restart: false`. */
  readonly onError?: (error: FieldwrightError) => void;
  /** The stream said all it had to say. */
  readonly onEnd?: () => void;
  /** Ends the subscription; nothing is called afterwards. */
  readonly signal?: AbortSignal;
  /**
   * Ask again when a lost connection is back (default). Streams that tell first how things stand
   * can be restarted; `false` for those whose start does something, such as making a plan.
   */
  readonly restart?: boolean;
}

/** Returns a function that ends the subscription. */
export function subscribe<Input, Event>(
  connection: Connection,
  procedure: StreamProcedure<Input, Event>,
  input: Input,
  onEvent: (event: Event) => void,
  options: SubscribeOptions = {},
): () => void {
  const controller = new AbortController();
  const end = (): void => {
    controller.abort();
  };
  if (options.signal?.aborted) end();
  options.signal?.addEventListener('abort', end, { once: true });
  void follow({ connection, procedure, input, onEvent, options, signal: controller.signal }).finally(() =>
    options.signal?.removeEventListener('abort', end),
  );
  return end;
}

interface Following<Input, Event> {
  readonly connection: Connection;
  readonly procedure: StreamProcedure<Input, Event>;
  readonly input: Input;
  readonly onEvent: (event: Event) => void;
  readonly options: SubscribeOptions;
  readonly signal: AbortSignal;
}

async function follow<Input, Event>(following: Following<Input, Event>): Promise<void> {
  const { connection, options, signal } = following;
  while (!signal.aborted) {
    try {
      await connection.whenOpen(signal);
      await consume(following);
      if (!signal.aborted) options.onEnd?.();
      return;
    } catch (thrown) {
      if (signal.aborted) return;
      const error = toFieldwrightError(thrown);
      if (options.restart !== false && isConnectionError(error)) continue;
      options.onError?.(error);
      return;
    }
  }
}

async function consume<Input, Event>({
  procedure,
  input,
  onEvent,
  signal,
}: Following<Input, Event>): Promise<void> {
  for await (const event of await procedure(input, { signal })) {
    if (signal.aborted) return;
    onEvent(event);
  }
}
