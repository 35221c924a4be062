/**
 * Open work: what jobs could not do on devices that were away, busy or waiting for a restart. It is done when a device
 * answers again, by whichever program is open; the journal sees to it that only one of them works on a job, and that a
 * unit is never done twice. A device that changed meanwhile, or that refuses the sign-in, is left for a person.
 */
import { isOwnTrouble } from '#shared/error-meaning.ts';
import { say } from '#shared/details.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { Device, Job, OpenWork, OpenWorkEvent } from '#shared/model.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Clock } from '#engine/api/host.ts';
import { runInPool } from '#engine/async/pool.ts';
import type { DeviceDirectory } from '#engine/device/directory.ts';
import { toTransportError } from '#engine/device/transport/transport-errors.ts';
import { tryConnection } from '#engine/inventory/reach-checks.ts';
import type { Store } from '#engine/store/index.ts';
import type { Jobs } from '../jobs.ts';
import { findKnown, type Finder } from '../locate-device.ts';
import { isPassingReason } from './open-reason.ts';
import {
  dropWork,
  expireWork,
  findOpenWork,
  keepReason,
  readOpenWork,
  takeWorkOver,
  type StoredOpenWork,
} from './open-rows.ts';
import { isInWindow } from './time-window.ts';

interface OpenWorksOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly user: string;
  readonly jobs: Pick<Jobs, 'takeUp' | 'show' | 'watch' | 'putBackUnkept'>;
  readonly devices: Finder;
  readonly directory: Pick<DeviceDirectory, 'observe'>;
  /** Called with an error that ended a round; the next one is tried. */
  readonly onFailure: (error: unknown) => void;
}

/** Milliseconds between two rounds of looks at devices whose work is open. */
const LOOK_MS = 20_000;
const LOOKS_AT_ONCE = 16;
/** Milliseconds until a device that answered, but could not do its work, is tried again: first, and at most. */
const TRY_AGAIN_MS = { first: 60_000, most: 1_800_000 };

interface Attempt {
  readonly at: number;
  readonly waitMs: number;
}

export class OpenWorks {
  readonly #options: OpenWorksOptions;
  readonly #closing = new AbortController();
  /** Attempts of this process that left the work open, by its id. */
  readonly #attempts = new Map<string, Attempt>();
  #background: Promise<void> | undefined;

  constructor(options: OpenWorksOptions) {
    this.#options = options;
  }

  list(): readonly OpenWork[] {
    return this.#read().map(({ work }) => work);
  }

  /** Gives the work up for a reason. @throws `not-found` */
  drop({ id, reason }: { readonly id: string; readonly reason: string }): { readonly dropped: string } {
    const { store, clock, user } = this.#options;
    const found = findOpenWork(this.#read(), id);
    dropWork(store, found, { at: clock.now().toISOString(), by: user, reason });
    return { dropped: found.work.id };
  }

  /**
   * Begins work at once, without a look whether the device is back. Returns the jobs that go on. @throws `not-found`, and what resuming
   * throws if none of it can begin
   */
  doNow({ ids }: { readonly ids: readonly string[] }): { readonly jobs: readonly string[] } {
    const all = this.#read();
    const jobs = this.#takeUp(
      ids.map((id) => findOpenWork(all, id)),
      { atOnce: true },
    );
    return { jobs: [...jobs.keys()] };
  }

