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
  return chromium.launch({ executablePath, args: [...CHROMIUM_ARGS] });
}

/** Closes the browser, for processes that outlive it, as a bench does. */
export async function closeBrowser(): Promise<void> {
  const browser = await launched;
  launched = undefined;
  idle.clear();
  await browser?.close();
}

/**
 * A browser window whose tabs share one origin and one process, so that Chromium compiles the page once for many tests:
 * a process of its own costs each test a second of processor time. Each tab begins without cookies and stored data.
 */
interface Tabs {
  readonly port: number;
  readonly context: BrowserContext;
  /** Opens the other tabs; runs no script of the app. */
  readonly opener: Page;
}

/** Windows that no test uses at present, by language. */
const idle = new Map<string, Tabs[]>();

async function openTabs(url: string, locale: string): Promise<Tabs> {
  const browser = await (launched ??= launch());
  // Nothing moves: colours and places are what they are as soon as they are asked for.
  const context = await browser.newContext({ locale, reducedMotion: 'reduce' });
  context.setDefaultTimeout(60_000);
  const opener = await context.newPage();
  const { origin, port } = new URL(url);
  await opener.goto(`${origin}/favicon.svg`);
  return { port: Number(port), context, opener };
}

async function openTab(
  { context, opener }: Tabs,
  { viewport = { width: 1024, height: 700 }, colorScheme = 'light' }: WindowOptions,
): Promise<Page> {
  const [page] = await Promise.all([
    context.waitForEvent('page'),
    opener.evaluate('window.open("about:blank") && undefined'),
  ]);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  return page;
}

/** Closes all tabs but the first and deletes what they stored. Closes the window if a test replaced its clock. */
async function leaveTabs(left: Tabs, locale: string, page: Page): Promise<void> {
  const { context, opener, port } = left;
  const isReusable = !page.isClosed() && (await page.evaluate<boolean>('String(Date).includes("native")'));
  if (!isReusable) return context.close();
  for (const one of context.pages()) if (one !== opener) await one.close();
  await context.clearCookies();
  await context.clearPermissions();
  const session = await context.newCDPSession(opener);
  await session.send('Storage.clearDataForOrigin', {
    origin: `http://127.0.0.1:${port}`,
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
  const tabs = kept !== undefined && again !== undefined ? kept : await openTabs(server.url, locale);
  const page = await openTab(tabs, options);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(server.url);
  lasting.closeProgram = async () => {
    delete lasting.closeProgram;
    await leaveTabs(tabs, locale, page);
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
