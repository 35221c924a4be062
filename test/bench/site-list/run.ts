/**
 * The laptop: engine, server and a real browser; `run.ts RENDERER_DIR`. Prints `ready`, waits for a
 * line, measures the page while the announcements come in, prints the figures as JSON.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import { findResourcesDir } from '#rpc/hosting/folders.ts';
import { startServer } from '#server/index.ts';
import { CHROMIUM_ARGS, findChromium } from '#test/helpers/chromium.ts';
import {
  PROBE,
  readProbe,
  readTrace,
  startProbe,
  timeUntilPainted,
  type PageFigures,
  type TaskFigures,
} from './page-probe.ts';
import { deviceAt, DEVICES, SECONDS } from './plan.ts';

export interface Measured extends PageFigures, TaskFigures {
  /** Events of discovery that went to the page. */
  readonly events: number;
  readonly rows: string;
}
/** Times of an act in ms, from the press until its result is painted. */
export interface Acts {
  readonly chooseAll: readonly number[];
  readonly search: readonly number[];
  /** A press that changes nothing: what this computer takes for any. */
  readonly bare: readonly number[];
}
export interface RunResult {
  readonly acts: Acts;
  readonly idle: Measured;
  readonly flooded: Measured;
}

const byId = (id: string): string => `[data-test-id="${id}"]`;
const WARM_UP_MS = 4_000;
/** Acts of a kind that are timed. */
const ROUNDS = 15;
/** Digits that only some devices have in their name, address or tags. */
const DIGITS = ['8', '9', '3'];
const WORDS = ['device 01', '10.77.4.2', 'bench', 'device 0499'];

/** Counts what passes to the page and changes nothing. */
function counted(engine: Engine): { readonly engine: Engine; readonly events: () => number } {
  let events = 0;
  const watch: Engine['discovery']['watch'] = async function* count(options, signal) {
    for await (const event of engine.discovery.watch(options, signal)) {
      if (event.type === 'sighting' || event.type === 'vanished') events += 1;
      yield event;
    }
  };
  return { engine: { ...engine, discovery: { ...engine.discovery, watch } }, events: () => events };
}

/** Does what a person does meanwhile: scrolls through the list and types into the search, all the time. */
async function useThePage(page: Page, ms: number): Promise<void> {
  const grid = await page.locator('[role="grid"]').boundingBox();
  const search = page.locator(`${byId('search')} input`);
  const ends = performance.now() + ms;
  for (let turn = 0; performance.now() < ends; turn += 1) {
    if (grid !== null) await page.mouse.move(grid.x + grid.width / 2, grid.y + grid.height / 2);
    for (let step = 0; step < 12 && performance.now() < ends; step += 1) {
      await page.mouse.wheel(0, turn % 2 === 0 ? 900 : -700);
      await wait(50);
    }
    await search.click();
    await search.pressSequentially(WORDS[turn % WORDS.length] ?? '', { delay: 60 });
    await wait(200);
    await search.fill('');
  }
}

/** Chooses all devices and none, and searches, one after the other. */
async function timeActs(page: Page): Promise<Acts> {
  const all = page.locator(byId('select-all'));
  const search = page.locator(`${byId('search')} input`);
  const chooseAll: number[] = [];
  const searches: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    chooseAll.push(
      await timeUntilPainted(page, {
        type: 'click',
        isDone: `document.querySelector(${JSON.stringify(byId('selection-bar'))}) !== null`,
        act: () => all.click(),
      }),
    );
    await page.locator(byId('clear-selection')).click();
    await search.focus();
    bare.push(
      await timeUntilPainted(page, {
        type: 'keydown',
        isDone: 'true',
        act: () => page.keyboard.press('Shift'),
      }),
    );
    searches.push(
      await timeUntilPainted(page, {
        type: 'keydown',
        isDone: `Number(document.querySelector('[role=grid]').getAttribute('aria-rowcount')) < ${DEVICES}`,
        act: () => page.keyboard.press(DIGITS[round % DIGITS.length] ?? ''),
      }),
    );
    await search.fill('');
    await page.locator(`[role="grid"][aria-rowcount="${DEVICES + 1}"]`).waitFor();
  }
  return { chooseAll, search: searches, bare };
}

async function measure(page: Page, events: () => number): Promise<Measured> {
  const before = events();
  const browser = page.context().browser();
  const started = performance.now();
  await browser?.startTracing(page, {
    categories: ['toplevel', '__metadata', 'disabled-by-default-devtools.timeline'],
  });
  await startProbe(page);
  await useThePage(page, SECONDS * 1000);
  const figures = await readProbe(page);
  const trace = await browser?.stopTracing();
  const tasks = readTrace(trace ?? Buffer.from('{"traceEvents":[]}'), performance.now() - started);
  return {
    ...figures,
    ...tasks,
    events: events() - before,
    rows: (await page.locator('[role="grid"]').getAttribute('aria-rowcount')) ?? '',
  };
}

const [rendererDir = ''] = process.argv.slice(2);
const input = createInterface({ input: process.stdin });
const lines = input[Symbol.asyncIterator]();
const folder = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});
// The parent process has ended: the browser ends with this process.
const isOver = (): void => process.exit(1);
input.once('close', isOver);
process.once('SIGTERM', isOver);
const real = await createEngine({
  dataDir: folder,
  resourcesDir: findResourcesDir(),
  face: 'browser',
  version: '0',
  user: 'bench',
  protections: [createKeyFileProtection(join(folder, 'vault.key'))],
});
real.devices.addMany({
  devices: Array.from({ length: DEVICES }, (_, index) => {
    const { url, identity } = deviceAt(index);
    return {
      address: url,
      identity,
      name: `Device ${String(index).padStart(5, '0')}`,
      tags: [`floor ${index % 40}`],
    };
  }),
});
const { engine, events } = counted(real);
const server = await startServer({
  engine,
  rendererDir,
  host: { canSimulate: false, startSimulatedSite: () => Promise.resolve(0) },
});
const executablePath = findChromium();
const browser = await chromium.launch({
  ...removeUndefined({ executablePath }),
  args: [...CHROMIUM_ARGS],
});
try {
  const page = await (
    await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  ).newPage();
  await page.addInitScript({ content: PROBE });
  await page.goto(server.url);
  await page.locator(byId('device-row')).first().waitFor();
  // The first seconds belong to compiling; they are not measured.
  await useThePage(page, WARM_UP_MS);
  const acts = await timeActs(page);
  const idle = await measure(page, events);
  await page.locator(byId('search-menu')).click();
  await page.locator(byId('start-search')).click();
  await page.locator(`${byId('search-strip')}[data-running="true"]`).waitFor();
  await wait(1_000);
  process.stdout.write('ready\n');
  await lines.next();
  const flooded = await measure(page, events);
  input.off('close', isOver);
  process.stdout.write(`${JSON.stringify({ acts, idle, flooded } satisfies RunResult)}\n`);
} finally {
  await browser.close();
  await server.close();
  await real.close();
}
process.stdin.destroy();
