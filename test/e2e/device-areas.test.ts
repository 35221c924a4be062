import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceKind } from '#shared/model.ts';
import type { Site } from '#simulator/index.ts';
import { startApp, type App } from './app.ts';
import { adoptSite, type AdoptedSite } from './adopt-site.ts';
import { DevicePage } from './pages/device-page.ts';

let app: App;
let site: Site;
let adopted: AdoptedSite;
let device: DevicePage;

beforeAll(async () => {
  app = await startApp();
  site = await app.site({ devices: 5, kinds: ['gate', 'thermal', 'ai', 'counter', 'recorder'], seed: 11 });
  adopted = await adoptSite(app, site);
});
afterAll(() => app.close());
beforeEach(() => {
  device = new DevicePage(app.page);
});
afterEach(() => {
  expect(app.complaints).toEqual([]);
});

/** Returns the writes that reached the device. */
function writes(kind: DeviceKind): readonly string[] {
  return site
    .device(adopted.index[kind])
    .requests.filter((request) => request.method !== 'GET' && request.http < 400 && request.http > 0)
    .map((request) => `${request.method} ${request.path}`);
}

/** A form of each area in which something is writable: how it is edited, and what the difference says. */
const SETTINGS: readonly {
  readonly area: string;
  readonly kind: DeviceKind;
  readonly place: string;
  readonly edit: (device: DevicePage) => Promise<void>;
  readonly says: RegExp;
  readonly outcome?: string;
  readonly after: (device: DevicePage) => Promise<void>;
}[] = [
  {
    area: 'accessControl',
    kind: 'gate',
    place: 'accessControl/eventOptimization',
    says: /Merge linked events/,
    edit: (page) => page.input('isCombinedLinkageEvents').click(),
    after: async (page) => {
      await page.get('reload').click();
    },
  },
  {
    area: 'peopleCounting',
    kind: 'counter',
    place: 'peopleCounting/shield',
    says: /Masked areas.*outline changed/s,
    edit: async (page) => {
      await page.input('enabled').click();
      const corner = page.get('corner-RegionList[0].RegionCoordinatesList[1]');
      await corner.focus();
      await page.page.keyboard.press('Shift+ArrowRight');
    },
    after: async (page) => {
      expect(await page.input('RegionList[0].RegionCoordinatesList[1].positionX').inputValue()).toBe('300');
    },
  },
  {
    area: 'storage',
    kind: 'thermal',
    place: 'storage/rwLock',
    says: /Card password.*••••••/s,
    outcome: 'accepted',
    edit: async (page) => {
      await page.input('enabled').click();
      await page.type('passwd', 'lock${7}');
    },
    after: async (page) => {
      expect(await page.input('passwd').inputValue()).toBe('');
    },
  },
  {
    area: 'events',
    kind: 'thermal',
    place: 'events/thermometrySchedule',
    says: /Monday 00:00–24:00 → 00:00–23:30/,
    edit: async (page) => {
      const week = page.get('week-TimeBlockList');
      await week.focus();
      await page.page.keyboard.press('End');
      await page.page.keyboard.press('Space');
    },
    after: async (page) => {
      expect(await page.get('week-TimeBlockList').getAttribute('aria-label')).toContain(
        'Monday: 00:00–23:30',
      );
    },
  },
  {
    area: 'passback',
    kind: 'recorder',
    place: 'passback/basic',
    says: /Detection window begins.*60 min/s,
    edit: (page) => page.type('beginTime', '60'),
    after: async (page) => {
      expect(await page.input('beginTime').inputValue()).toBe('60');
    },
  },
  {
    area: 'humanRecognition',
    kind: 'ai',
    place: 'humanRecognition/config',
    says: /Analysis mode.*Group behavior/s,
    edit: async (page) => {
      await page.input('analysisParam.analysisMode').selectOption('groupBehavior');
      await page.type('analysisParam.captureInterval', '30');
    },
    after: async (page) => {
      expect(await page.input('analysisParam.captureInterval').inputValue()).toBe('30');
    },
  },
  {
    area: 'thermal',
    kind: 'thermal',
    place: 'thermal/thermometryBasic',
    says: /Distance.*7 m/s,
    edit: (page) => page.type('distance', '7'),
    after: async (page) => {
      expect(await page.input('distance').inputValue()).toBe('7');
    },
  },
];

describe('settings of every area that has some', () => {
  it.each(SETTINGS)(
    '$area is edited, shown as a difference, written and read back',
    async ({ kind, place, edit, says, outcome: due = 'effective', after }) => {
      await device.open(adopted.ids[kind], place);
      const before = writes(kind).length;

      await edit(device);
      const lines = await device.review();
      const outcome = await device.write();

      expect(lines.join('\n')).toMatch(says);
      // A card password cannot be read back.
      expect(outcome).toBe(due);
      expect(writes(kind).length).toBe(before + 1);
      await device.settled();
      await after(device);
    },
  );
});

describe('areas without settings', () => {
  it('aiPlatform creates a task: channels are named, periods painted, linkages told apart from none', async () => {
    await device.open(adopted.ids.ai, 'aiPlatform/picturePollingTasks.create');
    await device.type('taskID', 'lobby-1');
    // The device names its engines: a number became a choice.
    await device.input('engine').selectOption('1');
    await device.get('list-channel-entries').check();
    await device.input('channel[0]').selectOption('2');
    await device.type('pollingTime', '60');
    await device.get('list-EventTrigger-empty').check();

    expect(await device.send()).toBe('ok');

    await device.open(adopted.ids.ai, 'aiPlatform/picturePollingTasks.list');
    await device.get('status-body').waitFor();
    expect(await device.get('status-body').innerText()).toContain('lobby-1');
  });

  it('token sets a key, which never appears on the screen', async () => {
    await device.open(adopted.ids.recorder, 'token/secretKey.set');
    await device.get('input-tokenAuthenticateEnable-true').check();
    await device.type('keyInfo.key', 'c2VjcmV0LWtleS0xMjM0NQ==');

    expect(await device.send(adopted.names.recorder)).toBe('ok');
    expect(await device.page.locator('main').innerText()).not.toContain('c2VjcmV0');
  });

  it('gate shows its status live', async () => {
    await device.open(adopted.ids.gate, 'gate/status');
    await device.get('status-body').waitFor();
    const before = await device.get('status-body').innerText();
    await device.get('live').check();
    site.clock.advance(600_000);

    await expect.poll(() => device.get('status-body').innerText()).not.toBe(before);
    expect(await device.get('status-body').innerText()).toMatch(/People passed, entering\s+\d+/);
  });

  // Would catch: "up to 56 entry".
  it('passback says how many periods a plan takes', async () => {
    await device.open(adopted.ids.recorder, 'passback/historyPlan');

    await device.page.getByText('up to 56 entries').waitFor();
  });

  it('system tells what the device can in three states', async () => {
    await device.open(adopted.ids.thermal, 'system/capabilities');
    await device.get('flag').first().waitFor();

    const states = new Set(
      await device.get('flag').evaluateAll((flags) => flags.map((flag) => flag.getAttribute('data-state'))),
    );
    expect(states.has('true') && states.has('false')).toBe(true);
    await device.open(adopted.ids.thermal, 'interface');
    expect(Number(await device.get('count-not-reported').locator('dd').innerText())).toBeGreaterThan(0);
  });
});
