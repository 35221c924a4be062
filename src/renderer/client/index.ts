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
export type { ConnectionState } from './connection.ts';
export type { SubscribeOptions } from './subscribe.ts';
export { createBridgeTransport } from './bridge-transport.ts';
export { createWebSocketTransport } from './websocket-transport.ts';
export { openTabSession } from './tab-session.ts';
export type { TabSession } from './tab-session.ts';
export { pickTransport } from './pick-transport.ts';
