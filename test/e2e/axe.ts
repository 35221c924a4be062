import axe from 'axe-core';
import type { Page } from 'playwright';
import { look } from './look.ts';
import { isTooWide, mainButtons, nextFrame, waitUntil } from './pages/in-page.ts';

/** The tags are named, because the rules of WCAG 2.2 run only on request. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const OPTIONS = {
  resultTypes: ['violations'],
  runOnly: { type: 'tag', values: TAGS },
  // Sound and film, and style sheets of elsewhere: the app has none, and fetching them again took part of every run.
  preload: false,
};
const COLOURS = { ...OPTIONS, runOnly: { type: 'rule', values: ['color-contrast'] } };

/** Returns the current breaches of WCAG 2.2 AA on the page, short enough to read in a failure. */
export async function violations(page: Page, where: string, options = OPTIONS): Promise<readonly string[]> {
  if (options === OPTIONS) await look(page, where);
  // Half a megabyte of script: once for each document, not once for each question.
  if (!(await page.evaluate<boolean>(`typeof axe === 'object'`)))
    await page.evaluate(`${axe.source};undefined`);
  // One frame is all there is. Questions to the page are text, see pages/in-page.ts.
  const found = await page.evaluate<readonly { readonly id: string; readonly nodes: readonly string[] }[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)) })))`,
  );
  return found.map(({ id, nodes }) => `${where}: ${id}: ${nodes.join(' | ')}`);
}

/**
 * Returns the same, and a line each if the page must be scrolled sideways, and if more than one button of a
 * screen (or of the dialog before it) claims to be its main one.
 */
export async function faults(page: Page, where: string): Promise<readonly string[]> {
  return [...(await violations(page, where)), ...(await screenFaults(page, where))];
}

/** Returns the faults of a screen as a whole. */
export async function screenFaults(page: Page, where: string): Promise<readonly string[]> {
  const found: string[] = [];
  if (await isTooWide(page)) found.push(`${where}: wider than the window`);
  const main = await mainButtons(page);
  if (main.length > 1) found.push(`${where}: more than one main button: ${main.join(', ')}`);
  return found;
}

/**
 * Returns the same for a page in light, and the faults of its colours in the dark, where nothing else
 * differs.
 */
export async function faultsInBothThemes(page: Page, where: string): Promise<readonly string[]> {
  const found = await faults(page, where);
  await inTheme(page, 'dark');
  const dark = await violations(page, `${where} in the dark`, COLOURS);
  await inTheme(page, 'light');
  return [...found, ...dark];
}

/** Returns the same, and the faults of the colours of a system with high contrast. */
export async function faultsInEveryTheme(page: Page, where: string): Promise<readonly string[]> {
  const found = await faultsInBothThemes(page, where);
  await page.emulateMedia({ forcedColors: 'active' });
  await nextFrame(page);
  const forced = await violations(page, `${where} in high contrast`, COLOURS);
  await page.emulateMedia({ forcedColors: 'none' });
  return [...found, ...forced];
}

/** Applies the system's colour scheme; elements that inherit a colour have it with the next frame. */
async function inTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await waitUntil(page, `document.documentElement.style.colorScheme === '${colorScheme}'`);
  await nextFrame(page);
}
