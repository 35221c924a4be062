/** The built main bundle under Node, its windows in a Chromium that the test is connected to as well. */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright';
import { CHROMIUM_ARGS, findChromium } from '../helpers/chromium.ts';
import { getBundle, type AppFiles, type DesktopApp, type DesktopLauncher } from './desktop-app.ts';
import type { Ask, Reply } from './stand-in/protocol.ts';

const RUN = join(import.meta.dirname, 'stand-in', 'run.ts');

export interface StandInLauncher extends DesktopLauncher {
  /** Address of the debugging port of the windows. */
  readonly endpoint: string;
  /** Starts the app and leaves it alone; gives its process. */
  spawn(dataDir: string): ChildProcess;
}

export async function createStandInLauncher(app: AppFiles): Promise<StandInLauncher> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldwright-stand-in-'));
  const { endpoint, browser } = await startChromium(join(folder, 'profile'));
  const connection = await chromium.connectOverCDP(endpoint);
  const [context] = connection.contexts();
  if (context === undefined) throw new Error('This Chromium has no default context.');

  function start(dataDir: string, args: readonly string[] = []): ChildProcess {
    return fork(RUN, [getBundle(app), app.resources, ...args], {
      serialization: 'advanced',
      silent: true,
      env: {
        ...process.env,
        FIELDWRIGHT_DATA_DIR: dataDir,
        STAND_IN_CDP: endpoint,
        STAND_IN_SYSTEM_DIR: join(folder, 'system'),
      },
    });
  }

  return {
    app,
    endpoint,
    spawn: start,
    launch: (dataDir, args) => createApp(start(dataDir, args), context),
    async launchBeside(dataDir, args) {
      const [code] = (await once(start(dataDir, args), 'exit')) as [number];
      return code;
    },
    async dispose() {
      await connection.close();
      browser.kill();
      if (browser.exitCode === null) await once(browser, 'exit');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function startChromium(profile: string): Promise<{ endpoint: string; browser: ChildProcess }> {
  const executable = findChromium();
  if (executable === undefined)
    throw new Error(
      'No Chromium was found: set FIELDWRIGHT_CHROMIUM, or run "npx playwright install chromium".',
    );
  const browser = spawn(
    executable,
    [
      '--headless=new',
      ...CHROMIUM_ARGS,
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  const endpoint = await new Promise<string>((resolve, reject) => {
    browser.once('error', reject);
    browser.once('exit', (code) => {
      reject(new Error(`Chromium ended with ${code}: ${said}`));
    });
    browser.stderr?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-4000);
      const match = /DevTools listening on (ws:\/\/\S+)/.exec(said);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
  });
  return { endpoint, browser };
}

async function createApp(child: ChildProcess, context: BrowserContext): Promise<DesktopApp> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-8000);
  });
  child.stdout?.resume();
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const early = exited.then(([code]) => {
    throw new Error(`The app ended with ${code}: ${said}`);
  });
  early.catch(() => {
    /* The error matters only while a caller waits. */
  });
  const replies = new Map<number, (reply: Extract<Reply, { type: 'answer' }>) => void>();
  const url = await Promise.race([
    early,
    new Promise<string>((resolve) => {
      child.on('message', (reply: Reply) => {
        if (reply.type === 'window') resolve(reply.url);
        else if (reply.type === 'answer') replies.get(reply.id)?.(reply);
      });
    }),
  ]);
  let asked = 0;
  const ask = (rest: Omit<Ask, 'id'>): number => {
    asked += 1;
    child.send({ id: asked, ...rest } satisfies Ask);
    return asked;
  };

  return {
    page: await findPage(context, url),
    async evaluateMain<Argument, Result>(
      run: (electron: never, argument: Argument) => Result | Promise<Result>,
      argument: Argument,
    ) {
      const answered = new Promise<Extract<Reply, { type: 'answer' }>>((resolve) => {
        const id = ask({ type: 'evaluate', source: run.toString(), argument });
        replies.set(id, resolve);
      });
      const { value, error } = await Promise.race([early, answered]);
      if (error !== undefined) throw new Error(error);
      return value as Result;
    },
    async close() {
      if (child.connected) ask({ type: 'quit' });
      const [code] = await exited;
      await closePages(context, url);
      if (code !== 0) throw new Error(`The app ended with ${code}: ${said}`);
    },
  };
}

/** Closes the pages of a process that ended and cannot close them any more; Electron's end with it. */
async function closePages(context: BrowserContext, url: string): Promise<void> {
  const { host } = new URL(url);
  const ours = host.slice(host.indexOf('.'));
  await Promise.all(
    context
      .pages()
      .filter((page) => new URL(page.url()).host.endsWith(ours))
      .map((page) => page.close()),
  );
}

/**
 * Returns the window's page, which may not be there yet, may still be blank, or may have opened its first
 * screen.
 */
async function findPage(context: BrowserContext, url: string): Promise<Page> {
  const isWindow = (at: URL): boolean => at.href.split('#')[0] === url.split('#')[0];
  const open = context.pages();
  const reaches = async (page: Page): Promise<Page> => {
    await page.waitForURL(isWindow, { waitUntil: 'commit' });
    return page;
  };
  const there = open.find((page) => isWindow(new URL(page.url())));
  return there ?? Promise.any([...open.map(reaches), context.waitForEvent('page').then(reaches)]);
}
