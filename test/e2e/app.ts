/** The browser-hosted app on a virtual site: engine, server and simulator in this process, the page in Chromium. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import type { HostConfirmation, HostQuestion } from '#rpc/index.ts';
import { createSimulation } from '#rpc/hosting/index.ts';
import { startServer, type RunningServer } from '#server/index.ts';
import { startSite, type Site, type SiteOptions } from '../helpers/strict-site.ts';
import { CHROMIUM_ARGS, findChromium } from '../helpers/chromium.ts';
import { buildRenderer } from './build-renderer.ts';

export interface WindowOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly locale?: string;
  readonly colorScheme?: 'light' | 'dark';
}
export interface App {
  readonly page: Page;
  readonly engine: Engine;
  /** Complaints of the page: refused scripts, exceptions, failed loads. */
  readonly complaints: readonly string[];
  /** Questions to a person outside the page, and the answer: yes, unless a test says otherwise. */
  readonly outside: { readonly asked: HostQuestion[]; answer: HostConfirmation };
  /** A virtual site; its devices are not in the inventory yet. */
  site(options: SiteOptions): Promise<Site>;
  /** Closes page, server and engine, and opens the same data folder anew; the sites go on. The app it was called on is over. */
  reopen(): Promise<App>;
  close(): Promise<void>;
}

const RESOURCES = join(import.meta.dirname, '..', '..', 'resources');

/** One browser for all files that a worker runs; it ends with the worker. */
let launched: Promise<Browser> | undefined;

async function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error(
      'No Chromium was found: set FIELDWRIGHT_CHROMIUM, or run "npx playwright install chromium".',
    );
  // A system without a set of characters saves a file with a Chinese name as "download".
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  return chromium.launch({ executablePath, args: [...CHROMIUM_ARGS], env });
}

/** Closes the browser, for processes that outlive it, as a bench does. */
export async function closeBrowser(): Promise<void> {
  const browser = await launched;
  launched = undefined;
  idle.clear();
  await browser?.close();
}

/**
 * A browser tab that test after test works in, at one origin and in one process: Chromium compiles the page once for
 * all of them. A tab of its own costs each test half a second of processor time. Each test begins without cookies and stored data.
 */
interface Tab {
  readonly port: number;
  readonly context: BrowserContext;
  readonly page: Page;
}

/** Tabs that no test uses at present, by language. */
const idle = new Map<string, Tab[]>();

async function openTab(url: string, locale: string): Promise<Tab> {
  const browser = await (launched ??= launch());
  // Nothing moves: colours and places are what they are as soon as they are asked for.
  const context = await browser.newContext({ locale, reducedMotion: 'reduce' });
  context.setDefaultTimeout(60_000);
  return { port: Number(new URL(url).port), context, page: await context.newPage() };
}

/** Leaves the app, and deletes what it stored. Closes the tab for good if the test replaced its clock. */
async function leaveTab(left: Tab, locale: string): Promise<void> {
  const { context, page, port } = left;
  const isReusable = !page.isClosed() && (await page.evaluate<boolean>('String(Date).includes("native")'));
  if (!isReusable) return context.close();
  for (const one of context.pages()) if (one !== page) await one.close();
  const origin = `http://127.0.0.1:${port}`;
  await page.evaluate('sessionStorage.clear()');
  page.removeAllListeners();
  // No question of the app to stay keeps the tab from leaving.
  page.on('dialog', (dialog) => void dialog.accept());
  // It runs no script of the app.
  await page.goto(`${origin}/favicon.svg`);
  page.removeAllListeners();
  await context.clearCookies();
  await context.clearPermissions();
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', {
    origin,
    storageTypes: 'local_storage,indexeddb,cache_storage',
  });
  await session.detach();
  idle.set(locale, [...(idle.get(locale) ?? []), left]);
}

/** Opens a page on a fresh data folder, and closes it at the end of the test. */
export async function openApp(options: WindowOptions = {}): Promise<App> {
  const app = await startApp(options);
  onTestFinished(() => app.close());
  return app;
}

/** Opens a page on a fresh data folder. The caller closes it. */
export async function startApp(options: WindowOptions = {}): Promise<App> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldwright-e2e-'));
  return openProgram(options, { dataDir, sites: [] });
}

/** Parts of an app that outlive a program that is closed and opened again. */
interface Lasting {
  readonly dataDir: string;
  readonly sites: Site[];
  closeProgram?: () => Promise<void>;
}

async function openProgram(options: WindowOptions, lasting: Lasting): Promise<App> {
  const { dataDir, sites } = lasting;
  const { locale = 'en-US' } = options;
  const renderer = await buildRenderer();
  const engine = await createEngine({
    dataDir,
    resourcesDir: RESOURCES,
    face: 'browser',
    version: '0.0.0',
    protections: [createKeyFileProtection(join(dataDir, 'key'))],
  });
  const simulation = createSimulation(engine, startSite);
  const outside: App['outside'] = { asked: [], answer: () => Promise.resolve('yes') };
  const confirm: HostConfirmation = (question, signal) => {
    outside.asked.push(question);
    return outside.answer(question, signal);
  };
  const serve = (port: number): Promise<RunningServer> =>
    startServer({
      engine,
      port,
      rendererDir: renderer.dir,
      host: {
        canSimulate: true,
        startSimulatedSite: (devices, signal) => simulation.startSimulatedSite(devices, signal),
        confirm,
      },
    });
  const kept = idle.get(locale)?.pop();
  // Another program may have taken the port in the meantime.
  const again = kept && (await serve(kept.port).catch(() => undefined));
  const server = again ?? (await serve(0));
  const tab = kept !== undefined && again !== undefined ? kept : await openTab(server.url, locale);
  const { page } = tab;
  const { viewport = { width: 1024, height: 700 }, colorScheme = 'light' } = options;
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(server.url);
  lasting.closeProgram = async () => {
    delete lasting.closeProgram;
    await leaveTab(tab, locale);
    await server.close();
    await simulation.close();
    await engine.close();
    await renderer.remove();
  };
  return {
    page,
    engine,
    complaints,
    outside,
    async site(siteOptions) {
      const site = await startSite(siteOptions);
      sites.push(site);
      return site;
    },
    async reopen() {
      await lasting.closeProgram?.();
      return openProgram(options, lasting);
    },
    async close() {
      await lasting.closeProgram?.();
      for (const site of sites.splice(0)) await site.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
