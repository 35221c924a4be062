/** Running work in a real browser: the display in the rail and the panel, and the announcement of an end. */
import { createPinia } from 'pinia';
import { afterEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { defineComponent, h, nextTick } from 'vue';
import { createMemoryHistory, createRouter, RouterView, type Router } from 'vue-router';
import { createAppI18n, showLanguage } from '#renderer/app/i18n.ts';
import WorkNews from '#renderer/app/work/WorkNews.vue';
import WorkPlace from '#renderer/app/work/WorkPlace.vue';
import RunningView from '#renderer/features/history/RunningView.vue';
import { useAppInfo } from '#renderer/common/app-info/app-info.store.ts';
import { showWords } from '#renderer/common/labels/field-labels.ts';
import { loadTranslation } from '#shared/details/languages.ts';
import TakeOver from '#renderer/common/jobs/run/TakeOver.vue';
import { useWork } from '#renderer/common/jobs/work/work.store.ts';
import { announce, useAnnouncements } from '#renderer/composables/announcer.ts';
import type { WorkEvent, WorkSummary } from '#shared/model.ts';
import { useFakeClient, type FakeClient } from '../renderer/fake-client.ts';
import { mount, type Mounted } from './mount.ts';

let mounted: Mounted | undefined;
afterEach(async () => {
  mounted?.end();
  mounted = undefined;
  await loadTranslation('en').then(showWords);
});

/** Makes a job of a kind that no part of the page knows. */
function job(id: string, more: Partial<WorkSummary> = {}): WorkSummary {
  return {
    id,
    kind: 'model-package',
    title: `Package ${id}`,
    about: {},
    state: 'running',
    createdAt: '2026-03-01T08:00:00Z',
    by: 'installer',
    devices: 4,
    deviceCounts: { pending: 3, done: 1 },
    counts: {},
    resumable: false,
    ...more,
  };
}

interface Shown {
  readonly client: FakeClient;
  readonly router: Router;
  readonly info: ReturnType<typeof useAppInfo>;
  tell(event: Partial<WorkEvent>): Promise<void>;
  /** Opens its panel, which is fetched late. */
  open(): Promise<void>;
  at(id: string): HTMLElement | null;
  all(id: string): readonly HTMLElement[];
  /** All that the live region has said, in its order. */
  readonly heard: readonly string[];
}

async function shown(
  options: { readonly language?: 'en' | 'zh-CN'; readonly dark?: boolean; readonly width?: number } = {},
): Promise<Shown> {
  const client = useFakeClient({
    'app.info': () => ({ face: 'browser', vault: { state: 'open' } }),
    'jobs.pause': () => ({ paused: true }),
    'jobs.unpause': () => ({ unpaused: true }),
    'jobs.takeOver': () => ({ taken: true }),
    'jobs.cancel': () => ({ cancelled: true }),
    'jobs.search': () => ({ jobs: [job('gone', { state: 'failed' })], total: 1 }),
  });
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [
      { path: '/work', component: RunningView },
      { path: '/work/history/:id', component: TakeOver, props: true },
      { path: '/:rest(.*)*', component: { render: () => null } },
    ],
  });
  const heard: string[] = [];
  announce('');
  const setUp: { info?: ReturnType<typeof useAppInfo> } = {};
  const Page = defineComponent(() => {
    const work = useWork();
    const announcement = useAnnouncements();
    setUp.info = useAppInfo();
    setUp.info.start();
    work.start();
    return () => {
      if (announcement.value !== '' && announcement.value !== heard.at(-1)) heard.push(announcement.value);
      return [
        h(WorkNews),
        h('nav', { style: 'background: #14202e', 'aria-label': 'rail' }, h(WorkPlace)),
        h(RouterView),
      ];
    };
  });
  const i18n = createAppI18n();
  await showLanguage(i18n.global, options.language ?? 'en');
  mounted = mount(Page, {
    ...options,
    plugins: [createPinia(), router, i18n],
  });
  const stream = client.stream('jobs.watchAll');
  await nextTick();
  return {
    client,
    router,
    heard,
    info: setUp.info as ReturnType<typeof useAppInfo>,
    async open() {
      document.querySelector<HTMLElement>('[data-test-id="work-place"]')?.click();
      await expect.poll(() => document.querySelector('[data-test-id="work-screen"]')).not.toBeNull();
    },
    at: (id) => document.querySelector<HTMLElement>(`[data-test-id="${id}"]`),
    all: (id) => [...document.querySelectorAll<HTMLElement>(`[data-test-id="${id}"]`)],
    async tell(event) {
      stream.emit({ jobs: [], ended: [], ...event });
      await nextTick();
      await nextTick();
    },
  };
}

