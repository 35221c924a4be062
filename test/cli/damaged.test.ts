/** What had to be set right when the data folder was opened is told on stderr: an empty list alone would look as if nothing had ever been there. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeFolder, run } from './helpers.ts';

const folder = makeFolder();
afterEach(() => folder.remove());

it('a damaged database is named with the file it was moved to, and only once', async () => {
  const dataDir = folder.file('data');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'fieldwright.db'), 'this is no database\n'.repeat(500));

  const first = await run(folder, ['jobs', 'list', '--json']);
  const second = await run(folder, ['jobs', 'list', '--json']);

  expect([first.code, first.json()]).toEqual([0, []]);
  expect(first.stderr).toMatch(/^fieldwright\.damaged-\S+\.db: The database was damaged.*\[storage-damaged\]\n {2}The damaged file is kept/);
  expect(second.stderr).toBe('');
});
