/** The file that people come from: what it is, and which of its columns are which fields. */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileSource } from '#engine/index.ts';
import { readBytes } from '../input/files.ts';
import type { Invocation } from '../invocation.ts';

export async function openFileSource(
  { io }: Invocation,
  file: string,
  format: 'csv' | 'ndjson' | undefined,
): Promise<{ readonly file: FileSource; readonly format: 'csv' | 'ndjson' }> {
  const isJson = /\.(ndjson|jsonl|json)$/i.test(file);
  if (file !== '-' && (await isFile(file))) {
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
    format: format ?? (isJson || begins.startsWith('{') ? 'ndjson' : 'csv'),
    file: { name: file === '-' ? 'standard input' : file, open: () => piecesOf(bytes) },
  };
}

/** Returns whether the file can be read twice from its beginning; a pipe cannot, and is read as a whole. */
async function isFile(file: string): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false;
    const handle = await open(file, 'r');
    await handle.close();
    return true;
  } catch {
    return false;
  }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
