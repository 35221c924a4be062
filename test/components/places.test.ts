/** The places of the app, and where the addresses of earlier versions lead. */
import { createPinia } from 'pinia';
import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { defineComponent, h } from 'vue';
import { createMemoryHistory, createRouter, type Router } from 'vue-router';
import { createAppI18n, showLanguage } from '#renderer/app/i18n.ts';
import NavRail from '#renderer/app/NavRail.vue';
import PlaceTabs from '#renderer/app/PlaceTabs.vue';
import { routes } from '#renderer/app/router.ts';
import { useFakeClient } from '../renderer/fake-client.ts';
import { mount, type Mounted } from './mount.ts';

let mounted: Mounted | undefined;
afterEach(() => mounted?.end());

function createTestRouter(): Router {
  return createRouter({ history: createMemoryHistory(), routes: [...routes] });
}

async function show(address: string, language: 'en' | 'de' = 'en'): Promise<Router> {
  useFakeClient({ 'app.info': () => ({ face: 'browser', vault: { state: 'open' } }) });
  const router = createTestRouter();
  await router.push(address);
  const i18n = createAppI18n();
  await showLanguage(i18n.global, language);
  mounted = mount(
    defineComponent(() => () => [h(NavRail), h(PlaceTabs)]),
    { plugins: [createPinia(), router, i18n] },
  );
  return router;
}

const currentOf = (selector: string) =>
  [...document.querySelectorAll<HTMLElement>(`${selector} [aria-current]`)].map(
    ({ dataset }) => dataset['testId'],
  );

// Would catch: a bookmark, or a link of a document, that ends on the list of devices.
it.each([
  ['/', '/devices'],
  ['/site', '/devices'],
  ['/templates/new', '/changes/templates/new'],
  ['/apply?template=bundled:site-basics', '/changes/apply?template=bundled:site-basics'],
  ['/setup/run/7', '/commission/run/7'],
  ['/reports?of=all', '/documents?of=all'],
  ['/history', '/work/history'],
  ['/history/a/undo', '/work/history/a/undo'],
  ['/jobs/a', '/work/history/a'],
  ['/swap?device=d', '/devices/replace?device=d'],
  ['/console/system.time.get?device=d', '/devices/console/system.time.get?device=d'],
  ['/changes', '/changes/templates'],
  ['/work', '/work/running'],
  ['/nowhere/at/all', '/devices'],
])('%s leads to %s', async (old, now) => {
  const router = createTestRouter();

  await router.push(old);

  expect(router.currentRoute.value.fullPath).toBe(now);
});

// Would catch: a device called "replace", or an action taken for one.
it('keeps the actions of a device and the device itself apart', () => {
  const titles = ['/devices/replace', '/devices/console/x', '/devices/a', '/devices/a/thermal/b'].map(
    (address) => createTestRouter().resolve(address).meta['title'],
  );

  expect(titles).toEqual(['replacement.title', 'console.title', 'device.title', 'device.title']);
});

// Would catch: a screen whose place is not marked, or tabs above a screen that is inside one of them.
it.each([
  ['/changes/apply', ['nav-changes'], ['place-apply']],
  ['/changes/templates/new', ['nav-changes'], []],
  ['/work/open', ['work-place'], ['place-open']],
  ['/work/history/a', ['work-place'], []],
  ['/devices/a', ['nav-devices'], []],
])('%s marks its place and its tab', async (address, place, tab) => {
  await show(address);

  expect(currentOf('nav:not(.tabs)')).toEqual(place);
  expect(currentOf('.tabs')).toEqual(tab);
});

// Would catch: a word of the rail that is cut off.
it.each(['en', 'de'] as const)('has room for the words of the rail: %s', async (language) => {
  await page.viewport(1024, 768);
  await show('/devices', language);

  const cut = [...document.querySelectorAll<HTMLElement>('.word')].filter(
    (word) => word.scrollWidth > word.clientWidth || word.scrollHeight > word.clientHeight + 1,
  );

  expect(cut.map(({ textContent }) => textContent)).toEqual([]);
  expect(await mounted?.faults()).toEqual([]);
});
