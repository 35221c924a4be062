/** Documents in few clicks: a hand-over of many devices, the check of a warranty, the report of one device. */
import { readFile } from 'node:fs/promises';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { countActions } from './actions.ts';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { violations } from './axe.ts';
import { look } from './look.ts';
import { goToHash } from './pages/in-page.ts';
import { byId } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

function countPages(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
}

it('hands over 46 devices in six clicks or fewer, to be looked at and saved', async () => {
  await adoptSite(app, await app.site({ devices: 46 }));
  const { page } = app;
  await goToHash(page, '#/devices');
  await byId(page, 'nav-documents').waitFor();
  const actions = await countActions(page);

  await byId(page, 'nav-documents').click();
  await byId(page, 'report-handover').click({ force: true });
  await byId(page, 'select-all').click();
  const [download] = await Promise.all([page.waitForEvent('download'), byId(page, 'read-and-save').click()]);
  await byId(page, 'preview-document').first().click();

  await byId(page, 'document-preview').getByText('Devices without a commissioning record: 46').waitFor();
  expect(await actions.clicks()).toBeLessThanOrEqual(6);
  expect(download.suggestedFilename()).toMatch(/^handover .*\.pdf$/);
  const pdf = (await readFile(await download.path())).toString('latin1');
  expect(countPages(Buffer.from(pdf, 'latin1'))).toBeLessThanOrEqual(40);
  await look(app.page, 'documents-46');

  // Would catch: a page cut off at the end of the window, the bars of the app on paper, or a black sheet.
  await byId(page, 'theme-toggle').click();
  await page.evaluate("globalThis.print = () => { document.title = 'printing'; }");
  await byId(page, 'print').click();
  await expect.poll(() => page.title()).toBe('printing');
  const paper = await page.pdf({
    format: 'A4',
    ...(process.env['LOOK'] && { path: `${process.env['LOOK']}/print.pdf` }),
  });
  await page.emulateMedia({ media: 'print' });
  onTestFinished(() => page.emulateMedia({ media: null }));
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  const shown = await page.locator('body').innerText();
  expect(countPages(paper)).toBeGreaterThan(countPages(Buffer.from(pdf, 'latin1')) / 3);
  expect(countPages(paper)).toBeLessThanOrEqual(60);
  for (const bar of ['nav-documents', 'open-command', 'print', 'save-pdf'])
    expect(await byId(page, bar).isVisible()).toBe(false);
  expect(shown.startsWith('Hand-over')).toBe(true);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
});

it('checks a warranty against the paper that is kept, and puts back what was changed, in four clicks', async () => {
  const site = await app.site({ kinds: ['thermal'], devices: 2 });
  const { ids } = await adoptSite(app, site);
  const deviceIds = app.engine.devices.list().map(({ id }) => id);
  const never = AbortSignal.timeout(60_000);
  for await (const _event of app.engine.reports.gather({ deviceIds }, never));
  await app.engine.reports.file({ kind: 'handover', deviceIds, format: 'json', language: 'en' });
  const call = { deviceId: ids.thermal, params: { channelID: 1 } };
  const { value } = await app.engine.operations.call(
    { ...call, operation: 'thermal.thermometryBasic.get' },
    never,
  );
  const body = { ...(value as object), distance: 7 };
  await app.engine.operations.call({ ...call, operation: 'thermal.thermometryBasic.put', body }, never);
  const { page } = app;
  await goToHash(page, '#/devices');
  await byId(page, 'nav-documents').waitFor();
  const actions = await countActions(page);

  await byId(page, 'nav-documents').click();
  await byId(page, 'report-warranty').click({ force: true });
  await byId(page, 'read-and-save').click();
  await byId(page, 'document-preview').getByText('1 changed.').waitFor();
  await look(app.page, 'documents-result');
  expect(await violations(page, 'warranty result')).toEqual([]);
  await byId(page, 'put-back').click();

  // Would catch: a check whose result is a file, or that leaves the person to find out what to set.
  await byId(page, 'plan-dialog').getByText('Put back').first().waitFor();
  await byId(page, 'plan-group').first().waitFor();
  expect(await actions.clicks()).toBeLessThanOrEqual(4);
  await look(app.page, 'documents-put-back');
});

it('reports on a device with one click, the second time', async () => {
  const { ids } = await adoptSite(app, await app.site({ kinds: ['gate'], devices: 1 }));
  const { page } = app;
  await goToHash(page, `#/devices/${ids.gate}`);
  await byId(page, 'device-report').click();
  await byId(page, 'report-state').getByText('1 device was read').waitFor();
  await Promise.all([page.waitForEvent('download'), byId(page, 'format-html').click({ force: true })]);

  await goToHash(page, `#/devices/${ids.gate}`);
  await byId(page, 'device-report').waitFor();
  const actions = await countActions(page);
  const [download] = await Promise.all([page.waitForEvent('download'), byId(page, 'device-report').click()]);

  expect(await actions.clicks()).toBeLessThanOrEqual(1);
  expect(download.suggestedFilename()).toMatch(/^capabilities .*\.html$/);
});
