/**
 * Guided setup in the browser: a card locked step by step, interrupted half way, continued, and its record
 * looked at.
 */
import { beforeEach, expect, it } from 'vitest';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { violations } from './axe.ts';
import { look } from './look.ts';
import { goToHash } from './pages/in-page.ts';
import { SitePage } from './pages/site-page.ts';
import { byId } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

const next = () => byId(app.page, 'next').click();
it('locks the storage card of a camera and hands out a record', async () => {
  const site = await app.site({ kinds: ['ai'], devices: 1 });
  await adoptSite(app, site);
  const { page } = app;

  await goToHash(page, '#/commission');
  await look(app.page, '1-setup');
  expect(await violations(page, 'setup')).toEqual([]);
  await byId(page, 'flow-storage-lock').getByRole('button').click();
  await byId(page, 'select-row').check();
  await look(app.page, '2-start');
  await byId(page, 'begin-flow').click();

  await byId(page, 'field-password').waitFor();
  await look(app.page, '3-how');
  await next();
  await byId(page, 'field-kept').check();
  await next();
  // Would catch: a consent that was never given.
  await page.getByText('Please fill this in.').waitFor();
  await byId(page, 'field-understood').check();
  await look(app.page, '4-sure');
  expect(await violations(page, 'question')).toEqual([]);
  await next();
  await byId(page, 'sends').getByText('Lock the card', { exact: true }).waitFor();
  await look(app.page, '5-send');

  // The flow is interrupted here: nothing is lost, and nothing was sent.
  await byId(page, 'leave').click();
  await byId(page, 'flow-ended').waitFor();
  await look(app.page, '6-left');
  expect(site.device(0).requests.some(({ operation }) => operation === 'storage.rwLock.put')).toBe(false);
  await byId(page, 'resume-job').click();
  await byId(page, 'sends').waitFor();
  await next();

  await page.getByText('unlocked once with the new password').waitFor();
  await next();
  await byId(page, 'field-wait').uncheck();
  await next();
  await byId(page, 'field-name').fill('A. Installer');
  await look(app.page, '7-sign');
  await next();

  await byId(page, 'open-record').click();
  await page.getByText('The new password opens the card').waitFor();
  await look(app.page, '8-record');
  expect(await violations(page, 'record')).toEqual([]);
  const [download] = await Promise.all([page.waitForEvent('download'), byId(page, 'save-html').click()]);
  expect(download.suggestedFilename()).toMatch(/^Lock the storage card .*\.html$/);

  // Would catch: a job of another kind on whose page the history breaks.
  const jobId = app.engine.jobs.list()[0]?.id ?? '';
  await goToHash(page, `#/work/history/${jobId}`);
  await byId(page, 'job-runs').waitFor();
  await look(app.page, '9-history');
  expect(app.complaints).toEqual([]);
});

// Would catch: "lane needs …", a field that is called as in a file of answers.
it('calls a field that is not filled in rightly by its label', async () => {
  const site = await app.site({ kinds: ['gate'], devices: 1 });
  await adoptSite(app, site);

  await goToHash(app.page, '#/commission/start/gate');
  await byId(app.page, 'select-row').check();
  await byId(app.page, 'begin-flow').click();
  await byId(app.page, 'field-lane').fill('x'.repeat(150));
  await next();

  await app.page.getByText('Lane, as on the site plan needs 0 to 100 characters.', { exact: true }).waitFor();
});

// Would catch: a long flow whose steps are hidden, one that begins anew after it was left, or an answer that is lost.
it('shows all thirteen steps of a gate, is left at the second, and continued there', async () => {
  const site = await app.site({ kinds: ['gate'], devices: 1 });
  await adoptSite(app, site);
  const { page } = app;
  await page.setViewportSize({ width: 1280, height: 900 });
  const flow = app.engine.flows.list().find(({ name }) => name === 'gate');
  const steps = byId(page, 'step-list').getByRole('listitem');
  const now = page.locator('[data-test-id="step-list"] [aria-current="step"]');

  await goToHash(page, '#/commission/start/gate');
  await byId(page, 'select-row').check();
  await byId(page, 'begin-flow').click();
  await byId(page, 'field-lane').fill('Lane 7');
  expect(await steps.count()).toBe(flow?.steps.length);
  expect(await steps.count()).toBeGreaterThanOrEqual(11);
  for (const step of await steps.all()) expect(await step.isVisible()).toBe(true);
  await next();
  await page.locator('[data-question^="beams."]').waitFor();
  const left = await now.innerText();

  await byId(page, 'leave').click();
  await byId(page, 'flow-ended').waitFor();
  await goToHash(page, '#/commission');
  await byId(page, 'open-flow').getByRole('button').click();
  await byId(page, 'resume-job').click();

  await page.locator('[data-question^="beams."]').waitFor();
  expect(await now.innerText()).toBe(left);
  // The tick of a step that is done stands for the word.
  expect(await steps.first().innerText()).toContain('done');
  expect(await violations(page, 'continued')).toEqual([]);
  expect(app.complaints).toEqual([]);
});

// Would catch: flows of other kinds, and a second choice of what was chosen in the list.
it('begins with the devices that were chosen in the list', async () => {
  const site = await app.site({ kinds: ['thermal', 'counter'], devices: 2 });
  const { names } = await adoptSite(app, site);
  const { page } = app;

  await byId(page, 'nav-devices').click();
  await byId(new SitePage(page).row(names.thermal), 'select-row').check();
  await byId(page, 'nav-commission').click();
  await byId(page, 'setup-selection').getByText(names.thermal).waitFor();
  const offered = await Promise.all(['thermal', 'gate'].map((flow) => byId(page, `flow-${flow}`).count()));
  await byId(page, 'flow-thermal').getByRole('button').click();
  await byId(page, 'begin-flow').click();
  await byId(page, 'flow-run').getByText(names.thermal).waitFor();

  expect(offered).toEqual([1, 0]);
  expect(app.complaints).toEqual([]);
});
