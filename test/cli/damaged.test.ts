/**
 * Repairs at the opening of the data folder are reported on stderr: an empty list alone would look as if it
 * had always been empty.
 */
import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { errorOf, makeFolder, run } from './helpers.ts';

const folder = makeFolder();
afterEach(() => folder.remove());

it('a damaged database is named with the file it was moved to, and only once', async () => {
  const dataDir = folder.file('data');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'fieldwright.db'), 'this is no database\n'.repeat(500));

  const first = await run(folder, ['jobs', 'list', '--json']);
  const second = await run(folder, ['jobs', 'list', '--json']);

  expect([first.code, first.json()]).toEqual([0, []]);
  expect(first.stderr).toMatch(
    /^fieldwright\.damaged-\S+\.db: The database was damaged.*\[storage-damaged\]\n {2}The damaged file is kept/,
  );
  expect(second.stderr).toBe('');
});

describe('a data folder that something went wrong with', () => {
  const SAVE = ['credential', 'save', '--user', 'installer', '--json'];
  const env = { FIELDWRIGHT_PASSWORD: 'saved-long-ago-7' };

  /** Makes a data folder with a saved credential, then damages it. */
  async function spoilt(spoil: (dataDir: string) => void): Promise<void> {
    expect((await run(folder, SAVE, { env })).code).toBe(0);
    spoil(folder.file('data'));
  }
  function inDatabase(sql: string): (dataDir: string) => void {
    return (dataDir) => {
      const database = new DatabaseSync(join(dataDir, 'fieldwright.db'));
      database.exec(sql);
      database.close();
    };
  }
  function emptied(dataDir: string): void {
    for (const name of readdirSync(dataDir)) if (/^fieldwright\.db-/.test(name)) rmSync(join(dataDir, name));
    truncateSync(join(dataDir, 'fieldwright.db'), 0);
  }

  it('an empty database beside a key is told and set aside (else: everything is gone without a word)', async () => {
    await spoilt(emptied);

    const first = await run(folder, ['credential', 'list', '--json']);
    const second = await run(folder, ['credential', 'list', '--json']);

    expect([first.code, first.json()]).toEqual([0, []]);
    expect(first.stderr).toMatch(/^fieldwright\.damaged-\S+\.db: .*\[storage-damaged\]/);
    expect(second.stderr).toBe('');
  });

  it.each<[string, (dataDir: string) => void, string]>([
    ['a version before the first', inDatabase('PRAGMA user_version = -3'), 'storage-damaged'],
    ['a version to come', inDatabase('PRAGMA user_version = 9999'), 'not-available'],
    ['the tables of another program', inDatabase('PRAGMA user_version = 0'), 'storage-damaged'],
    ['a key of one byte', inDatabase("UPDATE vault_keys SET wrapped = x'00'"), 'vault-locked'],
    ['a key of nobody', inDatabase("UPDATE vault_keys SET protection = 'nobody'"), 'vault-locked'],
    [
      'a key that is a passphrase with costs that are none',
      inDatabase(
        `UPDATE vault_keys SET protection = 'passphrase', wrapped = CAST('{"kdf":"scrypt","N":3,"r":8,"p":1,"salt":"AA==","sealed":"AA=="}' AS BLOB)`,
      ),
      'vault-locked',
    ],
    [
      'a folder for a key file',
      (dataDir) => {
        rmSync(join(dataDir, 'vault.key'));
        mkdirSync(join(dataDir, 'vault.key'));
      },
      'vault-locked',
    ],
    [
      'another key file',
      (dataDir) => {
        writeFileSync(join(dataDir, 'vault.key'), 'ab'.repeat(32), { mode: 0o600 });
      },
      'vault-locked',
    ],
    [
      'no key file',
      (dataDir) => {
        rmSync(join(dataDir, 'vault.key'));
      },
      'vault-locked',
    ],
  ])(
    '%s is an error that says so (else: a stack trace, or "something unexpected")',
    async (_what, spoil, code) => {
      await spoilt(spoil);

      const result = await run(folder, SAVE, { env });

      expect(result.code).toBe(2);
      expect(errorOf(result)).toMatchObject({ code, hint: expect.any(String) as string });
      expect(result.stderr).not.toContain(' at ');
    },
  );
});
