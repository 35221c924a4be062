import type { Locator, Page } from 'playwright';
import { byId } from './test-id.ts';

/** The Apply screen, step by step. */
export class ApplyPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get(id: string): Locator {
    return byId(this.page, id);
  }

  async choose(template: string): Promise<void> {
    await this.get('template-item').filter({ hasText: template }).click();
    await this.get('template-name').filter({ hasText: template }).waitFor();
  }

  async setText(text: string): Promise<void> {
    await this.get('view-text').click();
    await this.get('template-text').fill(text);
  }

  async toDevices(): Promise<void> {
    await this.get('to-devices').click();
    await this.get('make-plan').waitFor();
  }

  async plan(): Promise<void> {
    await this.get('make-plan').click();
    await this.get('plan-groups').waitFor();
  }

  async start(): Promise<void> {
    await this.get('to-apply').click();
    await this.get('agree').check();
    await this.get('start-apply').click();
  }

  /** Waits for the end of the job and gives its state. */
  async result(): Promise<string> {
    await this.get('job-summary').waitFor({ timeout: 20_000 });
    return (await this.get('job-result').getAttribute('data-state')) ?? '';
  }

  /** How many devices are behind each outcome, as the screen says it. */
  async outcomes(): Promise<readonly string[]> {
    return this.get('outcome-counts').locator('[data-state]').allInnerTexts();
  }
}
