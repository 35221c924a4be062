import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BLOCK, openPackage } from '#engine/transfer/serve/package-file.ts';
import { compareRest } from '#engine/transfer/serve/read-blocks.ts';
import { folder } from './offer.ts';

const isWindows = process.platform === 'win32';
type Unusable = [name: string, make: (at: string) => unknown, id: string];
// Would catch: an app that waits for ever for a writer of a pipe.
const PIPE: Unusable = ['a pipe', (at) => execFileSync('mkfifo', [at]), 'serve.file-special'];

describe('the file of a package', () => {
  it('is hashed once, with what tells it again', async () => {
    const path = join(folder(), 'm.bin');
    const content = randomBytes(BLOCK * 2 + 17);
    writeFileSync(path, content);
    const progress: (readonly [number, number])[] = [];

    const file = await openPackage(path, { onProgress: (...at) => progress.push(at) });

    expect(file).toMatchObject({
      path,
      name: 'm.bin',
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect([file.sums.length, progress.at(-1)]).toEqual([3, [content.length, content.length]]);
  });

  // Would catch: "fetched, SHA-256 …" of bytes that were not compared, because the network was faster than
  // comparing.
  it('is compared block by block with what was hashed, also what was sent without', async () => {
    const path = join(folder(), 'm.bin');
    writeFileSync(path, randomBytes(BLOCK * 2 + 17));
    const file = await openPackage(path);
    const sums = file.sums.slice();
    sums[2] = (sums[2] ?? 0) ^ 1;

    await expect(compareRest(file)).resolves.toBeUndefined();
    await expect(compareRest({ ...file, sums })).rejects.toMatchObject({ end: 'file-changed' });
    appendFileSync(path, 'x');
    await expect(compareRest({ ...file })).rejects.toMatchObject({ end: 'file-changed' });
  });

  // Windows lets few users make links, knows no pipes among files, and has no mode that keeps its owner out.
  it.skipIf(isWindows)('may be behind a link', async () => {
    const at = folder();
    writeFileSync(join(at, 'real.bin'), 'x');
    symlinkSync(join(at, 'real.bin'), join(at, 'link.bin'));

    expect((await openPackage(join(at, 'link.bin'))).size).toBe(1);
  });

  it.each<Unusable>([
    ['missing', () => undefined, 'serve.file-missing'],
    ['a folder', (at) => mkdirSync(at), 'serve.file-folder'],
    ['empty', (at) => writeFileSync(at, ''), 'serve.file-empty'],
    ...(isWindows ? [] : [PIPE]),
  ])('that is %s is refused in words', async (_name, make, id) => {
    const path = join(folder(), 'm.bin');
    make(path);

    await expect(openPackage(path)).rejects.toMatchObject({
      shape: { code: 'unreadable-file', detail: { id }, hint: expect.any(String) as string },
    });
  });

  it.skipIf(isWindows || process.getuid?.() === 0)('that may not be read is refused in words', async () => {
    const path = join(folder(), 'm.bin');
    writeFileSync(path, 'x');
    chmodSync(path, 0);

    await expect(openPackage(path)).rejects.toMatchObject({
      shape: { detail: { id: 'serve.file-unreadable' } },
    });
  });

  it('that is written to while it is read is refused', async () => {
    const path = join(folder(), 'm.bin');
    writeFileSync(path, randomBytes(BLOCK * 130));

    const opening = openPackage(path, { onProgress: () => appendFileSync(path, 'more') });

    await expect(opening).rejects.toMatchObject({ shape: { detail: { id: 'serve.file-changing' } } });
  });

  it('is given up when nobody wants it any more', async () => {
    const path = join(folder(), 'm.bin');
    writeFileSync(path, randomBytes(BLOCK));

    await expect(openPackage(path, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      shape: { code: 'cancelled' },
    });
  });
});
