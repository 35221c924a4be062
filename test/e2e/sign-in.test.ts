import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openApp, type App } from './app.ts';
import { ApplyPage } from './pages/apply-page.ts';
import { cutStates, isScrolledSideways, nextFrame } from './pages/in-page.ts';
import { SitePage } from './pages/site-page.ts';
import { byId, input } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

describe('adding a device', () => {
  it('says beside the field what is wrong with an address, and adds nothing', async () => {
    const site = new SitePage(app.page);

    const dialog = await site.addDevice({ address: 'ftp://10.0.0.1' });

    await byId(dialog, 'field-error').waitFor();
    expect(await input(dialog, 'address').getAttribute('aria-invalid')).toBe('true');
    expect(app.engine.devices.list()).toEqual([]);
  });

  it('signs in at once, and refuses the same address a second time', async () => {
    const {
      devices: [camera],
    } = await app.site({ devices: 1, kinds: ['thermal'] });
    const site = new SitePage(app.page);

    const dialog = await site.addDevice({
      address: camera?.url ?? '',
      name: 'Lobby <b>north</b>',
      user: camera?.user,
      password: camera?.password,
    });
    await dialog.waitFor({ state: 'detached' });
    const row = site.row('Lobby <b>north</b>');
    await row.locator('[data-state="ok"]').waitFor();

    expect(await row.locator('b').count(), 'a name is text, never markup').toBe(0);

    await site.addDevice({ address: camera?.url ?? '' });

    await byId(dialog, 'field-error').waitFor();
    expect(app.engine.devices.list()).toHaveLength(1);
  });
});

describe('a wrong password', () => {
  it('reaches the device once, waits for the person, and is mended in the dialog', async () => {
    const virtual = await app.site({ devices: 1, kinds: ['thermal'] });
    const [camera] = virtual.devices;
    const site = new SitePage(app.page);
    const apply = new ApplyPage(app.page);
    await (
      await site.addDevice({ address: camera?.url ?? '', user: 'admin', password: 'wrong' })
    ).waitFor({ state: 'detached' });
    await site.rows.locator('[data-state="failed"]').waitFor();
    const refused = virtual.device(0).requests.length;

    // Planning with the failed sign-in must not spend another attempt.
    await site.selectAll();
    await site.applyTemplate();
    await apply.choose('Site basics');
    await apply.toDevices();
    await apply.plan();

    await apply.get('error-notice').first().waitFor();
    expect(virtual.device(0).requests.length).toBe(refused);
    await apply.get('other-template').waitFor();
    expect(await apply.get('to-apply').count()).toBe(0);

    await byId(app.page, 'nav-devices').click();
    const dialog = await site.signIn('admin', 'still wrong');
    await byId(dialog, 'sign-in-failure').waitFor();
    expect(await byId(dialog, 'sign-in-failure').getAttribute('data-code')).toBe('sign-in-failed');

    await site.signIn(camera?.user ?? '', camera?.password ?? '');

    await dialog.waitFor({ state: 'detached' });
    await site.rows.locator('[data-state="ok"]').waitFor();
    const page = await app.page.content();
    expect(page).not.toContain(camera?.password);
  });
});

// Would catch: a test that goes on unseen once its screen is left; a dialog without a count, one that cannot be left while some devices are silent, or whose stop loses those that let us in.
it('on many devices says how many are through, and stops with what worked', async () => {
  const virtual = await app.site({ devices: 6, kinds: ['gate'], password: 'Same-4-all' });
  const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  for (const url of [
    ...virtual.devices.map((device) => device.url),
    `127.0.0.1:${port}`,
    `localhost:${port}`,
  ])
    app.engine.devices.add({ address: url });
  const site = new SitePage(app.page);
  await site.rows.nth(7).waitFor();
  await site.selectAll();

  // A test of those that are there is counted and can be stopped in the same way.
  await site.act('test-devices');
  await byId(app.page, 'trial').getByText('6 of 8').waitFor();
  // It goes on behind another screen, and can be found again.
  await byId(app.page, 'nav-documents').click();
  await byId(app.page, 'trial').waitFor({ state: 'detached' });
  await byId(app.page, 'work-place').click();
  await byId(app.page, 'activity-item').getByText('6 of 8').waitFor();
  await byId(app.page, 'activity-open').click();
  await byId(app.page, 'trial').getByText('6 of 8').waitFor();
  await byId(app.page, 'stop-trial').click();
  await app.page.getByText('2 were not tried.').first().waitFor();

  const dialog = await site.signIn('admin', 'Same-4-all');
  await byId(dialog, 'sign-in-progress').getByText('6 of 8').waitFor();
  await byId(dialog, 'stop-sign-in').click();
  const result = byId(dialog, 'sign-in-result');
  await result.waitFor();
  await site.rows.locator('[data-state="ok"]').nth(5).waitFor();

  expect((await result.innerText()).split('\n').filter((line) => line !== '')).toEqual([
    '6 of 8 devices are signed in.',
    '2 were not tried.',
  ]);
  expect(app.engine.credentials.list()).toMatchObject([{ devices: 6 }]);
});

