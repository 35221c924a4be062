/**
 * Questions to the page itself. They are text, because this side is type-checked as Node, where
 * there is no `document`.
 */
import type { Page } from 'playwright';

/** The page's own waits have this limit too. */
export const PATIENCE_MS = 60_000;

/**
 * Waits until the page has drawn once more; Playwright's own polling needs `eval`, which the page's policy
 * forbids.
 */
export function nextFrame(page: Page): Promise<void> {
  return page.evaluate<void>(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined))))',
  );
}

/** Waits until a condition, given as text, is true in the page. */
export async function waitUntil(page: Page, condition: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await page.evaluate<boolean>(`Boolean(${condition})`))) {
    if (performance.now() > end) throw new Error(`It never became so: ${condition}`);
    await nextFrame(page);
  }
}

/** Returns the focused element: the nearest `data-test-id`, else the tag. */
export function focusedTestId(page: Page): Promise<string> {
  return page.evaluate<string>(
    `document.activeElement?.closest('[data-test-id]')?.getAttribute('data-test-id') ?? document.activeElement?.tagName ?? ''`,
  );
}

export function focusedText(page: Page): Promise<string> {
  return page.evaluate<string>(`document.activeElement?.textContent ?? ''`);
}

export function focusedTag(page: Page): Promise<string> {
  return page.evaluate<string>(`document.activeElement?.tagName ?? ''`);
}

/** Returns true if the focus is neither in a dialog nor on its way there. */
export function focusLeftDialog(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    `document.activeElement !== document.body && document.activeElement?.closest('dialog') === null`,
  );
}

export async function waitForFocusOn(page: Page, text: string): Promise<void> {
  await waitUntil(page, `document.activeElement?.textContent?.includes(${JSON.stringify(text)})`);
}

/** Returns `aria-rowindex` of the rows of the list in the order in which they are read out. */
export function rowIndexes(page: Page): Promise<readonly number[]> {
  return page.evaluate<number[]>(
    `[...document.querySelectorAll('[role="grid"] [role="row"]')].map((row) => Number(row.getAttribute('aria-rowindex')))`,
  );
}

/** Texts of drawings and plots that are not whole within what is shown of their picture. */
export function cutPictures(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('figure')].flatMap((figure) => {
    const frame = figure.getBoundingClientRect();
    const right = Math.min(frame.right, document.documentElement.clientWidth);
    return [...figure.querySelectorAll('svg text, svg circle')]
      .filter((mark) => {
        const box = mark.getBoundingClientRect();
        return box.left < frame.left - 1 || box.right > right + 1;
      })
      .map((mark) => mark.textContent || mark.tagName);
  })`);
}

/** Heads of tables of documents that are not whole, or leave room below them. */
export function cutTables(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('[role=group] > table')]
    .filter((table) => Math.abs(table.parentElement.clientHeight - table.offsetHeight) > 20)
    .map((table) => table.rows[0].innerText)`);
}

/** Returns true if the page, or its main part, must be scrolled sideways. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    `document.documentElement.scrollWidth > innerWidth + 1 || [...document.querySelectorAll('main')].some((main) => main.scrollWidth > main.clientWidth + 1)`,
  );
}

/**
 * Texts that end at an edge without a sign of it, lie beyond the window with no way to scroll there, or touch the
 * next words.
 */
