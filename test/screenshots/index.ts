/**
 * `npm run screenshots`: the pictures of the README, made anew on a virtual site. Nothing but this computer is talked
 * to. It needs a Chromium, as the browser tests do.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { closeBrowser, startApp, type App } from '../e2e/app.ts';
import { ApplyPage } from '../e2e/pages/apply-page.ts';
import { DevicePage } from '../e2e/pages/device-page.ts';
import { SitePage } from '../e2e/pages/site-page.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'resources', 'screenshots');

async function take(page: Page, name: string): Promise<void> {
  // Messages that go by themselves would be in one picture and not in the next.
  await page.addStyleTag({ content: '.n-message-container { visibility: hidden }' });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
  process.stdout.write(`resources/screenshots/${name}.png\n`);
}

/** Takes one picture for each step of the main job. */
async function takeMainJob({ page }: App): Promise<void> {
  const site = new SitePage(page);
  await site.simulate();
  await take(page, 'devices');

  await site.selectAll();
  await site.applyTemplate();
  const apply = new ApplyPage(page);
  await apply.choose('Site basics');
  await apply.toDevices();
  await apply.plan();
  await take(page, 'plan');

  await apply.start();
  await apply.result();
  await take(page, 'result');

  await apply.get('nav-devices').click();
  await site.row('Thermal 01').getByRole('link').first().click();
  await new DevicePage(page).get('overview').waitFor();
  await page.locator('[data-test-id="reload-device"]:not(.n-button--loading)').waitFor();
  await take(page, 'device');
}

mkdirSync(FOLDER, { recursive: true });
const app = await startApp({ viewport: { width: 1280, height: 800 } });
try {
  await takeMainJob(app);
} finally {
  await app.close();
  await closeBrowser();
}
