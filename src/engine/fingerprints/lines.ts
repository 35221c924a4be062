/** Lines out of a stream of bytes: bounded, whatever the stream holds. */
import { createDetail, type Detail } from '#shared/details.ts';
import { sniffEncoding } from '#shared/text/file-encoding.ts';

/** A template has a few hundred bytes; a line is far longer only by mistake or by malice. */
export const LONGEST_LINE = 64 * 1024;

/** `number` counts from 1. `cut`: the stream ended without the end of this line. */
export type Line =
  | { readonly number: number; readonly text: string; readonly cut: boolean }
  | { readonly number: number; readonly problem: Detail };

const NEWLINE = 0x0a;

/** Returns the stream as UTF-8; one in UTF-16, as an old PowerShell writes what a command prints, is converted. */
async function* toUtf8(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
    const encoding = isFirst ? sniffEncoding(bytes) : 'utf-8';
    if (encoding !== 'utf-8') decoder = new TextDecoder(encoding);
    isFirst = false;
    yield decoder === undefined ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }));
  }
}

/** Every line that is not blank. Of one that is too long no more than the limit is ever held. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;

  function add(bytes: Uint8Array): void {
    length += bytes.length;
    // Copied: a slice keeps its whole chunk alive.
    if (length <= LONGEST_LINE && bytes.length > 0) parts.push(Uint8Array.from(bytes));
    else if (length > LONGEST_LINE) parts = [];
  }
  function take(cut: boolean): Line | undefined {
    const held = parts;
    const isLong = length > LONGEST_LINE;
    const at = number;
    parts = [];
    length = 0;
    number += 1;
    if (isLong) return { number: at, problem: createDetail('prints-line-long', { max: LONGEST_LINE }) };
    try {
      const text = decoder.decode(held.length === 1 ? held[0] : Buffer.concat(held)).trim();
      return text === '' ? undefined : { number: at, text, cut };
    } catch {
      return { number: at, problem: createDetail('prints-line-utf8') };
    }
  }

  for await (const bytes of toUtf8(chunks)) {
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE, from); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      add(bytes.subarray(from, end));
      const line = take(false);
      if (line !== undefined) yield line;
      from = end + 1;
    }
    add(bytes.subarray(from));
  }
  const last = length > 0 ? take(true) : undefined;
  if (last !== undefined) yield last;
}