// Would catch: a kind of work to come that is missing, or that shows a key instead of its words.
it('shows any kind of work by its own words, with what it waits for and what can be done', async () => {
  const page = await shown();
  await page.tell({
    jobs: [
      job('a', { progress: { done: 30, total: 40 } }),
      job('b', { kind: 'undo', paused: true }),
      job('c', { state: 'waiting', waitsFor: 'a', deviceCounts: { pending: 4 } }),
      job('d', { elsewhere: true }),
    ],
  });
  await page.open();
  const lines = page.all('work-item').map(({ textContent }) => textContent.replace(/\s+/g, ' '));
  const buttons = page
    .all('work-item')
    .map((item) => [...item.querySelectorAll('button')].map(({ textContent }) => textContent.trim()).join());

  expect(page.at('work-place')?.textContent).toContain('4 jobs');
  expect(lines[0]).toMatch(/Package a.*model-package.*Running.*1 of 4 devices · 75%/);
  expect(lines[1]).toMatch(/Package b.*Undo.*Paused.*1 of 4 devices · 25%/);
  expect(lines[2]).toMatch(/Waiting its turn.*Waits until “Package a” is done/);
  expect(lines[3]).toContain('Another Fieldwright');
  expect(buttons).toEqual(['Pause,Cancel,Open', 'Continue,Cancel,Open', 'Cancel,Open', 'Open']);
});

// Would catch: "remove" and "import people.csv", as the journal has them, on a person's screen.
it('names work on people and fingerprints in the language of the screen', async () => {
  await loadTranslation('zh-CN').then(showWords);
  const page = await shown({ language: 'zh-CN' });
  const about = (work: 'import' | 'remove'): Partial<WorkSummary> => ({
    kind: 'people',
    about: { people: { work, rows: 1, bad: 0, ...(work === 'import' ? { from: '人员.csv' } : {}) } },
  });
  await page.tell({
    jobs: [
      job('a', { ...about('remove'), title: 'remove' }),
      job('b', { ...about('import'), title: 'import 人员.csv' }),
      job('c', { kind: 'fingerprints', title: 'Copy fingerprints', about: { prints: { work: 'copy' } } }),
    ],
  });
  await page.open();
  const lines = page.all('work-item').map(({ textContent }) => textContent);

  expect(lines[0]).toMatch(/^人员删除/);
  expect(lines[1]).toMatch(/^人员导入：人员.csv/);
  expect(lines[2]).toMatch(/^复制指纹/);
  expect(lines.join('')).not.toMatch(/remove|import|Copy/);
});

it.each([
  ['light', {}],
  ['dark', { dark: true }],
  ['Chinese', { language: 'zh-CN' }],
  ['narrow', { width: 280 }],
] as const)('has no fault that assistive technology would meet: %s', async (_name, options) => {
  const page = await shown(options);
  await page.tell({
    jobs: [job('a'), job('b', { title: 'Package '.repeat(20), state: 'waiting', waitsFor: 'a' })],
    ended: [job('e', { state: 'failed', deviceCounts: { attention: 4 } })],
  });
  const closed = await mounted?.faults();
  await page.open();

  expect(closed).toEqual([]);
  expect(await mounted?.faults()).toEqual([]);
});

