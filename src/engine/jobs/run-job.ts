/** A job from its first device to its last: canary, waves, stop threshold, cancel. */
import type { ApplyOptions } from '#shared/model.ts';
import { runInPool } from '../async/pool.ts';

/** Devices that go together: the canary, then waves of equal size; without either all at once. */
export function splitIntoWaves<Item>(
  items: readonly Item[],
  { canary = 0, wave = 0 }: Pick<ApplyOptions, 'canary' | 'wave'>,
): readonly (readonly Item[])[] {
  const waves: (readonly Item[])[] = canary > 0 ? [items.slice(0, canary)] : [];
  const rest = items.slice(canary);
  const size = wave > 0 ? wave : Math.max(rest.length, 1);
  for (let at = 0; at < rest.length; at += size) waves.push(rest.slice(at, at + size));
  return waves;
}

interface RunContext<Task> {
  /** One device's turn; false where it did not go well. Never throws. */
  readonly turn: (task: Task) => Promise<boolean>;
  readonly cancelled: () => boolean;
  /** Resolves when a device may be handed out: at once unless the job is paused. */
  readonly ready: () => Promise<void>;
}

/**
 * Works on the devices of each wave. Nothing new is begun after a cancel, after a canary that did
 * not go well, or after `stopAfter` devices that did not; what is under way is finished. A pause holds
 * back every device that has not begun, a wave that has not too.
 */
export async function runDevices<Task>(
  tasks: readonly Task[],
  options: ApplyOptions,
  context: RunContext<Task>,
): Promise<void> {
  const stop = new AbortController();
  let failed = 0;
  const work = async (task: Task): Promise<void> => {
    await context.ready();
    if (context.cancelled() || stop.signal.aborted) return;
    if (await context.turn(task)) return;
    failed += 1;
    if (options.stopAfter !== undefined && failed >= options.stopAfter) stop.abort();
  };

  for (const [at, wave] of splitIntoWaves(tasks, options).entries()) {
    for await (const _done of runInPool(wave, work, {
      concurrency: options.concurrency,
      signal: stop.signal,
    }));
    const canaryFailed = at === 0 && (options.canary ?? 0) > 0 && failed > 0;
    if (canaryFailed || stop.signal.aborted || context.cancelled()) return;
  }
}
