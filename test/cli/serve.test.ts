/** `serve`: its first line, its page, its end. */
import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { errorOf, makeFolder, run, start } from './helpers.ts';

const folder = makeFolder();
afterAll(() => folder.remove());

describe('serve', () => {
  it.skipIf(!existsSync('out/renderer/index.html'))('prints an address that opens the app, and ends with 0 at SIGINT', async () => {
    const running = start(folder, ['serve']);
    const { url } = JSON.parse(await running.firstLine) as { readonly url: string };

    const redeemed = await fetch(url, { redirect: 'manual' });
    const cookie = redeemed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const page = await fetch(new URL('/', url), { headers: { cookie } });
    running.child.kill('SIGINT');

    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<div id="app"');
    expect((await running.ended).code).toBe(0);
  });

  it('refuses a port that is none', async () => {
    const result = await run(folder, ['serve', '--port', 'http', '--json']);

    expect([result.code, errorOf(result).code]).toEqual([2, 'usage']);
  });
});
