import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test, onTestFinished } from 'vitest';
import { FieldwrightError } from '#shared/errors.ts';
import { MAX_MESSAGE_BYTES } from '#shared/transport.ts';
import {
  createBridgeTransport,
  createClient,
  type Client,
  type ConnectionState,
} from '#renderer/client/index.ts';
import { createPeerFactory, createRouter } from '#rpc/index.ts';
import { openPage, startTestServer, type TestServer } from './helpers/running-server.ts';

async function start(port?: number): Promise<TestServer> {
  const running = await startTestServer(port === undefined ? {} : { port });
  onTestFinished(() => running.close());
  return running;
}

function becomes(client: Client, wanted: ConnectionState): Promise<void> {
  return new Promise((resolve) => {
    if (client.connection.state === wanted) {
      resolve();
      return;
    }
    const stop = client.connection.onChange((state) => {
      if (state === wanted) {
        stop();
        resolve();
      }
    });
  });
}

function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => (error instanceof FieldwrightError ? error.code : String(error)),
  );
}

describe('connection of a page to its server', () => {
  test('the first calls wait for the socket (else: every start shows an error)', async () => {
    const running = await start();
    const page = await running.page();

    expect(page.connection.state).toBe('connecting');
    expect(await page.api.devices.list()).toEqual([]);
    expect(page.connection.state).toBe('open');
  });

  test('a lost socket is told, comes back by itself, and a subscription goes on (else: a frozen list)', async () => {
    const running = await start();
    const page = await running.page();
    const states: ConnectionState[] = [];
    page.connection.onChange((state) => states.push(state));
    let starts = 0;
    const restarted = new Promise<void>((resolve) => {
      page.subscribe(page.api.devices.watch, undefined, (event) => {
        if (event.type !== 'all') return;
        starts += 1;
        if (starts === 2) resolve();
        else running.dropConnections();
      });
    });

    await restarted;

    expect(states).toEqual(['open', 'lost', 'open']);
  });

  test('a subscription that must not restart says that the connection was lost (else: a second plan)', async () => {
    const running = await start();
    const page = await running.page();

    const error = await new Promise<FieldwrightError>((resolve) => {
      page.subscribe(
        page.api.devices.watch,
        undefined,
        () => {
          running.dropConnections();
        },
        { restart: false, onError: resolve },
      );
    });

    expect(error.shape).toMatchObject({ code: 'connection-lost', source: 'app' });
  });

  test('calls fail at once while the server is away (else: buttons that hang)', async () => {
    const running = await start();
    const page = await running.page();
    await page.api.app.info();
    await running.server.close();
    await becomes(page, 'lost');

    expect(await codeOf(page.api.app.info())).toBe('not-available');
  });

  test('an answer that was awaited when the socket broke is reported as lost (else: it never settles)', async () => {
    const running = await start();
    // Takes connections and never answers, so that the call is under way when the socket drops.
    const silent = createServer((socket) => {
      socket.on('error', () => undefined);
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => {
      silent.close();
    });
    const page = await running.page();
    const { id } = await page.api.devices.add({
      address: `http://127.0.0.1:${(silent.address() as { port: number }).port}`,
    });
    const connected = once(silent, 'connection');

    const call = codeOf(page.api.devices.test({ ids: [id] }));
    const [socket] = (await connected) as [{ destroy(): void }];
    running.dropConnections();

    expect(await call).toBe('connection-lost');
    socket.destroy();
  });

  test('a server that was started anew refuses the old session, and the page stops trying (else: a storm of attempts)', async () => {
    const first = await start();
    const session = await first.signIn();
    const page = openPage(first.origin, session);
    onTestFinished(() => {
      page.close();
    });
    await page.api.app.info();
    const port = Number(new URL(first.origin).port);
    await first.server.close();

    await start(port);
    await becomes(page, 'refused');

    expect(await codeOf(page.api.app.info())).toBe('not-available');
  });

  test('an aborted call says cancelled (else: leaving a screen shows an error)', async () => {
    const page = await (await start()).page();
    await page.connection.whenOpen();

    expect(await codeOf(page.api.devices.list(undefined, { signal: AbortSignal.abort() }))).toBe('cancelled');
  });

  test('a closed client refuses calls and never reconnects (else: a closed page keeps a socket)', async () => {
    const page = await (await start()).page();
    await page.api.app.info();

    page.close();

    expect(page.connection.state).toBe('closed');
    expect(await codeOf(page.api.app.info())).toBe('cancelled');
  });

  test('the longest legal template gets through, more is refused before it is sent (else: the socket breaks)', async () => {
    const page = await (await start()).page();

    const longest = await page.api.templates.check({ text: '界'.repeat(2_000_000) });
    const tooLong = await codeOf(page.api.templates.check({ text: 'x'.repeat(MAX_MESSAGE_BYTES) }));

    expect(longest.ok).toBe(false);
    expect(tooLong).toBe('input-too-large');
    expect(page.connection.state).toBe('open');
  });
});

describe('the desktop bridge', () => {
  test('carries calls and streams over plain text both ways (else: the desktop app has no engine)', async () => {
    const running = await start();
    const createPeer = createPeerFactory(
      createRouter(running.engine, { canSimulate: false, startSimulatedSite: () => Promise.resolve(0) }),
    );
    const listeners = new Set<(message: string) => void>();
    const peer = createPeer({
      send: (message) => {
        for (const listener of listeners) listener(message);
      },
      violated: () => undefined,
    });
    const client = createClient(
      createBridgeTransport({
        face: 'desktop',
        send: (message) => {
          peer.receive(message);
        },
        onMessage: (listener) => {
          listeners.add(listener);
          return () => {
            listeners.delete(listener);
          };
        },
      }),
    );

    const info = await client.api.app.info();
    const events = await client.api.devices.watch();
    const first = await events.next();
    const refused = await codeOf(client.api.app.startSimulatedSite({ devices: 1 }));
    client.close();

    expect(info.canSimulate).toBe(false);
    expect(first.value).toMatchObject({ type: 'all' });
    expect(refused).toBe('not-available');
    expect(listeners.size).toBe(0);
  });
});
