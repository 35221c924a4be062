/** Reports on the screen: one click from the site and from a device to a file that opens anywhere. */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { adoptSite } from './adopt-site.ts';
import { createWorld, type App, type World } from './app.ts';
import { faults, violations } from './axe.ts';
import { goToHash } from './pages/in-page.ts';
import { byId } from './pages/test-id.ts';

let world: World;
let app: App;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  app = await world.open({ viewport: { width: 1024, height: 700 } });
});
afterEach(() => app.close());

const look = async (name: string): Promise<void> => {
  const folder = process.env['LOOK'];
  if (folder !== undefined) await app.page.screenshot({ path: `${folder}/${name}.png` });
};

async function saved(format: string): Promise<string> {
  const [download] = await Promise.all([
    app.page.waitForEvent('download'),
    byId(app.page, `save-${format}`).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${format}$`));
  const file = `${await download.path()}.${format}`;
  await download.saveAs(file);
  return file;
}

it('reads a device with one click and saves what it is as a page that opens anywhere', async () => {
  const site = await app.site({ kinds: ['thermal', 'gate'], devices: 2 });
  await adoptSite(app, site);
  const { page } = app;
  const [device] = app.engine.devices.list();

  await goToHash(page, `#/reports?device=${device?.id ?? ''}`);
  await byId(page, 'report-state').getByText('1 device was read').waitFor();
  await look('reports-read');
  expect(await faults(page, 'reports')).toEqual([]);
  const file = await saved('html');

  // Would catch: a report that asks somebody in the network, or that a screen reader cannot read.
  const context = await page.context().browser()?.newContext();
  const opened = await context?.newPage();
  if (opened === undefined) throw new Error('no page');
  const asked: string[] = [];
  opened.on('request', (request) => asked.push(request.url()));
  const wrong: string[] = [];
  opened.on('pageerror', ({ message }) => wrong.push(message));
  await opened.goto(pathToFileURL(file).href);
  await opened.getByRole('searchbox').fill('wireless');
  await opened.getByText(/^\d+ lines shown$/).waitFor();
  expect(await opened.locator('tbody tr:visible').allTextContents()).toEqual(
    expect.arrayContaining([expect.stringContaining('isSupportWireless') as string]),
  );
  expect(await opened.locator('tbody tr:visible').count()).toBeLessThan(10);
  expect(await violations(opened, 'report')).toEqual([]);
  expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([]);
  expect(wrong).toEqual([]);
  await context?.close();
});

it('hands a site over and checks it against the paper later', async () => {
  const site = await app.site({ kinds: ['counter'], devices: 2 });
  await adoptSite(app, site);
  const { page } = app;

  await goToHash(page, '#/reports');
  await look('reports-empty');
  await byId(page, 'report-handover').click({ force: true });
  await byId(page, 'report-company').fill('Fieldwork GmbH');
  await byId(page, 'choose-all').click();
  await byId(page, 'read-devices').click();
  await byId(page, 'report-state').getByText('2 devices were read').waitFor();
  await look('reports-handover');
  const paper = await readFile(await saved('json'));
  expect(paper.toString()).toContain('Fieldwork GmbH');

  await byId(page, 'report-warranty').click({ force: true });
  // Would catch: a check that can be made without a document.
  expect(await byId(page, 'save-html').isDisabled()).toBe(true);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'paper.json', mimeType: 'application/json', buffer: paper });
  await page.getByText('Unchanged: the content fits its hash').waitFor();
  await look('reports-warranty');
  expect(await violations(page, 'warranty')).toEqual([]);
  const check = (await readFile(await saved('json'))).toString();
  expect(check).toContain('"same":2');
});
