/** One run of a step: everything it does goes through here and is kept, so that the next run does nothing twice. */
import { createDetail } from '#shared/details.ts';
import { toErrorShape } from '#shared/errors.ts';
import type { Change, Params } from '#shared/model.ts';
import type { Constraints } from '#protocol/index.ts';
import type { Block } from '#shared/report-document.ts';
import type { Answer, Asked } from '#shared/flows.ts';
import { isForbidden } from '../files/policy.ts';
import type { Effects } from './effects.ts';
import { createReaders } from './readings.ts';
import type { Sends, StepRunOptions } from './step-hands.ts';
import { StepWrites } from './step-writes.ts';
import type {
  Call,
  FlowField,
  Question,
  Setting,
  StepContext,
  StepSecrets,
  Values,
  Watch,
  Watched,
  Written,
} from './flow.ts';

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

/** Kinds of effects, as their keys begin. */
const KINDS = ['ask', 'once', 'save', 'watch', 'write', 'call'] as const;

/** Effect that a step has after a person went back to it: its shared questions are asked again. */
export const WENT_BACK = 'went-back';

const EVERY_MS = 1000;

export class StepRun implements StepContext {
  readonly #options: StepRunOptions;
  readonly #blocks: Block[] = [];
  readonly #writes: StepWrites;
  /** Question to which the person may go back; `false` if something was sent since. */
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
    this.#writes = new StepWrites({
      options,
      find: (key) => this.#find(key),
      put: (key, value) => this.#put(key, value),
      confirm: async (key, question, sends) => {
        await this.#question(key, 'confirm', question, { sends });
        this.#lastAsked = false;
      },
      question: (key, wants, question) => {
        this.#lastAsked = false;
        return this.#question(key, wants, question);
      },
      watch: (key, watch) => {
        this.#lastAsked = false;
        return this.#look(key, watch);
      },
    });
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
    for (const kind of KINDS) {
      const found = effects.find({ ...this.#options.key, step }, `${kind}:${key}`);
      if (found !== undefined) return found.value as T;
    }
    return undefined;
  }

  ofDeviceBefore<T>(step: string, key: string): T | undefined {
    const { effects } = this.#options;
    for (const kind of KINDS) {
      const found = effects.before({ ...this.#options.key, step }, `${kind}:${key}`);
      if (found !== undefined) return found as T;
    }
    return undefined;
  }

  async ask(key: string, question: Question, keep?: (secrets: Values) => void): Promise<Values> {
    const name = `ask:${key}`;
    const shared = this.#sharedAnswer(name, question);
    if (shared !== undefined) this.#put(name, shared);
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

  get #readings(): Pick<StepContext, 'read' | 'limits'> {
    const { device, job } = this.#options;
    const { clock, clients } = job;
    return createReaders(device.url, { client: clients.get(device.id), clock, signal: job.job.stopped });
  }

  async read<T>(operation: string, params?: Params): Promise<T> {
    return this.#readings.read<T>(operation, params);
  }

  async limits(operation: string, params?: Params): Promise<Constraints> {
    return this.#readings.limits(operation, params);
  }

  mayWrite(set: string): boolean {
    if (!isForbidden(set)) return true;
    this.record({
      block: 'paragraph',
      text: createDetail('flow-write-forbidden', { set }),
      tone: 'warning',
    });
    return false;
  }

  async write(key: string, setting: Setting, question: Question): Promise<Written> {
    const written = await this.#writes.write(key, setting, question);
    this.#lastAsked = false;
    return written;
  }

  call(key: string, make: () => Call, changes: readonly Change[], question: Question): Promise<Written> {
    this.#lastAsked = false;
    return this.#writes.call(key, make, changes, question);
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

  /**
   * Returns the answer that an earlier device of the job got to a shared question; undefined if this device is to be
   * asked: there is none, it has its own, or the person went back in this step.
   */
  #sharedAnswer(name: string, { isShared }: Question): Values | undefined {
    const { effects, key } = this.#options;
    if (isShared !== true || this.#find(name) !== undefined || this.#find(WENT_BACK) !== undefined)
      return undefined;
    return effects.before(key, name) as Values | undefined;
  }

  /** Proposes the answers given for the device before. */
  #proposed(name: string, question: Question): Question {
    const isKept = ({ kept }: FlowField): boolean => kept === true || question.isShared === true;
    if (question.fields?.some(isKept) !== true) return question;
    const before = (this.#options.effects.before(this.#options.key, name) ?? {}) as Values;
    return {
      ...question,
      fields: question.fields.map((field): FlowField =>
        isKept(field) && before[field.name] !== undefined ? { ...field, value: before[field.name] } : field,
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
      ...(sends && { set: sends.set, sends: sends.changes, noUndo: sends.noUndo }),
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
      .ask(
        { ...this.#asked(key, 'watch', watch.show(undefined)), secondsLeft: Math.ceil(seconds) },
        signal,
        watch.mayEnd,
      )
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
        const secondsLeft = Math.ceil(seconds - waited / 1000);
        dialogue.update({ ...watch.show(last.seen), secondsLeft }, last.error);
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
      return { met: false, seen: last.seen, error: toErrorShape(thrown) };
    }
  }
}
