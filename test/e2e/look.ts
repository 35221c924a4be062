import type { Page } from 'playwright';

/** Saves a picture of the page in the folder that `LOOK` names; does nothing without it. */
export async function look(page: Page, name: string): Promise<void> {
  const folder = process.env['LOOK'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
