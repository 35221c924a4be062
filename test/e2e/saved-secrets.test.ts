import { beforeEach, describe, expect, it } from 'vitest';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { violations } from './axe.ts';
import { ApplyPage } from './pages/apply-page.ts';
import { focusedTag, goToHash, isTooWide } from './pages/in-page.ts';
import { SitePage } from './pages/site-page.ts';
import { byId, input } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

const VALUE = 'c4rd-7731';
const TEMPLATE = `fieldwright: template/1
name: Locked cards
variables:
  cardLock: { type: secret, description: Storage card password }
sections:
  - set: storage.rwLock
    value: { enabled: true, passwd: "\${cardLock}" }
`;

async function adopted(): Promise<void> {
  await adoptSite(app, await app.site({ devices: 1, kinds: ['thermal'] }));
}

describe('a secret kept in the vault', () => {
  it('is typed once, then named and not asked for, until it is removed in the settings', async () => {
    await adopted();
    const { page } = app;
    const apply = new ApplyPage(page);
    const found: string[] = [];
    await apply.visit();
    await apply.openTemplate(TEMPLATE);
    await input(page, 'variable-cardLock').fill(VALUE);
    await apply.get('keep-cardLock').check();
    found.push(...(await violations(page, 'typed')));
    await apply.toDevices();
    await new SitePage(page).selectAll();
    await apply.plan();
    expect(app.engine.secrets.list(), 'a plan alone keeps nothing').toEqual([]);
    await apply.start();
    expect(await apply.result()).toBe('done');
    expect(app.engine.secrets.list()).toMatchObject([{ name: 'cardLock' }]);

    await page.reload();
    // The job that was shown is shown again.
    await apply.get('start-over').click();
    await apply.openTemplate(TEMPLATE);
    await apply.get('saved-cardLock').waitFor();
    expect(await apply.get('variable-cardLock').count()).toBe(0);
    found.push(...(await violations(page, 'saved')));
    await apply.toDevices();
    await new SitePage(page).selectAll();
    await apply.plan();
    await apply.start();
    expect(await apply.result()).toBe('done');
    expect(await page.content()).not.toContain(VALUE);

    await goToHash(page, '#/settings');
    await byId(page, 'secret-row').waitFor();
    expect(await byId(page, 'secrets-card').innerText()).toContain('cardLock');
    found.push(...(await violations(page, 'settings')));
    expect(await isTooWide(page)).toBe(false);
    await byId(page, 'remove-secret').click();
    await byId(page, 'confirm').click();
    await byId(page, 'secret-row').waitFor({ state: 'detached' });
    expect(app.engine.secrets.list()).toEqual([]);

    // The template is still the chosen one: what it asks for is as the vault is now.
    await goToHash(page, '#/changes/apply?new=1');
    await input(page, 'variable-cardLock').waitFor();
    expect(found).toEqual([]);
  });

  it('counts for a plan from a file too, and gives way to one that is typed', async () => {
    await adopted();
    const { page } = app;
    app.engine.secrets.save({ name: 'cardLock', value: VALUE });
    const deviceId = app.engine.devices.list()[0]?.id ?? '';
    let planId = '';
    for await (const event of app.engine.plans.create(
      { templateText: TEMPLATE, deviceIds: [deviceId] },
      AbortSignal.timeout(60_000),
    ))
      if (event.type === 'plan') planId = event.plan.id;
    const { text } = app.engine.plans.exportFile({ planId });
    const apply = new ApplyPage(page);
    await apply.visit();
    await apply
      .get('plan-file')
      .setInputFiles({ name: 'plan.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await apply.get('plan-groups').waitFor();
    await apply.get('to-apply').click();
    await apply.get('saved-cardLock').waitFor();
    await apply.get('agree').check();
    expect(await apply.get('start-apply').isEnabled(), 'nothing has to be typed').toBe(true);

    await apply.get('another-cardLock').click();
    expect(await focusedTag(page)).toBe('INPUT');
    await input(page, 'secret-cardLock').fill('other-9204');
    await apply.get('start-apply').click();

    expect(await apply.result()).toBe('done');
    const open = async (passwd: string): Promise<string> =>
      (
        await app.engine.operations.call(
          { deviceId, operation: 'storage.rwLock.put', body: { enabled: false, passwd } },
          AbortSignal.timeout(60_000),
        )
      ).outcome;
    expect([(await open(VALUE)) === 'ok', (await open('other-9204')) === 'ok']).toEqual([false, true]);
    expect(app.engine.secrets.list()).toHaveLength(1);
  });
});
