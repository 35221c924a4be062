/** Names as long as people give them, without spaces and in Chinese, on every screen and in every dialog. */
import { expect, it } from 'vitest';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { look } from './look.ts';
import { cutTexts, goToHash, isTooWide, nextFrame, overlappingTexts, waitForPlace } from './pages/in-page.ts';
import { PLACES } from './pages/places.ts';
import { SitePage } from './pages/site-page.ts';
import { byId } from './pages/test-id.ts';
import { applyPlan, makePlan, template } from '../engine/site-engine.ts';

const UNBROKEN = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenh';
const CHINESE = '北侧货物入口十七号楼二层走廊尽头配电间旁边的热成像摄像机'.repeat(4);
const SPACED =
  'Gate at the northern goods entrance of building 17, second lane from the left, behind the barrier next to the porter’s lodge, 2';
const NAMES = [UNBROKEN, CHINESE, SPACED, UNBROKEN.repeat(2), 'Gate 5'];

/** Opens the app on devices, sites, tags, sign-ins and templates with long names, after work of which one part failed and one is open. */
async function openLongNames(): Promise<{ readonly app: App; readonly jobId: string }> {
  const app = await openApp({ viewport: { width: 1440, height: 900 } });
  const { engine } = app;
  const virtual = await app.site({ devices: 5, kinds: ['thermal', 'thermal', 'thermal', 'gate', 'ai'] });
  const { all } = await adoptSite(app, virtual);
  const sites = [SPACED, CHINESE].map((name) => engine.sites.save({ name: name.slice(0, 128) }).id);
  all.forEach((id, at) =>
    engine.devices.update({
      id,
      name: NAMES[at] ?? '',
      tags: [UNBROKEN, CHINESE.slice(0, 64), 'roof'],
      siteId: sites[at % 2] ?? '',
    }),
  );
  engine.credentials.save({ label: SPACED, userName: UNBROKEN, password: 'x' });
  const text = template(
    'set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: { distance: 4 }',
  ).replace('name: Test', `name: ${SPACED.replaceAll(',', '')}`);
  engine.templates.save({ text });
  virtual.device(1).setFault('busy', 1, { operation: 'thermal.thermometryBasic.put' });
  const plan = await makePlan({ engine, ids: all.slice(0, 3) }, text);
  await virtual.device(2).unplug();
  const { id: jobId } = await applyPlan(engine, plan, { whenBack: {} });
  return { app, jobId };
}

// Would catch: a name that pushes a screen sideways, lies over the next words, or is cut without a sign.
it('fit every screen and every dialog, at a desk and on a telephone', async () => {
  const { app, jobId } = await openLongNames();
  const { page } = app;
  const found: string[] = [];
  async function check(where: string): Promise<void> {
    await look(page, where);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await nextFrame(page);
      if (await isTooWide(page)) found.push(`${where} at ${width}: too wide`);
      for (const text of await cutTexts(page)) found.push(`${where} at ${width}: cut: ${text}`);
      for (const text of await overlappingTexts(page)) found.push(`${where} at ${width}: over: ${text}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await nextFrame(page);
  }
  const site = new SitePage(page);
  await site.rows.nth(4).waitFor();
  await site.selectAll();

  for (const [path, part] of PLACES) {
    await goToHash(page, `#${path}`);
    await waitForPlace(page, path, part);
    await nextFrame(page);
    await check(path);
  }
  const [first = ''] = app.engine.devices.list().map(({ id }) => id);
  for (const tab of ['', '/settings', '/changes', '/records', '/interface']) {
    await goToHash(page, `#/devices/${first}${tab}`);
    await waitForPlace(page, first, 'device-workspace');
    await check(`device${tab}`);
  }
  await goToHash(page, `#/work/history/${jobId}`);
  await byId(page, 'job-summary').waitFor();
  await check('job');
  await goToHash(page, '#/devices');
  await site.rows.nth(4).waitFor();
  for (const action of ['sign-in', 'move-to-site', 'tags', 'remove-devices']) {
    await site.act(action);
    await page.locator('dialog[open]').waitFor();
    await check(action);
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
  }
  await byId(site.rows.first(), 'open-device').click();
  await byId(page, 'inspector').waitFor();
  await check('inspector');

  expect(found).toEqual([]);
  expect(app.complaints).toEqual([]);
});
