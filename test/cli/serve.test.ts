/** `serve`: its first line, its page, its end. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { errorOf, makeFolder, run, start } from './helpers.ts';

const folder = makeFolder();
afterAll(() => folder.remove());

const isBuilt = existsSync('out/renderer/index.html');

/** An `xdg-open` that notes what it was started with, and what everybody on the computer sees meanwhile. */
function standInBrowser(): { readonly done: string; read(name: string): string } {
  const seen = folder.file('seen');
  mkdirSync(seen);
  mkdirSync(folder.file('bin'));
  const script = ['#!/bin/sh', `cd '${seen}'`, 'echo "$@" > arguments', 'cat "$1" > file', 'stat -c %a "$1" > mode', 'env > environment', 'ps -ewwo args > processes', 'touch done', ''];
  writeFileSync(join(folder.file('bin'), 'xdg-open'), script.join('\n'), { mode: 0o755 });
  return { done: join(seen, 'done'), read: (name) => readFileSync(join(seen, name), 'utf8') };
}

describe('serve', () => {
  it.skipIf(!isBuilt)('prints an address that opens the app, and ends with 0 at SIGINT', async () => {
    const running = start(folder, ['serve']);
    const { url } = JSON.parse(await running.firstLine) as { readonly url: string };

    const page = await fetch(url);
    running.child.kill('SIGINT');

    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<div id="app"');
    expect((await running.ended).code).toBe(0);
  });

  it.skipIf(!isBuilt || process.platform !== 'linux')('fault 5: --open shows the link to nobody but the browser, and the browser no password (else: it stands in the list of processes)', async () => {
    const seen = standInBrowser();
    const running = start(folder, ['serve', '--open'], { PATH: `${folder.file('bin')}:${process.env['PATH'] ?? ''}`, FIELDWRIGHT_PASSWORD: 'hunter-for-open', FIELDWRIGHT_SECRET_WIFI: 'hunter-for-wifi', SOME_TOKEN: 'hunter-of-others' });
    const { url } = JSON.parse(await running.firstLine) as { readonly url: string };
    const token = new URL(url).searchParams.get('token') ?? '';

    await expect.poll(() => existsSync(seen.done), { timeout: 30_000 }).toBe(true);
    running.child.kill('SIGINT');
    await running.ended;

    const [file = ''] = seen.read('arguments').split('\n');
    expect(seen.read('file')).toContain(`url=${url}"`);
    expect(seen.read('mode').trim()).toBe('600');
    expect(seen.read('processes')).toContain('serve --open');
    expect(seen.read('processes')).not.toContain(token);
    expect(seen.read('environment')).toContain('PATH=');
    expect(seen.read('environment')).not.toMatch(/FIELDWRIGHT|hunter/);
    expect(existsSync(file)).toBe(false);
  });

  it('fault 5: --host that others can reach is refused with the reason', async () => {
    const result = await run(folder, ['serve', '--host', '0.0.0.0', '--json']);

    expect([result.code, errorOf(result).code]).toEqual([2, 'not-allowed']);
    expect(errorOf(result).message).toContain('TLS and a passphrase');
  });

  it('refuses a port that is none', async () => {
    const result = await run(folder, ['serve', '--port', 'http', '--json']);

    expect([result.code, errorOf(result).code]).toEqual([2, 'usage']);
  });
});
