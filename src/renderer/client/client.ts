/** The typed client of the engine's routes, the same for every face. */
import { createORPCClient, mapEventIterator } from '@orpc/client';
import { StandardRPCLink } from '@orpc/client/standard';
import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '#shared/contract.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { createConnectionLostError, toFieldwrightError } from './errors.ts';
import { subscribe, type StreamProcedure, type SubscribeOptions } from './subscribe.ts';
import type { Transport } from './transport.ts';

/** `api.devices.list()`, `api.jobs.show({ id })`, …; every failure is a FieldwrightError. */
export type Api = ContractRouterClient<Contract>;

export interface Client {
  readonly face: Transport['face'];
  readonly api: Api;
  readonly connection: Connection;
  readonly sendFile?: Transport['sendFile'];
  /** `subscribe(client.api.devices.watch, undefined, onEvent, { signal })`; returns its end. */
  subscribe<Input, Event>(
    procedure: StreamProcedure<Input, Event>,
    input: Input,
    onEvent: (event: Event) => void,
    options?: SubscribeOptions,
  ): () => void;
  close(): void;
}

export function createClient(transport: Transport, options?: ConnectionOptions): Client {
  const connection = new Connection(transport, options);
  const link = new StandardRPCLink(
    {
      async call(request) {
        const response = await connection.request(request);
        return { ...response, body: () => Promise.resolve(response.body) };
      },
    },
    {
      // The library wants an absolute address; only its path counts.
      url: 'http://orpc',
      interceptors: [
        async ({ next }) => {
          try {
            return mapStream(await next(), connection);
          } catch (error) {
            throw toFieldwrightError(error);
          }
        },
      ],
    },
  );
  return {
    face: transport.face,
    ...(transport.sendFile === undefined ? {} : { sendFile: transport.sendFile }),
    api: createORPCClient<Api>(link),
    connection,
    subscribe: (procedure, input, onEvent, subscribeOptions) =>
      subscribe(connection, procedure, input, onEvent, subscribeOptions),
    close: () => {
      connection.close();
    },
  };
}

/** Errors inside a stream become FieldwrightErrors too; other answers pass as they are. */
function mapStream(answer: unknown, connection: Connection): unknown {
  if (!isAsyncIterator(answer)) return answer;
  const { generation } = connection;
  return mapEventIterator(answer, {
    value: (value) => Promise.resolve(value),
    error: (error) =>
      Promise.resolve(
        generation === connection.generation ? toFieldwrightError(error) : createConnectionLostError(),
      ),
  });
}

function isAsyncIterator(value: unknown): value is AsyncIterator<unknown, unknown, void> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value;
}
