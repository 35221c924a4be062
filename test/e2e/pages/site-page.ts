import type { Locator, Page } from 'playwright';
import { byId, input } from './test-id.ts';

/** The Site screen as a person uses it. */
export class SitePage {
  readonly page: Page;
  readonly rows: Locator;
  readonly bar: Locator;

  constructor(page: Page) {
    this.page = page;
    this.rows = byId(page, 'device-row');
    this.bar = byId(page, 'selection-bar');
  }

  /** Waits until this many devices are in the list, signed in. */
  async waitForSignedIn(count: number): Promise<void> {
    // The page holds visible rows only.
    const inSight = Math.min(count, 8);
    await this.rows
      .locator('[data-state="ok"]')
      .nth(inSight - 1)
      .waitFor();
  }

  async simulate(): Promise<void> {
    await byId(this.page, 'simulate').click();
    await this.waitForSignedIn(12);
  }

  async selectAll(): Promise<void> {
    await byId(this.page, 'select-all').check();
  }

  row(name: string): Locator {
    return this.rows.filter({ hasText: name });
  }

  async applyTemplate(): Promise<void> {
    await byId(this.bar, 'apply-template').click();
    await byId(this.page, 'apply-screen').waitFor();
  }

  /** An action on the chosen devices, beside the others or behind the button for the rarer ones. */
  async act(id: string): Promise<void> {
    const action = byId(this.bar, id);
    // The bar is measured anew, and its menu closes, when what is chosen changes: a person opens it again.
    for (let tries = 0; tries < 5; tries += 1) {
      if (!(await action.isVisible())) await byId(this.bar, 'more-actions').click();
      if (
        await action.click({ timeout: 3_000 }).then(
          () => true,
          () => false,
        )
      )
        return;
    }
    await action.click();
  }

  /** Names of all actions on the chosen devices, those behind the button too. */
  async listActions(): Promise<readonly string[]> {
    const more = byId(this.bar, 'more-actions');
    if (await more.isVisible()) await more.click();
    const buttons = this.bar.locator(
      'button:visible:not([data-test-id="clear-selection"], [data-test-id="more-actions"])',
    );
    return (await buttons.allInnerTexts()).map((text) => text.trim());
  }

  /** Presses an entry of a menu of the page: `add-menu`, `search-menu`. */
  async fromMenu(menu: string, id: string): Promise<void> {
    await byId(this.page, menu).click();
    await byId(this.page, id).click();
  }

  /** Narrows the list by one value of a part of the filter: `kind-filter`, `site-filter`, `tag-filter`, `state-filter`. */
  async narrow(filter: string, value: string): Promise<void> {
    await byId(this.page, filter).click();
    await this.page.locator(`[data-value="${value}"]`).check();
    await this.page.keyboard.press('Escape');
  }

  /** Opens the inspector on a device, and what it holds about its connection. */
  async inspect(name: string): Promise<Locator> {
    await byId(this.row(name), 'open-device').click();
    return byId(this.page, 'inspector');
  }

  /** Opens the dialog, fills it and sends it; what it says stays to be looked at. */
  async addDevice(device: {
    readonly address: string;
    readonly name?: string;
    readonly user?: string;
    readonly password?: string;
  }): Promise<Locator> {
    const dialog = byId(this.page, 'add-dialog');
    if (!(await dialog.isVisible())) await this.fromMenu('add-menu', 'add-device');
    await input(dialog, 'address').fill(device.address);
    if (device.name !== undefined) await input(dialog, 'device-name').fill(device.name);
    if (device.user !== undefined) {
      await byId(dialog, 'sign-in-new').check();
      await input(dialog, 'user-name').fill(device.user);
      await input(dialog, 'password').fill(device.password ?? '');
    }
    await byId(dialog, 'confirm-add').click();
    return dialog;
  }

  /** Gives the selected devices a new sign-in. */
  async signIn(user: string, password: string): Promise<Locator> {
    const dialog = byId(this.page, 'sign-in-dialog');
    if (!(await dialog.isVisible())) await this.act('sign-in');
    await byId(dialog, 'sign-in-new').check();
    await input(dialog, 'user-name').fill(user);
    await input(dialog, 'password').fill(password);
    await byId(dialog, 'confirm-sign-in').click();
    return dialog;
  }
}
