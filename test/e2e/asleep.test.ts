/** The computer that runs the engine falls asleep while the page is open, or is started again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHROMIUM_ARGS, findChromium } from '../helpers/chromium.ts';
import { buildRenderer, type BuiltRenderer } from './build-renderer.ts';
import { DiscoveryPage } from './pages/discovery-page.ts';
import { byId } from './pages/test-id.ts';

let renderer: BuiltRenderer;
beforeAll(async () => { renderer = await buildRenderer(); });
afterAll(() => renderer.remove());

// Would catch: a page that stays on what it knew, loses what was asked meanwhile, or shows devices twice afterwards.
it.skipIf(process.platform === 'win32')('goes on where it was when the engine wakes up', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldwright-asleep-'));
  const engine = spawn(process.execPath, [join(import.meta.dirname, 'server-process.ts'), folder, renderer.dir], { stdio: ['pipe', 'pipe', 'inherit'] });
  const executablePath = findChromium();
  const browser = await chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: [...CHROMIUM_ARGS] });
  try {
    const [url] = await once(createInterface({ input: engine.stdout }), 'line') as [string];
    const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1024, height: 700 } });
    await page.goto(url);
    const discovery = new DiscoveryPage(page);
    engine.stdin.write('127.0.0.1:9\n');
    await byId(page, 'device-row').waitFor();
    await discovery.sweep('127.0.16.0/22', [9]);
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
    await byId(page, 'device-row').locator('[data-state="unreachable"]').waitFor();

    expect(asleep).toBe(1);
    expect(await byId(page, 'device-row').count()).toBe(2);
    expect(await byId(page, 'search-strip').getAttribute('data-running')).toBe('false');
  } finally {
    await browser.close();
    engine.kill('SIGCONT');
    engine.stdin.end();
    await once(engine, 'close');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
