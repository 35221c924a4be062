/** Reports on the screen: one click from the site and from a device to a file that opens anywhere. */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright';
import { beforeEach, expect, it } from 'vitest';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { faults, violations } from './axe.ts';
import { look } from './look.ts';
import { goToHash } from './pages/in-page.ts';
import { byId } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

/** A picture of one point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function given(label: string, name: string, buffer: Buffer): Promise<void> {
  await app.page
    .locator(`input[type=file][aria-label="${label}"]`)
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

/** Saves in the format, from what was read before. */
async function saved(format: string): Promise<string> {
  await byId(app.page, `format-${format}`).click({ force: true });
  return received(format, () => byId(app.page, 'save-earlier').click());
}

async function received(format: string, act: () => Promise<unknown>): Promise<string> {
  const [download] = await Promise.all([app.page.waitForEvent('download'), act()]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${format}$`));
  const file = `${await download.path()}.${format}`;
  await download.saveAs(file);
  return file;
}

const TELEPHONE = { isMobile: true, viewport: { width: 360, height: 740 } } as const;

/**
 * Returns elements wider than the page, besides tables that scroll by themselves, including those far below
 * that are laid out later.
 */
async function beyondPage(opened: Page): Promise<readonly string[]> {
  await opened.addStyleTag({ content: 'section{content-visibility:visible!important}' });
  return opened.evaluate<readonly string[]>(
    `[...document.querySelectorAll('body *')]
      .filter((part) => part.closest('.wide') === null || part.matches('.wide'))
      .filter((part) => part.getBoundingClientRect().right > document.documentElement.clientWidth)
      .map(({ tagName, textContent }) => tagName + ': ' + textContent.slice(0, 80))`,
  );
}

const NO_BREAKS = 'h2{break-before:auto!important}';

/**
 * Counts the printed pages. Would catch: pages to hang beside a door that a browser prints in the middle of
 * another's.
 */
async function printedPages(opened: Page, style = 'h2{}'): Promise<number> {
  await opened.addStyleTag({ content: style });
  const printed = (await opened.pdf({ preferCSSPageSize: true })).toString('latin1');
  return printed.match(/\/Type \/Page\b/g)?.length ?? 0;
}

it('reads a device with one click and saves what it is as a page that opens anywhere', async () => {
  const site = await app.site({ kinds: ['thermal', 'gate'], devices: 2 });
  await adoptSite(app, site);
  const { page } = app;
  const [device] = app.engine.devices.list();

  await goToHash(page, `#/documents?device=${device?.id ?? ''}`);
  await byId(page, 'report-state').getByText('1 device was read').waitFor();
  await look(app.page, 'reports-read');
  expect(await faults(page, 'reports')).toEqual([]);
  // Would catch: a first report that is saved in a format that was not asked for.
  const file = await received('html', () => byId(page, 'format-html').click({ force: true }));

  // Would catch: a report that sends requests to the network, or that a screen reader cannot read.
  const context = await page.context().browser()?.newContext();
  const opened = await context?.newPage();
  if (opened === undefined) throw new Error('no page');
  const asked: string[] = [];
  opened.on('request', (request) => asked.push(request.url()));
  const wrong: string[] = [];
  opened.on('pageerror', ({ message }) => wrong.push(message));
  await opened.goto(pathToFileURL(file).href);
  await opened.getByRole('searchbox').fill('wireless');
  await opened.getByText(/^Lines shown: \d+$/).waitFor();
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

  await goToHash(page, '#/documents');
  await look(app.page, 'reports-empty');
  await byId(page, 'report-handover').click({ force: true });
  await byId(page, 'select-all').check();
  // Would catch: a logo or details that are chosen and not handed over; a wrong details file taken in silence.
  await given('Choose a logo', 'logo.png', PNG);
  await byId(page, 'drop-logo').waitFor();
  await given('Import', 'wrong.yaml', Buffer.from('checks: [{ check: day, result: fine }]'));
  await page.getByText('At checks.0.result the file takes one of: done, failed, skipped, open.').waitFor();
  await given(
    'Import',
    'details.yaml',
    // Words that are just not long enough to be broken everywhere.
    Buffer.from('keys: [{ what: Generalschlüssel, where: Safe 7 Hausmeisterbüros }]'),
  );
  await byId(page, 'facts-keys').getByText('Where keys are kept: 1').waitFor();
  await byId(page, 'report-company').locator('input').fill('Fieldwork GmbH');
  await byId(page, 'facts-points').locator('summary').click();
  await byId(page, 'add-points').click();
  await byId(page, 'points-text').locator('input').fill('Camera 3 is dirty');
  await look(app.page, 'documents-handover');
  expect(await violations(page, 'hand-over')).toEqual([]);
  await byId(page, 'format-json').click({ force: true });
  const paper = await readFile(await received('json', () => byId(page, 'read-and-save').click()));
  for (const words of ['Fieldwork GmbH', PNG.toString('base64'), 'Safe 7', 'Camera 3 is dirty'])
    expect(paper.toString()).toContain(words);

  // Would catch: facts that are gone with the window.
  await page.reload();
  await byId(page, 'report-handover').click({ force: true });
  await byId(page, 'facts-keys').getByText('Where keys are kept: 1').waitFor();
  await byId(page, 'select-all').check();

  const context = await page
    .context()
    .browser()
    ?.newContext({ bypassCSP: true, ...TELEPHONE });
  const opened = await context?.newPage();
  if (opened === undefined) throw new Error('no page');
  await opened.goto(pathToFileURL(await saved('html')).href);
  // Would catch: a page that is as small on a telephone as on a desk, or that is moved sideways for each line.
  expect(await opened.evaluate('document.documentElement.clientWidth')).toBe(TELEPHONE.viewport.width);
  expect(await beyondPage(opened)).toEqual([]);
  expect(await opened.evaluate('document.documentElement.scrollWidth')).toBe(TELEPHONE.viewport.width);
  const [own, running] = [await printedPages(opened), await printedPages(opened, NO_BREAKS)];
  expect(own).toBeGreaterThan(running);
  // Would catch: contents of everything above the few lines that were looked for.
  await opened.getByRole('searchbox').fill('warranty and');
  await opened.getByRole('heading', { name: 'Inventory' }).waitFor({ state: 'hidden' });
  expect(await opened.locator('nav li:visible').allTextContents()).toEqual(['Warranty and maintenance']);
  await context?.close();

  // Would catch: a document that is made and cannot be looked at.
  await byId(page, 'preview-document').first().click();
  await byId(page, 'document-preview').getByText('Not confirmed as in service.').waitFor();
  await look(app.page, 'documents-preview');
  expect(await violations(page, 'preview')).toEqual([]);
  await goToHash(page, '#/documents');

  await byId(page, 'report-warranty').click({ force: true });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'paper.json', mimeType: 'application/json', buffer: paper });
  await page.getByText('Unchanged: the content fits its hash').waitFor();
  await look(app.page, 'documents-warranty');
  expect(await violations(page, 'warranty')).toEqual([]);
  // Would catch: devices without a later reading reported as unchanged.
  await byId(page, 'save-earlier').click();
  await byId(page, 'document-preview').getByText('2 were not read completely.').waitFor();
  await goToHash(page, '#/documents');
  await byId(page, 'read-and-save').click();
  await byId(page, 'document-preview').getByText('2 of 2 devices are unchanged.').waitFor();
  await goToHash(page, '#/documents');

  await byId(page, 'report-comparison').click({ force: true });
  await byId(page, 'report-since').locator('option').nth(1).waitFor({ state: 'attached' });
  await byId(page, 'report-since').selectOption({ index: 1 });
  await look(app.page, 'documents-comparison');
  expect((await readFile(await saved('json'))).toString()).toContain('"id":"reports.since"');
});

// Would catch: reading that is invisible on another screen, or that cannot be stopped there.
it('is read with one click from the site, and shown and stopped where running work is', async () => {
  const site = await app.site({ kinds: ['counter'], devices: 3, slowMs: 60_000 });
  await adoptSite(app, site);
  for (const index of site.devices.keys()) site.device(index).setFault('slow');
  const { page } = app;

  await byId(page, 'report-all').click();
  await byId(page, 'report-progress').waitFor();
  await goToHash(page, '#/devices');
  // Reading writes nothing: it is no job, and is not announced as one.
  await byId(page, 'work-place').getByText('1 reading of devices').waitFor({ state: 'attached' });
  await byId(page, 'work-place').click();
  await byId(page, 'activity-count').getByText('of 3 devices').waitFor();
  expect(await violations(page, 'running')).toEqual([]);
  await byId(page, 'activity-cancel').click();

  await byId(page, 'activity-item').waitFor({ state: 'detached' });
  await goToHash(page, '#/documents');
  await byId(page, 'report-state').getByText('Reading writes nothing').waitFor();
});