describe('an address where nobody answers', () => {
  it('is shown as not reachable, with cause and what to try; removing it asks first', async () => {
    const virtual = await app.site({ devices: 1, kinds: ['gate'] });
    const url = virtual.devices[0]?.url ?? '';
    await virtual.close();
    const site = new SitePage(app.page);
    await (await site.addDevice({ address: url })).waitFor({ state: 'detached' });
    await site.rows.locator('[data-state="unreachable"]:visible').waitFor();
    expect(await cutStates(app.page)).toEqual([]);
    for (const width of [512, 640, 760, 820, 960, 1024, 1180, 1366]) {
      await app.page.setViewportSize({ width, height: 700 });
      await nextFrame(app.page);
      expect(await isScrolledSideways(app.page), `columns that do not fit at ${width}`).toBe(false);
    }

    await byId(site.rows, 'open-device').click();
    const notice = byId(byId(app.page, 'inspector'), 'error-notice');
    expect(await notice.getAttribute('data-code')).toMatch(/connection-refused|unreachable/);
    expect(await byId(notice, 'error-try').innerText()).toContain('Check');
    await app.page.keyboard.press('Escape');

    await site.selectAll();
    await site.act('remove-devices');
    await app.page.keyboard.press('Escape');
    expect(app.engine.devices.list()).toHaveLength(1);
    await site.act('remove-devices');
    await byId(app.page, 'confirm-remove').click();

    await byId(app.page, 'empty-state').waitFor();
    expect(app.engine.devices.list()).toEqual([]);
  });
});

// Would catch: a device that got another address, or needs another way of signing in, that only removing and adding could help.
it('changes how a device is reached, in its details', async () => {
  const { id } = app.engine.devices.add({ address: '10.9.1.1', name: 'Lobby' });
  app.engine.profiles.save({ name: 'Plant', profile: { pathPrefix: '/SVC', deadlineMs: 60_000 } });
  await byId(app.page, 'open-device').click();
  const dialog = byId(app.page, 'inspector');
  await byId(dialog, 'device-connection').locator('summary').click();

  await input(dialog, 'device-address').fill('10.9.1.2');
  await byId(dialog, 'device-profile').selectOption({ label: 'Plant' });
  await byId(dialog, 'device-auth').selectOption('digest');
  const prefix = await input(dialog, 'device-prefix').inputValue();
  await byId(dialog, 'save-device').click();
  await dialog.getByText('http://10.9.1.2').waitFor();

  expect(prefix).toBe('/SVC');
  expect(app.engine.devices.find(id)).toMatchObject({
    url: 'http://10.9.1.2',
    name: 'Lobby',
    profile: { pathPrefix: '/SVC', deadlineMs: 60_000, auth: 'digest' },
  });
});

// Would catch: a site of the command line that this window knows only after it was loaded anew.
it('takes up sites that another face made while the window was left', async () => {
  app.engine.devices.add({ address: '10.9.1.1', name: 'Lobby' });
  await byId(app.page, 'device-row').waitFor();
  const before = await byId(app.page, 'site-filter').count();
  app.engine.sites.save({ name: 'Harbour' });

  await app.page.evaluate(
    `window.dispatchEvent(new Event('blur')); window.dispatchEvent(new Event('focus'))`,
  );

  await byId(app.page, 'site-filter').click();
  await app.page.getByText('Harbour').waitFor();
  expect(before).toBe(0);
});

// Would catch: the other password of one device that takes the place of the one that all others of its site sign in with.
it('what one device of a site refused is tried again for that device alone, and never replaces what works unasked', async () => {
  const plant = await app.site({ devices: 3, kinds: ['gate'], password: 'Same-4-all' });
  const odd = await app.site({ devices: 1, kinds: ['gate'], password: 'Another-1' });
  const { id: siteId } = app.engine.sites.save({ name: 'Plant' });
  for (const { url } of plant.devices) app.engine.devices.add({ address: url, siteId });
  app.engine.devices.add({ address: odd.devices[0]?.url ?? '', name: 'Odd', siteId });
  const site = new SitePage(app.page);
  const inForce = () => app.engine.devices.list().filter(({ signIn }) => signIn === 'ok').length;
  await site.rows.nth(3).waitFor();
  await site.selectAll();
  await site.act('sign-in');
  await byId(app.page, 'sign-in-scope').selectOption('site');
  const dialog = await site.signIn('admin', 'Same-4-all');
  await byId(dialog, 'sign-in-result').getByText('3 of 4 devices are signed in.').waitFor();

  const scope = await byId(dialog, 'sign-in-scope').inputValue();
  await byId(dialog, 'sign-in-scope').selectOption('site');
  await site.signIn('admin', 'Another-1');
  await byId(dialog, 'replaces-working').getByText('3 other devices').waitFor();
  await byId(dialog, 'agree-replace').check();
  await byId(dialog, 'confirm-sign-in').click();
  await byId(dialog, 'error-notice').waitFor();
  const said = await byId(dialog, 'error-notice').innerText();
  // Would catch: a sign-in offered for the device that works.
  const offered = await byId(byId(dialog, 'error-notice'), 'error-sign-in').count();
  const afterRefusal = inForce();
  await byId(dialog, 'sign-in-scope').selectOption('devices');
  await byId(dialog, 'confirm-sign-in').click();
  await dialog.waitFor({ state: 'detached' });

  expect(scope).toBe('devices');
  expect(said).toContain('Nothing was changed there or on any of the 3 devices');
  expect(offered).toBe(0);
  expect([afterRefusal, inForce()]).toEqual([3, 4]);
  expect(app.engine.credentials.list()).toHaveLength(2);
});
