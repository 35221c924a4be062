/** Reads the lines of a site file within bounds: its bytes are untrusted, also with the right passphrase. */
import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { say } from '#shared/details.ts';
import { appError, FieldwrightError, userError } from '#shared/errors.ts';
import { readJson } from '#shared/read-json.ts';
import { createFormError, openStream } from './age.ts';
import { SITE_FILE_FORMAT } from './tables.ts';

/** Bytes of a line, and values in it: one document of a device, or the largest template. */
export const LINE_BOUNDS = { bytes: 96 * 1024 * 1024, depth: 6, nodes: 1_000 } as const;
/** Plain bytes that any file may hold, and for each of its own bytes: rows that repeat shrink to a fiftieth. */
const PLAIN = { least: 64 * 1024 * 1024, each: 250 };

const headSchema = z.object({
  format: z.literal(SITE_FILE_FORMAT.name),
  version: z.number().int(),
  /** Name of this very file, for the open work that it hands over. */
  id: z.string().min(1).max(100),
  site: z.object({ id: z.string().min(1).max(100), name: z.string().min(1).max(200) }),
  /** Operating system user who wrote it, and the data folder that it comes from. */
  by: z.string().max(200),
  folder: z.string().min(1).max(100),
  at: z.iso.datetime(),
  secrets: z.boolean(),
  handsOver: z.boolean(),
});
export type SiteFileHead = z.infer<typeof headSchema>;

/** First and last lines of a file, as they are written. */
export function buildHead(head: Omit<SiteFileHead, 'format' | 'version'>): string {
  return `${JSON.stringify({ format: SITE_FILE_FORMAT.name, version: SITE_FILE_FORMAT.version, ...head })}\n`;
}
export function buildEnd(rows: number): string {
  return `${JSON.stringify({ end: rows })}\n`;
}

/** Receiver of the parts of a file, in their order. */
interface LineTarget {
  begin(head: SiteFileHead): void;
  add(table: unknown, row: unknown): void;
  finishDevices(): void;
}

/**
 * Reads a whole file into `target`. @throws `not-allowed` for a wrong passphrase, `not-available` for a newer version,
 * `input-too-large`, `unreadable-file` for what is damaged, cut off or no such file, and what `target` throws
 */
export async function readSiteFile(
  file: { readonly bytes: AsyncIterable<Uint8Array>; readonly size: number; readonly passphrase: string },
  target: LineTarget,
  signal: AbortSignal,
): Promise<SiteFileHead> {
  const most = PLAIN.least + PLAIN.each * file.size;
  const gunzip = createGunzip();
  let head: SiteFileHead | undefined;
  let rows = 0;
  let ended = false;
  const take = (text: string): void => {
    const line = readJson(text, LINE_BOUNDS, { broken: say('site-file.form') });
    if (ended) throw createFormError();
    if (head === undefined) target.begin((head = readHead(line)));
    else if (Array.isArray(line)) {
      target.add(line[0], line[1]);
      rows += 1;
    } else if (z.object({ end: z.literal(rows) }).safeParse(line).success) ended = true;
    else throw createFormError();
  };
  try {
    await pipeline(
      Readable.from(await openStream(file.bytes, file.passphrase)),
      gunzip,
      async (plain: AsyncIterable<Buffer>) => {
        for await (const line of splitLines(plain, most)) take(line);
      },
      { signal },
    );
  } catch (cause) {
    if (signal.aborted) throw userError('cancelled', say('cancelled'), { cause });
    if (cause instanceof FieldwrightError) throw cause;
    // zlib says by its codes that the content is no gzip, or ends too early.
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw code.startsWith('Z_') || code.startsWith('ERR_STREAM') ? createFormError(cause) : cause;
  }
  if (head === undefined || !ended) throw userError('unreadable-file', say('site-file.cut-off'));
  target.finishDevices();
  return head;
}

function readHead(line: unknown): SiteFileHead {
  const newer = z.object({ format: z.literal(SITE_FILE_FORMAT.name), version: z.number() }).safeParse(line);
  if (newer.success && newer.data.version > SITE_FILE_FORMAT.version)
    throw appError('not-available', say('site-file.newer'));
  const read = headSchema.safeParse(line);
  if (!read.success) throw createFormError(read.error);
  return read.data;
}

async function* splitLines(bytes: AsyncIterable<Buffer>, most: number): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let length = 0;
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > most) throw createSizeError();
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)]).toString('utf8');
      [parts, length, from] = [[], 0, end + 1];
    }
    const rest = chunk.subarray(from);
    length += rest.length;
    if (length > LINE_BOUNDS.bytes) throw createSizeError();
    parts.push(rest);
  }
  if (length > 0) throw userError('unreadable-file', say('site-file.cut-off'));
}

function createSizeError(): FieldwrightError {
  return userError('input-too-large', say('site-file.too-large'));
}