  /**
   * Does what can be done now, and ends with a summary; `ids`: this work alone, also where a person was to decide; `reverts`: only
   * what puts back changes that were not kept. @throws `not-found`
   */
  async *run(
    { ids, reverts = false }: { readonly ids?: readonly string[]; readonly reverts?: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<OpenWorkEvent> {
    const known = this.#read();
    const exact = ids?.map((id) => findOpenWork(known, id).work.id);
    const counts = { done: 0, failed: 0 };
    const tried = new Set<string>();
    for (;;) {
      const all = this.#read();
      const chosen =
        exact?.map((id) => findOpenWorkIfLeft(all, id)).filter((one) => one !== undefined) ?? all;
      const left = chosen.filter(
        (one) =>
          !tried.has(one.work.id) &&
          (ids !== undefined || this.#isDue(one)) &&
          // A device of one run has no sign-in here unless it was named again.
          (!reverts || (one.work.reverts === true && this.#known(one.work) !== undefined)),
      );
      const ready = await this.#findBack(onePerDevice(left), signal);
      if (signal.aborted || ready.length === 0) break;
      for (const { work } of ready) tried.add(work.id);
      const jobs = this.#takeUp(ready, { atOnce: ids !== undefined });
      for (const [jobId, works] of jobs) {
        const job = await this.#awaitEnd(jobId, signal);
        if (signal.aborted) return;
        for (const one of works) {
          const event = describeEnd(one, job);
          if (event.outcome !== 'open') counts[event.outcome] += 1;
          yield event;
        }
      }
    }
    yield { type: 'summary', ...counts, open: this.#read().length };
  }

  /** Does open work as soon as its devices are back, until the engine is closed. */
  doInBackground(): void {
    this.#background ??= this.#repeat().catch(this.#options.onFailure);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#background;
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#closing;
    const { clock, onFailure } = this.#options;
    while (!signal.aborted) {
      try {
        const due = this.#read().filter((one) => this.#isDue(one) && this.#isRested(one));
        const ready = await this.#findBack(onePerDevice(due), signal);
        if (!signal.aborted) for (const { work } of ready) this.#noteAttempt(work);
        if (!signal.aborted) this.#takeUp(ready, { atOnce: false });
      } catch (error) {
        onFailure(error);
      }
      await clock.delay(LOOK_MS, signal).catch(() => undefined);
    }
  }

  #read(): readonly StoredOpenWork[] {
    const { store, clock, jobs } = this.#options;
    jobs.putBackUnkept({ atOnce: false });
    expireWork(store, clock.now());
    return readOpenWork(store);
  }

  /** Returns whether the work can be done without a person, as soon as its device is back. */
  #isDue({ work, isAtWork, options: { between } }: StoredOpenWork): boolean {
    if (isAtWork || work.elsewhere !== undefined || !isPassingReason(work.reason)) return false;
    return between === undefined || isInWindow(between, this.#options.clock.now());
  }

  #isRested({ work }: StoredOpenWork): boolean {
    const attempt = this.#attempts.get(work.id);
    return attempt === undefined || this.#options.clock.now().getTime() - attempt.at >= attempt.waitMs;
  }

  #noteAttempt({ id }: OpenWork): void {
    const before = this.#attempts.get(id);
    const waitMs = before === undefined ? TRY_AGAIN_MS.first : Math.min(before.waitMs * 2, TRY_AGAIN_MS.most);
    this.#attempts.set(id, { at: this.#options.clock.now().getTime(), waitMs });
  }

  /** Looks at the devices, and returns the work of those that answer, and that restarted where they had to. */
  async #findBack(works: readonly StoredOpenWork[], signal: AbortSignal): Promise<readonly StoredOpenWork[]> {
    const { directory, store } = this.#options;
    const back = new Set<StoredOpenWork>();
    const look = async (one: StoredOpenWork): Promise<void> => {
      const device = this.#known(one.work);
      if (device !== undefined && device.url !== one.work.url)
        return keepReason(store, one, createMovedError(device.url, one.work));
      const url = device?.url ?? one.work.url;
      const failure = await tryConnection(url, signal);
      if (signal.aborted) return;
      const error = failure && toTransportError(failure, false).with({ device: url });
      if (device !== undefined)
        directory.observe(device.id, { type: 'checked', ...removeUndefined({ error }) });
      const restarts = one.work.reason === 'restart' && this.#known(one.work)?.restartDue !== undefined;
      if (error === undefined && !restarts) back.add(one);
    };
    for await (const _looked of runInPool(works, look, { concurrency: LOOKS_AT_ONCE, signal }));
    return works.filter((one) => back.has(one));
  }

  #known({ device, url }: OpenWork): Device | undefined {
    try {
      return findKnown({ deviceId: device, url }, this.#options.devices.find);
    } catch {
      return undefined;
    }
  }

  /** Goes on with the jobs of this work, and returns it by the jobs that do. */
  #takeUp(
    works: readonly StoredOpenWork[],
    options: { readonly atOnce: boolean },
  ): ReadonlyMap<string, readonly StoredOpenWork[]> {
    const { jobs, store, clock, user } = this.#options;
    // A person who has work done now does it here.
    if (options.atOnce) takeWorkOver(store, works, { at: clock.now().toISOString(), by: user });
    const begun = new Map<string, readonly StoredOpenWork[]>();
    for (const [jobId, ofJob] of Map.groupBy(works, ({ work }) => work.job)) {
      const positions = ofJob.map(({ position }) => position);
      try {
        if (jobs.takeUp(jobId, positions, options)) begun.set(jobId, ofJob);
      } catch (thrown) {
        const error = toErrorShape(thrown);
        // Another job has one of the devices, or this program cannot work now: the next round may.
        if (isOwnTrouble(error)) continue;
        for (const one of ofJob) keepReason(store, one, error);
      }
    }
    return begun;
  }

  async #awaitEnd(id: string, signal: AbortSignal): Promise<Job> {
    for await (const event of this.#options.jobs.watch({ id }, signal)) if (event.type === 'end') break;
    return this.#options.jobs.show({ id });
  }
}

function findOpenWorkIfLeft(all: readonly StoredOpenWork[], id: string): StoredOpenWork | undefined {
  return all.find(({ work }) => work.id === id);
}

/** A job keeps data for the address that a device had: a person says whether it may go to another one. */
function createMovedError(device: string, { url: from }: OpenWork): ErrorShape {
  return { code: 'changed-meanwhile', source: 'app', device, ...say('work-moved', { from, to: device }) };
}

/** Leaves the oldest work of each device: what was decided later comes later. */
function onePerDevice(works: readonly StoredOpenWork[]): readonly StoredOpenWork[] {
  const seen = new Set<string>();
  return works.filter(({ work: { device, url } }) => {
    const key = device === '' ? url : device;
    return !seen.has(key) && seen.add(key);
  });
}

/** Says what became of the work when its job had ended. */
function describeEnd(
  { work, position }: StoredOpenWork,
  job: Job,
): OpenWorkEvent & { readonly type: 'work' } {
  const result = job.results[position];
  const { error: _before, ...rest } = work;
  const { open, state, error } = result ?? { open: undefined, state: 'failed' as const, error: undefined };
  const outcome = open !== undefined ? 'open' : state === 'done' ? 'done' : 'failed';
  return { type: 'work', ...rest, reason: open ?? work.reason, outcome, error };
}
