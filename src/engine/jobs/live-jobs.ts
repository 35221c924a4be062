/** The jobs that this process works on, from their first device to the line that ends them in the journal. */
import type { ApplyOptions, TimeWindow } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { JobTurn } from './job-kind.ts';
import { endState, computeTotals } from './job-state.ts';
import type { Journal } from './journal.ts';
import type { LiveJob } from './live-job.ts';
import { findNextOpening, isInWindow } from './open/time-window.ts';
import { runInPool } from '../async/pool.ts';

interface LiveJobsOptions {
  readonly journal: Journal;
  readonly clients: DeviceClients;
  readonly clock: Clock;
  /** Called with an error that ended a job outside of any device. */
  readonly onFailure: (error: unknown) => void;
  /** Called with every job that has begun, changed its state, or ended. */
  readonly onChange: (job: LiveJob) => void;
  /** Marks jobs whose process died: nothing else would wake those that wait for them. */
  readonly settleInterrupted: () => void;
}

export interface Work {
  readonly turns: readonly JobTurn[];
  readonly options: ApplyOptions;
  /** Devices whose restart is waited for, all of them at once, when everything else is done. */
  readonly followUps?: readonly JobTurn[];
}

/** Ended jobs stay in memory this long for those who come to watch late; after that the journal answers. */
const ENDED_KEPT = 20;
/** A job of another process may end at any time, without notice. */
const LOOK_AGAIN_MS = 500;

export class LiveJobs {
  readonly #options: LiveJobsOptions;
  readonly #live = new Map<string, LiveJob>();
  readonly #running = new Map<string, Promise<void>>();
  /** Wakes the jobs that wait for their turn. */
  #wake = Promise.withResolvers<void>();
  #closing = false;

  constructor(options: LiveJobsOptions) {
    this.#options = options;
  }

  launch(job: LiveJob, work: Work): void {
    this.#live.delete(job.id);
    this.#live.set(job.id, job);
    this.#running.set(
      job.id,
      // The run starts only after the job is known as running: a search for dead jobs would take it for one.
      Promise.resolve()
        .then(() => this.#run(job, work))
        .finally(() => this.#running.delete(job.id)),
    );
    this.#options.onChange(job);
  }

  /** Returns a job that is running, waiting, or ended not long ago. */
  get(id: string): LiveJob | undefined {
    return this.#live.get(id);
  }

  /** Returns true from `launch` until the end of the job was journalled, or could not be. */
  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  /** Stops all of them (they stay resumable) and waits for what is under way. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const job of this.#live.values()) if (!job.ended) job.cancel();
    await Promise.allSettled(this.#running.values());
  }

  async #run(job: LiveJob, { turns, options, followUps = [] }: Work): Promise<void> {
    const { journal, clients, clock } = this.#options;
    const context = { job, journal, clients, clock, options };
    const { between, whenBack } = options;
    const isOver = (): boolean => between !== undefined && !isInWindow(between, clock.now());
    const how = {
      turn: (turn: JobTurn) => turn(context),
      cancelled: () => job.cancelled || isOver(),
      ready: () => job.whileUnpaused(),
    };
    try {
      if (job.waiting) await this.#untilTurn(job, between);
      if (!job.cancelled) await runDevices(turns, options, how);
      if (!job.cancelled) await runDevices(followUps, { concurrency: followUps.length }, how);
      if (options.confirmWithin !== undefined) await this.#untilKept(job, options.confirmWithin);
    } catch (error) {
      this.#options.onFailure(error);
    }
    if (this.#closing && (between !== undefined || whenBack !== undefined)) job.leaveOpen('interrupted');
    else if (!job.cancelled && isOver()) job.leaveOpen('window');
    this.#finish(job, followUps.length > 0);
  }

  /** Returns when the job may begin, or was stopped. */
  async #untilTurn(job: LiveJob, between: TimeWindow | undefined): Promise<void> {
    const { clock, journal } = this.#options;
    while (!job.cancelled) {
      const { promise } = this.#wake;
      const now = clock.now();
      if (between !== undefined && !isInWindow(between, now)) {
        job.waitFor({ state: 'waiting' }, findNextOpening(between, now).toISOString());
        await this.#orAwhile(promise, job.stopped);
        continue;
      }
      try {
        this.#options.settleInterrupted();
        const turn = journal.startOrWait(job.id);
        job.waitFor(turn);
        this.#options.onChange(job);
        if (turn.state === 'running') return;
      } catch (error) {
        // The disk may be full for a while; it goes on waiting.
        this.#options.onFailure(error);
      }
      await this.#orAwhile(promise, job.stopped);
    }
  }

  /** Returns when a person has kept what the job changed, or does so no more. */
  async #untilKept(job: LiveJob, seconds: number): Promise<void> {
    const { clock, journal } = this.#options;
    journal.beginCountdown(job.id, new Date(clock.now().getTime() + seconds * 1000).toISOString());
    while (!job.cancelled) {
      const until = journal.readCountdown(job.id);
      if (until === undefined || Date.parse(until) <= clock.now().getTime()) break;
      if (job.awaitConfirmation(until)) this.#options.onChange(job);
      await this.#orAwhile(this.#wake.promise, job.stopped);
    }
    job.awaitConfirmation(undefined);
  }

  async #orAwhile(woken: Promise<void>, stopped: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LOOK_AGAIN_MS);
    const stop = (): void => resolve();
    stopped.addEventListener('abort', stop, { once: true });
    await Promise.race([woken, promise]);
    clearTimeout(timer);
    stopped.removeEventListener('abort', stop);
  }

  #finish(job: LiveJob, followedUp: boolean): void {
    const followUpLeft = followedUp && this.#closing && computeTotals(job.results).rebootPending > 0;
    const state = followUpLeft
      ? 'interrupted'
      : endState(job.results, { cancelled: job.cancelled && !this.#closing, closing: this.#closing });
    const endedAt = this.#options.clock.now().toISOString();
    const { journal } = this.#options;
    let isUnrecorded = false;
    try {
      journal.end({ id: job.id, state, endedAt, results: job.results, followUpLeft });
    } catch (error) {
      this.#options.onFailure(error);
      // The journal does not know the last results; without its end alone it reads as done.
      isUnrecorded = journal.lacksResults;
    }
    job.end(isUnrecorded ? 'interrupted' : state, endedAt, { followUpLeft, isUnrecorded });
    const ended = [...this.#live.values()].filter((known) => known.ended);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) this.#live.delete(id);
    this.#options.onChange(job);
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
}

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
