import { userInfo } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { ApplyPage } from './pages/apply-page.ts';
import { readableText } from './pages/in-page.ts';
import { ConsolePage } from './pages/console-page.ts';
import { DevicePage } from './pages/device-page.ts';
import { SitePage } from './pages/site-page.ts';

let app: App;
beforeEach(async () => {
  app = await openApp({ locale: 'zh-CN' });
});

/** The same in every language: the product, protocols, formats; beside them members of the interface and abbreviations. */
const NAMES = new Set([
  'Fieldwright',
  'IPv',
  'Digest',
  'Basic',
  'English',
  'Deutsch',
  'linux',
  'admin',
  'Ctrl',
]);

/** Returns English words on the page except names; addresses, ids, paths and quoted text are left out. */
async function englishOn(page: App['page'], own: readonly string[]): Promise<readonly string[]> {
  const text = own.reduce((rest, name) => rest.replaceAll(name, ' '), await readableText(page));
  const words = text
    .replace(/“[^”]*”|\bj-[0-9a-f]+/g, ' ')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/\S*[/_.@:]\S*/g, ' ')
    .match(/[A-Za-z][A-Za-z-]+/g);
  return [...new Set(words)].filter((word) => !NAMES.has(word) && !/[a-z][A-Z]|^[A-Z]+$/.test(word)).sort();
}

describe('a Chinese screen', () => {
  // Would catch: a message, a label or a title that is not translated.
  it('holds no English words but names, from planning to the history and what went wrong', async () => {
    const { page } = app;
    const virtual = await app.site({ devices: 2, kinds: ['thermal', 'gate'] });
    const { ids } = await adoptSite(app, virtual);
    app.engine.devices.add({ address: 'http://127.0.0.1:9', name: '离线设备' });
    // A device gives its reasons in its own words, which stay as they came.
    const reason = 'The device is busy, try again later.';
    const own = [...virtual.devices.map(({ name }) => name), userInfo().username, reason];
    const site = new SitePage(page);
    const apply = new ApplyPage(page);
    const found: Record<string, readonly string[]> = {};
    const look = async (where: string): Promise<void> => {
      const words = await englishOn(page, own);
      if (words.length > 0) found[where] = words;
    };

    await site.rows.nth(2).waitFor();
    await look('site');
    await site.selectAll();
    await site.applyTemplate();
    await apply.get('template-item').first().waitFor();
    await look('templates to apply');
    await apply.choose('Thermal camera at an entrance');
    await look('variables');
    await apply.choose('Site basics');
    await apply.toDevices();
    await look('devices');
    await apply.plan();
    await look('plan');
    virtual.device(0).setFault('ignored', 1, { operation: 'thermal.thermometryBasic.put' });
    virtual.device(1).setFault('busy', 1, { operation: 'accessControl.hostConfig.put' });
    await apply.start();
    await apply.result();
    await look('result');
    await apply.visitHistory();
    await apply.get('job-row').first().waitFor();
    await look('history');
    await apply.get('job-row').first().click();
    await apply.get('undo-job').waitFor();
    await look('job');
    await apply.get('undo-job').click();
    await page.getByRole('main').getByText('撤销').first().waitFor();
    await look('undo');
    const device = new DevicePage(page);
    await device.open(ids.thermal);
    await look('device');
    await device.open(ids.thermal, 'thermal/thermometryBasic');
    await apply.get('input-emissivity').waitFor();
    await look('settings of a device');
    await device.open(ids.gate, 'gate/channelController.capabilities.get');
    await apply.get('limits').waitFor();
    await look('limits of a device');
    const requests = new ConsolePage(page);
    await requests.open('thermal.thermometryBasic.put', ids.thermal);
    await look('console');
    for (const place of ['devices', 'changes', 'commission', 'documents', 'settings']) {
      await apply.get(`nav-${place}`).click();
      await page.getByRole('main').waitFor();
      await look(`page ${place}`);
    }

    expect(found).toEqual({});
    expect(app.complaints).toEqual([]);
  });
});
