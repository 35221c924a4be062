import type { Api, Client } from './index.ts';

/** Part of the client that stores and their api files use; tests provide a smaller one of their own. */
export type EngineClient = Pick<Client, 'api' | 'subscribe' | 'connection' | 'sendFile'>;

let current: EngineClient | undefined;

/** Called once by the app before anything is mounted. */
export function provideClient(client: EngineClient): void {
  current = client;
}

/**
 * Returns the client of this page. Streams that are joined or bounded have a function in an `*.api.ts` file.
 */
export function useClient(): EngineClient {
  if (current === undefined) throw new Error('No client was provided.');
  return current;
}

/** The engine's routes, as the contract has them. */
export function getApi(): Api {
  return useClient().api;
}
