/** The browser-hosted face: the same page as the desktop's, served on the loopback interface. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { say } from '#shared/details.ts';
import { userError, type FieldwrightError } from '#shared/errors.ts';
import { createPeerFactory, createRouter, type Host } from '#rpc/index.ts';
import { findRendererDir, loadAssets } from '#rpc/hosting/index.ts';
import type { Engine, LogEntry } from '#engine/api.ts';
import { createGate } from './gate.ts';
import { answerHttp } from './http.ts';
import { formatUrlHost, isLoopback } from './origin.ts';
import { attachSockets } from './sockets.ts';

interface ServerOptions {
  readonly engine: Engine;
  /** Abilities of the surrounding face; without them no simulated site can be started. */
  readonly host?: Host;
  /** Port to listen on; 0 (default): any free port. */
  readonly port?: number;
  /** An address of this computer that no other computer reaches. */
  readonly bindHost?: string;
  /** The built renderer; default: `out/renderer` of this checkout or installation. */
  readonly rendererDir?: string;
  readonly log?: (entry: LogEntry) => void;
}

export interface RunningServer {
  /** Holds a token that works once. */
  readonly url: string;
  /** Creates another link, for another browser. */
  newUrl(): string;
  /** Ends connections; the engine stays open. */
  close(): Promise<void>;
}

/**
 * A client can connect and send nothing: such connections end after seconds, and there is room for more of
 * them than a neighbour opens by mistake.
 */
const LIMITS = {
  headersTimeout: 3_000,
  // A body is read for a session alone, and a large file takes its time.
  requestTimeout: 600_000,
  connectionsCheckingInterval: 500,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1024,
};
const MOST_CONNECTIONS = 2_000;

const NO_SIMULATION: Host = { canSimulate: false, startSimulatedSite: () => Promise.resolve(0) };

/** Throws `not-allowed` for an address that others reach, `not-available` when the renderer is not built or the port cannot be had. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { engine, host = NO_SIMULATION, port = 0, bindHost = '127.0.0.1', log = () => {} } = options;
  if (!isLoopback(bindHost)) throw openToOthers(bindHost);
  const assets = await loadAssets(options.rendererDir ?? findRendererDir());
  const server = createServer(LIMITS);
  server.maxConnections = MOST_CONNECTIONS;
  await listen(server, port, bindHost);

  const bound = server.address() as AddressInfo;
  const fillPrints = (...given: Parameters<Engine['prints']['fill']>) => engine.prints.fill(...given);
  const gate = createGate({ bindHost, port: bound.port });
  server.on('request', (request, response) => {
    answerHttp(request, response, { gate, assets, fillPrints }).catch(() => {
      log({ level: 'error', event: 'page-failed' });
      response.destroy();
    });
  });
  const sockets = attachSockets({
    server,
    gate,
    createPeer: createPeerFactory(createRouter(engine, { ...host, face: 'browser' }), log),
    log,
  });

  const newUrl = (): string => `http://${formatUrlHost(bindHost)}:${bound.port}/?token=${gate.issueToken()}`;
  return {
    url: newUrl(),
    newUrl,
    async close() {
      sockets.close();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Passwords are typed on this page, and its link is its only key: over a network it would need TLS and a passphrase, and has neither. */
function openToOthers(bindHost: string): FieldwrightError {
  return userError('not-allowed', say('host-open', { host: bindHost }), { path: '--host' });
}

async function listen(
  server: ReturnType<typeof createServer>,
  port: number,
  bindHost: string,
): Promise<void> {
  try {
    const listening = once(server, 'listening');
    server.listen({ port, host: bindHost });
    await listening;
  } catch (error) {
    throw userError('not-available', say('port-unusable', { port, host: bindHost }), { cause: error });
  }
}
