/** One write of a step on its way: its intent, what became of it, the restart that it may need, and the secret that it carries. */
import { defined } from '../../shared/defined.ts';
import { say, someOf } from '../../shared/details.ts';
import { answerKind } from '../../shared/error-meaning.ts';
import { FieldwrightError, type ErrorShape } from '../../shared/errors.ts';
import type { Change } from '../../shared/model.ts';
import { lookPatiently, lookUntilTaken, type Seen } from '../write/settle-write.ts';
import type { Verdict } from '../write/write-section.ts';
import { throughRestart } from './restart.ts';
import type { SentSecret, Written } from './flow.ts';
import type { StepHands } from './step-hands.ts';

export type Look = () => Promise<Seen>;

/** One write under way. */
export interface StepWrite {
  /** Key of the effect that holds it; of its intent with `#sent`. */
  readonly name: string;
  readonly operation: string;
  readonly changes: readonly Change[];
  readonly root: string;
  readonly secret: SentSecret | undefined;
  readonly mayRefuse: boolean;
  readonly isTrial: boolean;
  /** It was sent, or may have been, by an earlier run. */
  readonly sentBefore: boolean;
  /** Finds out what became of it, where nothing else tells. */
  readonly look: Look | undefined;
  /** Outcome where `look` sees it. */
  readonly taken: 'effective' | 'accepted';
  /** Looks whether the device shows it after its restart. */
  readonly lookAfterRestart: Look | undefined;
  readonly keep: (written: Written) => void;
}
type Became = Omit<Written, 'changes' | 'root'>;

export class WriteSettler {
  readonly #hands: StepHands;

  constructor(hands: StepHands) {
    this.#hands = hands;
  }

  /** Resolves when it is on disk that the write may have left; nothing is sent before. */
  async intend({ name, secret }: StepWrite, sent: unknown): Promise<void> {
    const { put, options } = this.#hands;
    put(`${name}#sent`, sent);
    if (secret !== undefined) options.secrets.mark(secret.name, 'sent');
    await options.begin();
  }

  /** Keeps what is certain. Throws what a person has to decide about. */
  async conclude(
    one: StepWrite,
    { outcome, status, error }: Pick<Verdict, 'outcome' | 'status' | 'error'>,
    proof: Written['proof'],
  ): Promise<Written> {
    switch (outcome) {
      case 'effective':
      case 'accepted':
        return this.done(one, { outcome, proof, ...defined({ status }) });
      case 'needs-reboot': {
        const became: Became = { outcome, proof: 'written', ...defined({ status }) };
        return one.isTrial
          ? this.done(one, { ...became, error: this.#restartNeeded(one) })
          : this.afterRestart(one, this.done(one, became));
      }
      case 'unknown': {
        if (error === undefined || answerKind(error) !== 'unreadable') throw this.#errorOf(one, error);
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
            ...defined({ status }),
          });
        this.#forget(one, answerKind(refusal) === 'trouble');
        throw new FieldwrightError(refusal);
      }
      default:
    }
    this.#forget(one, outcome !== 'failed');
    throw this.#errorOf(one, error);
  }

  /**
   * Looks at what became of a write that may have arrived. Undefined where the device shows that it did not take it, so that
   * it may be sent again; unknown where nothing shows it.
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
        return this.done(one, { outcome: one.taken, proof: 'read-back', settled: true });
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

  /** Asks for the restart that the write needs, sees it through, and looks what the device shows then. */
  async afterRestart(one: StepWrite, { status }: Written): Promise<Written> {
    const { device, job } = this.#hands.options;
    const restart = await throughRestart(one.name, this.#hands);
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
        const names = someOf(one.changes.map(({ path }) => path));
        const error: ErrorShape = { ...this.#notShown(one), ...say('old-after-restart', { names }) };
        if (one.mayRefuse) return this.done(one, { outcome: 'ignored', proof: 'written', error, restart });
        this.#forget(one, true);
        throw new FieldwrightError(error);
      }
      default:
        return this.done(one, {
          outcome: seen?.kind === 'taken' ? 'effective' : 'accepted',
          proof: seen?.kind === 'taken' || seen?.kind === 'unproved' ? 'read-back' : 'written',
          restart,
          ...defined({ status }),
        });
    }
  }

  done(one: StepWrite, became: Became): Written {
    const { changes, root } = one;
    const written = { ...became, changes, root };
    one.keep(written);
    this.succeed(written, one.secret);
    return written;
  }

  /** A secret comes into force only where the device took it readably, and needs no restart for it. */
  succeed({ outcome }: Written, secret: SentSecret | undefined): void {
    if (
      secret !== undefined &&
      (outcome === 'effective' || outcome === 'accepted' || outcome === 'unchanged')
    )
      this.#hands.options.secrets.succeed(secret.name, secret.former);
  }

  /** The next try asks again. `isDoubtful`: the device may hold what was sent all the same. */
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
