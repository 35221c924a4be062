import type { Locator, Page } from 'playwright';
import { byId, input } from './test-id.ts';

/** The dialogs that let us into devices, wherever they were opened from. */
export class AccessPage {
  readonly page: Page;
  readonly signIn: Locator;
  readonly certificate: Locator;

  constructor(page: Page) {
    this.page = page;
    this.signIn = byId(page, 'sign-in-dialog');
    this.certificate = byId(page, 'certificate-dialog');
  }

  /** The error with this code on the screen. */
  notice(code: string): Locator {
    return this.page.locator(`main [data-test-id="error-notice"][data-code="${code}"]`).first();
  }

  async openFrom(code: string): Promise<void> {
    const notice = this.notice(code);
    await byId(notice, code.startsWith('certificate') ? 'error-compare' : 'error-sign-in').click();
  }

  /** One attempt with a new user name and password. */
  async trySignIn(user: string, password: string): Promise<void> {
    await byId(this.signIn, 'sign-in-new').check();
    await input(this.signIn, 'user-name').fill(user);
    await input(this.signIn, 'password').fill(password);
    await byId(this.signIn, 'confirm-sign-in').click();
  }

  fingerprintIn(
    part: 'fresh-certificates' | 'certificate-before' | 'certificate-now' | 'pinned-certificate',
  ): Promise<string | null> {
    return byId(byId(this.certificate, part), 'fingerprint').getAttribute('data-fingerprint');
  }
}
