/** Units of the journal for what the steps of a flow write: each is a section like any other, behind the steps. */
import type { ErrorShape, StatusReport } from '#shared/errors.ts';
import type { Change, NoUndo, Params, SectionResult, UnitOutcome, UnitResult } from '#shared/model.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { JobContext } from '../jobs/job-kind.ts';
import type { Intent } from '../jobs/journal.ts';
import type { UnitKey } from '../jobs/types.ts';
import type { Effects, StepKey } from './effects.ts';

/** Section or operation of a write. */
export interface WrittenPlace {
  readonly set: string;
  readonly params: Params;
  /** Label in English. */
  readonly label: string;
  readonly noUndo?: NoUndo;
  /** True if its documents hold secrets. */
  readonly sensitive: boolean;
}

interface Settled {
  readonly outcome: UnitOutcome;
  readonly status?: StatusReport;
  readonly error?: ErrorShape;
}

const PREFIX = 'unit:';

export class WriteUnits {
  readonly #key: StepKey;
  readonly #effects: Effects;
  readonly #context: JobContext;
  readonly #canSeal: () => void;

  /** `canSeal` throws `vault-locked` where documents with secrets could not be kept. */
  constructor(key: StepKey, effects: Effects, context: JobContext, canSeal: () => void) {
    this.#key = key;
    this.#effects = effects;
    this.#context = context;
    this.#canSeal = canSeal;
  }

  /** Records on disk that a write is about to be sent, with the documents that an undo of it needs. */
  async intend(
    name: string,
    { sensitive, ...place }: WrittenPlace,
    changes: readonly Change[],
    documents: Omit<Intent, 'sensitive'> | undefined,
  ): Promise<void> {
    const { job, journal, clock } = this.#context;
    const unit = this.#ensure(name, { ...place, changes });
    const isKept = documents !== undefined && place.noUndo === undefined && (!sensitive || this.#isOpen());
    await journal.intent(
      this.#unitKey(unit.index),
      unit,
      clock.now().toISOString(),
      isKept ? { ...documents, sensitive } : undefined,
    );
    job.unit(this.#key.position, unit);
  }

  /** Records the outcome of a write; `shown`: document that the device shows afterwards. */
  settle(
    name: string,
    settled: Settled,
    shown?: { readonly text: string; readonly sensitive: boolean },
  ): void {
    const index = this.#effects.find(this.#key, PREFIX + name)?.value;
    const unit = this.#units.find((one) => one.index === index);
    if (unit === undefined) return;
    const { job, journal, clock } = this.#context;
    const { outcome: _outcome, status: _status, error: _error, ...rest } = unit;
    const result: UnitResult = { ...rest, ...removeUndefined(settled) };
    job.unit(this.#key.position, result);
    journal.settled(this.#unitKey(unit.index), result, clock.now().toISOString(), shown);
  }

  /** Settles writes of the step that this run left open. `outcomeOf`: what is known of a write. */
  close(outcomeOf: (name: string) => UnitOutcome): void {
    for (const { step, key, value } of this.#effects.of(this.#key)) {
      if (step !== this.#key.step || !key.startsWith(PREFIX)) continue;
      const name = key.slice(PREFIX.length);
      const unit = this.#units.find(({ index }) => index === value);
      if (unit?.outcome === 'pending') this.settle(name, { outcome: outcomeOf(name) });
    }
  }

  get #units(): readonly UnitResult[] {
    return this.#context.job.results[this.#key.position]?.units ?? [];
  }

  /** Returns the unit of a write that is sent once more, or adds it. */
  #ensure(
    name: string,
    section: Pick<SectionResult, 'set' | 'params' | 'label' | 'changes'> & { readonly noUndo?: NoUndo },
  ): SectionResult {
    const { job, journal } = this.#context;
    const units = this.#units;
    const known = this.#effects.find(this.#key, PREFIX + name)?.value as number | undefined;
    const index = known ?? Math.max(-1, ...units.map((unit) => unit.index)) + 1;
    const result: SectionResult = { index, outcome: 'pending', ...section };
    if (known === undefined) this.#effects.put(this.#key, PREFIX + name, index);
    if (units.some((unit) => unit.index === index)) return result;
    job.setUnits(this.#key.position, [...units, result]);
    journal.addUnits(job.id, job.kind, this.#key.position, [{ result }]);
    return result;
  }

  #unitKey(index: number): UnitKey {
    const { jobId, position } = this.#key;
    return { jobId, position, index };
  }

  /** Returns false while the vault is locked: the write is sent all the same, and cannot be undone. */
  #isOpen(): boolean {
    try {
      this.#canSeal();
      return true;
    } catch {
      return false;
    }
  }
}
