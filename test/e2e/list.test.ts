/** The list of devices as an installer uses it all day. */
import { expect, it } from 'vitest';
import type { LostLink } from '#shared/model.ts';
import { countActions } from './actions.ts';
import { openApp } from './app.ts';
import { faults } from './axe.ts';
import { focusedText, waitForFocusOn, waitUntil } from './pages/in-page.ts';
import { SitePage } from './pages/site-page.ts';
import { byId, input } from './pages/test-id.ts';

// Would catch: one odd password that costs a click for each of the others, or takes the place of theirs.
it('signs in 60 devices of which one has another password, with 12 clicks at most', async () => {
  const app = await openApp();
  const { page } = app;
  const same = await app.site({ devices: 59, kinds: ['gate'], password: 'Same-4-all' });
  const odd = await app.site({ devices: 1, kinds: ['gate'], password: 'Another-1' });
  const { id: siteId } = app.engine.sites.save({ name: 'Plant South' });
  app.engine.devices.addMany({
    devices: [
      ...same.devices.map(({ url }, index) => ({ address: url, name: `Gate ${index + 1}`, siteId })),
      { address: odd.devices[0]?.url ?? '', name: 'Odd gate', siteId },
    ],
  });
  const site = new SitePage(page);
  await site.rows.nth(8).waitFor();
  const actions = await countActions(page);

  await byId(page, 'select-all').click();
  await site.act('sign-in');
  const dialog = byId(page, 'sign-in-dialog');
  await input(dialog, 'user-name').fill('admin');
  await input(dialog, 'password').fill('Same-4-all');
  await byId(dialog, 'confirm-sign-in').click();
  await byId(dialog, 'sign-in-result').getByText('59 of 60 devices are signed in.').waitFor();
  await byId(dialog, 'sign-in-new').click();
  await input(dialog, 'user-name').fill('admin');
  await input(dialog, 'password').fill('Another-1');
  await byId(dialog, 'confirm-sign-in').click();
  await dialog.waitFor({ state: 'detached' });

  expect(await actions.clicks()).toBeLessThanOrEqual(12);
  expect(app.engine.devices.list().filter(({ signIn }) => signIn === 'ok')).toHaveLength(60);
  expect(app.engine.credentials.list().map(({ devices }) => devices)).toEqual(
    expect.arrayContaining([59, 1]),
  );
});

// Would catch: rows too high for a day's work, a healthy row with words, a count that narrows nothing, a filter that back forgets, an exception that leads nowhere.
it('shows 22 devices at once, tells exceptions alone, and keeps what it is narrowed to in its address', async () => {
  const app = await openApp({ viewport: { width: 1440, height: 900 } });
  const { page } = app;
  const virtual = await app.site({ devices: 3, kinds: ['thermal'], password: 'Same-4-all' });
  const { added } = app.engine.devices.addMany({
    devices: virtual.devices.map(({ url }, index) => ({
      address: url,
      name: `A healthy ${index}`,
      tags: ['roof'],
    })),
  });
  app.engine.credentials.save({
    label: 'All',
    userName: 'admin',
    password: 'Same-4-all',
    deviceIds: added.map(({ id }) => id),
  });
  await app.engine.devices.test({ ids: added.map(({ id }) => id) }, AbortSignal.timeout(60_000));
  app.engine.devices.addMany({
    devices: Array.from({ length: 40 }, (_, index) => ({
      address: `10.9.1.${index + 1}`,
      name: `Camera ${index}`,
    })),
  });
  const site = new SitePage(page);
  await site.row('A healthy 2').locator('[data-state="ok"]').waitFor();
  /** Rows that stand whole in the list. */
  const countWhole = async (): Promise<number> => {
    const box = await page.locator('[role="grid"]').boundingBox();
    const boxes = await Promise.all((await site.rows.all()).map((row) => row.boundingBox()));
    return boxes.filter((each) => each !== null && box !== null && each.y + each.height <= box.y + box.height)
      .length;
  };
  // The strips above the list come and go while the page opens.
  await expect.poll(countWhole).toBeGreaterThanOrEqual(22);
  const quiet = await byId(site.row('A healthy 1'), 'exception').count();

  await byId(page, 'count-not-signed-in').click();
  await site.row('A healthy 1').waitFor({ state: 'detached' });
  await waitUntil(page, `location.hash.includes('state=not-signed-in')`);
  await site.narrow('tag-filter', 'roof');
  await byId(page, 'show-all').waitFor();
  await page.goBack();
  await site.row('Camera 1').first().waitFor();
  await page.goBack();
  await site.row('A healthy 1').waitFor();
  await page.evaluate("location.hash = '#/devices?tag=roof&q=healthy'");
  await site.row('Camera 1').first().waitFor({ state: 'detached' });
  const linked = await site.rows.count();
  await byId(page, 'clear-filter').click();
  await byId(site.row('Camera 1').first(), 'exception').click();
  await byId(page, 'sign-in-dialog').waitFor();

  expect(quiet).toBe(0);
  expect(linked).toBe(3);
});

