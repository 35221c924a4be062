/** One run of a step: everything it does goes through here and is kept, so that the next run does nothing twice. */
import { say } from '../../shared/details.ts';
import { defined } from '../../shared/defined.ts';
import { appError, FieldwrightError, toErrorShape } from '../../shared/errors.ts';
import type { CallAnswer, Change, Device, Params } from '../../shared/model.ts';
import { constraintsOf, findOperation, statusError, type Constraints } from '../../protocol/index.ts';
import type { OperationsApi } from '../api/routes.ts';
import type { JobContext } from '../jobs/job-kind.ts';
import { desiredState } from '../plan/desired.ts';
import { planOne, shownChanges } from '../plans/plan-sections.ts';
import { createReader } from '../plans/read-section.ts';
import { readWith } from './read-with.ts';
import { backOf, sectionOf, taken, unwritable, withoutSecrets, type KeptSetting } from './setting.ts';
import type { Block } from '../../shared/report.ts';
import { mayHaveArrived } from '../../shared/error-meaning.ts';
import { writeSection } from '../write/write-section.ts';
import type { Answer, Asked } from '../../shared/flows.ts';
import type { Dialogue } from './dialogue.ts';
import type { Effects, StepKey } from './effects.ts';
import type {
  Call,
  FlowField,
  FlowStep,
  Question,
  Setting,
  StepContext,
  StepSecrets,
  Values,
  Watch,
  Watched,
  Written,
} from './flow.ts';
import { specifiedOperation, specifiedResponse } from '../specified.ts';

/** A person goes another way than on. */
export class Detour extends Error {
  readonly answer: Exclude<Answer, { readonly kind: 'values' }>;
  /** Effect to which to go back; undefined: to the step before. */
  readonly to: string | undefined;

  constructor(answer: Detour['answer'], to?: string) {
    super(answer.kind);
    this.answer = answer;
    this.to = to;
  }
}

export interface StepRunOptions {
  readonly key: StepKey;
  readonly step: FlowStep;
  readonly device: StepContext['device'] & Pick<Device, 'url'>;
  readonly user: string;
  readonly effects: Effects;
  readonly dialogue: Dialogue;
  readonly operations: Pick<OperationsApi, 'call'>;
  readonly secrets: StepSecrets;
  readonly job: JobContext;
  /** There is a step before this one to go back to. */
  readonly canGoBack: boolean;
  /** Durable: from now on the step may have sent something. */
  readonly begin: () => Promise<void>;
}

/** In the journal: the verdict, what was set (without its secrets), and what a temporary write has to put back. */
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

/** What goes out, and of what it is. */
interface Sends {
  readonly set: string;
  readonly changes: readonly Change[];
}

const EVERY_MS = 1000;

export class StepRun implements StepContext {
  readonly #options: StepRunOptions;
  readonly #blocks: Block[] = [];
  /** The question to which somebody may go back; `false` where something was sent since. */
  #lastAsked: string | undefined | false;
  readonly device: StepContext['device'];
  readonly jobId: string;
  readonly user: string;
  readonly secrets: StepSecrets;
  readonly now: () => Date;

  constructor(options: StepRunOptions) {
    this.#options = options;
    this.device = options.device;
    this.jobId = options.key.jobId;
    this.user = options.user;
    this.secrets = options.secrets;
    this.now = () => options.job.clock.now();
  }

  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  record(...blocks: readonly Block[]): void {
    this.#blocks.push(...blocks);
  }

  async once<T>(key: string, make: () => T | Promise<T>): Promise<T> {
    const known = this.#find(`once:${key}`);
    if (known !== undefined) return known.value as T;
    const value = await make();
    this.#put(`once:${key}`, value);
    return value;
  }

  save(key: string, value: unknown): void {
    this.#put(`save:${key}`, value);
  }

  saved<T>(key: string): T | undefined {
    return this.#find(`save:${key}`)?.value as T | undefined;
  }

