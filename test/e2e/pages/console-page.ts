import { goToHash, waitForPlace } from './in-page.ts';
import type { Locator, Page } from 'playwright';
import { byId, input } from './test-id.ts';

/** The Console as a person uses it. */
export class ConsolePage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get(id: string): Locator {
    return byId(this.page, id);
  }

  input(id: string): Locator {
    return input(this.page, id);
  }

  /** Opens an operation by its link. */
  async open(operation: string, deviceId: string): Promise<void> {
    await goToHash(this.page, `#/devices/console/${operation}?device=${deviceId}`);
    await this.get(operation === 'request' ? 'free-form' : 'operation-form').waitFor();
    await waitForPlace(this.page, operation, 'send');
  }

  /** Sends, and gives the state of the answer; `confirm` is what has to be done in between. */
  async send(confirm?: () => Promise<void>): Promise<string> {
    await this.get('send').click();
    await confirm?.();
    await this.get('answer').waitFor();
    return (await this.get('answer').getAttribute('data-state')) ?? '';
  }

  async confirm(): Promise<void> {
    await this.get('confirm-send').click();
  }

  async text(tab: 'value' | 'text' | 'curl', id: string): Promise<string> {
    await this.get(`tab-${tab}`).click();
    return this.get(id).innerText();
  }
}
