/** Files that a page loads before its first screen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Scripts and styles that the built page names itself, each packed by itself, in bytes. */
export function firstLoadBytes(rendererDir: string): number {
  const page = readFileSync(join(rendererDir, 'index.html'), 'utf8');
  const files = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, file = '']) => file,
  );
  if (files.length === 0) throw new Error('The built page names no script.');
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(rendererDir, file))).byteLength, 0);
}
