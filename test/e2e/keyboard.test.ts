import { beforeEach, describe, expect, it } from 'vitest';
import { openApp, type App } from './app.ts';
import { ApplyPage } from './pages/apply-page.ts';
import {
  focusedTag,
  focusedTestId,
  focusedText,
  focusLeftDialog,
  rowIndexes,
  waitForFocusOn,
} from './pages/in-page.ts';
import { SitePage } from './pages/site-page.ts';
import { byId } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

const MOST_TABS = 60;

/** Presses Tab until the control (that says this) has the focus, as a person would; fails where it cannot be reached. */
async function tabTo(id: string, text = ''): Promise<void> {
  for (let presses = 0; presses < MOST_TABS; presses += 1) {
    await app.page.keyboard.press('Tab');
    if ((await focusedTestId(app.page)) === id && (await focusedText(app.page)).includes(text)) return;
  }
  throw new Error(`${id} was not reached by Tab`);
}

describe('without a mouse', () => {
  it('does the whole job', async () => {
    const { page } = app;
    const site = new SitePage(page);
    const apply = new ApplyPage(page);
    await byId(page, 'empty-state').waitFor();

    await tabTo('simulate');
    await page.keyboard.press('Enter');
    await site.waitForSignedIn(12);
    await tabTo('device-row');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    expect(await byId(page, 'selected-count').innerText()).toContain(', ');
    await page.keyboard.press('Control+a');
    expect(await byId(page, 'selected-count').innerText()).toContain('12');
    await tabTo('apply-template');
    await page.keyboard.press('Enter');
    await apply.get('template-item').first().waitFor();
    await tabTo('template-item', 'Site basics');
    await page.keyboard.press('Enter');
    await apply.get('template-name').filter({ hasText: 'Site basics' }).waitFor();
    await tabTo('to-devices');
    await page.keyboard.press('Enter');
    await apply.get('make-plan').waitFor();
    await tabTo('make-plan');
    await page.keyboard.press('Enter');
    await apply.get('plan-groups').waitFor();
    // A plan may have a group for every device: its buttons are reached without going through all of them.
    await tabTo('skip-to-footer');
    await page.keyboard.press('Enter');
    await tabTo('to-apply');
    await page.keyboard.press('Enter');
    await apply.get('agree').waitFor();
    await tabTo('agree');
    await page.keyboard.press('Space');
    await tabTo('start-apply');
    await page.keyboard.press('Enter');

    expect(await apply.result()).toBe('done');
  });

  it('moves through a long list with arrows, Home and End, and opens a row with Enter', async () => {
    const { page } = app;
    for (let number = 1; number <= 300; number += 1)
      app.engine.devices.add({
        address: `10.1.${Math.floor(number / 200)}.${(number % 200) + 1}`,
        name: `Camera ${number}`,
      });
    const site = new SitePage(page);
    await site.row('Camera 1').first().waitFor();
    await expect
      .poll(() => site.rows.count(), { message: 'only rows in sight are in the page' })
      .toBeLessThan(60);

    await tabTo('device-row');
    await page.keyboard.press('End');
    await site.row('Camera 300').waitFor();
    await waitForFocusOn(page, 'Camera 300');
    await page.keyboard.press('Enter');
    await byId(page, 'device-workspace').getByText('Camera 300').first().waitFor();
    await page.goBack();
    await site.row('Camera 300').waitFor();
    await page.keyboard.press('j');
    await waitForFocusOn(page, 'Camera 300');

    expect(await focusedTestId(page), 'the list is where it was left').toBe('device-row');
  });

  // Would catch: a row's element that is given to another row while the focus is in it, or rows that are read
  // out in another order than they appear.
  it('keeps the focus on its row while the list is scrolled far and others come and go', async () => {
    const { page } = app;
    const add = (number: number): string =>
      app.engine.devices.add({
        address: `10.2.${Math.floor(number / 200)}.${(number % 200) + 1}`,
        name: `Door ${1000 + number}`,
      }).id;
    const ids = Array.from({ length: 200 }, (_, number) => add(number));
    const site = new SitePage(page);
    await site.row('Door 1000').first().waitFor();
    await tabTo('device-row');
    await page.keyboard.press('ArrowDown');
    await waitForFocusOn(page, 'Door 1001');

    await page.locator('[role="grid"]').hover();
    // A person scrolls again if the list was not complete yet.
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 20_000);
        return await site.row('Door 1199').count();
      })
      .toBe(1);
    const far = await rowIndexes(page);
    const focused = await focusedText(page);
    await page.keyboard.press('ArrowDown');
    await waitForFocusOn(page, 'Door 1002');
    await site.row('Door 1003').waitFor();
    const near = await rowIndexes(page);
    app.engine.devices.remove({ ids: [ids[2] ?? ''] });
    await site.row('Door 1002').waitFor({ state: 'detached' });

    expect(focused).toContain('Door 1001');
    for (const indexes of [far, near]) expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
    expect(await focusedTestId(page), 'a row that is gone takes the focus with it').not.toBe('device-row');
  });

  it('keeps the focus inside a dialog and gives it back at its end', async () => {
    const { page } = app;
    await byId(page, 'empty-state').waitFor();
    await tabTo('add-menu');
    await page.keyboard.press('Enter');
    await waitForFocusOn(page, 'Add address');
    await page.keyboard.press('Enter');
    const dialog = byId(page, 'add-dialog');
    await dialog.waitFor();
    expect(await focusedTag(page)).toBe('INPUT');

    for (let presses = 0; presses < 15; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await focusLeftDialog(page)).toBe(false);
    }
    await page.keyboard.press('Escape');

    await dialog.waitFor({ state: 'detached' });
    expect(await focusedTestId(page)).toBe('add-menu');
  });
});