  earlier<T>(step: string, key: string): T | undefined {
    const { effects } = this.#options;
    for (const kind of ['ask', 'once', 'save', 'watch', 'write', 'call']) {
      const found = effects.find({ ...this.#options.key, step }, `${kind}:${key}`);
      if (found !== undefined) return found.value as T;
    }
    return undefined;
  }

  async ask(key: string, question: Question, keep?: (secrets: Values) => void): Promise<Values> {
    const name = `ask:${key}`;
    const known = this.#find(name);
    if (known === undefined) {
      const secret = new Set(
        (question.fields ?? []).filter(({ kind }) => kind === 'secret').map((field) => field.name),
      );
      const part = (values: Values, isSecret: boolean): Values =>
        Object.fromEntries(Object.entries(values).filter(([field]) => secret.has(field) === isSecret));
      const values = await this.#question(key, 'answer', this.#proposed(name, question), {
        accept: (given) => keep?.(part(given, true)),
      });
      this.#put(name, part(values, false));
    }
    if (this.#lastAsked !== false) this.#lastAsked = name;
    return (known ?? this.#find(name))?.value as Values;
  }

  async read<T>(operation: string, params?: Params): Promise<T> {
    const { operations, job } = this.#options;
    return readWith(operations, this.device.id, job.job.stopped)<T>(operation, params);
  }

  async limits(operation: string, params: Params = {}): Promise<Constraints> {
    const { job } = this.#options;
    const definition = specifiedOperation(operation);
    const answer = await job.clients
      .get(this.device.id)
      .read(definition, params, { signal: job.job.stopped });
    if (answer.document === undefined)
      throw statusError(answer.status, { operation, device: this.#options.device.url });
    return constraintsOf(specifiedResponse(definition), answer.document);
  }

  async write(key: string, setting: Setting, question: Question): Promise<Written> {
    const name = `write:${key}`;
    const known = this.#find(name)?.value as KeptWrite | undefined;
    const kept = known ?? (await this.#send(name, setting, question));
    this.#lastAsked = false;
    return kept.written;
  }

  /** Takes a `temporary` write back, as it was found; nothing where that was done already. */
  async putBack(step: string, key: string, question: Question): Promise<Written | undefined> {
    const kept = this.#options.effects.find({ ...this.#options.key, step }, `write:${key}`);
    const back = (kept?.value as KeptWrite | undefined)?.back;
    if (back === undefined) return undefined;
    return this.write(`back-${step}-${key}`, back, question);
  }

  async call(
    key: string,
    make: () => Call,
    changes: readonly Change[],
    question: Question,
  ): Promise<Written> {
    const name = `call:${key}`;
    const known = this.#find(name)?.value as Written | undefined;
    this.#lastAsked = false;
    if (known !== undefined) return known;
    const { mayRefuse, took, ...call } = make();
    const definition = findOperation(call.operation);
    const root = definition?.request?.root ?? call.operation;
    if (this.#find(`${name}#sent`) !== undefined) {
      const hasTaken = await took?.();
      if (hasTaken === true) {
        const settled: Written = { outcome: 'accepted', proof: 'written', changes, root, settled: true };
        this.#put(name, settled);
        return settled;
      }
      // It may have arrived: doing it twice is not the same as once.
      if (hasTaken === undefined && definition?.idempotent !== true)
        return { outcome: 'unknown', proof: 'written', changes, root };
    } else {
      await this.#question(key, 'confirm', question, { sends: { set: call.operation, changes } });
      this.#put(`${name}#sent`, true);
    }
    await this.#options.begin();
    const { status, error } = await this.#sendCall(name, call);
    if (error !== undefined && !(mayRefuse === true && error.source === 'device')) {
      // A refusal is certain: the next try asks again.
      this.#options.effects.drop(this.#options.key, `${name}#sent`);
      throw new FieldwrightError(error);
    }
    const written: Written = {
      outcome: error !== undefined ? 'refused' : 'accepted',
      proof: 'written',
      changes,
      root,
      ...defined({ status, error }),
    };
    this.#put(name, written);
    return written;
  }

  async #sendCall(name: string, call: Omit<Call, 'mayRefuse' | 'took'>): Promise<CallAnswer> {
    try {
      // What is under way is finished, whatever anybody asks for.
      return await this.#options.operations.call(
        { deviceId: this.device.id, ...call },
        new AbortController().signal,
      );
    } catch (thrown) {
      const error = toErrorShape(thrown);
      // What the device was only asked first (its limits, the document before) says nothing of the request itself.
      const isItself = error.operation === undefined || error.operation === call.operation;
      if (!isItself || !mayHaveArrived(error)) this.#options.effects.drop(this.#options.key, `${name}#sent`);
      throw thrown;
    }
  }

  async watch<Seen>(key: string, watch: Watch<Seen>): Promise<Watched<Seen>> {
    const name = `watch:${key}`;
    const known = this.#find(name)?.value as Watched<Seen> | undefined;
    const watched = known ?? (await this.#look(key, watch));
    if (known === undefined) this.#put(name, watched);
    if (this.#lastAsked !== false) this.#lastAsked = name;
    return watched;
  }

  async pause(ms: number): Promise<void> {
    await this.#options.job.clock.delay(ms, this.#options.job.job.stopped);
  }

  #find(key: string): ReturnType<Effects['find']> {
    return this.#options.effects.find(this.#options.key, key);
  }

  #put(key: string, value: unknown): void {
    this.#options.effects.put(this.#options.key, key, value);
  }

  /** With what the device before was told. */
  #proposed(name: string, question: Question): Question {
    if (question.fields?.some(({ kept }) => kept) !== true) return question;
    const before = (this.#options.effects.before(this.#options.key, name) ?? {}) as Values;
    return {
      ...question,
      fields: question.fields.map((field): FlowField =>
        field.kept === true && before[field.name] !== undefined
          ? { ...field, value: before[field.name] }
          : field,
      ),
    };
  }

  #asked(key: string, wants: Asked['wants'], question: Question, sends?: Sends): Omit<Asked, 'token'> {
    const { key: at, step, canGoBack } = this.#options;
    return {
      ...question,
      position: at.position,
      step: at.step,
      key,
      wants,
      canSkip: step.required !== true,
      canGoBack: this.#lastAsked === undefined ? canGoBack : this.#lastAsked !== false,
      ...(sends && { set: sends.set, sends: sends.changes }),
    };
  }

  async #question(
    key: string,
    wants: Asked['wants'],
    question: Question,
    { sends, accept }: { readonly sends?: Sends; readonly accept?: (values: Values) => void } = {},
  ): Promise<Values> {
    return this.#onward(
      await this.#options.dialogue.ask(
        this.#asked(key, wants, question, sends),
        this.#options.job.job.stopped,
        accept,
      ),
    );
  }

  #onward(answer: Answer): Values {
    if (answer.kind === 'values') return answer.values;
    throw new Detour(answer, this.#lastAsked === false ? undefined : this.#lastAsked);
  }

  async #look<Seen>(key: string, watch: Watch<Seen>): Promise<Watched<Seen>> {
    const { dialogue, job } = this.#options;
    const { everyMs = EVERY_MS, seconds } = watch;
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, job.job.stopped]);
    let answer: Answer | undefined;
    const ended = dialogue
      .ask(this.#asked(key, 'watch', watch.show(undefined)), signal)
      .then((given) => {
        answer = given;
        over.abort();
      })
      .catch(() => undefined);
    try {
      let last: Watched<Seen> = { met: false };
      // Counted in pauses: a clock that jumps, or a lid that was closed, ends nothing.
      for (let waited = 0; ; waited += everyMs) {
        last = await this.#reading(watch, last);
        job.job.stopped.throwIfAborted();
        if (answer !== undefined || last.met || waited >= seconds * 1000) break;
        dialogue.update(watch.show(last.seen), last.error);
        await job.clock.delay(everyMs, signal).catch(() => undefined);
      }
      if (answer !== undefined) this.#onward(answer);
      return last;
    } finally {
      over.abort();
      await ended;
    }
  }

  async #reading<Seen>(watch: Watch<Seen>, last: Watched<Seen>): Promise<Watched<Seen>> {
    try {
      const seen = await watch.look();
      return { met: watch.until(seen), seen };
    } catch (thrown) {
      return { met: false, ...defined({ seen: last.seen }), error: toErrorShape(thrown) };
    }
  }

  async #send(name: string, setting: Setting, question: Question): Promise<KeptWrite> {
    const { job, device } = this.#options;
    const section = sectionOf(setting);
    const { put } = section.resource;
    const root = put.request.root ?? put.id;
    const client = job.clients.get(device.id);
    const { signal } = new AbortController();
    const reader = createReader({ client, clock: job.clock, signal, device: device.url });
    const earlier = this.#find(`${name}#sent`)?.value as SentWrite | undefined;
    const planned = await planOne(section, reader, device.url);
    const { plan, desired, patch } = planned;
    const [problem] = plan.problems;
    if (desired === undefined) throw new FieldwrightError(problem ?? unwritable(setting, device.url));
    const back = setting.temporary !== true ? {} : { back: earlier?.back ?? backOf(setting, planned) };
    const keep = (written: Written): KeptWrite => {
      const kept = { written, setting: withoutSecrets(setting, desired.value), ...back };
      this.#put(name, kept);
      return kept;
    };
    if (earlier !== undefined && (await setting.took?.()) === true)
      return keep({
        outcome: 'accepted',
        proof: 'read-back',
        changes: earlier.changes,
        root,
        settled: true,
      });
    if (plan.changes.length === 0)
      return keep(
        earlier === undefined
          ? { outcome: 'unchanged', proof: 'read-back', changes: [], root }
          : { outcome: 'effective', proof: 'read-back', changes: earlier.changes, root, settled: true },
      );
    const changes = earlier?.changes ?? shownChanges(plan.changes, client.shown);
    if (earlier === undefined)
      await this.#question(name, 'confirm', question, { sends: { set: setting.set, changes } });
    // Somebody looked at it for a while: what is written goes over what the device shows by now.
    const now = earlier === undefined ? await planOne(section, reader, device.url, planned) : planned;
    const isAsShown =
      now === planned ||
      JSON.stringify(shownChanges(now.plan.changes, client.shown)) === JSON.stringify(changes);
    if (now.desired === undefined || !isAsShown)
      throw appError('plan-outdated', say('flow-changed-meanwhile'), { device: device.url });
    const verdict = await writeSection(
      {
        section,
        desired: now.desired,
        device: device.url,
        want: (state) => desiredState(put.request, patch, state),
        sentBefore: earlier !== undefined,
      },
      {
        client,
        reader,
        clock: job.clock,
        signal,
        intent: async () => {
          this.#put(`${name}#sent`, { changes, ...back } satisfies SentWrite);
          await this.#options.begin();
        },
        phase: () => undefined,
      },
    );
    // It is certain that the device does not hold it: the next try asks again.
    if (verdict.outcome === 'refused' || verdict.outcome === 'ignored' || verdict.outcome === 'failed')
      this.#options.effects.drop(this.#options.key, `${name}#sent`);
    return keep({ ...taken(verdict, setting, device.url), changes, root });
  }
}
