/** Devices that a job could not reach have their turn when they are seen again, as long as a process lives that waits for them. */
import type { Clock } from '../api/host.ts';

interface WhenSeenOptions {
  readonly clock: Clock;
  /** Devices of an ended job that wait to be seen; none if the job was stopped or already continues. */
  readonly waiting: (jobId: string) => readonly string[];
  /** One small read; resolves where the device answered. */
  readonly look: (deviceId: string, signal: AbortSignal) => Promise<void>;
  /** Throws where that cannot be now: another job has one of the devices. */
  readonly goOn: (jobId: string) => void;
}

const LOOK_MS = 20_000;
/** Milliseconds until waiting ends; after that a person has to resume the job. */
const LONGEST_MS = 24 * 3_600_000;

export class WhenSeen {
  readonly #options: WhenSeenOptions;
  readonly #end = new AbortController();
  readonly #followed = new Set<string>();

  constructor(options: WhenSeenOptions) {
    this.#options = options;
  }

  /** Goes on with the job by itself as soon as one of its devices answers. `since`: when it ended; now without. */
  follow(jobId: string, since: Date = this.#options.clock.now()): void {
    if (this.#followed.has(jobId) || this.#end.signal.aborted) return;
    this.#followed.add(jobId);
    void this.#watch(jobId, since.getTime() + LONGEST_MS)
      .catch(() => undefined)
      .finally(() => this.#followed.delete(jobId));
  }

  close(): void {
    this.#end.abort();
  }

  async #watch(jobId: string, until: number): Promise<void> {
    const { clock, waiting, look, goOn } = this.#options;
    const { signal } = this.#end;
    while (clock.now().getTime() < until) {
      await clock.delay(LOOK_MS, signal);
      const devices = waiting(jobId);
      if (devices.length === 0) return;
      const seen = await Promise.any(devices.map((id) => look(id, signal))).then(
        () => true,
        () => false,
      );
      if (!seen || signal.aborted) continue;
      try {
        goOn(jobId);
        return;
      } catch {
        // Its turn comes when the other job has ended.
      }
    }
  }
}