// Would catch: a list that needs the mouse to begin, to extend a choice, or to be narrowed; a group whose rows cannot be chosen together.
it('is gone through by keys: j, k, x, Shift and arrows, groups, search, inspector', async () => {
  const app = await openApp({ viewport: { width: 1440, height: 900 } });
  const { page } = app;
  const south = app.engine.sites.save({ name: 'Plant South' }).id;
  const tower = app.engine.sites.save({ name: 'Tower' }).id;
  app.engine.devices.addMany({
    devices: Array.from({ length: 12 }, (_, index) => ({
      address: `10.9.1.${index + 1}`,
      name: `Door ${index + 10}`,
      siteId: index < 6 ? south : tower,
    })),
  });
  await page.reload();
  const site = new SitePage(page);
  await byId(page, 'table-heading').nth(1).waitFor();
  const chosen = (): Promise<string> => byId(page, 'selected-count').innerText();

  await page.keyboard.press('j');
  await waitForFocusOn(page, 'Door 10');
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  const extended = await chosen();
  await page.keyboard.press('Shift+ArrowUp');
  const shrunk = await chosen();
  await page.keyboard.press('i');
  await byId(page, 'inspector').getByText('Door 11').first().waitFor();
  await page.keyboard.press('j');
  await byId(page, 'inspector').getByText('Door 12').first().waitFor();
  await page.keyboard.press('Escape');
  await byId(page, 'inspector').waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowLeft');
  await site.row('Door 12').waitFor({ state: 'detached' });
  const heading = await focusedText(page);
  await page.keyboard.press('x');
  const group = await chosen();
  await page.keyboard.press('/');
  await page.keyboard.type('door 20');
  await page.keyboard.press('ArrowDown');
  await waitForFocusOn(page, 'Door 20');

  expect([extended, shrunk, group]).toEqual([
    '3 devices of Plant South',
    'Door 10, Door 11',
    '6 devices of Plant South',
  ]);
  expect(heading).toContain('Plant South');
  expect(await faults(page, 'groups')).toEqual([]);
});

// Would catch: a pulled cable shown as hundreds of devices that are away, or "not there" beside a network that is gone.
it('tells a network that is gone once, and says nothing against the devices behind it', async () => {
  const app = await openApp();
  const { page } = app;
  const { id } = app.engine.devices.add({ address: 'http://127.0.0.1:9', name: 'Lobby' });
  app.engine.devices.add({ address: 'http://127.0.0.1:10', name: 'Dock' });
  let pull = (_lost: readonly LostLink[]): void => {};
  app.engine.devices.watchLinks = async function* watch(signal) {
    for (;;) {
      const next = Promise.withResolvers<readonly LostLink[]>();
      pull = next.resolve;
      signal.addEventListener('abort', () => next.resolve([]));
      yield await next.promise;
      if (signal.aborted) return;
    }
  };
  await page.reload();
  const site = new SitePage(page);
  await site.row('Lobby').locator('[data-state="unreachable"]').waitFor();

  pull([{ interface: 'eth0', since: '2026-03-01T18:22:00Z', deviceIds: [id] }]);
  await byId(page, 'no-link').waitFor();
  const said = await byId(page, 'no-link').innerText();
  const row = await site.row('Lobby').innerText();
  const other = await byId(site.row('Dock'), 'exception').getAttribute('data-exception');
  pull([]);
  await byId(page, 'no-link').waitFor({ state: 'detached' });

  expect(said).toContain('No link on eth0 since');
  expect(said).toContain('1 device cannot be looked at');
  expect(row).toContain('No link');
  expect(row).not.toMatch(/away|reach/i);
  expect(other).toBe('away');
});
