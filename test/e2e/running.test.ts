/** Running work, on every screen. */
import { beforeEach, expect, it } from 'vitest';
import type { Locator } from 'playwright';
import type { VirtualDevice } from '#simulator/index.ts';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { violations } from './axe.ts';
import { ApplyPage } from './pages/apply-page.ts';
import { coveredBy, goToHash } from './pages/in-page.ts';
import { SitePage } from './pages/site-page.ts';
import { byId } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

const template = (name: string): string => `fieldwright: template/1
name: ${name}
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value: { distance: 3 }
`;

const WRITES = { operation: 'thermal.thermometryBasic.put' };

/** Adds devices that are signed in to; returns them with their ids, in the order of their names. */
async function adopted(
  count: number,
): Promise<{ readonly ids: readonly string[]; readonly devices: readonly VirtualDevice[] }> {
  const site = await app.site({
    kinds: ['thermal'],
    devices: count,
    slowMs: 60_000,
  });
  const devices = site.devices.map((_device, index) => site.device(index));
  const { all: ids } = await adoptSite(app, site);
  return { ids, devices };
}

async function begun(name: string, deviceIds: readonly string[]): Promise<string> {
  const signal = AbortSignal.timeout(60_000);
  for await (const event of app.engine.plans.create({ templateText: template(name), deviceIds }, signal))
    if (event.type === 'plan')
      return app.engine.jobs.start({ plan: event.plan, options: { concurrency: 1, wait: true } }).jobId;
  throw new Error('There is no plan.');
}

const item = (title: string): Locator =>
  byId(app.page, 'work-item').filter({ has: app.page.getByText(new RegExp(`^${title} · `)) });
const inState = (title: string, state: string): Locator =>
  item(title).and(app.page.locator(`[data-state="${state}"]`));

// Would catch: a job that is invisible on another screen, buttons that do nothing, a waiting job that never
// starts.
it('is counted in the rail; the panel pauses, continues and cancels it, and says who waits for whom', async () => {
  const { ids, devices } = await adopted(9);
  // Slow answers of these devices keep "Entrance" under way until everything has been pressed.
  for (const device of devices.slice(0, 5)) device.setFault('slow', 1, WRITES);
  const get = (id: string): Locator => byId(app.page, id);
  const first = await begun('Entrance', ids.slice(0, 5));
  const second = await begun('Yard', ids.slice(5));
  app.engine.jobs.pause({ id: second });
  const third = await begun('Lobby', ids.slice(4, 5));

  await goToHash(app.page, '#/settings');
  await app.page.locator('[data-test-id="work-place"][data-jobs="3"]').click();
  await byId(item('Entrance'), 'work-pause').click();
  await inState('Entrance', 'paused').waitFor();
  await inState('Yard', 'paused').waitFor();
  await inState('Lobby', 'waiting').waitFor();
  const waits = await byId(item('Lobby'), 'work-remark').innerText();
  const found = await violations(app.page, 'running work');
  const paused = app.engine.jobs.list().map(({ paused: isPaused }) => isPaused === true);
  await byId(item('Yard'), 'work-cancel').click();
  await item('Yard').waitFor({ state: 'detached' });
  await get('work-ended').getByText('Cancelled').first().waitFor();
  await byId(item('Entrance'), 'work-pause').click();
  await inState('Entrance', 'running').waitFor();
  // The screen of running work tells of an end itself; the others have it as news.
  await goToHash(app.page, '#/settings');
  for (const device of devices) device.clearFaults();
  const news = get('work-end').filter({ hasText: 'Lobby' });
  await byId(news, 'work-end-open').click();
  await get('job-summary').waitFor();

  expect(waits).toMatch(/^Waits until “Entrance · .*” is done$/);
  expect(paused).toEqual([false, true, true]);
  expect([first, second, third].map((id) => app.engine.jobs.show({ id }).state)).toEqual([
    'done',
    'cancelled',
    'done',
  ]);
  expect(app.page.url()).toContain(third);
  expect(await news.count()).toBe(0);
  expect(found).toEqual([]);
  expect(app.complaints).toEqual([]);
});

// Would catch: a refusal after which a person has to look repeatedly for the end of the other job.
it('on one device: a second job starts when the other is done, where somebody says so', async () => {
  const { ids } = await adopted(2);
  const apply = new ApplyPage(app.page);
  await apply.visit();
  await apply.openTemplate(template('Second'));
  await apply.toDevices();
  await new SitePage(app.page).selectAll();
  await apply.plan();
  const first = await begun('First', ids);
  app.engine.jobs.pause({ id: first });
  await apply.start();
  await apply.get('start-when-free').click();
  await apply
    .get('job-progress')
    .filter({ hasText: /Waits until “First · .*” is done/ })
    .waitFor();

  app.engine.jobs.unpause({ id: first });

  expect(await apply.result()).toBe('done');
  expect(app.engine.jobs.list().map(({ title, state }) => `${title} ${state}`)).toEqual([
    'Second done',
    'First done',
  ]);
});

// Would catch: news over the title of a screen, over its bar of buttons or over the places of the app.
it('tells of an end where it hides neither a title nor what is pressed', async () => {
  const { ids, devices } = await adopted(1);
  devices[0]?.setFault('busy', 1, WRITES);
  await begun('Lobby', ids);
  await byId(app.page, 'work-end').waitFor();
  for (const [place, title] of [
    ['#/settings', 'Settings'],
    ['#/devices', 'Devices'],
    ['#/documents', 'Documents'],
  ] as const)
    for (const [width, height] of [
      [1280, 800],
      [360, 740],
    ] as const) {
      await app.page.setViewportSize({ width, height });
      await goToHash(app.page, place);
      await app.page.locator('main h1').filter({ hasText: title }).waitFor();
      // The news moves with the bar below it a frame later.
      await expect.poll(() => coveredBy(app.page, 'work-end'), { message: `${place} ${width}` }).toEqual([]);
    }
});
