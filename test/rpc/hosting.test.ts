import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getDefaultDataDir, getSessionDir, findResourcesDir, loadAssets } from '#rpc/hosting/index.ts';
import { writeRenderer } from './helpers/running-server.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldwright-hosting-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('assets', () => {
  test('only listed files are read, however the path is written (else: any file of the computer)', async () => {
    const assets = await loadAssets(await writeRenderer(folder));

    for (const path of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '//secret.txt',
      '/assets/../../secret.txt',
      '/%ff',
      '/index.html%00',
      '/assets',
      '/assets/',
      '\\..\\secret.txt',
    ]) {
      expect(await assets.read(path), path).toBeUndefined();
    }
    expect((await assets.read('/'))?.body.toString()).toContain('Test page');
  });

  test('a link inside the folder is not followed (else: a way out of it)', async () => {
    const rendererDir = await writeRenderer(folder);
    await symlink(join(folder, 'secret.txt'), join(rendererDir, 'link.txt'));

    const assets = await loadAssets(rendererDir);

    expect(await assets.read('/link.txt')).toBeUndefined();
  });

  test('a missing build is said (else: a blank page)', async () => {
    await mkdir(join(folder, 'empty'));
    await writeFile(join(folder, 'empty', 'readme.txt'), 'no page here');

    await expect(loadAssets(join(folder, 'empty'))).rejects.toMatchObject({
      shape: { code: 'not-available', detail: { id: 'screens-not-built' } },
    });
    await expect(loadAssets(join(folder, 'nowhere'))).rejects.toMatchObject({
      shape: { code: 'not-available' },
    });
  });

  test('the page is never cached, hashed files for good (else: an old page after an update)', async () => {
    const assets = await loadAssets(await writeRenderer(folder));

    expect((await assets.read('/index.html'))?.headers['Cache-Control']).toBe('no-store');
    expect((await assets.read('/assets/index-Ab3_x9Zq.js'))?.headers['Cache-Control']).toContain('immutable');
    expect((await assets.read('/favicon.svg'))?.headers).toMatchObject({
      'Cache-Control': 'no-cache',
      'Content-Type': 'image/svg+xml',
    });
  });
});

describe('folders', () => {
  test('the resources of the checkout are found from the source (else: no bundled template)', () => {
    expect(existsSync(join(findResourcesDir(), 'templates'))).toBe(true);
  });

  // Paths of Unix are none on Windows.
  test.skipIf(process.platform === 'win32').each([
    ['linux', {}, '/home/ann/.config/Fieldwright'],
    ['linux', { XDG_CONFIG_HOME: '/home/ann/settings' }, '/home/ann/settings/Fieldwright'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/ann/.config/Fieldwright'],
    ['darwin', {}, '/home/ann/Library/Application Support/Fieldwright'],
    ['linux', { FIELDWRIGHT_DATA_DIR: '/data' }, '/data'],
  ] as const)(
    'the data folder on %s with %o is %s (else: app and command line see different devices)',
    (platform, env, expected) => {
      expect(getDefaultDataDir({ platform, env, home: '/home/ann' })).toBe(expected);
    },
  );

  // Would catch: a portable program that leaves data on the computer of a customer.
  test('a portable program on Windows keeps everything beside itself; an installed one its caches apart', () => {
    const env = { APPDATA: 'roaming', LOCALAPPDATA: 'local', PORTABLE_EXECUTABLE_DIR: 'stick' };
    const portable = { platform: 'win32', env, home: 'home' } as const;
    const installed = { ...portable, env: { ...env, PORTABLE_EXECUTABLE_DIR: '' } };

    const dataDir = getDefaultDataDir(portable);
    expect(dataDir).toBe(join('stick', 'Fieldwright data'));
    expect(getSessionDir(dataDir, portable)).toBe(join(dataDir, 'session'));
    expect(getDefaultDataDir(installed)).toBe(join('roaming', 'Fieldwright'));
    expect(getSessionDir(getDefaultDataDir(installed), installed)).toBe(
      join('local', 'Fieldwright', 'session'),
    );
  });
});
