import type { Locator, Page } from 'playwright';

/** Returns the elements with `data-test-id="…"`; words on the screen may change, these do not. */
export function byId(root: Page | Locator, id: string): Locator {
  return root.locator(`[data-test-id="${id}"]`);
}

/** The text control inside a field of the component library. */
export function input(root: Page | Locator, id: string): Locator {
  return byId(root, id).locator('input, textarea');
}
