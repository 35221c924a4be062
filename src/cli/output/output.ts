/** The two streams: results on stdout, everything else on stderr. */
import type { Writable } from 'node:stream';
import type { SentenceId } from '#locales/names.ts';
import { createDetail, isDetailId, type Detail, type DetailId, type ValuesOf } from '#shared/details.ts';
import {
  BASE,
  ENGLISH,
  loadTranslation,
  matchLanguage,
  writeDetail,
  type Sentence,
  type Translation,
} from '#shared/details/languages.ts';
import type { DocumentText } from '#shared/report-document.ts';
import { cleanJson, cleanText } from './clean.ts';
import { tabulate, type Columns, type Table } from './table.ts';
import { paintFor, type Paint } from './paint.ts';
import type { Io } from '../io.ts';

/** State of a family of states: `status.reach.reachable`. */
export type StateOf<Family extends string> =
  Extract<SentenceId, `status.${Family}.${string}`> extends `status.${Family}.${infer State}` ? State : never;

/** Returns the option or command that helps with a sentence of the engine, which serves every face and names none. */
export function findCommandHint({ id, values = {} }: Detail, words = ENGLISH): string | undefined {
  const hint = `hint.${id}`;
  return isDetailId(hint) ? writeDetail(words, { id: hint, values }) : undefined;
}

export class Output {
  readonly paint: Paint;
  readonly asJson: boolean;
  #words: Translation = ENGLISH;
  readonly #io: Io;
  readonly #closed = new Set<Writable>();
  #lost: string | undefined;
  #hasResult = false;

  constructor(io: Io, asJson: boolean) {
    this.#io = io;
    this.asJson = asJson;
    this.paint = paintFor(io);
    // The reader may leave (`| head`); the work goes on, silently.
    for (const stream of [io.stdout, io.stderr]) {
      stream.on('error', (error: NodeJS.ErrnoException) => {
        this.#closed.add(stream);
        if (stream === io.stdout && error.code !== 'EPIPE') this.#lost ??= error.code ?? 'unknown';
      });
    }
  }

  /** Switches to the language of the tag (`zh-CN`), or to English if there is no such language. */
  async speak(tag: string | undefined): Promise<void> {
    this.#words = await loadTranslation(matchLanguage(tag ?? ''));
  }

  /** English words alone may be shown as they are. */
  get isEnglish(): boolean {
    return this.#words.language === BASE;
  }
  get language(): string {
    return this.#words.language;
  }
  /** Returns words in the language of the terminal. */
  words(words: DocumentText): string {
    if (typeof words === 'string') return words;
    return 'label' in words ? words.label : this.sentence(words);
  }
  /** Names of what the engine calls in English: fields by their place, bundled templates by their file. */
  get names(): Pick<Translation, 'fields' | 'bundledTemplates'> {
    return this.#words;
  }
  get sentence(): Sentence {
    return (detail) => {
      const text = writeDetail(this.#words, detail);
      const hint = findCommandHint(detail, this.#words);
      return hint === undefined ? text : `${text}${text.includes('\n') ? ' ' : '\n'}${hint}`;
    };
  }

  /** A sentence of the catalogue. */
  say<Id extends DetailId>(id: Id, ...values: ValuesOf<Id>): string {
    return this.sentence(createDetail(id, ...values));
  }

  /** Returns a number of devices in words. */
  devices(count: number): string {
    return count === 1 ? this.say('cli.device') : this.say('cli.devices', { count });
  }

  /** The word for a state, as on the screen. */
  status<Family extends string>(family: Family, state: StateOf<Family>): string {
    return this.sayOr(`status.${family}.${state}`, state);
  }

  /** The sentence of an id that was put together, `otherwise` where the catalogue has none. */
  sayOr(id: string, otherwise: string): string {
    return isDetailId(id) ? this.sentence({ id }) : otherwise;
  }

  /** Reason why the result could not be written (`ENOSPC`: into a file on a full disk); a reader that left is no loss. */
  get lost(): string | undefined {
    return this.#lost;
  }

  /** True once the reader of the results has left. */
  get left(): boolean {
    return this.#closed.has(this.#io.stdout) || this.#io.stdout.destroyed;
  }

  /** Returns whether the document of the command was written: nothing may follow it. */
  get hasResult(): boolean {
    return this.#hasResult;
  }

  /** Writes the result of a command that may stream: the last line of the stream, or the one document. */
  result(value: unknown, { asLine = false }: { readonly asLine?: boolean | undefined }): void {
    if (!asLine) return this.json(value);
    this.#hasResult = true;
    this.jsonLine(value);
  }

  /** Writes the one document of a command. */
  json(value: unknown): void {
    this.#hasResult = true;
    this.#write(
      this.#io.stdout,
      `${cleanJson(JSON.stringify(value, null, this.#io.stdout.isTTY ? 2 : undefined))}\n`,
    );
  }

  /** One object of a stream, on a line of its own. */
  jsonLine(value: unknown): void {
    this.#write(this.#io.stdout, `${cleanJson(JSON.stringify(value))}\n`);
  }

  line(text = ''): void {
    this.#write(this.#io.stdout, `${text}\n`);
  }

  /** Writes content as it is, without anything added; text on a terminal without what that would obey. */
  raw(content: string | Uint8Array): void {
    const { stdout } = this.#io;
    this.#write(stdout, stdout.isTTY && typeof content === 'string' ? cleanText(content) : content);
  }

  /** Columns of the terminal; undefined where there is none, or one that tells none (0). */
  get width(): number | undefined {
    return this.#io.stdout.isTTY ? this.#io.stdout.columns || undefined : undefined;
  }

  /** Prints a line or a table. */
  print(part: string | Table): void {
    if (typeof part === 'string') return this.line(part);
    const head = (title: string): string => this.sayOr(`head.${title}`, title);
    for (const line of part.format({ width: this.width, paint: this.paint, head })) this.line(line);
  }

  table<Row extends object>(rows: readonly Row[], columns: Columns<Row>): void {
    this.print(tabulate(rows, columns));
  }

  /** Something for the person beside the result. */
  note(text: string): void {
    this.#write(this.#io.stderr, `${text}\n`);
  }

  /** A line that the next one replaces; only on a terminal. */
  progress(text: string): void {
    if (this.#io.stderr.isTTY) this.#write(this.#io.stderr, `\r\u001b[2K${text}`);
  }

  endProgress(): void {
    if (this.#io.stderr.isTTY) this.#write(this.#io.stderr, '\r\u001b[2K');
  }

  /** Resolves when what was written has left. */
  async flush(): Promise<void> {
    for (const stream of [this.#io.stdout, this.#io.stderr]) {
      if (!this.#closed.has(stream) && !stream.destroyed)
        await new Promise<void>((resolve) => {
          stream.write('', () => resolve());
        });
    }
  }

  #write(stream: Writable, content: string | Uint8Array): void {
    if (!this.#closed.has(stream) && !stream.destroyed) stream.write(content);
  }
}
