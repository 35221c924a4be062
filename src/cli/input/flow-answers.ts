/** Answers to a flow, from a file; its secrets from the environment, the vault or a prompt. Answers that no step asked for are listed. */
import { say } from '#shared/details.ts';
import { listUnusedAnswers, readAnswers, replyTo, listTakenAnswers, type Answers } from '#engine/index.ts';
import { userError } from '#shared/errors.ts';
import type { Asked } from '#shared/flows.ts';
import type { Invocation } from '../invocation.ts';
import { readText } from './files.ts';
import { suggestSecretName, readSecret } from './secrets.ts';

export class FlowAnswers {
  readonly all: Answers;
  readonly #invocation: Invocation;
  readonly #taken = new Set<string>();
  readonly #steps = new Set<string>();

  private constructor(invocation: Invocation, all: Answers) {
    this.#invocation = invocation;
    this.all = all;
  }

  /** Throws `unreadable-file`; none where no file is named. */
  static async read(invocation: Invocation, file: string | undefined): Promise<FlowAnswers> {
    return new FlowAnswers(
      invocation,
      file === undefined ? {} : readAnswers(await readText(invocation.io, file), file),
    );
  }

  /** Throws `not-allowed` for a secret in the file. */
  async replyTo(asked: Asked): Promise<ReturnType<typeof replyTo>> {
    this.#steps.add(asked.step);
    for (const name of listTakenAnswers(asked, this.all)) this.#taken.add(name);
    return replyTo(asked, { ...this.all, ...(await this.#secretsFor(asked)) });
  }

  /** Names of unused answers to steps that ran here, as `step.field`. */
  get neverAsked(): readonly string[] {
    return listUnusedAnswers(this.all, this.#taken, this.#steps);
  }

  /** Never in a file with answers: from the environment, or asked. */
  async #secretsFor({ step, fields = [] }: Asked): Promise<Answers> {
    const secret = fields.filter(({ kind }) => kind === 'secret');
    if (secret.length === 0) return {};
    const here = this.all[step] ?? {};
    const found: Record<string, unknown> = {};
    for (const { name, label } of secret) {
      if (Object.hasOwn(here, name))
        throw userError(
          'not-allowed',
          say('cli.secret-in-answers', { variable: suggestSecretName(`${step}_${name}`) }),
          { path: `${step}.${name}` },
        );
      const words = `${this.#invocation.out.words(label)}: `;
      const value = await readSecret(this.#invocation, `${step}_${name}`, words);
      if (value !== undefined) found[name] = value;
    }
    return { [step]: { ...here, ...found } };
  }
}
