/** A device that answers every request with one of the hostile shapes; the path prefix `/<number>/API` says which. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { operations } from '#protocol/index.ts';
import { HOSTILE_SHAPES } from './hostile-shapes.ts';

const ROOTS = operations.map(({ method, path, response }) => ({
  line: new RegExp(
    `^${method} /API${(path.slice('/API'.length).split('?')[0] ?? '').replace(/<\w+>/g, '[^/]+')}(?:\\?\\S*)? `,
  ),
  root: response?.root ?? '',
}));

/** Starts the device in a process of its own, so that its own cost does not count. */
export async function startHostileProcess(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const device = spawn(
    process.execPath,
    [fileURLToPath(new URL('hostile-device-process.ts', import.meta.url))],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [line] = (await once(device.stdout.setEncoding('utf8'), 'data')) as [string];
  return {
    url: line.trim(),
    close: async () => {
      const ended = once(device, 'close');
      device.stdin.end();
      await ended;
    },
  };
}

/** Starts the device on a free port of this computer. */
export async function startHostileDevice(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    socket.on('error', () => {});
    // The rest of the request is taken in and ignored.
    socket.once('data', (chunk: Buffer) => answer(socket, chunk.toString('latin1')));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function answer(socket: Socket, request: string): void {
  const [, nth = '', line = ''] = /^(?:\w+ )\/(\d+)(\/\S* )/.exec(request) ?? [];
  const method = request.slice(0, request.indexOf(' '));
  const root = ROOTS.find((known) => known.line.test(`${method} ${line}`))?.root ?? '';
  for (const part of bodyOf(Number(nth), root)) socket.write(part);
  socket.end();
}

/** The last one: making it takes longer than sending it. */
let last: { readonly key: string; readonly parts: readonly Uint8Array[] } | undefined;

function bodyOf(nth: number, root: string): readonly Uint8Array[] {
  const key = `${nth} ${root}`;
  if (last?.key !== key) last = { key, parts: HOSTILE_SHAPES[nth]?.answer(root) ?? [] };
  return last.parts;
}
