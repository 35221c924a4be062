/** Counts what a person does in a page: presses of the mouse and of keys. */
import { appendFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { expect } from 'vitest';

export interface ActionCounter {
  /** Presses of a mouse button since the count began, also those on nothing. */
  clicks(): Promise<number>;
  /** Keys that were pressed since the count began; modifier keys and repeats of a held key do not count. */
  keys(): Promise<number>;
}

/** Text, because this side is type-checked as Node, where there is no `document`. */
const COUNT = `(() => {
  const seen = { clicks: 0, keys: 0 };
  const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta']);
  addEventListener('pointerdown', () => (seen.clicks += 1), { capture: true });
  addEventListener('keydown', (event) => (seen.keys += event.repeat || modifiers.has(event.key) ? 0 : 1), { capture: true });
  return seen;
})()`;

/**
 * Begins to count in the page as it stands; a reload ends the count. Text that a test fills in at once is not counted as
 * keys: type it with `page.keyboard` where the keys of a task are promised. `COUNTS=FILE` lists the counts of a run there.
 */
export async function countActions(page: Page): Promise<ActionCounter> {
  const counts = await page.evaluateHandle<{ readonly clicks: number; readonly keys: number }>(COUNT);
  const read = async (kind: 'clicks' | 'keys'): Promise<number> => {
    const count = (await counts.evaluate((seen) => seen))[kind];
    const list = process.env['COUNTS'];
    if (list !== undefined) appendFileSync(list, `${count} ${kind}: ${expect.getState().currentTestName}\n`);
    return count;
  };
  return { clicks: () => read('clicks'), keys: () => read('keys') };
}
