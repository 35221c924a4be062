/** Devices that show something else than what was agreed: seen in the list, answered in groups. */
import { expect, it } from 'vitest';
import { countActions } from './actions.ts';
import { adoptSite } from './adopt-site.ts';
import { openApp } from './app.ts';
import { faults } from './axe.ts';
import { look } from './look.ts';
import { SitePage } from './pages/site-page.ts';
import { byId, input } from './pages/test-id.ts';
import { applyPlan, asAnotherProgram, makePlan, never, template } from '../engine/site-engine.ts';

const basic = (value: string): string =>
  template(`set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: ${value}`);

/** Opens the app on devices with an agreed distance, of which the first ones were changed by another program. */
async function openDrifted({ devices, changed }: { readonly devices: number; readonly changed: number }) {
  const app = await openApp({ viewport: { width: 1440, height: 900 } });
  const { engine } = app;
  const virtual = await app.site({ devices, kinds: ['thermal'], seed: 5 });
  const { all } = await adoptSite(app, virtual);
  await applyPlan(engine, await makePlan({ engine, ids: all }, basic('{ distance: 4, alert: 37.4 }')));
  for (let device = 0; device < changed; device += 1)
    await asAnotherProgram({ site: virtual }, device, async (other, id) => {
      await applyPlan(other, await makePlan({ engine: other, ids: [id] }, basic('{ distance: 9 }')));
    });
  for await (const event of engine.agreements.look({}, never)) void event;
  return { app, all, virtual, page: app.page, site: new SitePage(app.page) };
}

// Would catch: drift that is known to the engine alone, and a way from the list to the repair that is long or blind.
it('shows in the list what differs and puts it right on all devices, in four clicks', async () => {
  const { app, page, site, all } = await openDrifted({ devices: 4, changed: 3 });
  await site.rows.nth(3).waitFor();
  await byId(page, 'count-drifted').waitFor();
  await look(page, 'differences-list');
  const actions = await countActions(page);

  await byId(page, 'count-drifted').click();
  await expect.poll(() => site.rows.count()).toBe(3);
  expect(await site.rows.first().innerText()).toContain('1 differs');
  await byId(page, 'to-differences').click();
  const group = byId(page, 'drift-group');
  await group.waitFor();
  expect(await group.innerText()).toMatch(
    /3 devices.*Temperature measurement.*4.*9.*outside of Fieldwright/s,
  );
  expect(await faults(page, 'differences')).toEqual([]);
  await look(page, 'differences-groups');
  await byId(group, 'put-right').click();
  const dialog = byId(page, 'plan-dialog');
  await byId(dialog, 'plan-group').first().waitFor();
  expect(await dialog.innerText()).toMatch(/3 devices.*9.*4/s);
  expect(await faults(page, 'plan dialog')).toEqual([]);
  await look(page, 'differences-plan');
  await byId(dialog, 'start-plan').click();
  await byId(page, 'job-screen').waitFor();

  expect(await actions.clicks()).toBeLessThanOrEqual(4);
  await expect
    .poll(() => app.engine.devices.list().map(({ agreement }) => agreement?.state))
    .toEqual(all.map(() => 'as-agreed'));
  expect(app.engine.jobs.list()[0]?.counts).toMatchObject({ effective: 3 });
  expect(app.complaints).toEqual([]);
});

// Would catch: a timeline without what others changed, two times that cannot be compared, and no way back but by hand.
it('shows what was changed outside beside jobs, compares two times and sets the device as it was, by a plan', async () => {
  const { page, app, all, site, virtual } = await openDrifted({ devices: 1, changed: 0 });
  const [deviceId = ''] = all;
  const { at } = await app.engine.snapshots.take({ deviceId }, never);
  const second = Math.floor(Date.parse(at) / 1000) * 1000;
  await expect.poll(() => Date.now()).toBeGreaterThan(second + 1000);
  await asAnotherProgram({ site: virtual }, 0, async (other, id) => {
    await applyPlan(other, await makePlan({ engine: other, ids: [id] }, basic('{ distance: 9 }')));
  });
  for await (const event of app.engine.agreements.look({}, never)) void event;
  await site.rows.first().waitFor();
  await page.goto(new URL(`#/devices/${deviceId}/changes`, page.url()).href);
  const part = byId(page, 'as-it-was');
  await part.waitFor();

  await byId(page, 'from-outside').waitFor();
  expect(await part.innerText()).toContain('never put back');
  const local = new Date(second - new Date(second).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  await byId(part, 'moment-from').fill(local);
  await byId(part, 'compare-moments').click();
  const difference = byId(part, 'moment-difference');
  await difference.waitFor();
  expect(await difference.innerText()).toMatch(/Distance.*4.*9/s);
  expect(await faults(page, 'as it was')).toEqual([]);
  await look(page, 'as-it-was');
  await byId(part, 'restore-moment').click();
  await byId(page, 'plan-group').waitFor();
  await byId(page, 'start-plan').click();
  await byId(page, 'job-screen').waitFor();

  await expect.poll(() => app.engine.devices.find(deviceId).agreement?.state).toBe('as-agreed');
});

// Would catch: a difference that was put off and goes on asking, or one that never comes back.
it('leads from a row to what differs there; what is put off is quiet and comes back when asked for', async () => {
  const { page, site } = await openDrifted({ devices: 2, changed: 1 });
  await site.rows.first().waitFor();
  await byId(page, 'exception').first().click();
  await byId(page, 'agreed').waitFor();
  await byId(page, 'put-off').click();
  await look(page, 'differences-later');
  await byId(page, 'confirm-later').click();
  await byId(page, 'not-later').waitFor();
  await page.goto(new URL('#/devices', page.url()).href);
  await site.rows.nth(1).waitFor();

  await expect
    .poll(() => site.rows.allInnerTexts())
    .toEqual(
      expect.arrayContaining([
        expect.stringContaining('1 differs, put off'),
        expect.stringContaining('As agreed'),
      ]),
    );
  await byId(page, 'count-drifted').waitFor({ state: 'detached' });
  await page.goto(new URL('#/changes/differences', page.url()).href);
  await byId(page, 'not-later').click();
  await byId(page, 'put-off').waitFor();
  await byId(page, 'accept-shown').click();
  await input(page, 'accept-reason').fill('the owner wants it');
  await byId(page, 'confirm-accept').click();
  await byId(page, 'differences-screen').getByText('No device showed anything else').waitFor();
});
