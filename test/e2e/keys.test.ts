import { expect, it } from 'vitest';
import { countActions } from './actions.ts';
import { openApp, type App } from './app.ts';
import { faultsInBothThemes } from './axe.ts';
import { look } from './look.ts';
import { ApplyPage } from './pages/apply-page.ts';
import { focusedTestId } from './pages/in-page.ts';
import { SitePage } from './pages/site-page.ts';
import { byId } from './pages/test-id.ts';

const MOST_TABS = 20;

async function tabTo({ page }: App, id: string): Promise<void> {
  for (let presses = 0; presses < MOST_TABS; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await focusedTestId(page)) === id) return;
  }
  throw new Error(`${id} was not reached by Tab`);
}

// Would catch: a step of the main job that only a mouse, or a walk through the whole screen, gets past.
it('template, check, plan, apply and undo one take less than 80 keys', async () => {
  const app = await openApp();
  const { page } = app;
  const site = new SitePage(page);
  const apply = new ApplyPage(page);
  await site.simulate();
  const keys = await countActions(page);

  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+k');
  await byId(page, 'command-input').waitFor();
  await page.keyboard.type('basics site');
  await byId(page, 'command-entry').first().getByText('Site basics').waitFor();
  await page.keyboard.press('Enter');
  await apply.get('template-name').filter({ hasText: 'Site basics' }).waitFor();
  await page.locator('[data-test-id="to-devices"]:enabled').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.locator('[data-test-id="make-plan"]:enabled').waitFor();
  await page.keyboard.press('Control+Enter');
  await apply.get('plan-groups').waitFor();
  await page.keyboard.press('Control+Enter');
  await apply.get('agree').waitFor();
  await page.keyboard.press('Control+Enter');
  expect(await focusedTestId(page), 'what is needed first gets the focus').toBe('agree');
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+Enter');
  expect(await apply.result()).toBe('done');
  await tabTo(app, 'undo-job');
  await page.keyboard.press('Enter');
  await byId(page, 'undo-groups').waitFor();
  await tabTo(app, 'change-devices');
  await page.keyboard.press('Enter');
  await byId(page, 'picker-row').first().waitFor();
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+Enter');
  expect(await focusedTestId(page)).toBe('agree');
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+Enter');
  await page.waitForURL((url) => url.hash.startsWith('#/work/history/') && !url.hash.endsWith('/undo'));
  await byId(page, 'job-summary').waitFor();

  const pressed = await keys.keys();
  process.stdout.write(`main job by keys: ${pressed}\n`);
  expect(pressed).toBeLessThan(80);
  expect(await keys.clicks()).toBe(0);
  expect(app.engine.jobs.list().map(({ kind, devices }) => `${kind} ${devices}`)).toEqual([
    'undo 1',
    'apply 2',
  ]);
});

// Would catch: a key that is shown and does nothing, and one that takes a letter away from a name that is typed.
it('finds devices, fields and operations by words in any order; the sheet names the keys', async () => {
  const app = await openApp();
  const { page } = app;
  const site = new SitePage(page);
  await site.simulate();
  const entries = byId(page, 'command-entry');

  await page.keyboard.press('/');
  expect(await page.evaluate<string>('document.activeElement.type')).toBe('search');
  await page.keyboard.type('?/j');
  expect(await page.evaluate<string>('document.activeElement.value')).toBe('?/j');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Control+k');
  await byId(page, 'command-input').waitFor();
  await page.keyboard.type('01 emissivity thermal');
  await entries.first().getByText('Emissivity').waitFor();
  expect(await page.locator('[data-test-id="command-entry"]:not([data-group="field"])').count()).toBe(0);
  expect(await faultsInBothThemes(page, 'command bar')).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/devices\/[^/]+\/thermal\/.*field=emissivity/);
  await page.keyboard.press('Control+k');
  await byId(page, 'command-input').waitFor();
  await page.keyboard.type('status get gate');
  await page.locator('[data-test-id="command-entry"][data-group="operation"]').first().waitFor();
  await page.keyboard.press('Escape');
  await byId(page, 'command-bar').waitFor({ state: 'detached' });
  await byId(page, 'open-keys').click();
  await byId(page, 'key-sheet').getByText('Ctrl+K').waitFor();
  expect(await faultsInBothThemes(page, 'sheet of keys')).toEqual([]);
  await page.keyboard.press('Escape');
  expect(app.complaints).toEqual([]);
});

// Would catch: an action of the bar that the command bar lacks, or one whose dialog opens only where the list was open.
it('acts on the selection from any place, as the bar of the list does', async () => {
  const app = await openApp();
  const { page } = app;
  const site = new SitePage(page);
  await site.simulate();
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  const named = await byId(page, 'selected-count').innerText();
  await look(page, 'selection-bar');
  const inBar = await site.listActions();
  await look(page, 'selection-menu');
  await byId(page, 'nav-people').click();
  await byId(page, 'selection-bar').waitFor({ state: 'detached' });

  await page.keyboard.press('Control+k');
  const entries = page.locator('[data-test-id="command-entry"][data-group="selection"]');
  await entries.first().waitFor();
  const offered = await entries.locator('bdi:first-child').allInnerTexts();
  expect(await entries.first().innerText()).toContain(named);
  await look(page, 'command-selection');
  expect([...offered].sort()).toEqual([...inBar].sort());
  await page.keyboard.type('tags');
  await page.keyboard.press('Enter');

  await byId(page, 'tags-dialog').getByText('Tags of 3 devices').waitFor();
  await page.keyboard.press('Escape');
  await byId(page, 'clear-selection').click();
  await page.keyboard.press('Control+k');
  await byId(page, 'command-input').waitFor();
  expect(await entries.count()).toBe(0);
  expect(app.complaints).toEqual([]);
});
