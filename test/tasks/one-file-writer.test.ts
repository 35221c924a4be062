/** The lint rule that keeps a second writer of files out. */
import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';
import { oneFileWriter } from '../../build/lint/one-file-writer.mjs';

function isRefused(code: string): boolean {
  const messages = new Linter().verify(
    code,
    {
      files: ['**/*.ts'],
      plugins: { files: { rules: { 'one-writer': oneFileWriter } } },
      rules: { 'files/one-writer': 'error' },
    } as unknown as Linter.Config,
    'src/engine/x.ts',
  );
  expect(messages.filter(({ fatal }) => fatal)).toEqual([]);
  return messages.length > 0;
}

// Would catch: people's data that is half on disk after a power cut, because a file is written past the one writer.
describe('one writer of files', () => {
  it.each([
    "import { writeFile } from 'node:fs/promises';",
    "import { writeFileSync as put } from 'fs';",
    "import { createWriteStream } from 'node:fs';",
    "import { renameSync } from 'node:fs';",
    "import { appendFile } from 'node:fs/promises';",
    "import { copyFileSync } from 'node:fs';",
    "import { promises } from 'node:fs'; await promises.writeFile('a', 'b');",
    "import * as fs from 'node:fs'; fs.promises.rename('a', 'b');",
    "import fs from 'node:fs'; fs.createWriteStream('a');",
    "import { open } from 'node:fs/promises'; await open('a', 'wx');",
    "import { openSync } from 'node:fs'; openSync('a', flags);",
    "import { openSync, constants } from 'node:fs'; openSync('a', constants.O_RDONLY | constants.O_CREAT);",
    "import * as fs from 'node:fs'; fs.openSync('a', 'r+');",
  ])('refuses %s', (code) => {
    expect(isRefused(code)).toBe(true);
  });

  it.each([
    "import { writeFile } from '../files/write-file.ts'; await writeFile('a', {}, work);",
    "import { readFile, rm, mkdir } from 'node:fs/promises';",
    "import { open } from 'node:fs/promises'; await open('a', 'r');",
    "import { openSync } from 'node:fs'; openSync('a');",
    "import { openSync, constants } from 'node:fs'; openSync('a', constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));",
    "import fs from 'node:fs'; fs.readFileSync('a');",
    "rows.open('list', { sealed: true });",
  ])('takes %s', (code) => {
    expect(isRefused(code)).toBe(false);
  });
});
