/** A site handed to a colleague as a file, and opened by one, in four clicks each. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { countActions } from './actions.ts';
import { adoptSite } from './adopt-site.ts';
import { openApp } from './app.ts';
import { faultsInBothThemes } from './axe.ts';
import { look } from './look.ts';
import { goToHash } from './pages/in-page.ts';
import { byId } from './pages/test-id.ts';

it('hands a site over and opens it on another computer, in four clicks each', async () => {
  const home = mkdtempSync(join(tmpdir(), 'fieldwright-home-'));
  const before = process.env['HOME'];
  process.env['HOME'] = home;
  onTestFinished(() => {
    process.env['HOME'] = before;
    rmSync(home, { recursive: true, force: true });
  });
  const app = await openApp();
  await adoptSite(app, await app.site({ devices: 12 }));
  const site = app.engine.sites.save({ name: 'Harbour office' });
  app.engine.devices.updateMany({ ids: app.engine.devices.list().map(({ id }) => id), siteId: site.id });
  const { page } = app;
  await goToHash(page, '#/devices');
  await byId(page, 'nav-documents').waitFor();
  const handing = await countActions(page);

  await byId(page, 'nav-documents').click();
  await byId(page, 'open-site-file').click();
  await byId(page, 'site-passphrase').locator('input').fill('correct horse battery');
  await byId(page, 'pack-go').click();
  await byId(page, 'site-written').waitFor();
  expect(await handing.clicks()).toBeLessThanOrEqual(4);
  expect(await faultsInBothThemes(page, 'site file')).toEqual([]);
  await look(page, 'site-file-written');

  const other = await openApp();
  await goToHash(other.page, '#/documents/site');
  const opening = await countActions(other.page);
  await byId(other.page, 'site-passphrase').locator('input').fill('correct horse battery');
  const [picker] = await Promise.all([
    other.page.waitForEvent('filechooser'),
    byId(other.page, 'choose-file').click(),
  ]);
  await picker.setFiles(join(home, 'Harbour office.fieldwright-site'));
  await byId(other.page, 'site-found').waitFor();
  await look(other.page, 'site-file-found');
  await byId(other.page, 'merge-site').click();
  await byId(other.page, 'site-merged').waitFor();
  expect(await opening.clicks()).toBeLessThanOrEqual(4);
  expect(other.engine.devices.list()).toHaveLength(12);
});
