/** A job while it runs: its state in memory, and those who watch it. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type {
  ApplyOptions,
  DeviceResult,
  Job,
  JobEvent,
  JobState,
  JobSummary,
  OpenReason,
  UnitResult,
} from '#shared/model.ts';
import { isResumable, computeTotals } from './job-state.ts';
import type { Turn } from './journal.ts';
import { findOpenReason } from './open/open-reason.ts';

type JobHead = Omit<
  Job,
  | 'state'
  | 'endedAt'
  | 'devices'
  | 'deviceCounts'
  | 'counts'
  | 'resumable'
  | 'paused'
  | 'pausedBy'
  | 'rebootPending'
  | 'results'
  | 'waitsFor'
  | 'beginsAt'
  | 'confirmUntil'
  | 'revertedBy'
  | 'open'
  | 'dropped'
  | 'progress'
>;

interface Watcher {
  readonly queue: JobEvent[];
  wake: () => void;
}

type Phase = Extract<JobEvent, { readonly type: 'phase' }>['phase'];

/**
 * Most phases that are reported at once in each of these spans. Of more, which come by the thousand a second
 * with many devices, each device's latest is reported at its end: nothing reads faster.
 */
const PHASES_AT_ONCE = 32;
const PHASES_MS = 250;

/**
 * Most events that wait for a slow watcher; above that it gets a snapshot of the job instead of every step.
 */
const MOST_WAITING = 5_000;

const BEGUN = { turn: { state: 'running' } } as const;

/** Owns the results of one job and tells its watchers of every step. */
export class LiveJob {
  readonly #head: JobHead;
  readonly #results: DeviceResult[];
  readonly #watchers = new Set<Watcher>();
  readonly #waitsForDevices: boolean;
  /** True if a later job may change its results: they are put back unless a person keeps them. */
  readonly isRevertible: boolean;
  #confirmUntil: string | undefined;
  #state: JobState;
  #waitsFor: string | undefined;
  #beginsAt: string | undefined;
  #endedAt: string | undefined;
  /** Devices that have a turn, and those of them that are through. */
  readonly #total: number;
  #done: number;
  #followUpLeft = false;
  #isUnrecorded = false;
  readonly #phases = new Map<number, { readonly index: number; readonly phase: Phase }>();
  /** Places of devices whose phase is sent when the span ends, and how many were sent in it. */
  readonly #heldBack = new Set<number>();
  #sent = 0;
  #span: NodeJS.Timeout | undefined;
  readonly #stop = new AbortController();
  #paused:
    | { readonly until: Promise<void>; readonly open: () => void; readonly reason: ErrorShape | undefined }
    | undefined;

  constructor(
    head: JobHead,
    results: readonly DeviceResult[],
    {
      turn,
      whenBack,
      confirmWithin,
    }: { readonly turn: Turn } & Pick<ApplyOptions, 'whenBack' | 'confirmWithin'> = BEGUN,
  ) {
    this.isRevertible = confirmWithin !== undefined;
    this.#head = head;
    this.#waitsForDevices = whenBack !== undefined;
    this.#state = turn.state;
    this.#waitsFor = turn.state === 'waiting' ? turn.behind : undefined;
    this.#results = [...results];
    const taking = results.filter(({ idle }) => idle !== true);
    this.#total = taking.length;
    this.#done = taking.filter(({ state }) => state === 'done' || state === 'failed').length;
  }

  get id(): string {
    return this.#head.id;
  }

  get kind(): string {
    return this.#head.kind;
  }

  /** It waits for its turn. */
  get waiting(): boolean {
    return this.#state === 'waiting';
  }

  get results(): readonly DeviceResult[] {
    return this.#results;
  }

  get ended(): boolean {
    return this.#endedAt !== undefined;
  }

  get hasOpenWork(): boolean {
    return this.#results.some(({ open }) => open !== undefined);
  }

  /** It ended with every device as asked. */
  get done(): boolean {
    return this.#state === 'done';
  }

