/** The commonest bulk change: one day of a week on many cameras, from the selection to the result. */
import { beforeEach, describe, expect, it } from 'vitest';
import { countActions } from './actions.ts';
import { faultsInBothThemes } from './axe.ts';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { ApplyPage } from './pages/apply-page.ts';
import { SitePage } from './pages/site-page.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
  await adoptSite(app, await app.site({ devices: 40, kinds: ['thermal'] }));
});

describe('Tuesday on 40 cameras', () => {
  it('takes at most eight clicks, is named by its day in the plan, and leaves the other days', async () => {
    const site = new SitePage(app.page);
    const apply = new ApplyPage(app.page);
    await site.waitForSignedIn(40);
    const actions = await countActions(app.page);

    await site.selectAll();
    await apply.get('change-setting').click();
    await apply.get('search-setting').fill('thermometry arming periods');
    await app.page.locator('[data-test-id="setting-events.thermometrySchedule-TimeBlockList"]').click();
    // Tuesday from 06:00 to 23:00, painted in one stroke.
    const week = apply.get('week-TimeBlockList');
    await week.scrollIntoViewIfNeeded();
    const box = await week.boundingBox();
    const width = box?.width ?? 0;
    const names = 46 * Math.max(1, width / 720);
    const at = (hour: number) => ({
      x: (box?.x ?? 0) + names + (hour / 24) * (width - names),
      y: (box?.y ?? 0) + ((box?.height ?? 0) * 65) / 230,
    });
    await app.page.mouse.move(at(6.2).x, at(6.2).y);
    await app.page.mouse.down();
    await app.page.mouse.move(at(22.8).x, at(22.8).y);
    await app.page.mouse.up();
    // The bar at the end of the window covers what is below it.
    await apply.get('add-field-').scrollIntoViewIfNeeded();
    const form = await faultsInBothThemes(app.page, 'setting');
    await apply.plan();
    const difference = await faultsInBothThemes(app.page, 'plan');
    const words = await apply.get('list-diff-words').first().innerText();
    const drawn = await apply.get('plan-group').first().locator('[data-test-id="changed-day"]').count();
    await apply.start();
    const state = await apply.result();

    expect(await actions.clicks()).toBeLessThanOrEqual(8);
    expect(words).toMatch(/^Tuesday .*06:00–23:00$/);
    expect(drawn).toBe(1);
    expect(state).toBe('done');
    expect([...form, ...difference]).toEqual([]);
    expect(app.complaints).toEqual([]);
  });
});
