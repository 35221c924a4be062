import type { Locator } from 'playwright';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#simulator/index.ts';
import { openApp, type App } from './app.ts';
import { violations } from './axe.ts';
import { ApplyPage } from './pages/apply-page.ts';
import { SitePage } from './pages/site-page.ts';
import { TemplatesPage } from './pages/templates-page.ts';
import { byId } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

const WRONG = `fieldwright: template/1
name: Journey
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value: { emissivityMode: customsettings, emissivity: 1.5, distanse: 3 }
`;

/** Returns the documents written to each device, as bytes on the wire, without unwritten ones. */
function writtenTo(site: Site): readonly Readonly<Record<string, string>>[] {
  return site.devices.map((_device, index) => site.device(index).state().documents);
}
/** Counts the writes to each device. */
function writesOf(site: Site): readonly number[] {
  return site.devices.map(
    (_device, index) =>
      site.device(index).requests.filter(({ method, applied }) => method === 'PUT' && applied).length,
  );
}

async function eachOf(rows: Locator, attribute: string): Promise<readonly (string | null)[]> {
  return Promise.all((await rows.all()).map((row) => row.getAttribute(attribute)));
}

describe('the tab that opened the link', () => {
  it('stays in over a reload and a foreign cookie, shows no token, and is the only one (else: whoever gets the cookies of this computer has the engine)', async () => {
    const { page } = app;
    app.engine.devices.add({ address: '127.0.0.1:9', name: 'Quiet' });
    const { rows } = new SitePage(page);
    await rows.filter({ hasText: 'Quiet' }).waitFor();
    const { origin, port } = new URL(page.url());

    await page.context().addCookies([{ name: `fieldwright-${port}`, value: 'x', url: origin }]);
    await page.reload();
    await rows.filter({ hasText: 'Quiet' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${origin}/#/`);
    await byId(other, 'connection-lost').waitFor();

    expect(page.url()).not.toContain('token');
    expect(await byId(other, 'connection-lost').innerText()).toMatch(
      /^Fieldwright works in one tab.*open the address/,
    );
    expect(await byId(other, 'device-row').count()).toBe(0);
  });
});

describe('from author to undo', () => {
  it('checks, plans, applies, tells what failed, retries it, and undoes all of it byte for byte', async () => {
    const { page } = app;
    const virtual = await app.site({ devices: 3, kinds: ['thermal'], password: 'one-for-all-1' });
    const ids = virtual.devices.map(({ url, name }) => app.engine.devices.add({ address: url, name }).id);
    app.engine.credentials.save({
      label: 'all',
      userName: 'admin',
      password: 'one-for-all-1',
      deviceIds: ids,
    });
    await app.engine.devices.test({ ids }, AbortSignal.timeout(60_000));
    const read = async (id: string): Promise<string | undefined> =>
      (
        await app.engine.operations.call(
          { deviceId: id, operation: 'thermal.thermometryBasic.get', params: { channelID: 1 }, raw: true },
          AbortSignal.timeout(60_000),
        )
      ).raw;
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
    expect(await eachOf(templates.get('finding'), 'data-code')).toEqual(['out-of-range', 'unknown-field']);
    await templates.get('finding-fix').click();
    await templates.waitForText('distance: 3');
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
    expect(writesOf(virtual)).toEqual([0, 0, 0]);
    const before = await Promise.all(ids.map(read));

    virtual.device(1).setFault('ignored', 1, { operation: 'thermal.thermometryBasic.put' });
    virtual.device(2).setFault('busy', 1, { operation: 'thermal.thermometryBasic.put' });
    await apply.start();
    expect(await apply.result()).toBe('failed');
    expect((await apply.outcomes()).join()).toMatch(/1\s*Refused.*1\s*Not applied.*1\s*Verified/s);
    expect(await eachOf(apply.get('result-group'), 'data-outcome')).toEqual([
      'refused',
      'ignored',
      'effective',
    ]);
    expect(writtenTo(virtual).map((documents) => Object.keys(documents))).toEqual([
      ['thermal.thermometryBasic/1'],
      [],
      [],
    ]);
    expect(await read(ids[0] ?? '')).not.toBe(before[0]);
    const found = [...(await violations(page, 'results'))];
    await apply.get('outcome-legend').click();
    await apply.get('legend-dialog').waitFor();
    found.push(...(await violations(page, 'legend')));
    await page.keyboard.press('Escape');

    virtual.device(1).clearFaults();
    virtual.device(2).clearFaults();
    await apply.get('retry-failed').click();
    await apply.get('plan-groups').waitFor();
    expect(await apply.get('plan-origin').innerText()).toMatch(/did not get through/);
    expect(await apply.get('plan-summary').innerText()).toMatch(/2 devices/);
    await apply.start();
    expect(await apply.result()).toBe('done');
    expect((await apply.outcomes()).join()).toMatch(/2\s*Verified/);
    expect(writesOf(virtual), 'the device that was done is not written again').toEqual([1, 1, 1]);

    // The retry first, then the job before it: each is found in the history, as a person would.
    for (const row of [0, 2]) {
      await apply.visitHistory();
      await apply.get('job-row').nth(row).click();
      await apply.get('undo-job').click();
      await apply.get('undo-groups').waitFor();
      found.push(...(await violations(page, 'undo')));
      await apply.get('agree').check();
      await apply.get('start-undo').click();
      await page.waitForURL((url) => url.hash.startsWith('#/work/history/') && !url.hash.endsWith('/undo'));
      expect(await apply.result()).toBe('done');
      expect(await apply.get('job-screen').locator('h1').innerText()).toMatch(/^Undo of /);
      expect(await apply.get('unit-note').first().innerText()).toMatch(/exactly its previous values again/);
    }

    expect(writtenTo(virtual)).toEqual(before.map((text) => ({ 'thermal.thermometryBasic/1': text })));
    expect(writesOf(virtual)).toEqual([2, 2, 2]);
    expect(app.engine.jobs.list().map(({ kind }) => kind)).toEqual(['undo', 'undo', 'apply', 'apply']);
    expect(found).toEqual([]);
    expect(app.complaints).toEqual([]);
  });
});

describe('a plan as a file', () => {
  it('is saved for review, opened by somebody else, and applied as it was seen', async () => {
    const virtual = await app.site({ devices: 2, kinds: ['thermal'], password: 'one-for-all-1' });
    const ids = virtual.devices.map(({ url, name }) => app.engine.devices.add({ address: url, name }).id);
    app.engine.credentials.save({
      label: 'all',
      userName: 'admin',
      password: 'one-for-all-1',
      deviceIds: ids,
    });
    await app.engine.devices.test({ ids }, AbortSignal.timeout(60_000));
    const apply = new ApplyPage(app.page);
    await apply.visit();
    await apply.openTemplate(WRONG.replace('1.5', '0.9').replace('distanse', 'distance'));
    await apply.toDevices();
    await new SitePage(app.page).selectAll();
    await apply.plan();

    const file = await apply.saved('save-plan');
    expect(JSON.parse(file.text)).toMatchObject({ fieldwright: 'plan/1', template: { name: 'Journey' } });
    await app.page.reload();
    await apply.get('step-template').click();
    await apply.get('open-plan').waitFor();
    await apply.get('plan-file').setInputFiles({
      name: 'broken.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"fieldwright": "plan/9"}'),
    });
    await apply.get('error-notice').waitFor();
    expect(await apply.get('error-notice').getAttribute('data-code')).toBe('unreadable-file');

    await apply
      .get('plan-file')
      .setInputFiles({ name: 'reviewed.json', mimeType: 'application/json', buffer: Buffer.from(file.text) });
    await apply.get('plan-groups').waitFor();
    expect(await apply.get('plan-origin').innerText()).toMatch(/reviewed\.json/);
    await apply.start();

    expect(await apply.result()).toBe('done');
    expect((await apply.outcomes()).join()).toMatch(/2\s*Verified/);
  });
});
