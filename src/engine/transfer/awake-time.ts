/**
 * Measures the time of a device: without the hours that the computer slept, or that the job was paused for
 * it.
 */
import { say } from '#shared/details.ts';
import type { JobContext } from '../jobs/job-kind.ts';
import type { DeviceUnits } from './units.ts';

const LOOK_MS = 2_000;
/** Milliseconds that the clock may gain on a wait; a larger gap means that the computer slept. */
const SLEPT_MS = 20_000;

/**
 * Pauses a job after the computer slept, since it may have woken in another network. The reason is given, and
 * a person resumes the job. Devices that still fetch get their bytes meanwhile.
 */
export class AwakeTime {
  readonly #context: JobContext;
  readonly #units: DeviceUnits;
  #lost = 0;
  #slept = false;

  constructor(context: JobContext, units: DeviceUnits) {
    this.#context = context;
    this.#units = units;
  }

  /** Returns milliseconds that advance only while the computer is awake and the job is not paused. */
  now(): number {
    return this.#wall() - this.#lost;
  }

  /** Looks whether the computer slept until it is disposed of. */
  watch(): Disposable {
    const end = new AbortController();
    void this.#watch(end.signal).catch(() => undefined);
    return { [Symbol.dispose]: () => end.abort() };
  }

  /** Resolves at once, or after a sleep when a person resumes or stops the job. */
  async whileStanding(): Promise<void> {
    if (!this.#slept) return;
    this.#slept = false;
    const from = this.#wall();
    await this.#context.job.whileUnpaused();
    this.#lost += this.#wall() - from;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { clock, job } = this.#context;
    for (;;) {
      const before = this.#wall();
      await clock.delay(LOOK_MS, signal);
      const gap = this.#wall() - before - LOOK_MS;
      if (gap < SLEPT_MS) continue;
      this.#lost += gap;
      this.#slept = true;
      const reason = say('model.slept', { minutes: Math.max(1, Math.round(gap / 60_000)) });
      this.#units.log(reason.detail);
      job.pause({ code: 'not-available', source: 'app', ...reason });
    }
  }

  #wall(): number {
    return this.#context.clock.now().getTime();
  }
}
