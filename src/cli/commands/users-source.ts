/** The file that people come from: what it is, and which of its columns are which fields. */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileSource } from '#engine/index.ts';
import { say } from '#shared/details.ts';
import { readBytes } from '../input/files.ts';
import type { Invocation } from '../invocation.ts';
import { createUsageError } from '../usage.ts';

export async function openFileSource(
  { io }: Invocation,
  file: string,
  format: string | undefined,
): Promise<{ readonly file: FileSource; readonly format: 'csv' | 'ndjson' }> {
  if (format !== undefined && format !== 'csv' && format !== 'ndjson')
    throw createUsageError(say('cli.one-of', { option: '--format', allowed: 'csv, ndjson', text: format }), {
      path: '--format',
    });
  const isJson = /\.(ndjson|jsonl|json)$/i.test(file);
  if (file !== '-') {
    if (!(await isFile(file))) await readBytes(io, file);
    return {
      format: format ?? (isJson ? 'ndjson' : 'csv'),
      file: { name: file, open: () => createReadStream(file) as AsyncIterable<Uint8Array> },
    };
  }
  const bytes = await readBytes(io, file);
  const begins = Buffer.from(bytes.subarray(0, 1000))
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  return {
    format: format ?? (begins.startsWith('{') ? 'ndjson' : 'csv'),
    file: { name: 'standard input', open: () => piecesOf(bytes) },
  };
}

/** What cannot be read twice from its beginning (a pipe, nothing at all) is read as a whole, with its errors. */
async function isFile(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'r');
    await handle.close();
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
