/** The time of a device's turn: without the hours that the computer slept, and without those that the job stood for it. */
import { say } from '#shared/details.ts';
import type { JobContext } from '../jobs/job-kind.ts';
import type { DeviceUnits } from './units.ts';

const LOOK_MS = 2_000;
/** What the clock may have gone on between two looks beside the wait itself; more is a computer that slept. */
const SLEPT_MS = 20_000;

/**
 * A computer that slept may have woken in another network: its job stands, with the reason, until somebody goes on.
 * Devices that still fetch get their bytes meanwhile.
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

  /** Milliseconds; goes on only while the computer is awake and the job does not stand. */
  now(): number {
    return this.#wall() - this.#lost;
  }

  /** Looks whether the computer slept until it is disposed of. */
  watch(): Disposable {
    const end = new AbortController();
    void this.#watch(end.signal).catch(() => undefined);
    return { [Symbol.dispose]: () => end.abort() };
  }

  /** Resolves at once, or where the computer slept when somebody goes on or stops the job. */
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
