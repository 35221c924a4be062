/** A file that another program holds, or that may not be written: reported before any device is asked. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorShape } from '#shared/errors.ts';
import { canMount } from '../helpers/small-disk.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { ENTRY, makeFolder, type Folder } from './helpers.ts';

const env = { FIELDWRIGHT_PASSWORD: 'Site-Passw0rd', FIELDWRIGHT_EXPORT_PASSPHRASE: 'correct horse battery' };
let folder: Folder;
let site: Site;
let at: readonly string[];

beforeAll(async () => {
  folder = makeFolder();
  site = await startSite({ devices: 1, kinds: ['gate'], password: env.FIELDWRIGHT_PASSWORD });
  at = ['--device', site.devices[0]?.url ?? ''];
  mkdirSync(folder.file('locked'));
  for (const name of ['there.csv', 'there.html', 'there.json', 'there.yaml'])
    writeFileSync(`${folder.file('locked')}/${name}`, 'before');
  writeFileSync(
    folder.file('t.yaml'),
    'fieldwright: template/1\nname: T\nsections:\n  - set: accessControl.readerCfg\n    params: { cardReaderID: 1 }\n    value: {}\n',
  );
  writeFileSync(folder.file('people.csv'), 'employeeNo,name\n7001,A\n');
  writeFileSync(folder.file('devices.csv'), 'name,url\nA,ftp://x\n');
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

/** Runs a command that sees the folder, or the file in it, as read-only, even for root. */
async function runLocked(locked: string, args: readonly string[]) {
  const mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  const child = spawn(
    'unshare',
    ['-Urm', 'sh', '-c', mount, locked, process.execPath, ENTRY, ...args, '--json'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env, FIELDWRIGHT_DATA_DIR: folder.file('data') },
    },
  );
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: Number(code), stdout, stderr };
}

/** Commands that read devices, or change them, and then write the file. */
const COMMANDS: readonly (readonly [string, string, (out: string) => readonly string[]])[] = [
  ['plan', 'json', (out) => ['plan', '--template', folder.file('t.yaml'), ...at, '--force', '--out', out]],
  ['template capture', 'yaml', (out) => ['template', 'capture', ...at, '--force', '--out', out]],
  ['report capabilities', 'html', (out) => ['report', 'capabilities', ...at, '--force', '--out', out]],
  ['report diagnostics', 'html', (out) => ['report', 'diagnostics', ...at, '--force', '--out', out]],
  ['users export', 'csv', (out) => ['users', 'export', ...at, '--out', out]],
  [
    'users import',
    'csv',
    (out) => ['users', 'import', folder.file('people.csv'), ...at, '--yes', '--failed', out],
  ],
  ['device import', 'csv', (out) => ['device', 'import', folder.file('devices.csv'), '--failed', out]],
  ['jobs export', 'csv', (out) => ['jobs', 'export', '--out', out]],
];

describe.skipIf(!canMount())('a file that cannot be written', () => {
  it.each(COMMANDS)(
    '%s: is told before a device is asked, in words, and nothing is left',
    async (_name, ending, args) => {
      const [locked, out] = [folder.file('locked'), `${folder.file('locked')}/there.${ending}`];
      site.device(0).clearRequests();

      const inFolder = await runLocked(locked, args(out));
      const onFile = await runLocked(out, args(out));

      for (const ran of [inFolder, onFile]) {
        expect(ran.code, ran.stdout + ran.stderr).toBe(2);
        expect(JSON.parse(ran.stdout) as ErrorShape).toMatchObject({
          code: 'unreadable-file',
          file: out,
          message: 'You have no permission to write this file.',
        });
      }
      expect(site.device(0).requests).toEqual([]);
      expect(readdirSync(locked)).toHaveLength(4);
      expect(readFileSync(out, 'utf8')).toBe('before');
    },
  );

  it.each([
    [
      'fingerprints export',
      (out: string) => ['fingerprints', 'export', '--from', at[1] ?? '', '--yes', '--out', out],
    ],
    ['keys export', (out: string) => ['keys', 'export', '--out', out]],
    ['flow run', (out: string) => ['flow', 'run', 'token-key', ...at, '--yes', '--record', `${out}.json`]],
    [
      'flow run with a template',
      (out: string) => ['flow', 'run', 'token-key', ...at, '--yes', '--template', out],
    ],
  ])('%s: a folder that cannot be written is told before a device is asked', async (_name, args) => {
    site.device(0).clearRequests();

    const ran = await runLocked(folder.file('locked'), args(`${folder.file('locked')}/new`));

    expect([ran.code, (JSON.parse(ran.stdout) as ErrorShape).code]).toEqual([2, 'unreadable-file']);
    expect(site.device(0).requests).toEqual([]);
    expect(readdirSync(folder.file('locked'))).toHaveLength(4);
  });
});

// Would catch: a script that takes "written" for what went to a pipe as a file, or a pipe replaced by a file.
it.skipIf(process.platform === 'win32')('a pipe is written to, not replaced', () => {
  const ran = spawnSync(
    'bash',
    [
      '-c',
      `"$0" "$1" template new --kind gate --out >(cat > "$2") && wait`,
      process.execPath,
      ENTRY,
      folder.file('piped'),
    ],
    { encoding: 'utf8', env: { ...process.env, FIELDWRIGHT_DATA_DIR: folder.file('data') } },
  );

  expect([ran.status, ran.stderr]).toEqual([0, '']);
  expect(readFileSync(folder.file('piped'), 'utf8')).toContain('fieldwright: template/1');
});
