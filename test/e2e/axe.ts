import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright';
import { isTooWide } from './pages/in-page.ts';

/** Named, because the rules of WCAG 2.2 run only where somebody asks for them. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What breaks WCAG 2.2 AA on the page as it stands, short enough to read in a failure. */
export async function violations(page: Page, where: string): Promise<readonly string[]> {
  // "Legacy" mode runs in the page alone; the other one opens a second page each time, to put frames together that we do not have.
  const { violations: found } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'], runOnly: { type: 'tag', values: TAGS } })
    .setLegacyMode()
    .analyze();
  return found.map(
    ({ id, nodes }) =>
      `${where}: ${id}: ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 160))
        .join(' | ')}`,
  );
}

/** The same, and whether the page must be scrolled sideways. */
export async function faults(page: Page, where: string): Promise<readonly string[]> {
  const found = await violations(page, where);
  return (await isTooWide(page)) ? [...found, `${where}: wider than the window`] : found;
}
