import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSockets } from '#engine/device/transport/sockets.ts';
import { startSite, type Site } from '#test/helpers/strict-site.ts';

const never = new AbortController().signal;

describe.skipIf(process.platform === 'win32')('a process that the system gives no more files', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite({ devices: 6, kinds: ['thermal'], auth: 'none' });
  });
  afterAll(() => site.close());

  async function outOfFiles(free: number): Promise<unknown> {
    const script = resolve('test/engine/device/out-of-files.ts');
    const child = spawn(
      'sh',
      [
        '-c',
        'ulimit -n 128 && exec "$0" "$@"',
        process.execPath,
        script,
        String(free),
        ...site.devices.map(({ url }) => url),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return JSON.parse(printed);
  }

  it('says so (else: devices that are well are told to be off)', async () => {
    const became = await outOfFiles(0);

    expect(became).toEqual(Array.from({ length: 6 }, () => 'too-many-files'));
  });

  it('goes on with those it has (else: most of a job fails)', async () => {
    const became = await outOfFiles(3);

    expect(became).toEqual(Array.from({ length: 6 }, () => 'ok'));
  });
});

describe('sockets that there may be', () => {
  it('the longest idle ones make room (else: what nobody uses keeps the next device out)', () => {
    const dropped: string[] = [];
    const sockets = createSockets(2);
    for (const name of ['a', 'b', 'c']) {
      const holder = sockets.holder(() => dropped.push(name));
      holder.begin();
      holder.opening();
      holder.opened(new EventEmitter() as Socket);
      holder.end();
    }

    expect(dropped).toEqual(['a']);
  });

  it.each(['before', 'while'])(
    'a request gets the unused socket of its own device, whose other request ended %s it waited (else: it waits for ever for what nobody closes)',
    async (when) => {
      const socket = new EventEmitter() as Socket;
      const sockets = createSockets(4);
      // Unused sockets close when they are let go.
      const holder = sockets.holder(() => queueMicrotask(() => socket.emit('close')));
      holder.begin();
      holder.opening();
      holder.opened(socket);
      holder.begin();
      if (when === 'before') holder.end();

      const freed = holder.whenOneCloses();
      if (when === 'while') holder.end();

      expect(freed).toBeDefined();
      await freed;
    },
  );

  it('become more again after a shortage, one after the other (else: an app that once had too few goes slowly until it is closed)', async () => {
    const sockets = createSockets(4);
    const holder = sockets.holder(() => undefined);
    const open = (): Socket => {
      const socket = new EventEmitter() as Socket;
      holder.opening();
      holder.opened(socket);
      return socket;
    };
    /** How many requests go at once. */
    const atOnce = async (): Promise<number> => {
      const over = Promise.withResolvers<void>();
      let running = 0;
      const all = Array.from({ length: 6 }, () =>
        sockets.run(() => ((running += 1), over.promise), { signal: never }),
      );
      await Promise.resolve();
      const most = running;
      over.resolve();
      await Promise.all(all);
      return most;
    };
    open();
    open();
    void holder.whenOneCloses();
    expect(await atOnce()).toBe(2);

    for (const allowed of [2, 3, 4, 4]) {
      const opened = Array.from({ length: allowed - 1 }, open);
      expect(await atOnce()).toBe(allowed);
      opened.push(open());
      for (const socket of opened) socket.emit('close');
    }
  });

  it('more requests than that wait for their turn, and leave when they are cancelled (else: they fail)', async () => {
    const sockets = createSockets(1);
    const cancel = new AbortController();
    const first = Promise.withResolvers<string>();
    const order: string[] = [];

    const running = sockets.run(() => first.promise, { signal: never }).then((name) => order.push(name));
    const leaving = sockets
      .run(() => Promise.resolve('left'), { signal: cancel.signal })
      .catch((reason: unknown) => reason);
    const waiting = sockets
      .run(() => Promise.resolve('second'), { signal: never })
      .then((name) => order.push(name));
    cancel.abort('cancelled');
    first.resolve('first');
    await Promise.all([running, waiting]);

    expect(order).toEqual(['first', 'second']);
    expect(await leaving).toBe('cancelled');
  });
});
