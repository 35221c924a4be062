/** Parts of a device's overview in a real page, with answers as the engine decodes them from the virtual site. */
import { createPinia } from 'pinia';
import { afterEach, expect, it } from 'vitest';
import { h, type Component } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';
import { createAppI18n } from '#renderer/app/i18n.ts';
import { routes } from '#renderer/app/router.ts';
import BackfillPart from '#renderer/features/device/kinds/BackfillPart.vue';
import CountingPart from '#renderer/features/device/kinds/CountingPart.vue';
import EnginesPart from '#renderer/features/device/kinds/EnginesPart.vue';
import StoragePart from '#renderer/features/device/kinds/StoragePart.vue';
import TerminalPart from '#renderer/features/device/kinds/TerminalPart.vue';
import { useWorkspace } from '#renderer/features/device/workspace/workspace.store.ts';
import { findField, findOperation, rootField, setAt, type Field } from '#protocol/index.ts';
import { PART_FACTS, type DevicePart } from '#shared/device-facts.ts';
import type { DeviceKind } from '#shared/model.ts';
import { useFakeClient } from '../renderer/fake-client.ts';
import { mount, type Mounted } from './mount.ts';

let mounted: Mounted | undefined;
afterEach(() => {
  mounted?.end();
  mounted = undefined;
});

type Answers = Readonly<Record<string, unknown>>;

/** Mounts a part with what its device answers; an operation without an answer is refused as not supported. */
async function show(
  part: Component,
  kind: DeviceKind,
  answers: Answers,
  more: Record<string, () => unknown> = {},
) {
  const client = useFakeClient({
    'operations.call': ({ operation }: { readonly operation: string }) =>
      operation in answers
        ? { outcome: 'ok', value: answers[operation], notes: [], status: {} }
        : { outcome: 'refused', notes: [], status: {}, error: { code: 'not-supported', message: 'No' } },
    'operations.paramValues': () => ({ values: [], isWhole: true }),
    'operations.capabilities': () => ({ flags: [], limits: [], problems: [], probes: [] }),
    ...more,
  });
  const router = createRouter({ history: createMemoryHistory(), routes: [...routes] });
  await router.push('/devices/d-1');
  const pinia = createPinia();
  const device = { id: 'd-1', name: 'One', url: 'http://10.0.0.1', kinds: [kind], tags: [] };
  const workspace = useWorkspace(pinia);
  workspace.open('d-1', false);
  mounted = mount(
    { render: () => h(part, { device }) },
    { plugins: [pinia, router, createAppI18n()], width: 900 },
  );
  const { root } = mounted;
  return {
    client,
    root,
    mounted,
    at: (id: string) => root.querySelector<HTMLElement>(`[data-test-id="${id}"]`),
    href: (id: string) =>
      root
        .querySelector<HTMLAnchorElement>(`[data-test-id="${id}"] a, a[data-test-id="${id}"]`)
        ?.getAttribute('href'),
  };
}

const CARD = {
  healthState: 'good',
  badBlocks: 1,
  SDCardState: 'onLine',
  abnormalPowerLoss: 2,
  remainingLife: 88,
};

// Would catch: a card that is due for replacement shown as any other, or one in order with a warning.
it.each([
  ['good', CARD, undefined],
  ['worn out', { ...CARD, remainingLife: 7 }, /7 % of its life/],
  ['damaged', { ...CARD, healthState: 'damage' }, /bad or damaged/],
])('a card that is %s', async (_name, card, says) => {
  const {
    at,
    root,
    href,
    mounted: shown,
  } = await show(StoragePart, 'thermal', {
    'storage.status.get': card,
    'storage.rwLock.get': { enabled: false },
  });
  await expect.poll(() => at('fact-SDCardState')).not.toBeNull();

  if (says === undefined) expect(at('card-doubt')).toBeNull();
  else expect(at('card-doubt')?.textContent).toMatch(says);
  expect(href('fact-enabled')).toBe('/devices/d-1/storage/rwLock?field=enabled');
  expect(root.textContent).toMatch(/Read \d/);
  expect(await shown.faults()).toEqual([]);
});

