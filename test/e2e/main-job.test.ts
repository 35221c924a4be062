import { beforeEach, describe, expect, it } from 'vitest';
import { openApp, type App } from './app.ts';
import { ApplyPage } from './pages/apply-page.ts';
import { SitePage } from './pages/site-page.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

describe('the main job by clicking', () => {
  it('goes from an empty site to effective on twelve devices; a second run changes nothing', async () => {
    const site = new SitePage(app.page);
    const apply = new ApplyPage(app.page);
    await site.simulate();
    await site.selectAll();
    await site.applyTemplate();
    await apply.choose('Site basics');
    await apply.toDevices();

    await apply.plan();
    const groups = await apply.get('plan-group').count();
    const changes = await apply.get('value-diff').count();
    await apply.start();
    const state = await apply.result();
    const outcomes = await apply.outcomes();

    expect(groups).toBeGreaterThan(0);
    expect(changes).toBeGreaterThan(0);
    expect(state).toBe('done');
    expect(outcomes.join()).toMatch(/Verified/);
    expect(outcomes.join()).not.toMatch(/Refused|Failed|Not applied|Unknown/);
    expect(app.complaints).toEqual([]);

    await apply.get('start-over').click();
    await apply.toDevices();
    await apply.plan();

    await apply.get('nothing-to-do').waitFor();
    expect(await apply.get('to-apply').count()).toBe(0);
    expect(app.engine.jobs.list()).toHaveLength(1);
  });
});
