/** Settles a write of a step: its intent, its outcome, the restart that it may need, and the secret that it carries. */
import { say, formatSomeNames } from '#shared/details.ts';
import { answerKind } from '#shared/error-meaning.ts';
import { FieldwrightError, type ErrorShape } from '#shared/errors.ts';
import type { Change } from '#shared/model.ts';
import { lookPatiently, lookUntilTaken, type Seen } from '../write/settle-write.ts';
import type { Verdict } from '../write/write-section.ts';
import { waitForRestart } from './restart.ts';
import type { SentSecret, Written } from './flow.ts';
import type { Intent } from '../jobs/journal.ts';
import type { StepHands } from './step-hands.ts';
import type { WrittenPlace } from './write-units.ts';

/** `shown`: document of the device. */
export type Look = () => Promise<Seen<string | undefined>>;

/** Write that a step is sending, or that an earlier run sent. */
export interface StepWrite {
  /** Key of the effect that records the write; its intent has the same key with `#sent` appended. */
  readonly name: string;
  readonly operation: string;
  /** Its section or operation. */
  readonly place: WrittenPlace;
  readonly changes: readonly Change[];
  readonly root: string;
  readonly secret: SentSecret | undefined;
  readonly mayRefuse: boolean;
  readonly isTrial: boolean;
  /** True if an earlier run sent it, or may have. */
  readonly sentBefore: boolean;
  /** Looks for the effect of the write where its answer is missing or unclear. */
  readonly look: Look | undefined;
  /** Outcome where `look` sees it. */
  readonly taken: 'effective' | 'accepted';
  readonly lookAfterRestart: Look | undefined;
  readonly keep: (written: Written) => void;
}
type Became = Omit<Written, 'changes' | 'root' | 'operation'>;

export class WriteSettler {
  readonly #hands: StepHands;

  constructor(hands: StepHands) {
    this.#hands = hands;
  }

  /** Records on disk that the write may have been sent. Await it before sending. */
  async intend(one: StepWrite, sent: unknown, documents?: Omit<Intent, 'sensitive'>): Promise<void> {
    const { put, options } = this.#hands;
    const { name, secret, place, changes } = one;
    put(`${name}#sent`, sent);
    if (secret !== undefined) options.secrets.mark(secret.name, 'sent');
    await options.begin();
    if (!one.isTrial) await options.units.intend(name, place, changes, documents);
  }

