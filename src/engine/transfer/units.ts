/** The units of one device while it is worked on: shown at once, on disk before anything is sent and soon after anything changed. */
import type { Detail } from '#shared/details.ts';
import type { ModelLogLine, ModelStep } from '#shared/ai-models/ai-models.ts';
import type { JobContext } from '../jobs/job-kind.ts';
import type { ModelResult } from './documents.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';

const WRITE_MS = 500;
/** Number of log lines of one device; further ones are only counted. */
const MOST_LINES = 100;

export type UnitPatch = Partial<Omit<ModelResult, 'index' | 'label' | 'title' | 'step'>>;

export class DeviceUnits {
  readonly #position: number;
  readonly #context: JobContext;
  readonly #written = new Map<number, number>();

  constructor(position: number, context: JobContext) {
    this.#position = position;
    this.#context = context;
  }

  get all(): readonly ModelResult[] {
    return (this.#context.job.results[this.#position]?.units ?? []) as readonly ModelResult[];
  }

  of(step: Exclude<ModelStep, 'engine' | 'previous'>): ModelResult {
    const unit = this.find(step);
    if (unit === undefined) throw new Error(`no unit ${step}`);
    return unit;
  }

  find(step: ModelStep): ModelResult | undefined {
    return this.all.find((unit) => unit.step === step);
  }

  /** Returns the current state of a unit: one passed on before may be outdated. */
  at(index: number): ModelResult {
    const unit = this.all.find((each) => each.index === index);
    if (unit === undefined) throw new Error(`no unit ${index}`);
    return unit;
  }

  /** Nothing that counts is lost where this comes to disk late or never. */
  show({ index }: Pick<ModelResult, 'index'>, patch: UnitPatch): ModelResult {
    const unit: ModelResult = { ...this.at(index), ...patch };
    this.#context.job.unit(this.#position, unit);
    const now = this.#context.clock.now().getTime();
    if (now - (this.#written.get(index) ?? 0) >= WRITE_MS) this.#write(unit);
    return unit;
  }

  /** Resolves when it is on disk that the unit is begun. */
  async begin(unit: Pick<ModelResult, 'index'>, patch: UnitPatch = {}): Promise<void> {
    const { error: _error, ...now } = { ...this.at(unit.index), ...patch };
    this.#context.job.unit(this.#position, now);
    await this.#context.journal.intent(this.#key(unit.index), now, this.#at());
  }

  /** Final, or final for now. */
  settle({ index }: Pick<ModelResult, 'index'>, { error, ...patch }: UnitPatch): void {
    const { error: _error, ...before } = this.at(index);
    const unit: ModelResult = { ...before, ...patch, ...removeUndefined({ error }) };
    this.#context.job.unit(this.#position, unit);
    this.#write(unit);
  }

  /** Adds a line to the log of this device, which is kept with its proof. */
  log(text: Detail): void {
    const unit = this.of('proof');
    const { log = [], logDropped = 0 } = unit;
    const line: ModelLogLine = { at: this.#at(), text };
    if (log.length < MOST_LINES) this.show(unit, { log: [...log, line] });
    else this.show(unit, { logDropped: logDropped + 1 });
  }

  /** Shows that a person has to act at the device. */
  waiting({ index }: Pick<ModelResult, 'index'>): void {
    this.#context.job.phase(this.#position, index, 'waiting');
  }

  /** Makes all unfinished units wait: they continue after the restart. */
  holdForRestart(error?: ModelResult['error']): void {
    const waiting = this.all.filter(({ outcome }) => outcome === 'pending' || outcome === 'needs-reboot');
    for (const [nth, unit] of waiting.entries())
      this.settle(unit, {
        outcome: 'needs-reboot',
        stage: 'waits-for-restart',
        ...(nth === 0 && error !== undefined ? { error } : {}),
      });
  }

  /** Brings to disk what was only shown. */
  flush(): void {
    for (const unit of this.all) this.#write(unit);
  }

  #write(unit: ModelResult): void {
    this.#written.set(unit.index, this.#context.clock.now().getTime());
    this.#context.journal.settled(this.#key(unit.index), unit, this.#at());
  }

  #key(index: number) {
    return { jobId: this.#context.job.id, position: this.#position, index };
  }

  #at(): string {
    return this.#context.clock.now().toISOString();
  }
}
