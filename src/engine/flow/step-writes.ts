/**
 * What a step sends: a setting, or a single call. Each is shown and confirmed, journalled, settled as every write is, and
 * followed through the restart that it may need. What is known of it is kept, so that the next run of the step sends
 * nothing again that the device may have taken.
 */
import { defined } from '../../shared/defined.ts';
import { say, someOf } from '../../shared/details.ts';
import { answerKind } from '../../shared/error-meaning.ts';
import { appError, FieldwrightError, type ErrorShape } from '../../shared/errors.ts';
import type { Change } from '../../shared/model.ts';
import { desiredState } from '../plan/desired.ts';
import { planOne, shownChanges, type PlannedSection } from '../plans/plan-sections.ts';
import { createReader, type SectionReader } from '../plans/read-section.ts';
import { specifiedOperation } from '../specified.ts';
import { lookPatiently, lookUntilTaken, settleWrite, type Seen } from '../write/settle-write.ts';
import { visible, writeSection, type Verdict } from '../write/write-section.ts';
import { throughRestart } from './restart.ts';
import type { Call, Question, SentSecret, Setting, Written } from './flow.ts';
import { backOf, sectionOf, unwritable, withoutSecrets, type KeptSetting } from './setting.ts';
import type { StepHands } from './step-run.ts';

/** In the journal: what became of it, what was set (without its secrets), and what a temporary write has to put back. */
export interface KeptWrite {
  readonly written: Written;
  readonly setting: KeptSetting;
  readonly back?: Pick<Setting, 'set' | 'params' | 'value'>;
}
/** A write that was about to be sent. */
interface SentWrite {
  readonly changes: readonly Change[];
  readonly back?: KeptWrite['back'];
}
/** In the journal; `secret`: name of the secret that went along. */
type KeptCall = Written & { readonly secret?: string };

type Look = () => Promise<Seen>;

/** One write under way. */
interface Course {
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
  /** What it is where `look` sees it. */
  readonly taken: 'effective' | 'accepted';
  /** Looks whether the device shows it after its restart. */
  readonly lookAfterRestart: Look | undefined;
  readonly keep: (written: Written) => void;
}
type Became = Omit<Written, 'changes' | 'root'>;

/** Does not abort: what is under way is finished. */
const NEVER = new AbortController().signal;

export class StepWrites {
  readonly #hands: StepHands;

  constructor(hands: StepHands) {
    this.#hands = hands;
  }

  async call(
    key: string,
    make: () => Call,
    changes: readonly Change[],
    question: Question,
  ): Promise<Written> {
    const { find, put, confirm, options } = this.#hands;
    const { device, job, prepare } = options;
    const name = `call:${key}`;
    const known = find(name)?.value as KeptCall | undefined;
    if (known !== undefined && isCertain(known)) {
      this.#succeed(known, known.secret === undefined ? undefined : { name: known.secret });
      return known;
    }
    const { mayRefuse = false, isTrial = false, look: lookAtIt, secret, ...request } = make();
    const operation = specifiedOperation(request.operation);
    const look = lookOf(lookAtIt);
    const course: Course = {
      name,
      operation: operation.id,
      changes,
      root: operation.request?.root ?? operation.id,
      secret,
      mayRefuse,
      isTrial,
      sentBefore: find(`${name}#sent`) !== undefined,
      look,
      taken: 'effective',
      lookAfterRestart: look,
      keep: (written) => put(name, { ...written, ...(secret && { secret: secret.name }) } satisfies KeptCall),
    };
    if (known?.outcome === 'needs-reboot') return isTrial ? known : this.#afterRestart(course, known);
    if (course.sentBefore && (look !== undefined || !operation.idempotent)) {
      // It may have arrived: doing it twice is not the same as once.
      const found = await this.#findOut(course, known?.error);
      if (found !== undefined) return found;
    }
    if (!course.sentBefore || known !== undefined)
      await confirm(key, question, { set: operation.id, changes });
    const { send } = await prepare({ deviceId: device.id, ...request }, { signal: job.job.stopped });
    const settled = await settleWrite({
      operation,
      device: device.url,
      ...defined({ look }),
      sentBefore: course.sentBefore,
      intend: () => this.#intend(course, true),
      send: () => send({ signal: NEVER }),
      clock: job.clock,
      signal: NEVER,
    });
    return this.#conclude(course, settled, settled.outcome === 'effective' ? 'read-back' : 'written');
  }

