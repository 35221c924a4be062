import type { Locator, Page } from 'playwright';
import { goToHash, nextFrame, PATIENCE_MS } from './in-page.ts';
import { byId, input } from './test-id.ts';

/** The Templates screen and its editor. */
export class TemplatesPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get(id: string): Locator {
    return byId(this.page, id);
  }

  async list(): Promise<void> {
    await goToHash(this.page, '#/changes/templates');
    await this.get('template-row').first().waitFor();
  }

  row(name: string): Locator {
    return this.page.locator(`[data-test-id="template-row"][data-name=${JSON.stringify(name)}]`);
  }

  async open(name: string): Promise<void> {
    await this.list();
    await byId(this.row(name), 'open-template-editor').click();
    await this.get('template-editor').waitFor();
  }

  /** Brings a text in as a file would. */
  async import(text: string | Buffer, name = 'template.yaml'): Promise<void> {
    await this.list();
    await this.get('template-file').setInputFiles({
      name,
      mimeType: 'text/yaml',
      buffer: typeof text === 'string' ? Buffer.from(text) : text,
    });
    await this.get('template-editor').waitFor();
  }

  /** Returns the text in the editor, from its own document: lines out of sight are not in the page. */
  text(): Promise<string> {
    return this.until(
      () => this.textNow(),
      (text) => text !== undefined,
      'There never was an editor.',
    );
  }

  async waitForText(part: string): Promise<void> {
    await this.until(
      () => this.textNow(),
      (text) => text?.includes(part) === true,
      `The text never held ${JSON.stringify(part)}.`,
    );
  }

  async waitForValue(id: string, value: string): Promise<void> {
    await this.until(
      () => this.get(id).inputValue(),
      (held) => held === value,
      `${id} never held ${value}.`,
    );
  }

  /** Returns undefined before the editor is there, and after it was removed. */
  private textNow(): Promise<string | undefined> {
    return this.page.evaluate<string | undefined>(`(() => {
      const editor = document.querySelector('[data-test-id="template-yaml"]');
      return (editor?.cmTile ?? editor?.cmView)?.view?.state.doc.toString();
    })()`);
  }

  private async until<T>(
    read: () => Promise<T>,
    isIt: (value: T) => boolean,
    complaint: string,
  ): Promise<NonNullable<T>> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const value = await read();
      if (isIt(value) && value !== undefined && value !== null) return value;
      if (performance.now() > end) throw new Error(`${complaint} Last: ${String(value)}`);
      await nextFrame(this.page);
    }
  }

  /** Replaces the whole text as a person would: select all, type over it. */
  async replaceText(text: string): Promise<void> {
    await this.tab('text');
    await this.get('template-yaml').click();
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.press('Backspace');
    await this.page.keyboard.insertText(text);
  }

  /** Puts the caret behind the first occurrence of some text on a line in sight. */
  async caretBehind(text: string): Promise<void> {
    await this.tab('text');
    await this.page.locator('.cm-line', { hasText: text }).first().click();
    await this.page.keyboard.press('End');
  }

  async tab(id: 'forms' | 'text' | 'check' | 'versions'): Promise<void> {
    await this.get(`tab-${id}`).click();
  }

  /**
   * Waits for the result of the check of the current text: the result of the previous text is shown until
   * then.
   */
  async checked(state: 'ok' | 'errors'): Promise<void> {
    await this.tab('check');
    await this.page
      .locator(
        `[data-test-id="check-panel"][aria-busy="false"] [data-test-id="check-state"][data-state="${state}"]`,
      )
      .waitFor();
  }

  async save(note: string): Promise<void> {
    await this.page.locator('[data-test-id="save-version"]:not([disabled])').click();
    await input(this.page, 'version-note').fill(note);
    await this.get('confirm-save').click();
    await this.page.locator('[data-test-id="template-editor"][data-dirty="false"]').waitFor();
  }

  openSection(): Locator {
    return this.page.locator('[data-test-id="section-card"][data-open="true"]');
  }
}
