/**
 * 100,000 people of a gate in the table of the screen, during scrolling, typing into its search and
 * filtering: the tasks of the page's main thread. The built page in a real browser, the real engine and
 * server, a virtual gate. Alone: `node test/bench/people-table.ts`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import { adoptSite } from '../e2e/adopt-site.ts';
import { closeBrowser, startApp } from '../e2e/app.ts';
import { goToHash } from '../e2e/pages/in-page.ts';
import { pickDevice } from '../e2e/pages/pick-device.ts';
import { byId } from '../e2e/pages/test-id.ts';
import { goal, say } from './shared.ts';
import { PROBE, readProbe, readTrace, startProbe } from './site-list/page-probe.ts';

const COUNT = Number(process.env['FIELDWRIGHT_BENCH_PEOPLE'] ?? 100_000);
const GOAL_MS = 50;
const TURNS = 3;
const WORDS = ['ada', '10042', 'zhou', '99'];

async function useTheTable(page: Page): Promise<void> {
  const grid = await page.getByRole('grid').boundingBox();
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (grid !== null) await page.mouse.move(grid.x + grid.width / 2, grid.y + grid.height / 2);
    for (let step = 0; step < 30; step += 1) {
      await page.mouse.wheel(0, turn % 2 === 0 ? 9_000 : -7_000);
      await wait(50);
    }
    const search = byId(page, 'search');
    await search.click();
    await search.pressSequentially(WORDS[turn % WORDS.length] ?? '', { delay: 60 });
    await wait(200);
    await byId(page, 'type').selectOption('visitor');
    await wait(200);
    await byId(page, 'type').selectOption('');
    await search.fill('');
  }
}

export async function peopleTableReport(): Promise<string> {
  say(`${COUNT} people in the table of the screen …`);
  const app = await startApp();
  try {
    const site = await app.site({ kinds: ['gate'], users: COUNT });
    site.device(0).part(PEOPLE).setLimits({ page: 100 });
    await adoptSite(app, site);
    const { page } = app;
    await page.evaluate(PROBE);
    await startProbe(page);
    await goToHash(page, '#/people');
    await pickDevice(page, 'terminal');
    await page
      .locator('[data-test-id="count"]', { hasText: new Intl.NumberFormat('en').format(COUNT) })
      .waitFor({ timeout: 600_000 });
    const reading = await readProbe(page);
    const browser = page.context().browser();
    const started = performance.now();
    await browser?.startTracing(page, {
      categories: ['toplevel', '__metadata', 'disabled-by-default-devtools.timeline'],
    });
    await startProbe(page);
    await useTheTable(page);
    const figures = await readProbe(page);
    const trace = await browser?.stopTracing();
    const tasks = readTrace(trace ?? Buffer.from('{"traceEvents":[]}'), performance.now() - started);
    return [
      `${COUNT.toLocaleString('en')} people in a table: scrolled, searched, filtered`,
      '',
      `Longest task ${tasks.longest.toFixed(0)} ms on the clock, ${tasks.longestBusy.toFixed(0)} ms of the processor (goal: under ${GOAL_MS}${tasks.longestBusy < GOAL_MS ? ', met' : ', MISSED'}); ${figures.longTasks.length} of ${GOAL_MS} ms or more; 99 of 100 redraws within ${figures.frame99.toFixed(0)} ms`,
      `While they were read: ${reading.longTasks.length} tasks of ${GOAL_MS} ms or more, the longest ${Math.max(0, ...reading.longTasks).toFixed(0)} ms (${goal(reading.longTasks.length === 0, 'none')})`,
      '',
    ].join('\n');
  } finally {
    await app.close();
    await closeBrowser();
  }
}

if (import.meta.main) process.stdout.write(await peopleTableReport());
