/** The engine falls asleep while the page is open, or is ended. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { chromium, type Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { CHROMIUM_ARGS, findChromium } from '../helpers/chromium.ts';
import { buildRenderer, type BuiltRenderer } from './build-renderer.ts';
import { DiscoveryPage } from './pages/discovery-page.ts';
import { SitePage } from './pages/site-page.ts';
import { byId } from './pages/test-id.ts';

let renderer: BuiltRenderer;
beforeAll(async () => {
  renderer = await buildRenderer();
});
afterAll(() => renderer.remove());

/** Opens a page on an engine of its own process. */
async function withEngine(
  work: (page: Page, engine: ChildProcess & { readonly stdin: Writable }) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldwright-asleep-'));
  const engine = spawn(
    process.execPath,
    [join(import.meta.dirname, 'server-process.ts'), folder, renderer.dir],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const ended = once(engine, 'close');
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...removeUndefined({ executablePath }),
    args: [...CHROMIUM_ARGS],
  });
  try {
    const [url] = (await once(createInterface({ input: engine.stdout }), 'line')) as [string];
    const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1024, height: 700 } });
    await page.goto(url);
    engine.stdin.write('127.0.0.1:9\n');
    await byId(page, 'device-row').waitFor();
    await work(page, engine);
  } finally {
    await browser.close();
    engine.kill('SIGCONT');
    engine.stdin.end();
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

// Would catch: a page that stays on what it knew, loses what was asked meanwhile, or shows devices twice afterwards.
it.skipIf(process.platform === 'win32')('goes on where it was when the engine wakes up', () =>
  withEngine(async (page, engine) => {
    await new DiscoveryPage(page).sweep('127.0.16.0/22', [9]);
    await byId(page, 'cancel-sweep').waitFor();
    await page.keyboard.press('Escape');

    engine.kill('SIGSTOP');
    await byId(page, 'stop-search').click();
    await byId(page, 'select-all').check();
    await byId(page, 'test-devices').click();
    engine.stdin.write('127.0.0.1:10\n');
    const asleep = await byId(page, 'device-row').count();
    engine.kill('SIGCONT');
    await byId(page, 'device-row').nth(1).waitFor();
    await byId(page, 'device-row').locator('[data-state="unreachable"]:visible').first().waitFor();

    expect(asleep).toBe(1);
    expect(await byId(page, 'device-row').count()).toBe(2);
    expect(await page.locator('[data-running="true"]').count()).toBe(0);
  }),
);

// Would catch: a question that cannot be closed before the engine has listed the losses of a removal, and its
// focus lost.
it.skipIf(process.platform === 'win32')('lets a removal be left that nobody answers', () =>
  withEngine(async (page, engine) => {
    const dialog = byId(page, 'remove-dialog');
    await byId(page, 'select-all').check();
    engine.kill('SIGSTOP');
    await new SitePage(page).act('remove-devices');
    await byId(dialog, 'cancel').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    engine.kill('SIGCONT');

    await new SitePage(page).act('remove-devices');
    await byId(dialog, 'confirm-remove').click();
    await byId(page, 'empty-state').waitFor();
  }),
);

// Would catch: a state of an hour ago shown as current, and a device whose absence is noticed only after a
// person tries it.
it('notices by itself that a device is not there, and tells old states as old', () =>
  withEngine(async (page) => {
    await page.clock.install({ time: new Date() });
    await page.reload();
    const row = byId(page, 'device-row');

    await row.locator('[data-state="unreachable"]:visible').waitFor();
    const since = await byId(row, 'exception').innerText();
    await page.clock.fastForward('41:00');
    await row.locator('[data-state="was-unreachable"]:visible').waitFor();

    expect(since).toMatch(/^Away since \d/);
    expect(await byId(row, 'exception').innerText()).toContain('41 min');
  }));

// Would catch: a click that leads nowhere and says nothing, and a search that is said to go on.
it('says what is not to be had once the engine is gone', () =>
  withEngine(async (page, engine) => {
    await new DiscoveryPage(page).sweep('127.0.16.0/22', [9]);
    await byId(page, 'cancel-sweep').waitFor();
    await page.keyboard.press('Escape');

    engine.kill('SIGKILL');
    await byId(page, 'connection-lost').waitFor();
    await byId(page, 'search-menu').click();
    await byId(page, 'start-search').click();
    await byId(page, 'search-state').filter({ hasText: 'Reconnecting' }).waitFor();
    await byId(page, 'nav-settings').click();
    await page.locator('.n-message', { hasText: 'could not be loaded' }).waitFor();

    expect(page.url()).toContain('#/devices');
  }));
