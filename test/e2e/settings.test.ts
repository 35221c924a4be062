import { beforeEach, describe, expect, it } from 'vitest';
import { openApp, type App } from './app.ts';
import { violations } from './axe.ts';
import { goToHash, isTooWide, smallTargets } from './pages/in-page.ts';
import { byId, input } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

async function openSettings(): Promise<void> {
  await goToHash(app.page, '#/settings');
  await byId(app.page, 'profile-row').first().waitFor();
}

describe('a question outside the page', () => {
  it('shows as waiting while a saved sign-in is given to a tag, and a no is told with what to do (else: the page hangs without a word)', async () => {
    app.engine.devices.add({ address: '127.0.0.1:9', name: 'Quiet', tags: ['lobby'] });
    app.engine.credentials.save({ label: 'Old', userName: 'installer', password: 'saved-long-ago-7' });
    const answered = Promise.withResolvers<'no'>();
    app.outside.answer = () => answered.promise;
    await openSettings();
    const { page } = app;
    const dialog = byId(page, 'credential-dialog');

    await byId(page, 'edit-credential').click();
    await byId(dialog, 'give-to').selectOption({ label: 'Tag lobby' });
    await byId(dialog, 'give').click();
    await byId(dialog, 'asked-outside').waitFor();
    const waiting = await byId(dialog, 'asked-outside').innerText();
    answered.resolve('no');
    await byId(dialog, 'asked-outside').waitFor({ state: 'detached' });
    await dialog.getByText('It was not agreed to').waitFor();

    expect(waiting).toContain('Answer there');
    expect(app.outside.asked).toMatchObject([
      {
        message: expect.stringContaining('"Old" (installer)') as string,
        details: ['http://127.0.0.1:9 ("Quiet")'],
      },
    ]);
    expect(app.engine.credentials.list()).toMatchObject([{ devices: 0 }]);
  });
});

describe('sign-ins in the settings', () => {
  it('change in one place for every device, are given to tags and sites, and say who loses them', async () => {
    const site = await app.site({ devices: 2, kinds: ['thermal'] });
    const ids = site.devices.map(
      ({ url, name }) => app.engine.devices.add({ address: url, name, tags: ['lobby'] }).id,
    );
    const harbour = app.engine.sites.save({ name: 'Harbour' });
    const saved = app.engine.credentials.save({
      label: 'Old',
      userName: 'nobody',
      password: 'wrong',
      deviceIds: ids,
    });
    await openSettings();
    const { page } = app;

    await byId(page, 'edit-credential').click();
    const dialog = byId(page, 'credential-dialog');
    expect(await input(dialog, 'credential-password').inputValue(), 'no password comes to the page').toBe('');
    await input(dialog, 'credential-label').fill('New');
    await input(dialog, 'credential-user').fill(site.devices[0]?.user ?? '');
    await input(dialog, 'credential-password').fill(site.devices[0]?.password ?? '');
    await byId(dialog, 'give-to').selectOption({ label: 'Site Harbour' });
    await byId(dialog, 'give').click();
    await byId(dialog, 'credential-scope').waitFor();
    await byId(dialog, 'save-credential').click();
    await dialog.waitFor({ state: 'detached' });

    const [after] = app.engine.credentials.list();
    expect(after).toMatchObject({
      id: saved.id,
      label: 'New',
      scopes: [{ kind: 'site', siteId: harbour.id }],
    });
    const [first] = await app.engine.devices.test({ ids: [ids[0] ?? ''] }, AbortSignal.timeout(60_000));
    expect(first?.ok, 'the device gets the password that was typed').toBe(true);
    expect(await byId(page, 'credential-row').innerText()).toContain('Site Harbour');

    // Renaming alone keeps the password.
    await byId(page, 'edit-credential').click();
    await input(dialog, 'credential-label').fill('Newer');
    await byId(dialog, 'save-credential').click();
    await dialog.waitFor({ state: 'detached' });
    expect((await app.engine.devices.test({ ids: [ids[0] ?? ''] }, AbortSignal.timeout(60_000)))[0]?.ok).toBe(
      true,
    );

    await byId(page, 'remove-credential').click();
    expect(await byId(page, 'confirm-dialog').innerText()).toContain('2 devices lose it');
    await byId(page, 'confirm').click();
    await byId(page, 'confirm-dialog').waitFor({ state: 'detached' });
    expect(app.engine.credentials.list()).toEqual([]);
  });
});

