import type { SubscribeOptions } from '#renderer/client/index.ts';
import { provideClient, type EngineClient } from '#renderer/client/use-client.ts';
import type { FieldwrightError } from '#shared/errors.ts';

/** One subscription of a store, steered by the test. */
interface Stream {
  readonly name: string;
  readonly input: unknown;
  readonly options: SubscribeOptions;
  ended: boolean;
  emit(event: unknown): void;
  fail(error: FieldwrightError): void;
}

export interface FakeClient {
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly streams: readonly Stream[];
  stream(name: string): Stream;
}

type Routes = Readonly<Record<string, (input: never) => unknown>>;

/** Replaces the connection to the engine: routes answer as the test says, streams are emitted by hand. */
export function useFakeClient(routes: Routes): FakeClient {
  const calls: { name: string; input: unknown }[] = [];
  const streams: Stream[] = [];
  const api = new Proxy(
    {},
    {
      get: (_api, area: string) =>
        new Proxy(
          {},
          {
            get: (_area, route: string) =>
              Object.assign(
                async (input: never) => {
                  const name = `${area}.${route}`;
                  calls.push({ name, input });
                  const answer = routes[name];
                  if (answer === undefined) throw new Error(`The test gave no answer for ${name}.`);
                  return answer(input);
                },
                { route: `${area}.${route}` },
              ),
          },
        ),
    },
  );
  const client = {
    api,
    connection: { state: 'open', onChange: () => () => {}, retryNow: () => {} },
    subscribe(
      procedure: { readonly route: string },
      input: unknown,
      onEvent: (event: unknown) => void,
      options: SubscribeOptions = {},
    ) {
      const stream: Stream = {
        name: procedure.route,
        input,
        options,
        ended: false,
        emit: (event) => {
          if (!stream.ended) onEvent(event);
        },
        fail: (error) => options.onError?.(error),
      };
      streams.push(stream);
      return () => {
        stream.ended = true;
      };
    },
  };
  provideClient(client as unknown as EngineClient);
  return {
    calls,
    streams,
    stream(name) {
      const found = streams.findLast((stream) => stream.name === name);
      if (found === undefined) throw new Error(`Nothing follows ${name}.`);
      return found;
    },
  };
}
