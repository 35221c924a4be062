import { afterEach, describe, expect, test } from 'vitest';
import { FieldwrightError } from '#shared/errors.ts';
import type { DeviceEvent } from '#shared/model.ts';
import { openStream } from '#rpc/stream.ts';
import type { Engine } from '#engine/api.ts';
import { startTestServer, type TestServer } from './helpers/running-server.ts';

let running: TestServer | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

/** The engine as it is, with a note of every watcher that came and went. */
function watched(signals: AbortSignal[]): (engine: Engine) => Engine {
  return (engine) => ({
    ...engine,
    devices: {
      ...engine.devices,
      watch: (signal) => {
        signals.push(signal);
        return engine.devices.watch(signal);
      },
    },
  });
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal === undefined) reject(new Error('nobody watches'));
    else if (signal.aborted) resolve();
    else
      signal.addEventListener(
        'abort',
        () => {
          resolve();
        },
        { once: true },
      );
  });
}

describe('streams over a socket', () => {
  test('end in the engine when the page goes away (else: watchers pile up)', async () => {
    const signals: AbortSignal[] = [];
    running = await startTestServer({ wrap: watched(signals) });
    const page = await running.page();
    const events = await page.api.devices.watch();
    await events.next();

    page.close();
    await aborted(signals[0]);

    expect(signals).toHaveLength(1);
  });

  test('end in the engine when the page stops reading (else: a left screen still costs)', async () => {
    const signals: AbortSignal[] = [];
    running = await startTestServer({ wrap: watched(signals) });
    const page = await running.page();
    const events = await page.api.devices.watch();
    await events.next();

    await events.return?.();
    await aborted(signals[0]);

    expect(await page.api.devices.list()).toEqual([]);
  });

  test('end in the engine when their signal aborts, even before the first event (else: the cancel overtakes the call)', async () => {
    const signals: AbortSignal[] = [];
    running = await startTestServer({ wrap: watched(signals) });
    const page = await running.page();
    await page.connection.whenOpen();
    const controller = new AbortController();

    const pending = page.api.devices.watch(undefined, { signal: controller.signal }).then(async (events) => {
      for await (const _event of events) {
        /* wait for the abort */
      }
    });
    setImmediate(() => {
      controller.abort();
    });
    await pending.catch(() => undefined);
    // Anything the server still had to do for the call was done before this answer.
    await page.api.devices.list();
    await Promise.all(signals.map(aborted));

    expect(signals.every((signal) => signal.aborted)).toBe(true);
  });

  test('bring changes made by another page (else: two windows disagree)', async () => {
    running = await startTestServer();
    const [one, two] = [await running.page(), await running.page()];
    const seen: DeviceEvent[] = [];
    const changed = new Promise<void>((resolve) => {
      one.subscribe(one.api.devices.watch, undefined, (event) => {
        seen.push(event);
        if (event.type === 'changed') resolve();
        else void two.api.devices.add({ address: 'http://127.0.0.1:9', name: 'Lobby' });
      });
    });

    await changed;

    expect(seen).toMatchObject([
      { type: 'all', devices: [] },
      { type: 'changed', device: { name: 'Lobby' } },
    ]);
  });
});

describe('stream()', () => {
  const NEVER = new AbortController().signal;

  test('an error in the middle keeps its shape (else: the page sees "internal")', async () => {
    async function* failing(): AsyncGenerator<number> {
      yield 1;
      await Promise.resolve();
      throw new FieldwrightError({ code: 'device-busy', source: 'device', message: 'Busy.' });
    }
    const seen: number[] = [];
    const read = (async () => {
      for await (const value of openStream(NEVER, failing)) seen.push(value);
    })();

    await expect(read).rejects.toMatchObject({ data: { code: 'device-busy', source: 'device' } });
    expect(seen).toEqual([1]);
  });

  test('an unexpected error crosses without its text (else: internals or secrets on the screen)', async () => {
    async function* failing(): AsyncGenerator<number> {
      yield await Promise.reject<number>(new Error('password=hunter2'));
    }

    const error: unknown = await openStream(NEVER, failing)
      .next()
      .catch((thrown: unknown) => thrown);

    expect(JSON.stringify(error)).not.toContain('hunter2');
    expect(error).toMatchObject({ data: { code: 'internal' } });
  });

  test('ends its source when the reader returns early (else: the source runs on unread)', async () => {
    let ended: AbortSignal | undefined;
    async function* endless(signal: AbortSignal): AsyncGenerator<number> {
      ended = signal;
      for (let value = 0; !signal.aborted; value += 1) yield value;
    }

    for await (const value of openStream(NEVER, endless)) if (value === 3) break;

    expect(ended?.aborted).toBe(true);
  });
});
