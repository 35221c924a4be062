import { expect, it } from 'vitest';
import { countActions } from './actions.ts';
import { adoptSite } from './adopt-site.ts';
import { openApp } from './app.ts';
import { faults } from './axe.ts';
import { DevicePage } from './pages/device-page.ts';
import { SitePage } from './pages/site-page.ts';

// Would catch: an answer that takes more than a look at the page of the camera, or that names the wrong link.
it('says why a camera did not alarm, and leads to the setting, in three clicks from the list', async () => {
  const app = await openApp({ viewport: { width: 1440, height: 900 } });
  const site = await app.site({ devices: 2, kinds: ['thermal'], seed: 5 });
  site.device(0).setFault('alarm-outside');
  const { ids } = await adoptSite(app, site);
  const device = new DevicePage(app.page);
  await new SitePage(app.page).row(site.devices[0]?.name ?? '').waitFor();
  const actions = await countActions(app.page);

  await new SitePage(app.page)
    .row(site.devices[0]?.name ?? '')
    .getByRole('link')
    .first()
    .click();
  const verdict = device.get('alarm-verdict');
  await verdict.waitFor();
  expect(await verdict.innerText()).toMatch(
    /cannot raise an alarm now.*180 °C.*above the range that is measured.*30 … 45/s,
  );
  expect(
    await Promise.all(
      ['measures', 'lasts', 'armed', 'told'].map((link) =>
        device.get(`link-${link}`).getAttribute('data-state'),
      ),
    ),
  ).toEqual(['bad', 'good', 'good', 'good']);
  expect(await faults(app.page, 'alarms')).toEqual([]);

  await device.get('mend-measures').click();
  await device.input('alarm').waitFor();
  expect(await actions.clicks()).toBeLessThanOrEqual(3);
  await device.type('alarm', '40');
  await device.review();
  await device.write();
  await device.open(ids.thermal);
  await device.get('chain-0').click();

  await expect.poll(() => device.get('link-measures').getAttribute('data-state')).toBe('good');
  expect(app.complaints).toEqual([]);
});

it('asks how long the event lasted, and judges the filter time by it', async () => {
  const app = await openApp();
  const site = await app.site({ devices: 1, kinds: ['thermal'], seed: 5, faults: ['long-filter'] });
  const { ids } = await adoptSite(app, site);
  const device = new DevicePage(app.page);
  await device.open(ids.thermal);
  await device.get('link-lasts').waitFor();
  expect(await device.get('link-lasts').getAttribute('data-state')).toBe('bad');

  await device.get('event-seconds').fill('90');
  await app.page.keyboard.press('Tab');

  await expect.poll(() => device.get('link-lasts').getAttribute('data-state')).toBe('good');
});
