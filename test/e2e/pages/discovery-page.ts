import type { Locator, Page } from 'playwright';
import { byId, input } from './test-id.ts';

/** Searching, sweeping and importing on the Site screen. Sweeps of a named range send nothing elsewhere. */
export class DiscoveryPage {
  readonly page: Page;
  readonly found: Locator;

  constructor(page: Page) {
    this.page = page;
    this.found = byId(page, 'device-row').filter({ has: byId(page, 'open-found') });
  }

  /** Asks only this range, at these ports; listens for nothing. */
  async sweep(range: string, ports: readonly number[]): Promise<void> {
    const first = byId(this.page, 'sweep-first');
    if (await first.isVisible()) await first.click();
    else await this.fromMenu('search-menu', 'open-sweep');
    await byId(this.page, 'sweep-network').selectOption('other');
    await input(this.page, 'sweep-range').fill(range);
    await input(this.page, 'sweep-ports').fill(ports.join(', '));
    await byId(this.page, 'sweep-listen').uncheck();
    await byId(this.page, 'start-sweep').click();
  }

  /** Presses an entry of a menu of the page: `add-menu`, `search-menu`. */
  async fromMenu(menu: string, id: string): Promise<void> {
    await byId(this.page, menu).click();
    await byId(this.page, id).click();
  }

  async sweepResult(): Promise<Locator> {
    const result = byId(this.page, 'sweep-result');
    await result.waitFor();
    return result;
  }

  async addAllFound(): Promise<void> {
    await byId(this.page, 'select-found').click();
    await byId(this.page, 'add-found').click();
    await byId(this.page, 'confirm-add-found').click();
    await byId(this.page, 'add-found-dialog').waitFor({ state: 'detached' });
  }

  async importFile(name: string, bytes: Buffer): Promise<Locator> {
    await this.fromMenu('add-menu', 'import-csv');
    await byId(this.page, 'import-dialog')
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: bytes });
    await byId(this.page, 'import-preview').waitFor();
    return byId(this.page, 'import-dialog');
  }
}
