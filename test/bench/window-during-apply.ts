/**
 * Measures the window's main thread while 10 sections are applied to 500 virtual devices: the built page in
 * Chromium, every task of its main thread as the browser itself writes them down. Engine and server share
 * this process, the devices have another; beside the busy page an idle one of the same browser, because a
 * busy machine alone makes tasks look long. Alone: `node test/bench/window-during-apply.ts`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import { findResourcesDir } from '#rpc/hosting/folders.ts';
import { startServer } from '#server/index.ts';
import { buildRenderer } from '../e2e/build-renderer.ts';
import { ApplyPage } from '../e2e/pages/apply-page.ts';
import { CHROMIUM_ARGS, findChromium } from '../helpers/chromium.ts';
import { withSite } from './processes.ts';
import type { BenchDevice } from './shared.ts';

const GOAL_MS = 50;
const DEVICES = 500;
const TEMPLATE = join(import.meta.dirname, 'ten-sections.yaml');
/** A site of this size on a busy machine. */
const PATIENCE_MS = 300_000;
const NOTHING: Watched = { longest: 0, worked: 0, over: 0, overWorked: 0 };

/** Main-thread tasks of one page. */
export interface Watched {
  /** Longest by the clock on the wall, in milliseconds. */
  readonly longest: number;
  /** Longest by the time the processor worked on it: on a busy machine the wall's also counts waiting for it. */
  readonly worked: number;
  /** How many took longer than the goal, by either clock. */
  readonly over: number;
  readonly overWorked: number;
}
export interface WindowResult {
  readonly sections: number;
  readonly outcome: string;
  readonly applying: Watched;
  readonly idle: Watched;
  readonly seconds: number;
}

async function addDevices(engine: Engine, devices: readonly BenchDevice[]): Promise<void> {
  const ids = devices.map(({ url }) => engine.devices.add({ address: url }).id);
  const password = devices[0]?.password ?? '';
  engine.credentials.save({ label: 'bench', userName: devices[0]?.user ?? '', password, deviceIds: ids });
  await engine.devices.test({ ids }, AbortSignal.timeout(PATIENCE_MS));
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Returns the tasks of each page's main thread as the browser recorded them, the busiest page first. */
function tasksByPage(trace: Buffer): readonly Watched[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) =>
      ph === 'X' && name === 'ThreadControllerImpl::RunTask' && mains.has(`${pid} ${tid}`),
  );
  return [...Map.groupBy(tasks, ({ pid }) => pid).values()]
    .sort((a, b) => b.length - a.length)
    .map((own) => {
      const wall = own.map(({ dur = 0 }) => dur / 1000);
      const worked = own.map(({ tdur = 0 }) => tdur / 1000);
      const over = (times: readonly number[]): number => times.filter((time) => time > GOAL_MS).length;
      return {
        longest: Math.max(...wall),
        worked: Math.max(...worked),
        over: over(wall),
        overWorked: over(worked),
      };
    });
}

/** Applies a template as a person does, from the file to the results. */
async function drive(browser: Browser, page: Page, engine: Engine): Promise<WindowResult> {
  const apply = new ApplyPage(page);
  await apply.visit();
  await apply.get('template-file').setInputFiles(TEMPLATE);
  await apply.get('template-name').filter({ hasText: 'Ten sections' }).waitFor();
  await apply.toDevices();
  await apply.get('select-all').check();
  await apply.get('make-plan').click();
  await apply.get('plan-summary').waitFor({ timeout: PATIENCE_MS });
  await apply.get('to-apply').click();
  await apply.get('agree').check();
  await browser.startTracing(page, { categories: ['toplevel'] });
  const started = performance.now();
  await apply.get('start-apply').click();
  await apply.get('job-summary').waitFor({ timeout: PATIENCE_MS });
  await apply.get('result-group').first().waitFor();
  const seconds = (performance.now() - started) / 1000;
  const [applying = NOTHING, idle = NOTHING] = tasksByPage(await browser.stopTracing());
  const [job] = engine.jobs.list();
  return {
    sections: Object.values(job?.counts ?? {}).reduce((sum, count) => sum + count, 0),
    outcome: Object.entries(job?.counts ?? {})
      .map(([outcome, count]) => `${count} ${outcome}`)
      .join(', '),
    applying,
    idle,
    seconds,
  };
}

export async function benchWindow({
  devices: count = DEVICES,
}: { readonly devices?: number } = {}): Promise<WindowResult> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('No Chromium was found: set FIELDWRIGHT_CHROMIUM.');
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldwright-bench-'));
  const renderer = await buildRenderer();
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...CHROMIUM_ARGS,
      '--disable-renderer-backgrounding',
      '--disable-background-timer-throttling',
      '--disable-backgrounding-occluded-windows',
    ],
  });
  const engine = await createEngine({
    dataDir,
    resourcesDir: findResourcesDir(),
    face: 'browser',
    version: '0',
    user: 'bench',
    protections: [createKeyFileProtection(join(dataDir, 'key'))],
  });
  const server = await startServer({
    engine,
    rendererDir: renderer.dir,
    host: { canSimulate: false, startSimulatedSite: () => Promise.resolve(0) },
  });
  try {
    return await withSite(
      { devices: count, kinds: ['thermal'], password: 'bench-for-all-1', seed: 7 },
      async (devices) => {
        await addDevices(engine, devices);
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
        context.setDefaultTimeout(30_000);
        const page = await context.newPage();
        await page.goto(server.url);
        const idle = await context.newPage();
        // The token counts once, for one tab.
        await idle.goto(`${server.newUrl()}#/settings`);
        await page.bringToFront();
        return await drive(browser, page, engine);
      },
    );
  } finally {
    await browser.close();
    await server.close();
    await engine.close();
    await renderer.remove();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

function line(name: string, { longest, worked, over, overWorked }: Watched): string {
  return `  ${name.padEnd(24)}longest task ${longest.toFixed(0)} ms, ${worked.toFixed(0)} ms of processor time; over ${GOAL_MS} ms: ${over}, by processor time ${overWorked}`;
}

function verdict({ applying, idle }: WindowResult): string {
  if (applying.over === 0) return 'met';
  if (applying.overWorked > 0) return 'MISSED';
  return `met by processor time; this machine was busy (${idle.over > 0 ? 'the idle page was held up too' : 'the tasks waited for a processor'})`;
}

/** The result for people. */
export async function windowReport(): Promise<string> {
  const result = await benchWindow();
  return [
    `Window while ${result.sections} sections are applied to ${DEVICES} devices (${result.seconds.toFixed(1)} s; ${result.outcome})`,
    '',
    line('the window', result.applying),
    line('an idle page beside it', result.idle),
    `  goal: no task over ${GOAL_MS} ms: ${verdict(result)}`,
    '',
  ].join('\n');
}

if (import.meta.main) process.stdout.write(await windowReport());
