import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { byId, input } from './test-id.ts';

/** The Apply screen, step by step. */
export class ApplyPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get(id: string): Locator {
    return byId(this.page, id);
  }

  /** Goes there by the rail and the tabs of the place. */
  async visit(): Promise<void> {
    await this.get('nav-changes').click();
    await this.get('place-apply').click();
    await this.get('apply-screen').waitFor();
  }

  /** Goes to the history of all jobs. */
  async visitHistory(): Promise<void> {
    await this.get('work-place').click();
    await this.get('place-history').click();
    await this.get('jobs-screen').waitFor();
  }

  /** Chooses by the name in the template itself: the screen shows it in its own language. */
  async choose(template: string): Promise<void> {
    const item = this.page.locator(`[data-test-id="template-item"][data-name=${JSON.stringify(template)}]`);
    await item.click();
    await this.get('template-name')
      .filter({ hasText: await item.locator('strong').innerText() })
      .waitFor();
  }

  /** Opens a template from a file. */
  async openTemplate(text: string, name = 'template.yaml'): Promise<void> {
    await this.get('template-file').setInputFiles({ name, mimeType: 'text/yaml', buffer: Buffer.from(text) });
  }

  async openValues(text: string): Promise<void> {
    await this.get('values-file').setInputFiles({
      name: 'values.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    });
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
    const ended = this.page.locator(
      '[data-test-id="job-result"][data-state]:not([data-state="running"]):has([data-test-id="job-summary"])',
    );
    return (await ended.getAttribute('data-state')) ?? '';
  }

  /** A field of the panel that says how carefully. */
  async option(name: 'canary' | 'wave' | 'concurrency' | 'stopAfter', value: string): Promise<void> {
    await input(this.page, `option-${name}`).fill(value);
  }

  /** Clicks what saves a file and gives its name and text. */
  async saved(id: string): Promise<{ readonly name: string; readonly text: string }> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), this.get(id).click()]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  }

  /** How many devices are behind each outcome, as the screen says it. */
  async outcomes(): Promise<readonly string[]> {
    return this.get('outcome-counts').locator('[data-state]').allInnerTexts();
  }
}