  /** `key` also names the question and, with `write:`, the effect. */
  async write(key: string, setting: Setting, question: Question): Promise<Written> {
    const { find, put, confirm, options } = this.#hands;
    const { job, device } = options;
    const name = `write:${key}`;
    const known = find(name)?.value as KeptWrite | undefined;
    if (known !== undefined && isCertain(known.written)) {
      this.#succeed(known.written, setting.secret);
      return known.written;
    }
    const section = sectionOf(setting);
    const operation = section.resource.put;
    const client = job.clients.get(device.id);
    const reader = createReader({ client, clock: job.clock, signal: NEVER, device: device.url });
    const earlier = find(`${name}#sent`)?.value as SentWrite | undefined;
    const courseOf = (changes: readonly Change[], kept: Omit<KeptWrite, 'written'>): Course => ({
      name,
      operation: operation.id,
      changes,
      root: operation.request.root ?? operation.id,
      secret: setting.secret,
      mayRefuse: false,
      isTrial: false,
      sentBefore: earlier !== undefined,
      look: lookOf(setting.look),
      // Its document cannot tell.
      taken: 'accepted',
      lookAfterRestart: () => lookAtSection(section, reader, device.url),
      keep: (written) => put(name, { ...kept, written } satisfies KeptWrite),
    });
    if (known?.written.outcome === 'needs-reboot')
      return this.#afterRestart(courseOf(known.written.changes, known), known.written);

    const planned = await planOne(section, reader, device.url);
    const { plan, desired, patch } = planned;
    const [problem] = plan.problems;
    if (desired === undefined) throw new FieldwrightError(problem ?? unwritable(setting, device.url));
    const back = setting.temporary !== true ? {} : { back: earlier?.back ?? backOf(setting, planned) };
    const kept = { setting: withoutSecrets(setting, desired.value), ...back };
    if (earlier !== undefined && setting.look !== undefined) {
      const found = await this.#findOut(courseOf(earlier.changes, kept), known?.written.error);
      if (found !== undefined) return found;
    }
    if (plan.changes.length === 0)
      return this.#done(
        courseOf(earlier?.changes ?? [], kept),
        earlier === undefined
          ? { outcome: 'unchanged', proof: 'read-back' }
          : { outcome: 'effective', proof: 'read-back', settled: true },
      );
    const isAsked = earlier === undefined || known !== undefined;
    const changes = isAsked ? shownChanges(plan.changes, client.shown) : earlier.changes;
    if (isAsked) await confirm(name, question, { set: setting.set, changes });
    // Somebody looked at it for a while: what is written goes over what the device shows by now.
    const now = isAsked ? await planOne(section, reader, device.url, planned) : planned;
    const isAsShown =
      (isAsked && now === planned) ||
      JSON.stringify(shownChanges(now.plan.changes, client.shown)) === JSON.stringify(changes);
    if (now.desired === undefined || !isAsShown)
      throw appError('plan-outdated', say('flow-changed-meanwhile'), { device: device.url });
    const course = courseOf(changes, kept);
    const { shown, ...verdict } = await writeSection(
      {
        section,
        desired: now.desired,
        device: device.url,
        want: (state) => desiredState(operation.request, patch, state),
        sentBefore: course.sentBefore,
      },
      {
        client,
        reader,
        clock: job.clock,
        signal: NEVER,
        intent: () => this.#intend(course, { changes, ...back } satisfies SentWrite),
        phase: () => undefined,
      },
    );
    // A device that shows itself shows all but secrets.
    return this.#conclude(course, verdict, shown === undefined ? 'written' : 'read-back');
  }

  /** Resolves when it is on disk that the write may have left; nothing is sent before. */
  async #intend({ name, secret }: Course, sent: unknown): Promise<void> {
    const { put, options } = this.#hands;
    put(`${name}#sent`, sent);
    if (secret !== undefined) options.secrets.mark(secret.name, 'sent');
    await options.begin();
  }

  /** Keeps what is certain. Throws what a person has to decide about. */
  async #conclude(
    course: Course,
    { outcome, status, error }: Pick<Verdict, 'outcome' | 'status' | 'error'>,
    proof: Written['proof'],
  ): Promise<Written> {
    switch (outcome) {
      case 'effective':
      case 'accepted':
        return this.#done(course, { outcome, proof, ...defined({ status }) });
      case 'needs-reboot': {
        const became: Became = { outcome, proof: 'written', ...defined({ status }) };
        return course.isTrial
          ? this.#done(course, { ...became, error: this.#restartNeeded(course) })
          : this.#afterRestart(course, this.#done(course, became));
      }
      case 'unknown': {
        if (error === undefined || answerKind(error) !== 'unreadable') throw this.#errorOf(course, error);
        const found = await this.#findOut(course, error);
        if (found !== undefined) return found;
        break;
      }
      case 'refused':
      case 'ignored': {
        const refusal = error ?? this.#notShown(course);
        if (course.mayRefuse)
          return this.#done(course, {
            outcome,
            proof: 'written',
            error: refusal,
            ...defined({ status }),
          });
        this.#forget(course, answerKind(refusal) === 'trouble');
        throw new FieldwrightError(refusal);
      }
      default:
    }
    this.#forget(course, outcome !== 'failed');
    throw this.#errorOf(course, error);
  }

  /**
   * Looks at what became of a write that may have arrived. Undefined where the device shows that it did not take it, so that
   * it may be sent again; unknown where nothing shows it.
   */
  async #findOut(course: Course, error: ErrorShape | undefined): Promise<Written | undefined> {
    const { device, job } = this.#hands.options;
    const seen =
      course.look === undefined
        ? undefined
        : await lookPatiently({
            look: course.look,
            device: device.url,
            clock: job.clock,
            signal: job.job.stopped,
          });
    switch (seen?.kind) {
      case 'taken':
      case 'unproved':
        return this.#done(course, { outcome: course.taken, proof: 'read-back', settled: true });
      case 'lost':
        throw new FieldwrightError(seen.error);
      case 'untouched':
      case 'differs':
        return undefined;
      default:
        return this.#done(course, {
          outcome: 'unknown',
          proof: 'written',
          error: error ?? this.#arrivalUnknown(course),
        });
    }
  }

  /** Asks for the restart that the write needs, sees it through, and looks what the device shows then. */
  async #afterRestart(course: Course, { status }: Written): Promise<Written> {
    const { device, job } = this.#hands.options;
    const restart = await throughRestart(course.name, this.#hands);
    const seen =
      course.lookAfterRestart === undefined
        ? undefined
        : await lookUntilTaken({
            look: course.lookAfterRestart,
            device: device.url,
            clock: job.clock,
            signal: job.job.stopped,
          });
    switch (seen?.kind) {
      case 'lost':
        throw new FieldwrightError(seen.error);
      case 'untouched':
      case 'differs': {
        const names = someOf(course.changes.map(({ path }) => path));
        const error: ErrorShape = { ...this.#notShown(course), ...say('old-after-restart', { names }) };
        if (course.mayRefuse)
          return this.#done(course, { outcome: 'ignored', proof: 'written', error, restart });
        this.#forget(course, true);
        throw new FieldwrightError(error);
      }
      default:
        return this.#done(course, {
          outcome: seen?.kind === 'taken' ? 'effective' : 'accepted',
          proof: seen?.kind === 'taken' || seen?.kind === 'unproved' ? 'read-back' : 'written',
          restart,
          ...defined({ status }),
        });
    }
  }

  #done(course: Course, became: Became): Written {
    const { changes, root } = course;
    const written = { ...became, changes, root };
    course.keep(written);
    this.#succeed(written, course.secret);
    return written;
  }

  /** A secret comes into force only where the device took it readably, and needs no restart for it. */
  #succeed({ outcome }: Written, secret: SentSecret | undefined): void {
    if (
      secret !== undefined &&
      (outcome === 'effective' || outcome === 'accepted' || outcome === 'unchanged')
    )
      this.#hands.options.secrets.succeed(secret.name, secret.former);
  }

  /** The next try asks again. `isDoubtful`: the device may hold what was sent all the same. */
  #forget({ name, secret, sentBefore }: Course, isDoubtful: boolean): void {
    const { options } = this.#hands;
    options.effects.drop(options.key, `${name}#sent`);
    if (secret !== undefined && !isDoubtful && !sentBefore) options.secrets.mark(secret.name, 'not-taken');
  }

  #errorOf(course: Course, error: ErrorShape | undefined): FieldwrightError {
    return new FieldwrightError(error ?? this.#arrivalUnknown(course));
  }

  #arrivalUnknown({ operation }: Course): ErrorShape {
    const { url } = this.#hands.options.device;
    return {
      code: 'connection-lost',
      source: 'device',
      operation,
      device: url,
      ...say('flow-arrival-unknown'),
    };
  }

  #restartNeeded({ operation }: Course): ErrorShape {
    const { url } = this.#hands.options.device;
    return {
      code: 'reboot-required',
      source: 'device',
      operation,
      device: url,
      ...say('flow-restart-first'),
    };
  }

  #notShown({ operation }: Course): ErrorShape {
    const { url } = this.#hands.options.device;
    return { code: 'refused', source: 'device', operation, device: url, ...say('flow-not-shown') };
  }
}

/** Nothing more is to be found out about it. */
function isCertain({ outcome }: Written): boolean {
  return outcome !== 'unknown' && outcome !== 'needs-reboot';
}

function lookOf(look: Setting['look']): Look | undefined {
  return look && (async () => ({ kind: await look(), shown: undefined }));
}

/** Looks whether a device shows a section as it was wanted; secrets are never shown. */
async function lookAtSection(
  section: PlannedSection['section'],
  reader: SectionReader,
  device: string,
): Promise<Seen> {
  const { desired, plan } = await planOne(section, reader, device);
  if (desired === undefined) return { kind: 'hidden' };
  if (plan.changes.length === 0) return { kind: 'taken', shown: undefined };
  return { kind: visible(plan.changes).length === 0 ? 'unproved' : 'untouched', shown: undefined };
}