describe('sites and connection profiles in the settings', () => {
  it('are added, changed, made the default and removed; what is wrong is said beside its field', async () => {
    await openSettings();
    const { page } = app;

    await byId(page, 'add-site').click();
    await input(page, 'site-name').fill('Harbour');
    await byId(page, 'save-site').click();
    await byId(page, 'site-row').filter({ hasText: 'Harbour' }).waitFor();
    await byId(page, 'rename-site').click();
    await input(page, 'site-name').fill('Old harbour');
    await byId(page, 'save-site').click();
    await byId(page, 'site-row').filter({ hasText: 'Old harbour' }).waitFor();
    await byId(page, 'remove-site').click();
    await byId(page, 'confirm').click();
    await byId(page, 'site-row').waitFor({ state: 'detached' });
    expect(app.engine.sites.list()).toEqual([]);

    await byId(page, 'add-profile').click();
    const dialog = byId(page, 'profile-dialog');
    await input(dialog, 'profile-name').fill('Plant');
    await input(dialog, 'profile-prefix').fill('no slash');
    await input(dialog, 'profile-ports').fill('80, 99999');
    await byId(dialog, 'save-profile').click();
    await input(dialog, 'profile-services').fill('_http._tcp, printer');
    await byId(dialog, 'field-error').nth(2).waitFor();
    expect(await byId(dialog, 'field-error').count()).toBe(3);
    await input(dialog, 'profile-prefix').fill('/SVC');
    await input(dialog, 'profile-ports').fill('8080');
    await input(dialog, 'profile-services').fill('_camera-x._tcp');
    await input(dialog, 'profile-deadline').fill('5');
    await byId(dialog, 'profile-auth').selectOption('digest');
    await byId(dialog, 'save-profile').click();
    await dialog.waitFor({ state: 'detached' });
    await byId(page, 'make-default').click();
    await byId(page, 'profile-row')
      .filter({ hasText: 'Plant' })
      .locator('[data-test-id="default-profile"]')
      .waitFor();

    expect(app.engine.profiles.list().find(({ name }) => name === 'Plant')).toMatchObject({
      isDefault: true,
      ports: [8080],
      services: ['_camera-x._tcp'],
      profile: { pathPrefix: '/SVC', auth: 'digest', deadlineMs: 5000 },
    });
    await byId(page, 'remove-profile').click();
    await byId(page, 'confirm').click();
    await byId(page, 'confirm-dialog').waitFor({ state: 'detached' });
    expect(app.engine.profiles.list().map(({ name }) => name)).toEqual(['Plant']);
  });

  it('fit a narrow window and hold no accessibility fault', async () => {
    app.engine.sites.save({ name: 'Harbour' });
    app.engine.credentials.save({ label: 'Key', userName: 'admin', password: 'x' });
    await app.page.setViewportSize({ width: 512, height: 350 });
    await openSettings();
    const { page } = app;

    const found = [...(await violations(page, 'settings'))];
    expect(await isTooWide(page)).toBe(false);
    expect(await smallTargets(page)).toEqual([]);
    await byId(page, 'edit-credential').click();
    found.push(...(await violations(page, 'credential dialog')));
    await page.keyboard.press('Escape');
    await byId(page, 'edit-profile').first().click();
    found.push(...(await violations(page, 'profile dialog')));

    expect(found).toEqual([]);
    expect(app.complaints).toEqual([]);
  });
});
