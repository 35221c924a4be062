import { describe, expect, it } from 'vitest';
import type { DeviceKind } from '#shared/model.ts';
import { openApp } from './app.ts';
import { faults, faultsInBothThemes, faultsInEveryTheme, screenFaults } from './axe.ts';
import { ApplyPage } from './pages/apply-page.ts';
import { look } from './look.ts';
import {
  cutTexts,
  goToHash,
  isTooWide,
  nextFrame,
  overlappingTexts,
  smallTargets,
  themeAndLanguage,
  waitForPlace,
} from './pages/in-page.ts';
import { PLACES } from './pages/places.ts';
import { SitePage } from './pages/site-page.ts';
import { byId } from './pages/test-id.ts';

describe('the whole job', () => {
  it('is free of accessibility faults and never wider than the window, in both themes', async () => {
    const app = await openApp({ colorScheme: 'light' });
    const { page } = app;
    const site = new SitePage(page);
    const apply = new ApplyPage(page);
    const found: string[] = [];
    /** The dark is looked at on the screens that hold all of its colours. */
    async function look(where: string, inBoth = false): Promise<void> {
      found.push(...(await (inBoth ? faultsInBothThemes : faults)(page, where)));
    }

    await byId(page, 'empty-state').waitFor();
    await look('empty site');
    await site.simulate();
    await site.selectAll();
    await look('site with a selection', true);
    await site.fromMenu('add-menu', 'add-device');
    await look('add dialog');
    await page.keyboard.press('Escape');
    await site.act('sign-in');
    await look('sign-in dialog', true);
    await page.keyboard.press('Escape');
    await byId(site.rows.first(), 'open-device').click();
    await look('inspector', true);
    await page.keyboard.press('Escape');
    await site.applyTemplate();
    await apply.choose('Site basics');
    await apply.get('variable-distance').waitFor();
    await look('template step');
    await apply.openTemplate('fieldwright: template/1\nname: x\nbogus: 1\n');
    await apply.get('template-problem').first().waitFor();
    await look('template with problems', true);
    await apply.choose('Site basics');
    await apply.get('variable-distance').waitFor();
    await apply.toDevices();
    await look('devices step');
    await apply.plan();
    await look('plan step', true);
    await apply.get('to-apply').click();
    await look('apply step');
    await apply.get('agree').check();
    await apply.get('start-apply').click();
    await apply.result();
    await look('results', true);
    await apply.visitHistory();
    await apply.get('job-row').first().waitFor();
    await look('history');
    await apply.get('nav-settings').click();
    await apply.get('settings-screen').waitFor();
    await look('settings');

    expect(found).toEqual([]);
    expect(app.complaints).toEqual([]);
  });
});

const shown = new Set<string | undefined>();
/** Lists the pages of a device: its overview with the part of its kind, and of the first device also its other tabs. */
function listDevicePlaces(id: string, kind: DeviceKind | undefined): readonly (readonly [string, string])[] {
  if (kind === undefined || shown.has(kind)) return [];
  shown.add(kind);
  const at = `/devices/${encodeURIComponent(id)}`;
  const tabs = ['changes', 'records', 'interface'].map(
    (tab) => [`${at}/${tab}`, 'device-workspace'] as const,
  );
  return [[at, OVERVIEWS[kind]], ...(shown.size === 1 ? tabs : [])];
}
const OVERVIEWS: Readonly<Record<DeviceKind, string>> = {
  gate: 'gate-faults',
  thermal: 'read-alarms',
  ai: 'part-engines',
  counter: 'part-counting',
  recorder: 'part-backfill',
};

describe('every place', () => {
  // Would catch: a screen with two main buttons, so that it is unclear which goes on, one that is cut at the right, or cut on a telephone, or one that cannot be read in the dark or in high contrast.
  it('has one main button at most, fits the window, and with devices is free of accessibility faults in every theme', async () => {
    const app = await openApp({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
    const { page } = app;
    const site = new SitePage(page);
    const found: string[] = [];
    async function walk(when: string, places: readonly (readonly [string, string])[]): Promise<void> {
      for (const [path, part] of places) {
        await goToHash(page, `#${path}`);
        await waitForPlace(page, path, part);
        await nextFrame(page);
        await look(page, `${when}${path.replaceAll('/', '-')}`);
        const where = `${when} ${path}`;
        found.push(...(await (when === 'empty' ? screenFaults : faultsInEveryTheme)(page, where)));
        await page.setViewportSize({ width: 390, height: 844 });
        await nextFrame(page);
        if (await isTooWide(page)) found.push(`${where}: wider than a telephone`);
        found.push(...(await cutTexts(page)).map((text) => `${where}: cut on a telephone: ${text}`));
        found.push(...(await overlappingTexts(page)).map((text) => `${where}: over each other: ${text}`));
        await page.setViewportSize({ width: 1440, height: 900 });
      }
    }

    await byId(page, 'empty-state').waitFor();
    await walk('empty', PLACES);
    await site.simulate();
    await site.selectAll();
    await walk('chosen', PLACES);
    await walk(
      'device',
      app.engine.devices.list().flatMap(({ id, kinds }) => listDevicePlaces(id, kinds[0])),
    );

    expect(found).toEqual([]);
    expect(app.complaints).toEqual([]);
  });
});

describe('at 200 % zoom', () => {
  it('fits both screens without scrolling sideways, with targets of at least 32 px', async () => {
    // A window of 1024 × 700 at 200 % is one of 512 × 350.
    const app = await openApp({ viewport: { width: 512, height: 350 } });
    const { page } = app;
    const site = new SitePage(page);

    await byId(page, 'simulate').click();
    await site.rows.first().waitFor();
    await site.selectAll();
    const siteIsTooWide = await isTooWide(page);
    const small = await smallTargets(page);
    await site.applyTemplate();
    const applyIsTooWide = await isTooWide(page);

    expect({ siteIsTooWide, applyIsTooWide, small }).toEqual({
      siteIsTooWide: false,
      applyIsTooWide: false,
      small: [],
    });
  });
});

describe('theme and language', () => {
  it('follow the person, and are remembered', async () => {
    const app = await openApp();
    const { page } = app;

    await byId(page, 'empty-state').waitFor();
    await byId(page, 'theme-toggle').click();
    await byId(page, 'language').selectOption('zh-CN');
    await page.reload();
    await byId(page, 'empty-state').waitFor();

    expect(await themeAndLanguage(page)).toEqual(['dark', 'zh-CN']);
    expect(await page.locator('h1').innerText()).toBe('设备');
  });
});
