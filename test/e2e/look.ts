/** Pictures of the app while the browser tests go through it: `LOOK=folder npx vitest run test/e2e`. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { cutTexts, isTooWide, nextFrame, overlappingTexts } from './pages/in-page.ts';
import { byId } from './pages/test-id.ts';

/** Windows, themes and languages in which each picture is taken. */
const LOOKS = [
  { name: 'light', width: 1440, height: 900, language: 'en', colorScheme: 'light', contrast: null },
  { name: 'dark', width: 1280, height: 720, language: 'de', colorScheme: 'dark', contrast: null },
  { name: 'phone', width: 390, height: 844, language: 'zh-CN', colorScheme: 'light', contrast: null },
  { name: 'contrast', width: 1440, height: 900, language: 'en', colorScheme: 'light', contrast: 'more' },
] as const;
/** A picture holds what a person would scroll to, to this height. */
const MOST_HEIGHT = 2200;

let taken = 0;
/** Text of the last picture: nothing is taken twice. */
let last = '';

/**
 * Saves pictures of the page in every look, and the faults that a machine can see as lines of `faults.txt`, in
 * the folder that `LOOK` names. Does nothing without it.
 */
export async function look(page: Page, name: string): Promise<void> {
  const folder = process.env['LOOK'];
  if (folder === undefined) return;
  const text = await page.evaluate<string>('location.hash + document.body.innerText');
  if (text === last) return;
  last = text;
  mkdirSync(folder, { recursive: true });
  taken += 1;
  const test = basename(expect.getState().testPath ?? '', '.test.ts');
  const file = `${test}-${String(taken).padStart(3, '0')}-${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}`;
  const before = page.viewportSize() ?? { width: 1024, height: 700 };
  const [language, isDark] = await page.evaluate<[string, boolean]>(
    `[document.documentElement.lang, matchMedia('(prefers-color-scheme: dark)').matches]`,
  );
  for (const { name: look, width, height, language: shown, ...media } of LOOKS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia(media);
    await showIn(page, shown);
    const faults = [
      ...(await cutTexts(page)).map((text) => `cut: ${text}`),
      ...(await overlappingTexts(page)).map((text) => `over each other: ${text}`),
      ...((await isTooWide(page)) ? ['too wide'] : []),
      ...(shown === 'en' ? [] : await englishTexts(page)).map((text) => `English: ${text}`),
    ];
    for (const fault of faults) appendFileSync(join(folder, 'faults.txt'), `${file}.${look}: ${fault}\n`);
    const hidden = await page.evaluate<number>(
      `Math.max(0, ...[...document.querySelectorAll('main, main *, dialog[open] .content')].filter((part) => part.clientHeight > 300 && /auto|scroll/.test(getComputedStyle(part).overflowY) && part.closest('[role=grid], .cm-editor') === null).map((part) => part.scrollHeight - part.clientHeight))`,
    );
    await page.setViewportSize({ width, height: Math.min(MOST_HEIGHT, height + hidden) });
    await nextFrame(page);
    await page.screenshot({ path: join(folder, `${file}.${look}.png`), animations: 'disabled' });
  }
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light', contrast: null });
  await showIn(page, language);
}

/** Shows the page in a language, also while a dialog makes the choice of it inert. */
async function showIn(page: Page, language: string): Promise<void> {
  await page.evaluate(`(() => {
    const choice = document.querySelector('[data-test-id=language]');
    if (choice === null) return;
    choice.value = ${JSON.stringify(language)};
    choice.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
  // Words of another language are loaded when they are asked for.
  const devices = { 'zh-CN': '设备', de: 'Geräte', en: 'Devices' }[language] ?? '';
  await byId(page, 'nav-devices')
    .filter({ hasText: devices })
    .waitFor({ timeout: 5_000 })
    .catch(() => undefined);
  await nextFrame(page);
}

let english: readonly string[] | undefined;

/** Texts of the page that are sentences of the English catalogue. */
async function englishTexts(page: Page): Promise<readonly string[]> {
  const folder = join(import.meta.dirname, '..', '..', 'resources', 'locales', 'en');
  english ??= readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/: "([^"{}]*[a-z] [^"{}]*)"/g)].map(
      ([, text]) => text ?? '',
    ),
  );
  return page.evaluate<string[]>(`((known) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (known.has(node.textContent.trim()) && node.parentElement.checkVisibility()) found.push(node.textContent.trim());
    return found;
  })(new Set(${JSON.stringify(english)}))`);
}
