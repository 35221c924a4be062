/** A process that works and is killed, again and again: what the test and such a process have in common. */
import { fork } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { join } from 'node:path';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import type { BuiltProgram } from '../helpers/built-program.ts';

export interface Life {
  readonly dataDir: string;
  /** Ends itself as `kill -9` would, at this event of a request or of its input; absent: it lives until it is done. */
  readonly killAt?: number | undefined;
}

/** Events from the moment a request is made to the last byte of its answer. */
export const REQUEST_EVENTS = [
  'undici:request:create',
  'undici:client:sendHeaders',
  'undici:request:bodySent',
  'undici:request:headers',
  'undici:request:trailers',
  'undici:request:error',
];

/** Runs one life, from the test. Returns undefined if it was killed. */
export async function liveOnce<End>({ file, env }: BuiltProgram, life: Life): Promise<End | undefined> {
  const child = fork(file, { execArgv: [], env: { ...process.env, ...env } });
  let end: End | undefined;
  child.on('message', (message: End) => {
    end = message;
  });
  const ended = once(child, 'exit');
  child.send(life);
  const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  if (signal === 'SIGKILL') return undefined;
  if (end === undefined || code !== 0) throw new Error(`it ended with ${String(code)} ${String(signal)}`);
  return end;
}

/** Works with an engine, in the process, and reports how it ended. `happened` counts one event more. */
export function live<Order extends Life, End>(
  work: (order: Order, engine: Engine, happened: () => void) => Promise<End>,
): void {
  async function lived(order: Order): Promise<End> {
    const { dataDir, killAt = Infinity } = order;
    let events = 0;
    const happened = (): void => {
      events += 1;
      if (events === killAt) process.kill(process.pid, 'SIGKILL');
    };
    for (const name of REQUEST_EVENTS) subscribe(name, happened);
    const engine = await createEngine({
      dataDir,
      resourcesDir: join(process.cwd(), 'resources'),
      face: 'cli',
      version: '0.0.0',
      user: 'torture',
      protections: [createKeyFileProtection(join(dataDir, 'vault.key'))],
    });
    const end = await work(order, engine, happened);
    await engine.close();
    return end;
  }
  process.on('message', (order: Order) => {
    lived(order).then(
      (end) => process.send?.(end, () => process.disconnect()),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
        process.exit(1);
      },
    );
  });
}
