/** The browser-hosted app on a virtual site: engine, server and simulator in this process, the page in Chromium. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import type { HostConfirmation, HostQuestion } from '#rpc/index.ts';
import { createSimulation } from '#rpc/hosting/index.ts';
import { startServer } from '#server/index.ts';
import { startSite, type Site, type SiteOptions } from '../helpers/strict-site.ts';
import { CHROMIUM_ARGS, findChromium } from '../helpers/chromium.ts';
import { buildRenderer } from './build-renderer.ts';

export interface World {
  /** A fresh data folder, and a page on it. */
  open(options?: BrowserContextOptions): Promise<App>;
  close(): Promise<void>;
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
  await browser?.close();
}

export async function createWorld(): Promise<World> {
  const renderer = await buildRenderer();
  const browser = await (launched ??= launch());
  return {
    open: (options) => openApp(browser, renderer.dir, options),
    close: () => renderer.remove(),
  };
}

/** Data that outlives a program that is closed and opened again. */
interface Lasting {
  readonly dataDir: string;
  readonly sites: Site[];
}

async function openApp(
  browser: Browser,
  rendererDir: string,
  options: BrowserContextOptions = {},
  lasting?: Lasting,
): Promise<App> {
  const { dataDir, sites } = lasting ?? {
    dataDir: await mkdtemp(join(tmpdir(), 'fieldwright-e2e-')),
    sites: [],
  };
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
  const server = await startServer({
    engine,
    rendererDir,
    host: {
      canSimulate: true,
      startSimulatedSite: (devices, signal) => simulation.startSimulatedSite(devices, signal),
      confirm,
    },
  });
  const context = await browser.newContext({
    viewport: { width: 1024, height: 700 },
    locale: 'en-US',
    // Nothing moves: colours and places are what they are as soon as they are asked for.
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(server.url);
  async function closeProgram(): Promise<void> {
    await context.close();
    await server.close();
    await simulation.close();
    await engine.close();
  }
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
      await closeProgram();
      return openApp(browser, rendererDir, options, { dataDir, sites });
    },
    async close() {
      await closeProgram();
      for (const site of sites) await site.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