  #settle(
    { name, place }: StepWrite,
    became: Pick<Verdict, 'outcome' | 'status' | 'error'>,
    shown?: string,
  ): void {
    const { outcome, status, error } = became;
    this.#hands.options.units.settle(
      name,
      { outcome, status, error },
      shown === undefined ? undefined : { text: shown, sensitive: place.sensitive },
    );
  }

  /** Records and returns a certain outcome. Throws an error that a person has to decide about. */
  async conclude(
    one: StepWrite,
    { outcome, status, error, shown }: Pick<Verdict, 'outcome' | 'status' | 'error' | 'shown'>,
    proof: Written['proof'],
  ): Promise<Written> {
    switch (outcome) {
      case 'effective':
      case 'accepted':
        return this.done(one, { outcome, proof, status }, shown);
      case 'needs-reboot': {
        const became: Became = { outcome, proof: 'written', status };
        return one.isTrial
          ? this.done(one, { ...became, error: this.#restartNeeded(one) })
          : this.afterRestart(one, this.done(one, became));
      }
      case 'unknown': {
        if (error === undefined || answerKind(error) !== 'unreadable') {
          this.#settle(one, { outcome, error });
          throw this.#errorOf(one, error);
        }
        const found = await this.findOut(one, error);
        if (found !== undefined) return found;
        break;
      }
      case 'refused':
      case 'ignored': {
        const refusal = error ?? this.#notShown(one);
        if (one.mayRefuse)
          return this.done(one, {
            outcome,
            proof: 'written',
            error: refusal,
            status,
          });
        this.#settle(one, { outcome, error: refusal, status });
        this.#forget(one, answerKind(refusal) === 'trouble');
        throw new FieldwrightError(refusal);
      }
      default:
    }
    this.#settle(one, { outcome: outcome === 'failed' ? outcome : 'unknown', error });
    this.#forget(one, outcome !== 'failed');
    throw this.#errorOf(one, error);
  }

  /**
   * Finds out the outcome of a write that may have arrived. Returns undefined if the device shows that it did not take
   * it, so that it may be sent again; the outcome is `unknown` if nothing shows it.
   */
  async findOut(one: StepWrite, error: ErrorShape | undefined): Promise<Written | undefined> {
    const { device, job } = this.#hands.options;
    const seen =
      one.look === undefined
        ? undefined
        : await lookPatiently({
            look: one.look,
            device: device.url,
            clock: job.clock,
            signal: job.job.stopped,
          });
    switch (seen?.kind) {
      case 'taken':
      case 'unproved':
        return this.done(one, { outcome: one.taken, proof: 'read-back', settled: true }, seen.shown);
      case 'lost':
        throw new FieldwrightError(seen.error);
      case 'untouched':
      case 'differs':
        return undefined;
      default:
        return this.done(one, {
          outcome: 'unknown',
          proof: 'written',
          error: error ?? this.#arrivalUnknown(one),
        });
    }
  }

  /** Asks for the restart that the write needs, waits for it, and looks for the effect of the write afterwards. */
  async afterRestart(one: StepWrite, { status }: Written): Promise<Written> {
    const { device, job } = this.#hands.options;
    const restart = await waitForRestart(one.name, this.#hands);
    const seen =
      one.lookAfterRestart === undefined
        ? undefined
        : await lookUntilTaken({
            look: one.lookAfterRestart,
            device: device.url,
            clock: job.clock,
            signal: job.job.stopped,
          });
    switch (seen?.kind) {
      case 'lost':
        throw new FieldwrightError(seen.error);
      case 'untouched':
      case 'differs': {
        const names = formatSomeNames(one.changes.map(({ path }) => path));
        const error: ErrorShape = { ...this.#notShown(one), ...say('old-after-restart', { names }) };
        if (one.mayRefuse) return this.done(one, { outcome: 'ignored', proof: 'written', error, restart });
        this.#settle(one, { outcome: 'ignored', error });
        this.#forget(one, true);
        throw new FieldwrightError(error);
      }
      default:
        return this.done(
          one,
          {
            outcome: seen?.kind === 'taken' ? 'effective' : 'accepted',
            proof: seen?.kind === 'taken' || seen?.kind === 'unproved' ? 'read-back' : 'written',
            restart,
            status,
          },
          seen?.shown,
        );
    }
  }

  done(one: StepWrite, became: Became, shown?: string): Written {
    const { changes, root, operation } = one;
    const written = { ...became, changes, root, operation };
    one.keep(written);
    // A write that waits for a restart is settled when that is over.
    if (became.outcome !== 'needs-reboot') this.#settle(one, became, shown);
    this.succeed(written, one.secret);
    return written;
  }

  /** Makes the secret the current one if the device confirmed the write and needs no restart for it. */
  succeed({ outcome }: Written, secret: SentSecret | undefined): void {
    if (
      secret !== undefined &&
      (outcome === 'effective' || outcome === 'accepted' || outcome === 'unchanged')
    )
      this.#hands.options.secrets.succeed(secret.name, secret.former);
  }

  /** Drops the intent, so that the next try asks again. `isDoubtful`: the device may have taken the write nevertheless. */
  #forget({ name, secret, sentBefore }: StepWrite, isDoubtful: boolean): void {
    const { options } = this.#hands;
    options.effects.drop(options.key, `${name}#sent`);
    if (secret !== undefined && !isDoubtful && !sentBefore) options.secrets.mark(secret.name, 'not-taken');
  }

  #errorOf(one: StepWrite, error: ErrorShape | undefined): FieldwrightError {
    return new FieldwrightError(error ?? this.#arrivalUnknown(one));
  }

  #arrivalUnknown({ operation }: StepWrite): ErrorShape {
    const { url } = this.#hands.options.device;
    return {
      code: 'connection-lost',
      source: 'device',
      operation,
      device: url,
      ...say('flow-arrival-unknown'),
    };
  }

  #restartNeeded({ operation }: StepWrite): ErrorShape {
    const { url } = this.#hands.options.device;
    return {
      code: 'reboot-required',
      source: 'device',
      operation,
      device: url,
      ...say('flow-restart-first'),
    };
  }

  #notShown({ operation }: StepWrite): ErrorShape {
    const { url } = this.#hands.options.device;
    return { code: 'refused', source: 'device', operation, device: url, ...say('flow-not-shown') };
  }
}
