/** Facts beside the list, and the way back from a guided flow, in a real page. */
import { createPinia } from 'pinia';
import { afterEach, expect, it } from 'vitest';
import { h, type Component } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';
import { createAppI18n, showLanguage } from '#renderer/app/i18n.ts';
import { routes } from '#renderer/app/router.ts';
import ChangeTable from '#renderer/common/jobs/changes/ChangeTable.vue';
import UndoFlow from '#renderer/common/jobs/undo/UndoFlow.vue';
import KnownFacts from '#renderer/features/site/inspector/KnownFacts.vue';
import type { Language } from '#shared/details/languages.ts';
import { useFakeClient } from '../renderer/fake-client.ts';
import { mount, type Mounted } from './mount.ts';

let mounted: Mounted | undefined;
afterEach(() => mounted?.end());

const DEVICE = { id: 'd-1', name: 'Lobby', url: 'http://10.0.0.1', kinds: ['gate'], tags: [] };

async function show(
  part: Component,
  given: Record<string, unknown>,
  answers: Parameters<typeof useFakeClient>[0],
) {
  useFakeClient(answers);
  const router = createRouter({ history: createMemoryHistory(), routes: [...routes] });
  await router.push('/devices');
  const i18n = createAppI18n();
  mounted = mount({ render: () => h(part, given) }, { plugins: [createPinia(), router, i18n], width: 340 });
  const { root } = mounted;
  return {
    router,
    speak: (language: Language) => showLanguage(i18n.global, language),
    faults: () => mounted?.faults(),
    all: (id: string) => [...root.querySelectorAll<HTMLElement>(`[data-test-id="${id}"]`)],
  };
}

// Would catch: a device that is asked because its row was chosen, and a fault that leads nowhere.
it('shows what is known of a device, and reads it only when that is asked for', async () => {
  let reads = 0;
  const fact = { part: 'gate', operation: 'gate.status.get', params: {}, value: 'Abnormal' };
  const { all, faults } = await show(
    KnownFacts,
    { device: DEVICE },
    {
      'snapshots.facts': () =>
        reads === 0
          ? { facts: [], chains: [] }
          : {
              at: '2026-11-26T10:00:00Z',
              facts: [{ ...fact, path: 'busSync', label: 'Bus', isFault: true }],
              chains: [],
            },
      'snapshots.take': () => {
        reads += 1;
        return {};
      },
    },
  );
  await expect.poll(() => all('known-facts')[0]?.textContent).toContain('Not read yet');
  const before = reads;

  all('read-facts')[0]?.click();

  await expect.poll(() => all('known-fact')[0]?.textContent).toBe('Abnormal');
  expect(before).toBe(0);
  expect(all('known-fact')[0]?.querySelector('a')?.getAttribute('href')).toBe(
    '/devices/d-1/gate/status?field=busSync',
  );
  expect(await faults()).toEqual([]);
});

// Would catch: a change that is named after its job, so that nothing says which setting it was.
it('names the section of a change, and its job beside it', async () => {
  const change = {
    id: 'c-1',
    at: '2026-11-26T10:00:00Z',
    by: 'root',
    deviceId: 'd-1',
    device: 'Lobby',
    set: 'thermal.thermometryBasic',
    label: 'Temperature measurement',
    params: { channelID: 1 },
    path: 'distance',
    changes: [],
    outcome: 'effective',
    jobId: 'j-1',
    kind: 'apply',
    title: 'First settings',
    canUndo: false,
  };

  const { all } = await show(ChangeTable, {}, { 'jobs.changes': () => ({ changes: [change] }) });

  await expect
    .poll(() => all('change')[0]?.textContent)
    .toMatch(/Temperature measurement · Channel 1.*First settings/s);
});

// Would catch: an undo that is offered where there is none, silence about why, and a reason that stays in the language before.
it.each([
  [1, 'no-undo-lock', 1],
  [0, 'no-undo-key', 0],
] as const)(
  'leads from a flow with %d settings to their undo, and says why %s',
  async (possible, id, buttons) => {
    const section = {
      index: 11,
      set: 'storage.rwLock',
      label: 'Storage lock',
      params: {},
      changes: [],
      lost: [],
    };
    const { all, router, speak } = await show(
      UndoFlow,
      { id: 'j-1' },
      {
        'jobs.undoPreview': () => ({
          devices: [{ sections: [{ ...section, problem: { code: 'not-available', detail: { id } } }] }],
          possible,
          impossible: 1,
        }),
      },
    );

    await expect.poll(() => all('no-undo').length).toBe(1);
    expect(all('no-undo')[0]?.textContent).toMatch(/cannot be undone: A (storage lock|token key)/);
    expect(all('undo-flow').length).toBe(buttons);
    await speak('de');
    await expect.poll(() => all('no-undo')[0]?.textContent).toMatch(/lässt sich nicht rückgängig machen/);
    await speak('en');
    all('undo-flow')[0]?.click();
    if (buttons > 0) await expect.poll(() => router.currentRoute.value.path).toBe('/work/history/j-1/undo');
  },
);
