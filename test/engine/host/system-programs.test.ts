/** Programs of the system are run by their own path, whatever is in the current folder or in PATH. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findProgram, runAt, getSystemFolder, type SystemProgram } from '#engine/host/system-programs.ts';

const everywhere = () => true;

describe('programs of the system', () => {
  it.each<SystemProgram>(['reg', 'netsh', 'powercfg', 'route', 'rundll32'])(
    'on Windows %s is the one of the system folder',
    (name) => {
      const system = { platform: 'win32' as const, env: { SystemRoot: 'D:\\Windows' }, exists: everywhere };

      expect(findProgram(name, system)).toBe(`D:\\Windows\\System32\\${name}.exe`);
    },
  );

  it.each([
    [undefined, 'C:\\Windows'],
    ['', 'C:\\Windows'],
    ['.', 'C:\\Windows'],
    ['Windows', 'C:\\Windows'],
    ['C:', 'C:\\Windows'],
    ['C:Windows', 'C:\\Windows'],
    ['C:\\Windows\\..\\Users\\me', 'C:\\Windows'],
    ['\\\\server\\share', 'C:\\Windows'],
    ['\\\\?\\C:\\Windows', 'C:\\Windows'],
    ['C:/Users/me', 'C:\\Windows'],
    ['C:\\Windows" & calc', 'C:\\Windows'],
    ['E:\\WINNT\\', 'E:\\WINNT\\'],
  ])('SystemRoot %j means %s', (said, folder) => {
    expect(getSystemFolder({ SystemRoot: said })).toBe(folder);
  });

  it.each<[NodeJS.Platform, SystemProgram, string | undefined]>([
    ['darwin', 'route', '/sbin/route'],
    ['darwin', 'pmset', '/usr/bin/pmset'],
    ['darwin', 'open', '/usr/bin/open'],
    ['darwin', 'reg', undefined],
    ['linux', 'xdg-open', '/usr/bin/xdg-open'],
    ['linux', 'netsh', undefined],
    ['win32', 'xdg-open', undefined],
    ['win32', 'powershell', 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'],
  ])('on %s %s is %s', (platform, name, path) => {
    expect(findProgram(name, { platform, env: {}, exists: everywhere })).toBe(path);
  });

  it('none stands for one that the fixed folders do not have', () => {
    expect(findProgram('nft', { platform: 'linux', env: {}, exists: () => false })).toBeUndefined();
    expect(
      findProgram('nft', { platform: 'linux', env: {}, exists: (path) => path === '/usr/sbin/nft' }),
    ).toBe('/usr/sbin/nft');
  });

  // Would catch: a program that is not there, hangs or writes without end taken for an answer.
  it('runs programs within bounds', async () => {
    const limits = { timeoutMs: 10_000, mostBytes: 100_000 };
    const [none, loud, plain] = await Promise.all([
      runAt('/no/such/program/anywhere', [], limits),
      runAt(process.execPath, ['-e', 'process.stdout.write("x".repeat(1e6))'], limits),
      runAt(process.execPath, ['-e', 'process.stdout.write("here"); process.exitCode = 3'], limits),
    ]);

    expect([none, loud, plain]).toEqual([undefined, undefined, 'here']);
  });

  // Would catch: a library or helper that a program of the system takes from the folder of a download.
  it('a program runs in its own folder, whatever the current one is', async () => {
    const shown = await runAt(process.execPath, ['-e', 'process.stdout.write(process.cwd())'], {
      timeoutMs: 30_000,
      mostBytes: 10_000,
    });

    expect(shown).toBe(realpathSync(dirname(process.execPath)));
    expect(shown).not.toBe(process.cwd());
  });

  it.skipIf(process.platform === 'win32')('what is planted in PATH does not run', () => {
    const planted = mkdtempSync(join(tmpdir(), 'fieldwright-planted-'));
    try {
      for (const name of ['systemctl', 'nft', 'gsettings', 'pmset', 'route', 'xdg-open', 'open']) {
        writeFileSync(join(planted, name), `#!/bin/sh\n: > ${join(planted, 'ran')}\n`);
        chmodSync(join(planted, name), 0o755);
      }
      const doctor = pathToFileURL(resolve('src/engine/transfer/serve/doctor')).href;
      const script = `
        const { thisComputer } = await import('${doctor}/system.ts');
        const { lookAtFirewall } = await import('${doctor}/firewall.ts');
        const { lookAtSleep } = await import('${doctor}/sleep.ts');
        await Promise.all([lookAtFirewall(thisComputer), lookAtSleep(thisComputer)]);
        console.log('looked');`;

      const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
        cwd: planted,
        env: { ...process.env, PATH: `.:${planted}` },
        encoding: 'utf8',
      });

      expect(stdout).toBe('looked\n');
      expect(existsSync(join(planted, 'ran'))).toBe(false);
    } finally {
      rmSync(planted, { recursive: true });
    }
  });
});
