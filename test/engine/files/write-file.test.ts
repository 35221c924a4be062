/** Files as they come to be: complete under their name, or not at all. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepFile } from '#engine/files/folders.ts';
import { noteFile, removeLeftFiles } from '#engine/files/under-way.ts';
import { writeFile } from '#engine/files/write-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fieldwright-files-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});
const at = (name: string): string => join(folder, name);

describe('a file that is written', () => {
  // Would catch: half an export in place of a whole one, or beside it.
  it.each([
    ['the work throws', () => Promise.reject(new Error('gone')), () => true],
    ['the result is not worth keeping', () => Promise.resolve(), () => false],
  ])('leaves what was there, and nothing beside it, where %s', async (_why, work, keep) => {
    writeFileSync(at('out.csv'), 'before');
    const options = { replace: true, dataDir: at('data') };

    await writeFile(at('out.csv'), options, async (write) => (await write('half'), work()), keep).catch(
      () => undefined,
    );

    expect(readFileSync(at('out.csv'), 'utf8')).toBe('before');
    expect(readdirSync(folder).toSorted()).toEqual(['data', 'out.csv']);
    expect(readdirSync(at('data/under-way'))).toEqual([]);
  });

  // Would catch: an export refused, although its own disk has room, because the data folder takes nothing.
  it('needs no note in the data folder', async () => {
    writeFileSync(at('data'), 'a file where the folder should be');

    await writeFile(at('out.csv'), { replace: false, dataDir: at('data') }, (write) => write('all'));

    expect(readFileSync(at('out.csv'), 'utf8')).toBe('all');
  });

  it.skipIf(process.platform === 'win32')('of another program is made private too', () => {
    writeFileSync(at('saved.pdf'), 'x', { mode: 0o644 });

    keepFile(at('saved.pdf'));

    expect(statSync(at('saved.pdf')).mode & 0o777).toBe(0o600);
  });
});

describe('files that a killed process left', () => {
  const dead = { process: 2 ** 30, engine: 'gone', started: 'long ago' };
  function left(note: object): void {
    mkdirSync(at('data/under-way'), { recursive: true });
    writeFileSync(at('data/under-way/1.json'), JSON.stringify(note));
  }

  // Would catch: a changed note that removes another file.
  it.each([
    ['a file of another ending', () => ({ path: at('mine.csv'), owner: dead }), 'mine.csv'],
    ['a folder', () => ({ path: at('kept.part'), owner: dead }), 'kept.part'],
  ])('%s stays', (_what, note, name) => {
    if (name.endsWith('.part')) mkdirSync(at(name));
    else writeFileSync(at(name), 'mine');
    left(note());

    removeLeftFiles(at('data'));

    expect(readdirSync(folder)).toContain(name);
  });

  // Would catch: an export of another window that is removed while it is written.
  it('one that is still being written stays', () => {
    writeFileSync(at('out.csv.1.part'), 'half');
    const forget = noteFile(at('data'), at('out.csv.1.part'));

    removeLeftFiles(at('data'));
    const during = readdirSync(folder);
    forget();

    expect(during).toContain('out.csv.1.part');
  });

  it('one on a disk that is not connected now stays noted, one that is there is removed', () => {
    left({ path: join(folder, 'stick', 'out.csv.1.part'), owner: dead });

    removeLeftFiles(at('data'));
    const noted = readdirSync(at('data/under-way'));
    mkdirSync(at('stick'));
    writeFileSync(at('stick/out.csv.1.part'), 'half');
    removeLeftFiles(at('data'));

    expect(noted).toEqual(['1.json']);
    expect([readdirSync(at('stick')), readdirSync(at('data/under-way'))]).toEqual([[], []]);
  });
});
