/** Open work and changes that have to be kept, as a person meets them, in a real page. */
import { createPinia } from 'pinia';
import { afterEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { h, type Component } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';
import { createAppI18n, showLanguage } from '#renderer/app/i18n.ts';
import { routes } from '#renderer/app/router.ts';
import KeepChanges from '#renderer/common/jobs/run/KeepChanges.vue';
import OpenWorkList from '#renderer/features/history/OpenWorkList.vue';
import type { KeptChanges, OpenWork } from '#shared/model.ts';
import { useFakeClient } from '../renderer/fake-client.ts';
import { mount, type Mounted } from './mount.ts';

let mounted: Mounted | undefined;
afterEach(() => mounted?.end());

interface Look {
  readonly language?: 'en' | 'de' | 'zh-CN';
  readonly dark?: boolean;
  readonly width?: number;
}

async function show(
  part: Component,
  given: Record<string, unknown>,
  answers: Parameters<typeof useFakeClient>[0],
  { language = 'en', ...look }: Look = {},
) {
  const client = useFakeClient(answers);
  const router = createRouter({ history: createMemoryHistory(), routes: [...routes] });
  await router.push('/work');
  const i18n = createAppI18n();
  await showLanguage(i18n.global, language);
  mounted = mount(
    { render: () => h(part, given) },
    { ...look, plugins: [createPinia(), router, i18n], width: look.width ?? 900 },
  );
  const all = (id: string): readonly HTMLElement[] => [
    ...document.querySelectorAll<HTMLElement>(`[data-test-id="${id}"]`),
  ];
  return { client, all, faults: () => mounted?.faults() };
}

const WORK: OpenWork = {
  id: 'j-1.0',
  job: 'j-1',
  kind: 'undo',
  title: 'Lanes',
  about: {},
  device: 'd-1',
  name: 'Lobby',
  url: 'http://10.0.0.1',
  since: '2026-11-26T10:00:00Z',
  reason: 'away',
  by: 'installer',
};

// Would catch: open work that no person can begin or drop from the list, or that is dropped without a reason.
it('lists open work, begins it and drops it with a reason', async () => {
  const page = await show(
    OpenWorkList,
    {},
    {
      'openWork.list': () => [WORK],
      'openWork.doNow': () => ({ jobs: ['j-1'] }),
      'openWork.drop': () => ({ dropped: WORK.id }),
    },
  );
  await expect.poll(() => page.all('open-work').length).toBe(1);
  const text = page.all('open-work')[0]?.textContent;
  const button = (name: string): HTMLElement =>
    document.querySelector<HTMLElement>(`[aria-label="${name}: Lobby"]`) ?? document.body;
  await userEvent.click(button('Do now'));
  await userEvent.click(button('Drop'));
  await expect.poll(() => page.all('confirm-drop')[0]?.hasAttribute('disabled')).toBe(true);
  await userEvent.fill(page.all('drop-reason')[0]?.querySelector('input') ?? document.body, 'Scrapped');
  await userEvent.click(page.all('confirm-drop')[0] ?? document.body);
  const called = (name: string): unknown => page.client.calls.find((call) => call.name === name)?.input;

  await expect.poll(() => called('openWork.drop')).toEqual({ id: WORK.id, reason: 'Scrapped' });
  expect(called('openWork.doNow')).toEqual({ ids: [WORK.id] });
  expect(text).toContain('Away');
});

const FAILED: KeptChanges = {
  job: 'j-1',
  kept: 1,
  failed: [
    {
      deviceId: 'd-1',
      name: 'Lobby',
      url: 'http://10.0.0.1',
      error: { code: 'unreachable', source: 'app', message: 'no connection' },
    },
  ],
};
const until = (): string => new Date(Date.now() + 240_000).toISOString();

// Would catch: a countdown without the answer that stops it, or a lost device that looks as if it were kept.
it('counts down to the time when changes are put back, and says which device could not be kept', async () => {
  const page = await show(KeepChanges, { id: 'j-1', until: until() }, { 'jobs.confirm': () => FAILED });
  const left = page.all('keep-left')[0]?.textContent;
  await userEvent.click(page.all('keep')[0] ?? document.body);
  await expect.poll(() => page.all('not-kept').length).toBe(1);

  expect(left).toMatch(/Put back in (4:00|3:59)/);
  expect(page.client.calls).toEqual([{ name: 'jobs.confirm', input: { id: 'j-1' } }]);
  expect(page.all('put-back-now')).toHaveLength(1);
});

it.each([
  ['light', {}],
  ['dark', { dark: true }],
  ['German, narrow', { language: 'de', width: 300 }],
  ['Chinese', { language: 'zh-CN' }],
] as const)('have no fault that assistive technology would meet: %s', async (_name, look) => {
  const list = await show(
    OpenWorkList,
    {},
    { 'openWork.list': () => [WORK, { ...WORK, id: 'j-2.0', name: 'Lobby '.repeat(20), reason: 'changed' }] },
    look,
  );
  await expect.poll(() => list.all('open-work').length).toBe(2);
  const ofList = await list.faults();
  mounted?.end();
  const keep = await show(KeepChanges, { id: 'j-1', until: until() }, { 'jobs.confirm': () => FAILED }, look);
  await userEvent.click(keep.all('keep')[0] ?? document.body);
  await expect.poll(() => keep.all('not-kept').length).toBe(1);

  expect(ofList).toEqual([]);
  expect(await keep.faults()).toEqual([]);
});