// Would catch: a job that looks as if it still ran, or nothing running, while the state is unknown.
it('says that it does not know as soon as the connection is lost, and knows again only once it was told anew', async () => {
  const page = await shown();
  const before = page.at('work-place')?.dataset['jobs'];
  await page.tell({ jobs: [job('a'), job('gone')] });
  await page.open();
  page.info.connection = 'lost';
  await nextTick();
  const lost = [page.at('work-place')?.dataset['jobs'], page.all('work-item').length];
  const unknown = page.at('work-unknown')?.textContent;
  const heardOf = page.at('work-place')?.textContent;
  await page.tell({ jobs: [job('late')] });
  const late = page.at('work-place')?.dataset['jobs'];
  page.info.connection = 'open';
  await nextTick();
  const back = page.at('work-place')?.dataset['jobs'];
  await page.tell({ jobs: [job('a')] });

  expect(before).toBe('unknown');
  expect(lost).toEqual(['unknown', 0]);
  expect(unknown).toMatch(/cannot be shown/);
  expect(heardOf).toMatch(/\?.*not known/s);
  expect([late, back, page.at('work-place')?.dataset['jobs']]).toEqual(['unknown', 'unknown', '1']);
  await expect.poll(() => page.at('work-ended')?.textContent).toMatch(/Package gone/);
});

// Would catch: an end that is read out twice, or again with every event, or over the screen that tells of it itself.
it('tells of an end once, in its tone, with the way there', async () => {
  const page = await shown();
  await page.tell({ jobs: [job('a'), job('b')] });
  useWork().follow('b');
  const end = job('a', { state: 'failed', deviceCounts: { attention: 1, done: 3 } });
  await page.tell({ jobs: [job('b')], ended: [end] });
  await page.tell({ ended: [job('b', { state: 'done', deviceCounts: { done: 4 } })] });
  await page.tell({ jobs: [job('c')] });
  const notices = page.all('work-end');
  const tones = notices.map(({ className }) => className.includes('tone-bad'));
  page.at('work-end-open')?.click();
  await expect.poll(() => page.router.currentRoute.value.path).toBe('/work/history/a');

  expect(tones).toEqual([true]);
  expect(page.heard).toEqual(['Package a: 3 of 4 devices are done. 1 still needs you.']);
  expect(page.at('work-end')).toBeNull();
});

it('is worked by the keyboard: opened, paused, cancelled, and the focus is never lost', async () => {
  const page = await shown();
  await page.tell({ jobs: [job('a')] });
  page.at('work-place')?.focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => page.at('work-pause')).not.toBeNull();
  page.at('work-pause')?.focus();
  await userEvent.keyboard(' ');
  page.at('work-cancel')?.focus();
  await userEvent.keyboard('{Enter}');
  await page.tell({ jobs: [] });
  const inside = page.at('work-screen')?.contains(document.activeElement);

  expect(page.client.calls.filter(({ name }) => name !== 'app.info')).toEqual([
    { name: 'jobs.pause', input: { id: 'a' } },
    { name: 'jobs.cancel', input: { id: 'a' } },
  ]);
  expect(inside).toBe(true);
});

// Would catch: the job of a program that is gone, at which this window could only look for ever, and one that is taken
// without a question.
it('takes over a job of another program, once the person agrees', async () => {
  const page = await shown();
  const taken = () => page.client.calls.filter(({ name }) => name === 'jobs.takeOver');
  await page.router.push('/work/history/a');
  await page.tell({ jobs: [job('a')] });
  const ofThisProgram = page.at('take-over');

  await page.tell({ jobs: [job('a', { elsewhere: true })] });
  page.at('take-over')?.click();
  await expect.poll(() => page.at('confirm-take-over')).not.toBeNull();
  const unasked = taken();
  page.at('confirm-take-over')?.click();
  await expect.poll(() => page.at('confirm-take-over')).toBeNull();

  expect([ofThisProgram, unasked]).toEqual([null, []]);
  expect(taken()).toEqual([{ name: 'jobs.takeOver', input: { id: 'a' } }]);
});

// Would catch: changes that are put back while the person looks at another screen.
it('counts down where changes of a job have to be kept', async () => {
  const page = await shown();
  await page.tell({ jobs: [job('a', { confirmUntil: new Date(Date.now() + 120_000).toISOString() })] });
  await page.open();

  expect(page.at('work-remark')?.textContent).toMatch(/Put back in (2:00|1:59) unless/);
});