// Would catch: a part that breaks the page, or draws a bar of NaN, when a device answers something else than it should.
it.each([
  [
    StoragePart,
    'part-storage',
    { 'storage.status.get': { remainingLife: 'soon', SDCardState: 5, badBlocks: [] } },
  ],
  [
    BackfillPart,
    'part-backfill',
    {
      'passback.basic.get': { maxTotalConcurrenceNum: 'many', beginTime: {} },
      'passback.historyPlan.get': { ScheduleActionList: [null, 'x', { ScheduleActionStartTime: 3 }] },
    },
  ],
  [
    CountingPart,
    'part-counting',
    { 'peopleCounting.shield.get': { RegionList: [null, 3, { RegionCoordinatesList: 'x' }] } },
  ],
  [
    TerminalPart,
    'part-terminal',
    { 'accessControl.users.count': null, 'accessControl.eventTotal.query': [] },
  ],
] as const)('%# shows what it can of an answer that is none', async (part, id, answers) => {
  const { at, root } = await show(part as Component, 'ai', answers);

  await expect.poll(() => at(id)?.textContent).toMatch(/Read \d/);

  expect(root.innerHTML).not.toMatch(/NaN|undefined|\[object/);
});

// Would catch: a plan that does nothing drawn like one that works, a bar against the wrong maximum.
it('shows a plan as a week with its events, what is idle, and channels as a part of the most', async () => {
  const period = (id: number, day: string, end: string, to: string) => ({
    id,
    ScheduleActionStartTime: { DayOfWeek: day, TimeOfDay: '20:00:00+00:00' },
    ScheduleActionEndTime: { DayOfWeek: end, TimeOfDay: to },
    eventType: 'VMD',
  });
  const {
    at,
    root,
    href,
    mounted: shown,
  } = await show(BackfillPart, 'recorder', {
    'passback.basic.get': {
      beginTime: 0,
      endTime: 1440,
      maxTotalConcurrenceNum: 200,
      maxDvrConcurrenceNum: 8,
    },
    'passback.historyPlan.get': {
      enable: false,
      ScheduleActionList: [
        period(1, 'Monday', 'Monday', '22:00:00+00:00'),
        period(2, 'Sunday', 'Monday', '06:00:00+00:00'),
      ],
    },
  });
  await expect.poll(() => at('week-diff')).not.toBeNull();

  expect(at('week-diff')?.textContent).toMatch(/Mon.*00:00–06:00.*20:00–22:00.*Tue.*Sun.*20:00–24:00/s);
  expect(root.textContent).toContain('Events: Motion detection');
  expect(at('plan-idle')?.textContent).toMatch(/off/);
  expect(at('bar-maxTotalConcurrenceNum')?.textContent).toContain('200 of 400');
  expect(href('edit-concurrency')).toBe('/devices/d-1/passback/basic?field=maxTotalConcurrenceNum');
  expect(await shown.faults()).toEqual([]);
});

// Would catch: a task that stands under its engine's number alone, a package on the wrong engine, a card that cannot be read.
it('sets engines against packages and tells the tasks', async () => {
  const {
    root,
    at,
    mounted: shown,
  } = await show(
    EnginesPart,
    'ai',
    {
      'aiPlatform.picturePollingTasks.list': {
        Tasks: [
          {
            taskID: 'dock-1',
            engine: 2,
            channel: [1, 4],
            pollingTime: 30,
            EventTrigger: [{ notificationMethod: 'center' }, { notificationMethod: 'IO' }],
          },
        ],
      },
    },
    {
      'models.board': () => ({
        deviceId: 'd-1',
        at: '2026-05-01T08:00:00Z',
        engines: [
          {
            engine: 1,
            status: 1,
            MPID: 'helmets',
            MPName: 'Helmets',
            channels: { video: { used: 2, left: 6 } },
          },
          { engine: 2, status: 0, MPID: '', MPName: '' },
        ],
        engineNumbers: [1, 2],
        packages: [{ MPID: 'helmets', MPName: 'Helmets', status: 1, engines: [1] }],
        problems: [],
        supports: {},
      }),
    },
  );
  await expect.poll(() => at('task-card')).not.toBeNull();

  expect(root.querySelectorAll('[data-test-id="engine-holds"]')).toHaveLength(1);
  expect(at('engine-holds')?.textContent).toContain('2 used, 6 left');
  expect(at('task-card')?.textContent).toMatch(/dock-1.*2.*1, 4.*30 s.*Notify the center, Alarm output/s);
  expect(await shown.faults()).toEqual([]);
});

function sampleOf(field: Field): unknown {
  switch (field.kind) {
    case 'bool':
      return true;
    case 'int':
    case 'float':
      return field.min ?? 1;
    case 'choice':
      return field.options[0]?.value;
    case 'minutes':
      return 60;
    default:
      return 'x';
  }
}

/** An answer that holds all facts of an operation. */
function answerOf(operation: string, paths: readonly string[]): unknown {
  const payload = findOperation(operation)?.response;
  const root = payload && rootField(payload);
  return paths.reduce<unknown>((value, path) => {
    const field = root && findField(root, path);
    if (field === undefined) throw new Error(`${operation} has no ${path}.`);
    return setAt(value, path, sampleOf(field));
  }, {});
}

// Would catch: a page with a list of facts of its own, which then says other things than the inspector and the command line.
it.each<readonly [DevicePart, DeviceKind, Component]>([
  ['storage', 'thermal', StoragePart],
  ['accessControl', 'gate', TerminalPart],
  ['peopleCounting', 'counter', CountingPart],
  ['passback', 'recorder', BackfillPart],
])('the page of %s shows the facts that are told elsewhere', async (part, kind, component) => {
  const facts = Object.entries<readonly string[]>(PART_FACTS[part]);

  const { at } = await show(
    component,
    kind,
    Object.fromEntries(facts.map(([operation, paths]) => [operation, answerOf(operation, paths)])),
    { 'operations.paramValues': () => ({ values: [1], isWhole: true }) },
  );

  for (const path of facts.flatMap(([, paths]) => paths))
    await expect.poll(() => at(`fact-${path}`) ?? at(`bar-${path}`), { message: path }).not.toBeNull();
});
