import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright';

/** What breaks WCAG 2.2 AA on the page as it stands, short enough to read in a failure. */
export async function violations(page: Page, where: string): Promise<readonly string[]> {
  const { violations: found } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).options({ resultTypes: ['violations'] }).analyze();
  return found.map(({ id, nodes }) => `${where}: ${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
