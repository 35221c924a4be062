/**
 * The renderer's way to the engine. No framework in here: it runs and is tested under Node.
 *
 *     const client = createClient(pickTransport());
 *     const devices = await client.api.devices.list();
 *     const stop = client.subscribe(client.api.devices.watch, undefined, (event) => …, { onError });
 *     client.connection.state; client.connection.onChange((state) => …);
 */
export { createClient } from './client.ts';
export type { Api, Client } from './client.ts';
export type { Connection, ConnectionOptions, ConnectionState } from './connection.ts';
export type { StreamProcedure, SubscribeOptions } from './subscribe.ts';
export type { Transport } from './transport.ts';
export { bridgeTransport } from './bridge-transport.ts';
export { webSocketTransport } from './websocket-transport.ts';
export { pickTransport } from './pick-transport.ts';
export { toFieldwrightError } from './errors.ts';
