/** A browser-hosted face over a real engine in a temporary data folder, and pages that talk to it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket, type ClientOptions } from 'ws';
import { createEngine, createKeyFileProtection } from '#engine/index.ts';
import type { Engine, LogEntry } from '#engine/api.ts';
import type { HostConfirmation } from '#rpc/index.ts';
import { createSimulation, findResourcesDir } from '#rpc/hosting/index.ts';
import { startServer, type RunningServer } from '#server/index.ts';
import { startSite } from '#test/helpers/strict-site.ts';
import {
  createClient,
  openTabSession,
  createWebSocketTransport,
  type Client,
  type TabSession,
} from '#renderer/client/index.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { SESSION_PROTOCOL, SOCKET_PROTOCOL } from '#shared/transport.ts';

export interface TestServer {
  readonly server: RunningServer;
  readonly engine: Engine;
  readonly folder: string;
  readonly log: readonly LogEntry[];
  /** `http://127.0.0.1:port`, without a token. */
  readonly origin: string;
  /** Redeems a fresh link; gives the session of a tab. */
  signIn(): Promise<string>;
  /** Opens a signed-in page. */
  page(): Promise<Client>;
  socket(path: string, options: ClientOptions, session?: string): WebSocket;
  /** Breaks the pages' sockets as a network does: without a farewell. */
  dropConnections(): void;
  close(): Promise<void>;
}

export interface TestServerOptions {
  readonly port?: number;
  /** Changes the engine that the face sees. */
  readonly wrap?: (engine: Engine) => Engine;
  /** Host that asks the person outside the page; default: none. */
  readonly confirm?: HostConfirmation;
  /** Starts the simulated sites; default: ones that hold each request against the specification. */
  readonly site?: typeof startSite;
}

/** A page of our own: these tests do not need the built one. */
export const PAGE = '<!doctype html><title>Test page</title>';

export async function writeRenderer(folder: string): Promise<string> {
  const rendererDir = join(folder, 'renderer');
  await mkdir(join(rendererDir, 'assets'), { recursive: true });
  await writeFile(join(rendererDir, 'index.html'), PAGE);
  await writeFile(join(rendererDir, 'assets', 'index-Ab3_x9Zq.js'), 'export {};');
  await writeFile(join(rendererDir, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, 'secret.txt'), 'outside the page');
  return rendererDir;
}

export async function startTestServer({
  port = 0,
  wrap = (engine) => engine,
  confirm,
  site = startSite,
}: TestServerOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldwright-server-'));
  const log: LogEntry[] = [];
  const engine = await createEngine({
    dataDir: join(folder, 'data'),
    resourcesDir: findResourcesDir(),
    face: 'cli',
    version: '0.0.0-test',
    protections: [createKeyFileProtection(join(folder, 'data', 'vault.key'))],
  });
  const simulation = createSimulation(engine, site);
  const server = await startServer({
    engine: wrap(engine),
    host: {
      canSimulate: true,
      startSimulatedSite: simulation.startSimulatedSite,
      ...removeUndefined({ confirm }),
    },
    port,
    rendererDir: await writeRenderer(folder),
    log: (entry) => {
      log.push(entry);
    },
  });
  const { origin } = new URL(server.url);
  const pages: Client[] = [];
  const sockets: WebSocket[] = [];

  function socket(path: string, options: ClientOptions, session?: string): WebSocket {
    const opened = new WebSocket(
      `${origin.replace('http', 'ws')}${path}`,
      session === undefined ? [] : protocolsOf(session),
      options,
    );
    sockets.push(opened);
    return opened;
  }

  async function signIn(): Promise<string> {
    return (await tabAt(server.newUrl()).current()) ?? '';
  }

  return {
    server,
    engine,
    folder,
    log,
    origin,
    signIn,
    socket,
    dropConnections: () => {
      for (const opened of sockets.splice(0)) opened.terminate();
    },
    async page() {
      const client = openPage(origin, await signIn(), sockets);
      pages.push(client);
      return client;
    },
    async close() {
      for (const client of pages) client.close();
      for (const opened of sockets) opened.terminate();
      await server.close();
      await engine.close();
      await simulation.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens the tab of this address, as a browser has it. */
export function tabAt(url: string): TabSession {
  const { origin, pathname, search, hash } = new URL(url);
  return openTabSession({
    location: { origin, pathname, search, hash },
    history: { replaceState: () => undefined },
    sessionStorage: { getItem: () => null, setItem: () => undefined },
    fetch: (target, init) => fetch(target, { ...init, headers: { ...init.headers, origin } }),
  });
}

/** Returns the protocols that a page offers when it opens its socket. */
function protocolsOf(session: string): string[] {
  return [SOCKET_PROTOCOL, `${SESSION_PROTOCOL}${session}`];
}

/**
 * Creates the renderer's client as a page of this origin would have it, with short pauses; its sockets go
 * into `opened`.
 */
export function openPage(origin: string, session: string, opened: WebSocket[] = []): Client {
  return createClient(
    createWebSocketTransport({
      url: `${origin.replace('http', 'ws')}/rpc`,
      createSocket(url, protocols) {
        const socket = new WebSocket(url, protocols, { origin });
        opened.push(socket);
        return socket;
      },
      session: {
        current: () => Promise.resolve(session),
        isValid: async () =>
          (await fetch(`${origin}/session`, { headers: { authorization: `Bearer ${session}` } })).status !==
          401,
      },
    }),
    { firstPauseMs: 5, longestPauseMs: 40 },
  );
}
