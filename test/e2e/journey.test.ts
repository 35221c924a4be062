import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type App, type World } from './app.ts';
import { violations } from './axe.ts';
import { ApplyPage } from './pages/apply-page.ts';
import { SitePage } from './pages/site-page.ts';
import { TemplatesPage } from './pages/templates-page.ts';

let world: World;
let app: App;
beforeAll(async () => { world = await createWorld(); });
afterAll(() => world.close());
beforeEach(async () => { app = await world.open({ acceptDownloads: true }); });
afterEach(() => app.close());

const WRONG = `fieldwright: template/1
name: Journey
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value: { emissivityMode: customsettings, emissivity: 1.5, distance: 3 }
`;

describe('from author to undo', () => {
  it('checks, plans, applies, tells what failed, retries it, and undoes all of it byte for byte', async () => {
    const { page } = app;
    const virtual = await app.site({ devices: 3, kinds: ['thermal'], password: 'one-for-all-1' });
    const ids = virtual.devices.map(({ url, name }) => app.engine.devices.add({ address: url, name }).id);
    app.engine.credentials.save({ label: 'all', userName: 'admin', password: 'one-for-all-1', deviceIds: ids });
    await app.engine.devices.test(ids, AbortSignal.timeout(10_000));
    const read = async (id: string): Promise<string | undefined> => (await app.engine.call({ deviceId: id, operation: 'thermal.thermometryBasic.get', params: { channelID: 1 }, raw: true }, AbortSignal.timeout(5000))).raw;
    const before = await Promise.all(ids.map(read));
    const templates = new TemplatesPage(page);
    const apply = new ApplyPage(page);

    await templates.list();
    await templates.get('new-template').click();
    await templates.get('new-name').fill('Journey');
    await templates.get('new-kind-thermal').check();
    await templates.get('begin-template').click();
    await templates.get('template-editor').waitFor();
    await templates.replaceText(WRONG);
    await templates.checked('errors');
    expect(await templates.get('finding').first().getAttribute('data-code')).toBe('out-of-range');
    await templates.tab('forms');
    await templates.get('toggle-section').click();
    await templates.get('input-emissivity').fill('0.9');
    await templates.checked('ok');
    await templates.save('as agreed with the customer');

    await templates.get('apply-template').click();
    await apply.get('template-name').filter({ hasText: 'Journey' }).waitFor();
    await apply.toDevices();
    await new SitePage(page).selectAll();
    await apply.plan();
    expect(await apply.get('plan-summary').innerText()).toMatch(/3 devices/);

    virtual.device(1).setFault('ignored', 1, { operation: 'thermal.thermometryBasic.put' });
    await apply.start();
    expect(await apply.result()).toBe('failed');
    expect((await apply.outcomes()).join()).toMatch(/1\s*Ignored.*2\s*Effective/s);
    const found = [...await violations(page, 'results')];
    await apply.get('outcome-legend').click();
    await apply.get('legend-dialog').waitFor();
    found.push(...await violations(page, 'legend'));
    await page.keyboard.press('Escape');

    virtual.device(1).clearFaults();
    await apply.get('retry-failed').click();
    await apply.get('plan-groups').waitFor();
    expect(await apply.get('plan-origin').innerText()).toMatch(/did not get through/);
    expect(await apply.get('plan-summary').innerText()).toMatch(/1 device/);
    await apply.start();
    expect(await apply.result()).toBe('done');
    const [retried, first] = app.engine.jobs.list();

    for (const job of [retried, first]) {
      await page.goto(`${page.url().split('#')[0]}#/history/${job?.id ?? ''}`);
      await apply.get('undo-job').click();
      await apply.get('undo-groups').waitFor();
      found.push(...await violations(page, 'undo'));
      await apply.get('agree').check();
      await apply.get('start-undo').click();
      await page.waitForURL((url) => url.hash.startsWith('#/history/') && !url.hash.endsWith('/undo'));
      expect(await apply.result()).toBe('done');
    }

    expect(await Promise.all(ids.map(read))).toEqual(before);
    expect(found).toEqual([]);
    expect(app.complaints).toEqual([]);
  }, 60_000);
});

describe('a plan as a file', () => {
  it('is saved for review, opened by somebody else, and applied as it was seen', async () => {
    const virtual = await app.site({ devices: 2, kinds: ['thermal'], password: 'one-for-all-1' });
    const ids = virtual.devices.map(({ url, name }) => app.engine.devices.add({ address: url, name }).id);
    app.engine.credentials.save({ label: 'all', userName: 'admin', password: 'one-for-all-1', deviceIds: ids });
    await app.engine.devices.test(ids, AbortSignal.timeout(10_000));
    const apply = new ApplyPage(app.page);
    await apply.get('nav-apply').click();
    await apply.openTemplate(WRONG.replace('1.5', '0.9'));
    await apply.toDevices();
    await new SitePage(app.page).selectAll();
    await apply.plan();

    const file = await apply.saved('save-plan');
    expect(JSON.parse(file.text)).toMatchObject({ fieldwright: 'plan/1', template: { name: 'Journey' } });
    await app.page.reload();
    await apply.get('open-plan').waitFor();
    await apply.get('plan-file').setInputFiles({ name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{"fieldwright": "plan/9"}') });
    await apply.get('error-notice').waitFor();
    expect(await apply.get('error-notice').getAttribute('data-code')).toBe('unreadable-file');

    await apply.get('plan-file').setInputFiles({ name: 'reviewed.json', mimeType: 'application/json', buffer: Buffer.from(file.text) });
    await apply.get('plan-groups').waitFor();
    expect(await apply.get('plan-origin').innerText()).toMatch(/reviewed\.json/);
    await apply.start();

    expect(await apply.result()).toBe('done');
    expect((await apply.outcomes()).join()).toMatch(/2\s*Effective/);
  }, 30_000);
});
