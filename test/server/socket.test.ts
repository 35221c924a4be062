import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { MAX_MESSAGE_BYTES } from '#shared/transport.ts';
import { startTestServer, type TestServer } from '../rpc/helpers/running-server.ts';

let running: TestServer;
beforeAll(async () => {
  running = await startTestServer();
});
afterAll(() => running.close());

const opened: WebSocket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.terminate();
});

/** The status an upgrade was refused with; 101 when it was let in. */
function upgrade(path: string, headers: Record<string, string>, session?: string): Promise<number> {
  const socket = running.socket(path, { headers }, session);
  opened.push(socket);
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      resolve(101);
    });
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', reject);
  });
}

async function open(): Promise<WebSocket> {
  const socket = running.socket('/rpc', { origin: running.origin }, await running.signIn());
  opened.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'open');
  return socket;
}

async function closeCode(socket: WebSocket): Promise<number> {
  const [code] = (await once(socket, 'close')) as [number];
  return code;
}

describe('who gets a socket', () => {
  test.each([
    ['our page', 101, (origin: string) => ({ origin })],
    ['our page by its own account', 101, (origin: string) => ({ origin, 'sec-fetch-site': 'same-origin' })],
    ['no origin', 403, () => ({})],
    ['a foreign page', 403, () => ({ origin: 'https://evil.example' })],
    ['a foreign page on this machine', 403, () => ({ origin: 'http://127.0.0.1:1' })],
    ['a sandboxed frame', 403, () => ({ origin: 'null' })],
    [
      'another site although the origin looks right',
      403,
      (origin: string) => ({ origin, 'sec-fetch-site': 'cross-site' }),
    ],
    ['a rebound name', 421, () => ({ origin: 'http://evil.example', host: 'evil.example' })],
  ] as const)('%s: %i', async (_who, status, headers) => {
    const session = await running.signIn();

    expect(await upgrade('/rpc', headers(running.origin) as Record<string, string>, session)).toBe(status);
  });

  test('no session: 401; another path: 404 (else: any program on this machine has the engine)', async () => {
    expect(await upgrade('/rpc', { origin: running.origin })).toBe(401);
    expect(await upgrade('/rpc', { origin: running.origin }, 'guess')).toBe(401);
    expect(await upgrade('/other', { origin: running.origin }, await running.signIn())).toBe(404);
    expect(await upgrade('//', { origin: running.origin }, await running.signIn())).toBe(404);
  });

  test('what a browser sends to every port of this computer is no key (else: any program here that the person opens has the engine)', async () => {
    const session = await running.signIn();
    const { port } = new URL(running.origin);

    const status = await upgrade('/rpc', {
      origin: running.origin,
      cookie: `fieldwright-${port}=${session}; fieldwright.session=${session}`,
    });

    expect(status).toBe(401);
  });

  test('a foreign cookie, whatever its name, keeps nobody out (else: another program here locks the person out)', async () => {
    const { port } = new URL(running.origin);

    const status = await upgrade(
      '/rpc',
      { origin: running.origin, cookie: `fieldwright-${port}=x; fieldwright.session=x` },
      await running.signIn(),
    );

    expect(status).toBe(101);
  });

  test('the session is not repeated in the answer', async () => {
    const socket = await open();

    expect(socket.protocol).toBe('fieldwright');
  });

  test('refusals are logged without what was sent', () => {
    expect(running.log.filter((entry) => entry.event === 'socket-refused').length).toBeGreaterThan(0);
    expect(JSON.stringify(running.log)).not.toMatch(/evil|guess/);
  });
});

