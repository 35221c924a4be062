import { expect, it } from 'vitest';
import { countActions } from './actions.ts';
import { adoptSite } from './adopt-site.ts';
import { openApp } from './app.ts';
import { faults } from './axe.ts';
import { DevicePage } from './pages/device-page.ts';
import { SitePage } from './pages/site-page.ts';
import { applyPlan, asAnotherProgram, makePlan, template } from '../engine/site-engine.ts';
import { byId } from './pages/test-id.ts';

// Would catch: a history of jobs only, where one setting cannot be found or taken back without the others.
it('shows what changed on a device and undoes one change, in four clicks from the list', async () => {
  const app = await openApp({ viewport: { width: 1440, height: 900 } });
  const site = await app.site({ devices: 2, kinds: ['thermal'], seed: 5 });
  const { ids } = await adoptSite(app, site);
  const device = new DevicePage(app.page);
  await device.open(ids.thermal, 'thermal/thermometryBasic');
  await device.type('distance', '7');
  await device.type('alarm', '40');
  await device.review();
  await device.write();
  await app.page.goto(new URL('#/devices', app.page.url()).href);
  const row = new SitePage(app.page).row(site.devices[0]?.name ?? '');
  // Would catch: a healthy row that does not say what was changed last.
  await expect
    .poll(() => byId(row, 'last-change').innerText())
    .toMatch(/Temperature measurement.* · (now|\d+ seconds ago)/);
  const actions = await countActions(app.page);

  await row.getByRole('link').first().click();
  await device.get('to-changes').click();
  const change = app.page.locator('[data-test-id="change"][data-path="alarm"]');
  await change.waitFor();
  expect(await change.innerText()).toMatch(/Temperature measurement.*Alarm temperature.*37.5.*40/s);
  expect(await faults(app.page, 'changes')).toEqual([]);
  await byId(change, 'undo-change').click();
  expect(await device.get('undo-change-dialog').innerText()).toMatch(/40.*37.5/s);
  await device.get('confirm-undo-change').click();
  await byId(change, 'undone').waitFor();

  expect(await actions.clicks()).toBeLessThanOrEqual(4);
  await device.open(ids.thermal, 'thermal/thermometryBasic');
  await expect.poll(() => device.input('alarm').inputValue()).toBe('37.5');
  expect(await device.input('distance').inputValue()).toBe('7');
  await app.page.goto(new URL('#/changes/changed', app.page.url()).href);
  await device.get('changes-screen').waitFor();
  await expect.poll(() => device.get('change').count()).toBe(3);
  expect(app.complaints).toEqual([]);
});

// Would catch: an undo that overwrites what was changed since, without a word.
it('says why a change cannot be undone any more', async () => {
  const app = await openApp();
  const site = await app.site({ devices: 1, kinds: ['thermal'], seed: 5 });
  const { ids } = await adoptSite(app, site);
  const device = new DevicePage(app.page);
  for (const distance of ['7', '8']) {
    await device.open(ids.thermal, 'thermal/thermometryBasic');
    await device.type('distance', distance);
    await device.review();
    await device.write();
    await device.open(ids.thermal, 'changes');
  }
  await device.get('undo-change').nth(1).click();
  await device.get('confirm-undo-change').click();
  await device.get('error-notice').waitFor();

  expect(await device.get('error-notice').getAttribute('data-code')).toBe('plan-outdated');
});

// Would catch: a setting that another program changed and of which the page of the device says nothing.
it('shows what differs from what was agreed, puts it right through a plan, and accepts it with a reason', async () => {
  const app = await openApp();
  const site = await app.site({ devices: 1, kinds: ['thermal'], seed: 5 });
  const { ids } = await adoptSite(app, site);
  const device = new DevicePage(app.page);
  await device.open(ids.thermal, 'thermal/thermometryBasic');
  await device.type('distance', '7');
  await device.review();
  await device.write();
  const changeOutside = (distance: number) =>
    asAnotherProgram({ site }, 0, async (engine, id) => {
      const text = template(
        `set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: { distance: ${distance} }`,
      );
      await applyPlan(engine, await makePlan({ engine, ids: [id] }, text));
    });
  const agreed = device.get('agreed');
  await changeOutside(9);

  await device.open(ids.thermal, 'changes');
  await device.get('look-now').click();
  const drifted = app.page.locator('[data-test-id="drifted"][data-path="distance"]');
  await drifted.waitFor();
  expect(await drifted.innerText()).toMatch(/Temperature measurement.*7.*9.*outside of Fieldwright/s);
  expect(await faults(app.page, 'agreed')).toEqual([]);
  await device.get('put-right').click();
  await device.get('plan-group').waitFor();
  expect(await device.get('plan-dialog').innerText()).toMatch(/9.*7/s);
  await device.get('cancel').click();
  await device.get('accept-shown').click();
  await device.get('accept-reason').locator('input').fill('the owner wants it');
  await device.get('confirm-accept').click();
  await expect.poll(() => agreed.getAttribute('data-state')).toBe('as-agreed');

  await changeOutside(7);
  await device.get('look-now').click();
  await expect.poll(() => agreed.getAttribute('data-state')).toBe('drifted');
  expect(await drifted.innerText()).toContain('the owner wants it');
  expect(app.complaints).toEqual([]);
});