export function cutTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('main *, dialog[open] *')].flatMap((element) => {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    const style = getComputedStyle(element);
    if (!text || !element.checkVisibility() || style.clipPath !== 'none' || element.closest('.visually-hidden, select')) return [];
    const scrolls = (outer) => outer !== null && outer.tagName !== 'MAIN' && (/auto|scroll/.test(getComputedStyle(outer).overflowX) || scrolls(outer.parentElement));
    const isCut = /hidden|clip/.test(style.overflowX) && style.textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1;
    const range = document.createRange();
    range.selectNodeContents(element);
    const end = range.getBoundingClientRect().right;
    /** Cut by what it is in, which neither scrolls nor puts dots at the end. */
    const isClipped = (outer) => {
      if (outer === null || outer.tagName === 'MAIN') return false;
      const { overflowX, textOverflow, position } = getComputedStyle(outer);
      if (/auto|scroll/.test(overflowX) || textOverflow === 'ellipsis' || /absolute|fixed/.test(position)) return false;
      if (/hidden|clip/.test(overflowX) && end > outer.getBoundingClientRect().right + 1) return true;
      return isClipped(outer.parentElement);
    };
    const isBeyond = element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element.parentElement);
    const next = element.nextSibling;
    const touches = next?.nodeType === 1 && /^inline/.test(style.display) && /^inline/.test(getComputedStyle(next).display)
      && !/flex|grid/.test(getComputedStyle(element.parentElement).display)
      && /[\\p{L}\\p{N}]$/u.test(element.textContent) && /^[\\p{L}\\p{N}]/u.test(next.textContent)
      && Math.abs(next.getBoundingClientRect().left - element.getBoundingClientRect().right) < 2;
    return isCut || isBeyond || touches || (style.textOverflow !== 'ellipsis' && isClipped(element.parentElement)) ? [element.textContent.trim().slice(0, 60)] : [];
  })`);
}

/** Pairs of texts that lie over each other though nothing lifts one of them above the page. */
export function overlappingTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const lifted = (element, outer) => element !== outer && element !== null && (/absolute|fixed|sticky/.test(getComputedStyle(element).position) || lifted(element.parentElement, outer));
    const shownBoxes = (node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      let boxes = [...range.getClientRects()];
      for (let outer = node.parentElement; outer !== null; outer = outer.parentElement) {
        if (getComputedStyle(outer).overflow === 'visible') continue;
        const frame = outer.getBoundingClientRect();
        boxes = boxes.map(({ left, right, top, bottom }) => ({ left: Math.max(left, frame.left), right: Math.min(right, frame.right), top: Math.max(top, frame.top), bottom: Math.min(bottom, frame.bottom) }));
      }
      return boxes;
    };
    const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.querySelector('main') ?? document.body;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    for (let node = walker.nextNode(); node !== null && texts.length < 1500; node = walker.nextNode()) {
      const { parentElement } = node;
      if (node.textContent.trim() === '' || !parentElement.checkVisibility() || parentElement.closest('.visually-hidden, select, [aria-hidden=true]')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width > 1 && box.height > 1) texts.push({ node, box });
    }
    texts.sort((a, b) => a.box.top - b.box.top);
    const found = [];
    texts.forEach((one, at) => {
      for (let next = at + 1; next < texts.length && texts[next].box.top < one.box.bottom - 3; next += 1) {
        const other = texts[next];
        if (Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left) < 3) continue;
        let common = one.node.parentElement;
        while (!common.contains(other.node)) common = common.parentElement;
        if (/inline/.test(getComputedStyle(common).display) || [one, other].some(({ node }) => lifted(node.parentElement, common))) continue;
        const touch = shownBoxes(one.node).some((a) => shownBoxes(other.node).some((b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3));
        if (touch) found.push(one.node.textContent.trim().slice(0, 40) + ' / ' + other.node.textContent.trim().slice(0, 40));
      }
    });
    return found.slice(0, 10);
  })()`);
}

/** Words on controls that are smaller than a gloved finger can hit; rows of a list are denser. */
export function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('button, a[href], select')]
    .map((element) => ({ text: element.textContent, box: element.getBoundingClientRect(), least: element.closest('[role=grid]') === null ? 31.5 : 23.5 }))
    .filter(({ box, least }) => box.width > 0 && (box.height < least || box.width < least)).map(({ text }) => text)`);
}

/** Returns true if the list must be scrolled sideways. */
export function isScrolledSideways(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    `[...document.querySelectorAll('[role="grid"]')].some((grid) => grid.scrollWidth > grid.clientWidth)`,
  );
}

/** Titles, bars of buttons and places of the app that something with this test id lies over. */
export function coveredBy(page: Page, testId: string): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const over = document.querySelector('[data-test-id=${testId}]').getBoundingClientRect();
    return [...document.querySelectorAll('h1, .action-bar, [data-test-id=selection-bar], nav')].filter((element) => {
      const box = element.getBoundingClientRect();
      return box.left < over.right && over.left < box.right && box.top < over.bottom && over.top < box.bottom;
    }).map((element) => element.textContent);
  })()`);
}

/** Words of states that are cut off. */
export function cutStates(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-state] .word')].filter((word) => word.scrollWidth > word.clientWidth).map((word) => word.textContent)`,
  );
}

export function themeAndLanguage(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(
    `[document.documentElement.style.colorScheme, document.documentElement.lang]`,
  );
}

/** Follows a link inside the app. */
export function goToHash(page: Page, hash: string): Promise<void> {
  return page.evaluate<void>(`location.hash = ${JSON.stringify(hash)}; undefined`);
}

/** Waits until the address contains `part` and an element with this test id is there. */
export async function waitForPlace(page: Page, part: string, testId: string): Promise<void> {
  await waitUntil(
    page,
    `location.hash.includes(${JSON.stringify(part)}) && document.querySelector('[data-test-id=${testId}]') !== null`,
  );
}

/**
 * Returns the readable text of the page and the labels of elements without text, except the spinners of the
 * component library. Wire names show on pointing alone.
 */
export function readableText(page: Page): Promise<string> {
  return page.evaluate<string>(
    `[document.title, document.body.innerText, ...[...document.querySelectorAll('[aria-label]:not(.n-base-loading), [placeholder]')]
    .filter((element) => element.checkVisibility())
    .flatMap((element) => ['aria-label', 'placeholder'].map((name) => element.getAttribute(name) ?? ''))].join('\\n')`,
  );
}

/** Returns the words of the visible main buttons of the screen, or of the dialog before it. */
export function mainButtons(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(
    `[...([...document.querySelectorAll('dialog[open]')].at(-1) ?? document).querySelectorAll('.n-button--primary-type')]
      .filter((button) => button.checkVisibility()).map((button) => button.textContent.trim())`,
  );
}
