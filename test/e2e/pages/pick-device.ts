import type { Page } from 'playwright';
import { byId } from './test-id.ts';

/** Chooses a device in a picker, which is unfolded first where a device was chosen already. */
export async function pickDevice(page: Page, picker: string, name = ''): Promise<void> {
  const root = byId(page, picker);
  const rows = byId(root, 'picker-row');
  const change = byId(root, 'change-devices');
  await rows.first().or(change).first().waitFor();
  if ((await rows.count()) === 0) await change.click();
  await rows.filter({ hasText: name }).first().click();
}
