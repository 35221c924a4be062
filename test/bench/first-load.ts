/**
 * Measures the opening of the window: the size of what is loaded, and the time until the first screen of the
 * browser-hosted app shows, beside a page with nothing but a heading.
 * Alone: `npm run bench -- first-load`.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { createEngine, createKeyFileProtection } from '#engine/index.ts';
import { findResourcesDir } from '#rpc/hosting/folders.ts';
import { startServer } from '#server/index.ts';
import { buildRenderer } from '../e2e/build-renderer.ts';
import { CHROMIUM_ARGS, findChromium } from '../helpers/chromium.ts';
import { firstLoadBytes } from '../helpers/first-load.ts';
import { goal, median } from './shared.ts';

const ROUNDS = 7;
const GOALS = { kilobytes: 400, ms: 1_000 };

/** Milliseconds from asking for the page until `selector` is seen, in a browser profile that has cached nothing. */
async function timed(browser: Browser, url: string, selector: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  try {
    const page = await context.newPage();
    const started = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator(selector).waitFor();
    return performance.now() - started;
  } finally {
    await context.close();
  }
}

/** Each opening has a server of its own: its address works once. */
async function appTime(browser: Browser, rendererDir: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
  const engine = await createEngine({
    dataDir: folder,
    resourcesDir: findResourcesDir(),
    face: 'browser',
    version: '0',
    user: 'bench',
    protections: [createKeyFileProtection(join(folder, 'vault.key'))],
  });
  const server = await startServer({
    engine,
    rendererDir,
    host: { canSimulate: false, startSimulatedSite: () => Promise.resolve(0) },
  });
  try {
    return await timed(browser, server.url, '[data-test-id="site-screen"]');
  } finally {
    await server.close();
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function referenceTime(browser: Browser): Promise<number> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><h1>Nothing else</h1>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await timed(browser, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, 'h1');
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

export async function firstLoadReport(): Promise<string> {
  const executablePath = findChromium();
  if (executablePath === undefined) return 'First load: skipped, no Chromium was found.\n';
  const renderer = await buildRenderer();
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS] });
  const app: number[] = [];
  const reference: number[] = [];
  try {
    const kilobytes = firstLoadBytes(renderer.dir) / 1024;
    for (let round = 0; round < ROUNDS; round += 1) {
      reference.push(await referenceTime(browser));
      app.push(await appTime(browser, renderer.dir));
    }
    const ms = median(app);
    return [
      `Opening the app in a browser, empty cache, median of ${ROUNDS}`,
      '',
      `Scripts and styles before the first screen, gzip: ${kilobytes.toFixed(0)} KB (${goal(kilobytes <= GOALS.kilobytes, `at most ${GOALS.kilobytes} KB`)})`,
      `First screen after ${ms.toFixed(0)} ms (${goal(ms <= GOALS.ms, `within ${GOALS.ms} ms`)}), ${(ms / median(reference)).toFixed(1)} times a page with nothing but a heading (${median(reference).toFixed(0)} ms)`,
      '',
    ].join('\n');
  } finally {
    await browser.close();
    await renderer.remove();
  }
}
