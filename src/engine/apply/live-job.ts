/** A job while it runs: its state in memory, and those who watch it. */
import type { ErrorShape } from '../../shared/errors.ts';
import type { DeviceResult, Job, JobEvent, JobState, SectionResult } from '../../shared/model.ts';
import { countOutcomes, isResumable, isWaiting } from './job-state.ts';

export type JobHead = Omit<Job, 'state' | 'endedAt' | 'devices' | 'counts' | 'resumable' | 'results'>;

interface Watcher {
  readonly queue: JobEvent[];
  wake: () => void;
}

/** Above this a watcher that does not keep up gets the job as it stands instead of every step. */
const MOST_WAITING = 5_000;

/** Owns the results of one job and tells its watchers of every step. */
export class LiveJob {
  readonly #head: JobHead;
  readonly #results: DeviceResult[];
  readonly #watchers = new Set<Watcher>();
  #state: JobState = 'running';
  #endedAt: string | undefined;
  #done = 0;
  /** The person asked to stop. */
  cancelled = false;

  constructor(head: JobHead, results: readonly DeviceResult[]) {
    this.#head = head;
    this.#results = [...results];
    this.#done = results.filter((result) => result.state === 'done' || result.state === 'failed').length;
  }

  get id(): string {
    return this.#head.id;
  }

  get results(): readonly DeviceResult[] {
    return this.#results;
  }

  get ended(): boolean {
    return this.#endedAt !== undefined;
  }

  snapshot(): Job {
    const counts = countOutcomes(this.#results);
    return {
      ...this.#head, state: this.#state, ...(this.#endedAt === undefined ? {} : { endedAt: this.#endedAt }),
      devices: this.#results.length, counts, resumable: isResumable(this.#state, counts, this.#results.some(isWaiting)), results: [...this.#results],
    };
  }

  phase(position: number, index: number, phase: 'reading' | 'writing' | 'verifying'): void {
    if (this.#watchers.size > 0) this.#tell({ type: 'phase', jobId: this.id, deviceId: this.#device(position).deviceId, index, phase });
  }

  section(position: number, result: SectionResult): void {
    const device = this.#device(position);
    this.#results[position] = { ...device, sections: device.sections.map((section) => (section.index === result.index ? result : section)) };
    this.#tell({ type: 'section', jobId: this.id, deviceId: device.deviceId, result });
  }

  device(position: number, state: DeviceResult['state'], error?: ErrorShape): void {
    const { error: _before, ...rest } = this.#device(position);
    if (rest.state === 'done' || rest.state === 'failed') this.#done -= 1;
    const device: DeviceResult = { ...rest, state, ...(error === undefined ? {} : { error }) };
    this.#results[position] = device;
    if (state === 'done' || state === 'failed') this.#done += 1;
    this.#tell({ type: 'device', jobId: this.id, device, done: this.#done, total: this.#results.length });
  }

  /** Sections of a device that could not be planned when the job was made. */
  setSections(position: number, sections: readonly SectionResult[]): void {
    this.#results[position] = { ...this.#device(position), sections };
  }

  end(state: JobState, endedAt: string): void {
    this.#state = state;
    this.#endedAt = endedAt;
    this.#tell({ type: 'end', job: this.snapshot() });
  }

  /** The job as it stands, then what happens, then its end. Leaves quietly when the signal aborts. */
  async* watch(signal: AbortSignal): AsyncGenerator<JobEvent> {
    const watcher: Watcher = { queue: [{ type: 'job', job: this.snapshot() }], wake: () => undefined };
    if (this.ended) watcher.queue.push({ type: 'end', job: this.snapshot() });
    const onAbort = (): void => watcher.wake();
    this.#watchers.add(watcher);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      while (!signal.aborted) {
        const event = watcher.queue.shift();
        if (event === undefined) {
          await new Promise<void>((resolve) => { watcher.wake = resolve; });
          continue;
        }
        yield event;
        if (event.type === 'end') return;
      }
    } finally {
      this.#watchers.delete(watcher);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #device(position: number): DeviceResult {
    const device = this.#results[position];
    if (device === undefined) throw new Error(`no device at ${position}`);
    return device;
  }

  #tell(event: JobEvent): void {
    for (const watcher of this.#watchers) {
      if (watcher.queue.length >= MOST_WAITING) watcher.queue.splice(0, Infinity, { type: 'job', job: this.snapshot() });
      watcher.queue.push(event);
      watcher.wake();
    }
  }
}