describe('what a socket may send', () => {
  test('a message over the limit ends it with 1009 (else: memory for the asking)', async () => {
    const socket = await open();
    socket.send('x'.repeat(MAX_MESSAGE_BYTES + 1));

    expect(await closeCode(socket)).toBe(1009);
  });

  // Would catch: values of a message, or what is wrong with each of them, that exist before anybody counts them.
  test.each([
    ['numbers', `{"i":"1","p":{"json":[${'1,'.repeat(3_000_000)}1]}}`],
    ['objects', `{"i":"1","p":{"json":{"ids":[${'{},'.repeat(2_000_000)}{}]}}}`],
    ['lists', '['.repeat(6_000_000)],
  ])('6 MB of %s end it with 1008 (else: everybody waits for one page)', async (_name, text) => {
    const socket = await open();
    socket.send(text);

    expect(await closeCode(socket)).toBe(1008);
  });

  test('binary ends it with 1008', async () => {
    const socket = await open();
    socket.send(Buffer.from('{}'));

    expect(await closeCode(socket)).toBe(1008);
  });

  test.each([
    '',
    'no json',
    '{}',
    '[]',
    'null',
    '{"i":"1"}',
    '{"i":"1","p":{"u":7}}',
    '{"i":"1","p":{"u":"http://[bad"}}',
    '{"i":"1","t":1,"p":null}',
  ])('the message %j ends it and nothing else (else: one page ends the server)', async (message) => {
    const socket = await open();
    const other = await running.page();
    socket.send(message);

    expect(await closeCode(socket)).toBe(1008);
    expect((await other.api.app.info()).face).toBe('browser');
    other.close();
  });

  test.each([
    '{"i":"1","p":{"u":"/__proto__/list","b":{}}}',
    '{"i":"1","p":{"u":"/devices/constructor","b":{}}}',
    '{"i":"1","p":{"u":"/devices/add","b":{"json":{"address":"x"},"meta":[[5,"__proto__","polluted"]]}}}',
    '{"i":"1","p":{"u":"/devices/add","b":"text"}}',
    '{"i":"1","p":{"u":"/devices/add","h":{"content-type":"text/event-stream"}}}',
  ])('the call %s is answered with an error (else: it reaches what no route names)', async (message) => {
    const socket = await open();
    socket.send(message);
    const [data] = (await once(socket, 'message')) as [Buffer];

    expect(JSON.parse(data.toString())).toMatchObject({
      i: '1',
      p: { s: expect.toSatisfy((status: number) => status >= 400) as number },
    });
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  test('hundreds of streams on one socket end it (else: a page exhausts the engine)', async () => {
    const socket = await open();
    const closed = closeCode(socket);
    for (let index = 0; index < 400; index += 1)
      socket.send(JSON.stringify({ i: String(index), p: { u: '/devices/watch', b: {} } }));

    expect(await closed).toBe(1008);
  });

  test('more pages than anybody has are refused, and room comes back (else: a leak locks the person out)', async () => {
    const session = await running.signIn();
    const statuses: number[] = [];
    for (let index = 0; index < 34; index += 1)
      statuses.push(await upgrade('/rpc', { origin: running.origin }, session));
    await Promise.all(
      opened.splice(0).map((socket) => {
        const closed = socket.readyState === socket.OPEN ? once(socket, 'close') : undefined;
        socket.terminate();
        return closed;
      }),
    );

    expect(statuses).toContain(503);
    await expect.poll(() => upgrade('/rpc', { origin: running.origin }, session)).toBe(101);
  });
});

test('a page that does not read slows its own stream down (else: its unread events fill the memory)', async () => {
  let produced = 0;
  const own = await startTestServer({
    wrap: (engine) => ({
      ...engine,
      devices: {
        ...engine.devices,
        // 128 MiB in all, far more than any socket buffer between the two.
        async *watch(signal) {
          for (; produced < 2000 && !signal.aborted; produced += 1)
            yield await Promise.resolve({ type: 'removed', id: 'x'.repeat(65_536) } as const);
        },
      },
    }),
  });
  const socket = own.socket('/rpc', { origin: own.origin }, await own.signIn());
  await once(socket, 'open');
  const page = await own.page();

  socket.send(JSON.stringify({ i: 'watch', p: { u: '/devices/watch', b: {} } }));
  await once(socket, 'message');
  socket.pause();
  for (let round = 0; round < 50; round += 1) await page.api.devices.list();

  expect(produced).toBeGreaterThan(0);
  expect(produced).toBeLessThan(1000);
  await own.close();
});

test('closing the server says farewell to its pages and ends although one does not answer', async () => {
  const own = await startTestServer();
  const session = await own.signIn();
  const [polite, silent] = [
    own.socket('/rpc', { origin: own.origin }, session),
    own.socket('/rpc', { origin: own.origin }, session),
  ];
  await Promise.all([once(polite, 'open'), once(silent, 'open')]);
  silent.pause();
  const farewell = closeCode(polite);

  await own.server.close();

  expect(await farewell).toBe(1001);
  await own.close();
});
