/** Text and lines of a file of any length, in bounded memory. */
import { say } from '#shared/details.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';
import { sniffEncoding } from '#shared/text/file-encoding.ts';
import { refuseWorkbook, removeGuard } from '#engine/text/csv.ts';
import type { CodePage } from '#shared/text/file-text.ts';

/** A file that can be read more than once. */
export interface FileSource {
  readonly name: string;
  open(): AsyncIterable<Uint8Array>;
}

/** One person's line is never longer. */
const LONGEST_LINE = 256 * 1024;

type Decoder = InstanceType<typeof TextDecoder>;

export interface Decoded {
  readonly parts: AsyncIterable<string>;
  /** The file is not Unicode: it is read in this code page. */
  readonly guessed?: CodePage;
}

/**
 * Decodes UTF-8 with or without mark, UTF-16 by its mark or its zero bytes, else the code page: the whole
 * file is looked through first.
 */
export async function decodeParts(source: FileSource, codePage: CodePage): Promise<Decoded> {
  let encoding: string | undefined;
  let strict: Decoder | undefined;
  let guessed: CodePage | undefined;
  try {
    for await (const bytes of source.open()) {
      encoding ??= sniffEncoding(bytes);
      if (encoding !== 'utf-8') break;
      strict ??= new TextDecoder('utf-8', { fatal: true });
      strict.decode(bytes, { stream: true });
    }
    strict?.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    guessed = codePage;
  }
  const decoder = new TextDecoder(guessed ?? encoding ?? 'utf-8');
  return { parts: textOf(source, decoder), guessed };
}

async function* textOf(source: FileSource, decoder: Decoder): AsyncGenerator<string> {
  for await (const bytes of source.open()) {
    const text = decoder.decode(bytes, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

export interface Line {
  /** Number of the line, from 1. */
  readonly line: number;
  /** Absent where it is longer than is read. */
  readonly text?: string;
}

/** Lines that hold something; one that is too long is skipped without being held. */
export async function* readLines(parts: AsyncIterable<string>): AsyncGenerator<Line> {
  let [line, held, isTooLong] = [1, '', false];
  for await (const part of parts) {
    let from = 0;
    for (let end = part.indexOf('\n'); end >= 0; end = part.indexOf('\n', from)) {
      if (!isTooLong) held += part.slice(from, end);
      isTooLong ||= held.length > LONGEST_LINE;
      if (isTooLong) yield { line };
      else if (held.trim() !== '') yield { line, text: held };
      [line, held, isTooLong, from] = [line + 1, '', false, end + 1];
    }
    if (isTooLong) continue;
    held += part.slice(from);
    if (held.length > LONGEST_LINE) [held, isTooLong] = ['', true];
  }
  if (isTooLong) yield { line };
  else if (held.trim() !== '') yield { line, text: held };
}

export interface Record {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Records of a table, the heading first; throws `unreadable-file` with the line where it is none. */
export async function* readRecords(parts: AsyncIterable<string>): AsyncGenerator<Record> {
  const { parse } = await import('csv-parse');
  const { splitSeparator } = await import('#shared/text/file-text.ts');
  const iterator = parts[Symbol.asyncIterator]();
  let head = '';
  for (;;) {
    const step = await iterator.next();
    if (step.done === true) break;
    head += step.value;
    if (/[\r\n]\s*\S[^\r\n]*[\r\n]/.test(head) || head.length > LONGEST_LINE) break;
  }
  refuseWorkbook(head);
  const { text, mark } = splitSeparator(head.replace(/^\uFEFF/, ''));
  const parser = parse({
    delimiter: mark,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    trim: true,
    info: true,
    max_record_size: LONGEST_LINE,
    // Spaces that do not break a line, which the parser leaves.
    cast: (cell, { quoting }) => (quoting ? cell : cell.trim()),
  });
  const fed = feed(parser, text, iterator);
  fed.catch(() => undefined);
  let before = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      readonly record: readonly string[];
      readonly info: { readonly lines: number };
    }>) {
      const line = before + 1;
      before = info.lines;
      if (record.some((cell) => cell !== '')) yield { line, cells: record.map(removeGuard) };
    }
    await fed;
  } catch (cause) {
    if (cause instanceof FieldwrightError || !(cause instanceof Error && 'lines' in cause)) throw cause;
    throw userError('unreadable-file', say('csv-broken'), {
      ...(typeof cause.lines === 'number' ? { line: cause.lines } : {}),
      cause,
    });
  } finally {
    parser.destroy();
    await fed.catch(() => undefined);
  }
}

/** Feeds the text to the parser as fast as it takes it, and closes the file: Windows would let no other program have it. */
async function feed(
  parser: NodeJS.WritableStream & {
    readonly destroyed: boolean;
    once(event: string, heard: () => void): unknown;
  },
  first: string,
  rest: AsyncIterator<string>,
): Promise<void> {
  const write = async (text: string): Promise<void> => {
    if (parser.destroyed || parser.write(text)) return;
    await new Promise<void>((resolve) => {
      parser.once('drain', resolve);
      parser.once('close', resolve);
      parser.once('error', resolve);
    });
  };
  try {
    await write(first);
    for (let step = await rest.next(); step.done !== true; step = await rest.next()) {
      if (parser.destroyed) return;
      await write(step.value);
    }
  } finally {
    if (!parser.destroyed) parser.end();
    await rest.return?.();
  }
}
