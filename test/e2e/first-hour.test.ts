/** An installer's first hour: a list of devices is imported, tested, and looked at in every place. */
import { beforeEach, expect, it } from 'vitest';
import type { Site } from '#simulator/index.ts';
import { openApp, type App } from './app.ts';
import { violations } from './axe.ts';
import { look } from './look.ts';
import { DiscoveryPage } from './pages/discovery-page.ts';
import { goToHash } from './pages/in-page.ts';
import { SitePage } from './pages/site-page.ts';
import { byId, input } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
  await byId(app.page, 'empty-state').waitFor();
});

/** Returns the requests that came with a password: one without gets a 401. */
const signedIn = (site: Site): string[] =>
  site.devices.flatMap((_device, nth) =>
    site
      .device(nth)
      .requests.filter(({ http, operation }) => operation !== undefined && http !== 401)
      .map(({ method, path }) => `${nth} ${method} ${path}`),
  );
const PASSWORD = 'Same-4-all';

/** Imports devices of one site, untested, with an untried credential. */
async function imported(): Promise<{ readonly site: Site; readonly ids: readonly string[] }> {
  const site = await app.site({
    devices: 4,
    kinds: ['ai', 'gate', 'thermal', 'counter'],
    password: PASSWORD,
  });
  const { id } = app.engine.credentials.save({ label: 'Plant', userName: 'admin', password: PASSWORD });
  const page = new DiscoveryPage(app.page);
  const rows = site.devices.map(({ url, name }) => `${url},${name},Plant`).join('\n');
  const dialog = await page.importFile('plant.csv', Buffer.from(`address,name,credential\n${rows}\n`));
  await byId(dialog, 'site-choice').selectOption('new');
  await input(dialog, 'new-site-name').fill('Plant South');
  await byId(dialog, 'confirm-import').click();
  await byId(dialog, 'import-result').waitFor();
  expect(app.engine.credentials.list()).toMatchObject([{ id, devices: 4 }]);
  return { site, ids: app.engine.devices.list().map((device) => device.id) };
}

// Would catch: devices that are imported without the site that was typed for them, because "Create" was not pressed.
it('a site that was typed is made when the devices are saved, in every dialog that asks for one', async () => {
  await imported();
  const { page } = app;
  const site = new SitePage(page);
  const sitesOf = () =>
    app.engine.devices
      .list()
      .map(({ siteId }) => app.engine.sites.list().find(({ id }) => id === siteId)?.name);
  expect(sitesOf()).toEqual(['Plant South', 'Plant South', 'Plant South', 'Plant South']);
  await byId(page, 'close-import').click();

  await site.act('move-to-site');
  await byId(page, 'site-choice').selectOption('new');
  await byId(page, 'confirm-move').click();
  await byId(byId(page, 'move-dialog'), 'field-error').waitFor();
  expect(sitesOf(), 'nothing is dropped without a word').toContain('Plant South');
  await input(page, 'new-site-name').fill('Plant North');
  await input(page, 'new-site-name').press('Enter');
  await byId(page, 'move-dialog').waitFor({ state: 'detached' });
  expect(new Set(sitesOf())).toEqual(new Set(['Plant North']));

  await byId(page, 'add-menu').click();
  await byId(page, 'add-device').click();
  const dialog = byId(page, 'add-dialog');
  await byId(dialog, 'site-choice').selectOption('new');
  // The name of one that is there already is that one.
  await input(dialog, 'new-site-name').fill('Plant South');
  await (await site.addDevice({ address: '127.0.0.1:9', name: 'Late' })).waitFor({ state: 'detached' });
  expect(sitesOf().at(-1)).toBe('Plant South');
  expect(app.engine.sites.list()).toHaveLength(2);
});

// Would catch: a password that goes out because a screen was opened, before anybody asked for it.
it('no screen signs in to a device that was never tested, and People and Models lead to the test', async () => {
  const { site, ids } = await imported();
  const { page } = app;
  await byId(page, 'close-import').click();

  const places = ['people', 'people/places', 'people/enrol', 'people/bring', 'models', 'models/send'];
  const others = ['setup', 'reports', 'swap', 'console', 'templates', 'apply', 'history', 'site', 'settings'];
  const own = ids.flatMap((id) => [
    `devices/${id}`,
    `models/device/${id}`,
    `people?device=${id}`,
    `people/enrol?device=${id}`,
    `models/send?devices=${id}`,
    `setup?device=${id}`,
    `swap?device=${id}`,
  ]);
  for (const place of [...places, ...others, ...own]) {
    await goToHash(page, `#/${place}`);
    await page.locator('main h1, main [data-test-id="empty-state"]').first().waitFor();
  }
  expect(signedIn(site)).toEqual([]);

  await goToHash(page, '#/people');
  await byId(page, 'untested').getByText('4 devices were not tested yet').waitFor();
  await look(app.page, 'first-1-people');
  expect(await violations(page, 'people, untested')).toEqual([]);
  await goToHash(page, '#/models');
  await page.getByText('No AI device is known yet').waitFor();
  await look(app.page, 'first-2-models');
  await byId(page, 'test-untested').click();

  await byId(page, 'untested').waitFor({ state: 'detached' });
  await byId(page, 'matrix-row').waitFor();
  await goToHash(page, '#/people');
  // Models may still read the analyser.
  const aboutPeople = () => signedIn(site).filter((line) => line.includes('AccessControl'));
  const before = aboutPeople();
  await byId(page, 'picker-row').first().waitFor();
  await look(app.page, 'first-3-choose');
  const gate = app.engine.devices.list().find(({ kinds }) => kinds.includes('gate'));
  expect(await byId(page, 'picker-row').locator('bdi:first-child').first().innerText()).toBe(gate?.name);
  expect(await byId(page, 'picker-row').count()).toBe(1);
  expect(aboutPeople()).toEqual(before);
  await byId(page, 'picker-row').click();
  await byId(page, 'count').waitFor();
});

it('an import offers the test of what it added at once, and the test tells the kinds', async () => {
  await imported();
  const { page } = app;

  await look(app.page, 'first-4-imported');
  await byId(page, 'test-imported').getByText('Test 4 devices').click();

  await byId(page, 'import-dialog').waitFor({ state: 'detached' });
  await new SitePage(page).waitForSignedIn(4);
  // The sign-in of a device is shown before its kinds are read.
  await expect.poll(() => app.engine.devices.list().every(({ kinds }) => kinds.length > 0)).toBe(true);
});

it('a device that was never signed in to is read after a click on its page', async () => {
  const { site, ids } = await imported();
  const { page } = app;
  await goToHash(page, `#/devices/${ids[1] ?? ''}`);
  await byId(page, 'sign-in-and-read').waitFor();
  await look(app.page, 'first-5-device');
  expect(signedIn(site)).toEqual([]);

  await byId(page, 'sign-in-and-read').click();

  await byId(page, 'overview').waitFor();
  await byId(page, 'fact-healthState').or(byId(page, 'gate-passages')).first().waitFor();
});
