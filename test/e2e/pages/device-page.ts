import type { Locator, Page } from 'playwright';
import { byId } from './test-id.ts';

/** The workspace of one device. */
export class DevicePage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get(id: string): Locator {
    return byId(this.page, id);
  }

  /** Opens a device by its address, as a link from elsewhere would. */
  async open(deviceId: string, place = '', query = ''): Promise<void> {
    const url = new URL(this.page.url());
    url.hash = `#/devices/${deviceId}${place === '' ? '' : `/${place}`}${query}`;
    await this.page.goto(url.href);
    // A device that answers nothing has an overview without parts.
    if (place === '') await this.get('overview').waitFor({ state: 'attached' });
    else await this.page.locator('main h1').waitFor();
  }

  input(path: string): Locator {
    return this.get(`input-${path}`);
  }

  async type(path: string, text: string): Promise<void> {
    await this.input(path).fill(text);
  }

  /** Looks at the difference; gives its lines. */
  async review(): Promise<readonly string[]> {
    await this.get('review').click();
    await this.get('confirm-write').waitFor();
    return this.get('write-changes')
      .locator('[data-test-id="value-diff"], [data-test-id="list-diff"]')
      .allInnerTexts();
  }

  /** Writes what was reviewed; gives the outcome as the screen has it. */
  async write(): Promise<string> {
    await this.get('confirm-write').click();
    await this.get('verdict').waitFor();
    return (await this.get('verdict').getAttribute('data-outcome')) ?? '';
  }

  /** The form shows the device as it is again: nothing is unsaved. */
  async settled(): Promise<void> {
    await this.page.locator('[data-test-id="save-bar"][data-changes="0"]').waitFor();
  }

  /** Sends an action, past its confirmation; gives the outcome of its answer. */
  async send(typed?: string): Promise<string> {
    await this.get('send').click();
    const dialog = this.get('action-dialog');
    await dialog.or(this.get('answer')).first().waitFor();
    if (await dialog.isVisible()) {
      if (typed !== undefined) await byId(dialog, 'type-name').locator('input').fill(typed);
      await byId(dialog, 'confirm-action').click();
    }
    await this.get('answer').waitFor();
    return (await this.get('answer').getAttribute('data-outcome')) ?? '';
  }
}
