/** The overview of each kind of device: its parts by what it has, each with its time, and ways from a part to its setting. */
import { beforeEach, expect, it } from 'vitest';
import type { DeviceKind } from '#shared/model.ts';
import type { Site } from '#simulator/index.ts';
import { GATE_PARTS } from '#simulator/areas/access/gate-parts.ts';
import { STORAGE_CARD } from '#simulator/areas/storage-card.ts';
import { TASKS } from '#simulator/areas/models/tasks.ts';
import { adoptSite, type AdoptedSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { faultsInBothThemes } from './axe.ts';
import { look } from './look.ts';
import { DevicePage } from './pages/device-page.ts';
import { byId } from './pages/test-id.ts';

let app: App;
let site: Site;
let adopted: AdoptedSite;
let device: DevicePage;

beforeEach(async () => {
  app = await openApp();
  site = await app.site({ devices: 5, kinds: ['gate', 'thermal', 'ai', 'counter', 'recorder'], seed: 5 });
  adopted = await adoptSite(app, site);
  device = new DevicePage(app.page);
});

/** Parts of a kind, what each shows once it is read, and the address that its way leads to. */
const PARTS: readonly (readonly [kind: DeviceKind, part: string, shows: string, way: string, to: string])[] =
  [
    ['gate', 'part-gate', 'gate-passages', 'gate-modes', '/gate/dialAndInfo'],
    ['gate', 'part-terminal', 'event-days', 'fact-protocol', '/accessControl/hostConfig'],
    ['counter', 'part-counting', 'fact-status', 'edit-masks', '/peopleCounting/shield'],
    ['counter', 'part-storage', 'fact-healthState', 'fact-enabled', '/storage/rwLock'],
    ['recorder', 'part-backfill', 'week-diff', 'edit-plan', '/passback/historyPlan'],
    ['ai', 'part-engines', 'task-card', 'open-tasks', '/aiPlatform/picturePollingTasks.list'],
    ['ai', 'part-counting', 'edit-regions', 'edit-regions', '/humanRecognition/config'],
    ['thermal', 'part-storage', 'fact-SDCardState', 'fact-enabled', '/storage/rwLock'],
  ];

// Would catch: a kind whose task is not on its front, a part that is cut off from its setting, a colour that cannot be read.
it('shows the parts of each kind without a fault of accessibility, and each leads to its setting', async () => {
  site
    .device(adopted.index.ai)
    .part(TASKS)
    .all.set('dock-1', {
      taskID: 'dock-1',
      engine: 1,
      channel: [1, 2],
      pollingTime: 30,
      TimeRange: [{ week: 1, beginTime: '08:00', endTime: '18:00' }],
      EventTrigger: [{ notificationMethod: 'center' }],
    });
  const found: string[] = [];
  const led: string[] = [];

  for (const kind of ['gate', 'counter', 'recorder', 'ai', 'thermal'] as const) {
    const own = PARTS.filter(([of]) => of === kind);
    await device.open(adopted.ids[kind]);
    for (const [, part, shows] of own) await byId(device.get(part), shows).first().waitFor();
    found.push(...(await faultsInBothThemes(app.page, kind)));
    await look(app.page, `overview-${kind}`);
    for (const [, part, , way] of own) {
      await device.open(adopted.ids[kind]);
      const link = byId(device.get(part), way).first();
      await link.waitFor();
      await link.locator('xpath=self::a|.//a').first().click();
      await device.get('page-head').waitFor();
      led.push(
        new URL(app.page.url()).hash.split('?')[0]?.replace(`#/devices/${adopted.ids[kind]}`, '') ?? '',
      );
    }
  }

  expect(found).toEqual([]);
  expect(led).toEqual(PARTS.map(([, , , , to]) => to));
});

// Would catch: a drawing without words, a fault that leads nowhere, a rate that is never counted, a drawing of what was.
it('lights a gate live: a fault in words beside it, passages a minute, and the reason when it cannot be read', async () => {
  const gate = site.device(adopted.index.gate).part(GATE_PARTS);
  await device.open(adopted.ids.gate);
  const part = device.get('part-gate');
  await part.getByRole('img').waitFor();
  expect(await byId(part, 'gate-fault').count()).toBe(0);

  gate.controllers = { slave: { motorSensor: 'Abnormal' } };
  await byId(part, 'gate-fault').waitFor();
  await expect.poll(() => byId(part, 'rate-in').innerText()).toMatch(/^[\d.]+$/);
  const says = await byId(part, 'gate-fault').innerText();
  await look(app.page, 'overview-gate-fault');
  await app.page.setViewportSize({ width: 390, height: 844 });
  const [line, words] = [byId(part, 'fault-leader'), byId(part, 'gate-fault')];
  // The line ends at the words, which are whole beside or below their part.
  await expect
    .poll(async () => {
      const [at, to] = [await line.boundingBox(), await words.boundingBox()];
      return at !== null && to !== null && to.x >= 0 && to.x + to.width <= 390 && Math.abs(at.x - to.x) < 20;
    })
    .toBe(true);
  await look(app.page, 'overview-gate-narrow');
  await app.page.setViewportSize({ width: 1440, height: 900 });
  site.device(adopted.index.gate).setFault('reset');
  await byId(part, 'error-notice').waitFor();

  expect(await device.get('error-notice').count()).toBe(1);
  expect(says).toMatch(/Slave channel controller.*Motor sensor.*Abnormal/s);
  expect(await part.innerText()).toMatch(/Read \d/);
  await look(app.page, 'overview-gate-lost');
});

// Would catch: a pulled card beside "100 % of its life left", a part that fails with another one's error, an endless wait.
it('says in its own part what is wrong, and shows the others', async () => {
  site.device(adopted.index.counter).part(STORAGE_CARD).present = false;
  site
    .device(adopted.index.counter)
    .setFault('malformed', undefined, { operation: 'peopleCounting.status.get' });

  await device.open(adopted.ids.counter);

  await device.get('card-gone').waitFor();
  expect(await byId(device.get('part-storage'), 'error-notice').count()).toBe(0);
  await byId(device.get('part-counting'), 'error-notice').waitFor();
  await byId(device.get('part-counting'), 'edit-masks').waitFor();
  await look(app.page, 'overview-counter-odd');
});

it.each([
  ['zh-CN', 'dark', 1440],
  ['de-DE', 'light', 1440],
  ['en-US', 'dark', 512],
] as const)('is whole in %s, %s, %i px wide', async (locale, colorScheme, width) => {
  app = await openApp({ colorScheme, locale, viewport: { width, height: 900 } });
  site = await app.site({ devices: 5, kinds: ['gate', 'thermal', 'ai', 'counter', 'recorder'], seed: 5 });
  adopted = await adoptSite(app, site);
  device = new DevicePage(app.page);
  const found: string[] = [];

  for (const [kind, ready] of [
    ['gate', 'event-days'],
    ['counter', 'fact-healthState'],
    ['recorder', 'week-diff'],
    ['ai', 'engine-holds'],
  ] as const) {
    await device.open(adopted.ids[kind]);
    await device.get(ready).first().waitFor();
    await look(app.page, `overview-${kind}-${locale}-${width}`);
    found.push(...(await faultsInBothThemes(app.page, `${kind} ${locale}`)));
  }

  expect(found).toEqual([]);
});