  /** True if the job was asked to stop. */
  get cancelled(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Aborts what may stay undone when the job is asked to stop: never a write or its read-back. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Sets what this job waits for: another job, or a time (ISO 8601); or begins it. */
  waitFor(turn: Turn, beginsAt?: string): void {
    if (!this.waiting) return;
    const behind = turn.state === 'waiting' ? turn.behind : undefined;
    if (turn.state === 'waiting' && behind === this.#waitsFor && beginsAt === this.#beginsAt) return;
    this.#waitsFor = behind;
    this.#beginsAt = beginsAt;
    this.#state = turn.state;
    this.#tell({ type: 'job', job: this.snapshot() });
  }

  /** Sets the time (ISO 8601) until which a person can keep what the job changed; returns false if that is known. */
  awaitConfirmation(until: string | undefined): boolean {
    if (this.#confirmUntil === until) return false;
    this.#confirmUntil = until;
    if (until !== undefined) this.#tell({ type: 'confirm', jobId: this.id, until });
    return true;
  }

  /** Stops the job: nothing new is begun; what is under way is finished. */
  cancel(): void {
    this.#stop.abort();
    this.unpause();
  }

  /**
   * Hands out no further device until `unpause`. Returns false if there is nothing to pause. `reason`: the
   * job paused by itself, because of something that a person has to set right.
   */
  pause(reason?: ErrorShape): boolean {
    if (this.ended || this.cancelled) return false;
    if (this.#paused === undefined) {
      const { promise: until, resolve: open } = Promise.withResolvers<void>();
      this.#paused = { until, open, reason };
      this.#tell({ type: 'paused', jobId: this.id, paused: true, ...removeUndefined({ reason }) });
    }
    return true;
  }

  /** Resumes handing out devices. Returns false if it was not paused. */
  unpause(): boolean {
    if (this.#paused === undefined) return false;
    const { open } = this.#paused;
    this.#paused = undefined;
    this.#tell({ type: 'paused', jobId: this.id, paused: false });
    open();
    return true;
  }

  /** Resolves at once, or when the job goes on or is stopped. */
  async whileUnpaused(): Promise<void> {
    while (this.#paused !== undefined) await this.#paused.until;
  }

  /** Returns a `snapshot` without the results of the devices. */
  summary(): JobSummary {
    const { results: _results, runs: _runs, options: _options, ...summary } = this.snapshot();
    return summary;
  }

  snapshot(): Job {
    const totals = computeTotals(this.#results);
    const { devices, deviceCounts, counts, open, rebootPending, progress } = totals;
    const { options, ...head } = this.#head;
    return {
      ...head,
      ...(options === undefined || this.ended ? {} : { options }),
      state: this.#state,
      ...removeUndefined({
        waitsFor: this.#waitsFor,
        beginsAt: this.#beginsAt,
        confirmUntil: this.#confirmUntil,
        endedAt: this.#endedAt,
      }),
      devices,
      deviceCounts,
      counts,
      ...removeUndefined({ open }),
      resumable: this.#isUnrecorded || isResumable(this.#state, totals, this.#followUpLeft),
      ...(rebootPending === 0 ? {} : { rebootPending }),
      ...removeUndefined({
        progress,
        paused: this.#paused === undefined ? undefined : true,
        pausedBy: this.#paused?.reason,
      }),
      results: [...this.#results],
    };
  }

  /** Title of the first unit that waits for something outside. */
  get waitsAt(): UnitResult['title'] {
    for (const [position, { index, phase }] of this.#phases)
      if (phase === 'waiting') return this.#device(position).units[index]?.title;
    return undefined;
  }

  phase(position: number, index: number, phase: Phase): void {
    this.#phases.set(position, { index, phase });
    if (this.#watchers.size === 0) return;
    // A wait lasts, so each unit that waits is reported.
    if (phase === 'waiting' || this.#sent < PHASES_AT_ONCE) this.#tellPhase(position);
    else this.#heldBack.add(position);
  }

  #tellPhase(position: number): void {
    this.#heldBack.delete(position);
    const at = this.#phases.get(position);
    if (at === undefined) return;
    this.#sent += 1;
    this.#span ??= setTimeout(() => {
      this.#span = undefined;
      this.#sent = 0;
      for (const one of this.#heldBack) this.#tellPhase(one);
    }, PHASES_MS).unref();
    this.#tell({ type: 'phase', jobId: this.id, deviceId: this.#device(position).deviceId, ...at });
  }

  unit(position: number, result: UnitResult): void {
    // The phases that were not reported are over.
    this.#heldBack.delete(position);
    const device = this.#device(position);
    this.#results[position] = {
      ...device,
      units: device.units.map((unit) => (unit.index === result.index ? result : unit)),
    };
    this.#tell({ type: 'unit', jobId: this.id, deviceId: device.deviceId, result });
  }

  /** Sets the state of a device, and returns the device with it. */
  device(position: number, state: DeviceResult['state'], error?: ErrorShape): DeviceResult {
    const { error: _before, open: before, ...rest } = this.#device(position);
    if (rest.state === 'done' || rest.state === 'failed') this.#done -= 1;
    const now = { ...rest, state, ...removeUndefined({ error }) };
    const open = findOpenReason({ ...now, ...removeUndefined({ open: before }) }, this.#waitsForDevices);
    const device: DeviceResult = { ...now, ...removeUndefined({ open }) };
    this.#results[position] = device;
    if (state !== 'running') {
      this.#phases.delete(position);
      this.#heldBack.delete(position);
    }
    if (state === 'done' || state === 'failed') this.#done += 1;
    this.#tell({ type: 'device', jobId: this.id, device, done: this.#done, total: this.#total });
    return device;
  }

  /** Makes the devices whose turn did not come open work. */
  leaveOpen(reason: OpenReason): void {
    for (const [position, device] of this.#results.entries())
      if (device.state === 'pending' && device.idle !== true)
        this.#results[position] = { ...device, open: device.open ?? reason };
  }

  /** Units of a device that were not known when the job was made. */
  setUnits(position: number, units: readonly UnitResult[]): void {
    this.#results[position] = { ...this.#device(position), units };
  }

  /**
   * Ends the job. `followUpLeft`: a restart that was waited for can be waited for again by resuming. `isUnrecorded`: the
   * journal did not take the results, so a resume has to settle them.
   */
  end(state: JobState, endedAt: string, { followUpLeft = false, isUnrecorded = false } = {}): void {
    this.#state = state;
    this.#endedAt = endedAt;
    this.#waitsFor = undefined;
    this.#followUpLeft = followUpLeft;
    this.#isUnrecorded = isUnrecorded;
    this.#paused = undefined;
    clearTimeout(this.#span);
    this.#tell({ type: 'end', job: this.snapshot() });
  }

  /**
   * Returns the present phases for a late watcher: a device may wait for its restart for minutes without
   * another event.
   */
  #underWay(): readonly JobEvent[] {
    return this.ended
      ? []
      : [...this.#phases].map(([position, at]) => ({
          type: 'phase',
          jobId: this.id,
          deviceId: this.#device(position).deviceId,
          ...at,
        }));
  }

  /** Yields a snapshot of the job, then what happens, then its end. Ends quietly when the signal aborts. */
  async *watch(signal: AbortSignal): AsyncGenerator<JobEvent> {
    const watcher: Watcher = {
      queue: [{ type: 'job', job: this.snapshot() }, ...this.#underWay()],
      wake: () => undefined,
    };
    if (this.ended) watcher.queue.push({ type: 'end', job: this.snapshot() });
    const onAbort = (): void => watcher.wake();
    this.#watchers.add(watcher);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      while (!signal.aborted) {
        const event = watcher.queue.shift();
        if (event === undefined) {
          await new Promise<void>((resolve) => {
            watcher.wake = resolve;
          });
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
      if (watcher.queue.length >= MOST_WAITING)
        watcher.queue.splice(0, Infinity, { type: 'job', job: this.snapshot() });
      watcher.queue.push(event);
      watcher.wake();
    }
  }
}
