/** The desktop app's start where its data folder cannot be used. */
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStandInLauncher } from './launch-stand-in.ts';
import { callFromPage } from './page-calls.ts';
import { CHECKOUT, assertBuilt, type DesktopLauncher } from './desktop-app.ts';

/** Real Electron shows a dialog that nothing can press, so that these run here alone. */
describe('a data folder that cannot be used', () => {
  let launcher: DesktopLauncher;
  let folder = '';
  beforeAll(async () => {
    assertBuilt();
    launcher = await createStandInLauncher(CHECKOUT);
    folder = await mkdtemp(join(tmpdir(), 'fieldwright-unusable-'));
  });
  afterAll(async () => {
    await launcher.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  // Would catch: an app that ends without a word, as its folder was made before any error was handled.
  test('is told in a dialog, with its name, where a file lies in its place', async () => {
    const dataDir = join(folder, 'file');
    await writeFile(dataDir, '');

    const ended = await launcher.launch(join(dataDir, 'data')).catch((error: unknown) => String(error));

    expect(ended).toContain('ended with 1');
    expect(ended).toMatch(/\[dialog\] Fieldwright has to close: The data folder cannot be written\./);
    expect(ended).toContain(join(dataDir, 'data'));
  });

  test.skipIf(process.platform !== 'linux')('is told where its drive is missing', async () => {
    const ended = await launcher.launch('/proc/nothing/here').catch((error: unknown) => String(error));

    expect(ended).toMatch(
      /\[dialog\] Fieldwright has to close: The data folder cannot be (?:read or )?written\./,
    );
  });

  // Would catch: a start that waits for ever, or that takes the folder for empty.
  test('is told where another program holds its database', async () => {
    const dataDir = join(folder, 'held');
    await mkdir(dataDir);
    const holder = new DatabaseSync(join(dataDir, 'fieldwright.db'));
    holder.exec(
      'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE held (id); COMMIT; BEGIN EXCLUSIVE;',
    );

    const ended = await launcher.launch(dataDir).catch((error: unknown) => String(error));
    holder.close();

    expect(ended).toContain('Another Fieldwright is writing to this data folder.');
    expect(await readFile(join(dataDir, 'faults.log'), 'utf8')).toContain('data-folder-in-use');
  });

  test('opens beside a damaged database, which is kept, and a folder where a key file was expected', async () => {
    const dataDir = join(folder, 'damaged');
    await mkdir(join(dataDir, 'vault.key'), { recursive: true });
    await writeFile(join(dataDir, 'fieldwright.db'), 'not a database '.repeat(1000));

    const app = await launcher.launch(dataDir);
    const { value } = await callFromPage(app.page, 'app/info');
    await app.close();

    expect(value).toMatchObject({ notices: [{ code: 'storage-damaged' }] });
  });
});
