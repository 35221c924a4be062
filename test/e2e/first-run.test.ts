import { expect, it } from 'vitest';
import { openApp } from './app.ts';
import { faultsInBothThemes } from './axe.ts';
import { look } from './look.ts';
import { ApplyPage } from './pages/apply-page.ts';
import { SitePage } from './pages/site-page.ts';
import { byId } from './pages/test-id.ts';

// Would catch: a first screen that says what it lacks and not what it is for, and a tour that cannot be left.
it('the first screen says what this is, begins in three ways, and has a tour that follows and can be left', async () => {
  const app = await openApp({ viewport: { width: 1440, height: 900 } });
  const { page } = app;
  const site = new SitePage(page);
  const apply = new ApplyPage(page);
  const panel = byId(page, 'tour-panel');
  const at = (step: string) => page.locator(`[data-test-id="tour-panel"][data-step="${step}"]`).waitFor();
  await byId(page, 'search-first').waitFor();
  for (const way of ['import-first', 'simulate', 'add-first-device', 'sweep-first'])
    expect(await byId(page, way).isVisible(), way).toBe(true);
  expect(await panel.count()).toBe(0);
  expect(await faultsInBothThemes(page, 'first screen')).toEqual([]);

  await byId(page, 'tour').click();
  await site.waitForSignedIn(12);
  await at('choose');
  await site.selectAll();
  await at('template');
  await look(page, 'tour');
  await byId(page, 'tour-go').click();
  await apply.choose('Site basics');
  await apply.toDevices();
  await apply.plan();
  await at('plan');
  expect(await faultsInBothThemes(page, 'tour')).toEqual([]);
  await apply.start();
  await apply.result();
  await at('undo');
  await byId(page, 'leave-tour').click();

  await panel.waitFor({ state: 'detached' });
  await page.reload();
  await byId(page, 'open-command').waitFor();
  expect(await panel.count(), 'a tour that was left stays away').toBe(0);
  expect(app.complaints).toEqual([]);
});
