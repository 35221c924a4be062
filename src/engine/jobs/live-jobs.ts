/** The jobs that this process works on, from their first device to the line that ends them in the journal. */
import type { ApplyOptions } from '../../shared/model.ts';
import type { Clock } from '../api.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { JobContext } from '../apply/device-turn.ts';
import type { JobTurn } from '../apply/job-kinds.ts';
import { endState, totalsOf } from './job-state.ts';
import type { Journal } from './journal.ts';
import type { LiveJob } from './live-job.ts';
import { runDevices } from './run-job.ts';

export interface LiveJobsOptions {
  readonly journal: Journal;
  readonly clients: DeviceClients;
  readonly clock: Clock;
  readonly onRestarted: JobContext['onRestarted'];
  /** Told of an error that ended a job outside of any device. */
  readonly onFailure?: (error: unknown) => void;
}

/** What a job is to do. */
export interface Work {
  readonly turns: readonly JobTurn[];
  readonly options: ApplyOptions;
  /** Devices whose restart is waited for, all of them at once, when everything else is done. */
  readonly followUps?: readonly JobTurn[];
}

export interface LiveJobs {
  launch(job: LiveJob, work: Work): void;
  /** Running, or ended not long ago. */
  get(id: string): LiveJob | undefined;
  /** From `launch` until its end was journalled, or could not be. */
  isRunning(id: string): boolean;
  /** Stops all of them (they stay resumable) and waits for what is under way. */
  close(): Promise<void>;
}

/** Ended jobs stay in memory this long for those who come to watch late; after that the journal answers. */
const ENDED_KEPT = 20;

/** `onEnd` hears of every job that has ended. */
export function createLiveJobs(options: LiveJobsOptions, onEnd: (job: LiveJob) => void): LiveJobs {
  const { journal, clock, clients } = options;
  const live = new Map<string, LiveJob>();
  const running = new Map<string, Promise<void>>();
  let closing = false;

  async function run(job: LiveJob, { turns, options: applyOptions, followUps = [] }: Work): Promise<void> {
    const context: JobContext = {
      job,
      journal,
      clients,
      clock,
      onRestarted: options.onRestarted,
      acceptDrift: applyOptions.acceptDrift === true,
      leaveOutBlocked: applyOptions.leaveOutBlocked === true,
    };
    const how = {
      turn: (turn: JobTurn) => turn(context),
      cancelled: () => job.cancelled,
      ready: () => job.whileUnpaused(),
    };
    try {
      await runDevices(turns, applyOptions, how);
      if (followUps.length > 0 && !job.cancelled)
        await runDevices(followUps, { concurrency: followUps.length }, how);
    } catch (error) {
      options.onFailure?.(error);
    }
    finish(job, followUps.length > 0);
  }

  function finish(job: LiveJob, followedUp: boolean): void {
    const followUpLeft = followedUp && closing && totalsOf(job.results).rebootPending > 0;
    const state = followUpLeft
      ? 'interrupted'
      : endState(job.results, { cancelled: job.cancelled && !closing, closing });
    const endedAt = clock.now().toISOString();
    try {
      journal.end({ id: job.id, state, endedAt, results: job.results, followUpLeft });
    } catch (error) {
      options.onFailure?.(error);
    }
    job.end(state, endedAt, { followUpLeft });
    onEnd(job);
    const ended = [...live.values()].filter((known) => known.ended);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) live.delete(id);
  }

  return {
    launch(job, work) {
      live.delete(job.id);
      live.set(job.id, job);
      running.set(
        job.id,
        run(job, work).finally(() => running.delete(job.id)),
      );
    },
    get: (id) => live.get(id),
    isRunning: (id) => running.has(id),
    async close() {
      closing = true;
      for (const job of live.values()) if (!job.ended) job.cancel();
      await Promise.allSettled(running.values());
    },
  };
}
