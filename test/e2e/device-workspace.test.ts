import { beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#simulator/index.ts';
import { adoptSite, type AdoptedSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { faults } from './axe.ts';
import { DevicePage } from './pages/device-page.ts';
import { focusedTestId } from './pages/in-page.ts';

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

describe.each([
  ['light', 1024, 'en-US'],
  ['dark', 512, 'zh-CN'],
] as const)('in %s, %i px wide, %s', (colorScheme, width, locale) => {
  it('has no accessibility fault, nothing too wide, and no English left on a Chinese screen', async () => {
    app = await openApp({ colorScheme, locale, viewport: { width, height: 700 } });
    site = await app.site({ devices: 5, kinds: ['gate', 'thermal', 'ai', 'counter', 'recorder'], seed: 5 });
    adopted = await adoptSite(app, site);
    device = new DevicePage(app.page);
    const found: string[] = [];
    const { ids } = adopted;

    for (const [id, place, ready] of [
      [ids.thermal, 'interface', 'count-true'],
      [ids.counter, '', 'fact-status'],
      [ids.thermal, 'records', 'empty-state'],
      [ids.thermal, 'interface/events/thermometrySchedule', 'page-spec'],
      [ids.thermal, 'thermal/thermometryBasic', 'payload-form'],
      [ids.thermal, 'events/thermometrySchedule', 'week-TimeBlockList'],
      [ids.counter, 'peopleCounting/shield', 'payload-form'],
      [ids.ai, 'aiPlatform/picturePollingTasks.create', 'payload-form'],
      [ids.gate, '', 'gate-passages'],
      [ids.gate, 'gate/irStatus', 'status-body'],
      [ids.thermal, 'system/capabilities', 'flag'],
    ] as const) {
      await device.open(id, place);
      await device.get(ready).first().waitFor();
      found.push(...(await faults(app.page, place)));
    }
    await device.open(ids.thermal, 'thermal/thermometryBasic');
    await device.type('emissivity', '7');
    await device.get('review').click();
    await device.get('field-error').first().waitFor();
    found.push(...(await faults(app.page, 'complaint')));
    if (locale === 'zh-CN')
      expect(
        (await device.get('payload-form').innerText()).match(/[A-Z][a-z]+ [a-z]+ [a-z]+/g) ?? [],
      ).toEqual([]);
    await device.type('emissivity', '0.95');
    await device.type('distance', '8');
    await device.review();
    found.push(...(await faults(app.page, 'difference')));

    expect(found).toEqual([]);
    expect(app.complaints).toEqual([]);
  });
});

describe('without a mouse', () => {
  it('finds a field by the search, edits it, writes it', async () => {
    const { page } = app;
    await device.open(adopted.ids.ai, 'interface');
    await device.get('count-true').waitFor();

    await page.keyboard.press('/');
    await page.keyboard.type('maxRegionNum');
    await device.get('found-field').first().waitFor();
    await page.keyboard.press('Enter');
    await device.input('analysisParam.maxRegionNum').waitFor();
    await expect.poll(() => focusedTestId(page)).toBe('input-analysisParam.maxRegionNum');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('3');
    await device.get('review').focus();
    await page.keyboard.press('Enter');
    await device.get('confirm-write').waitFor();
    await expect
      .poll(() => focusedTestId(page), { message: 'the focus is on the button that writes' })
      .toBe('confirm-write');
    await page.keyboard.press('Enter');
    await device.get('verdict').waitFor();

    expect(await device.get('verdict').getAttribute('data-outcome')).toBe('effective');
  });

  // Would catch: the heading of a new screen taking the focus out of a field, in a frame that came late.
  it('keeps the focus in a field that a link led to, however late a busy page draws', async () => {
    const { page } = app;
    await device.open(adopted.ids.ai, 'interface');
    await device.get('count-true').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('maxRegionNum');
    await device.get('found-field').first().waitFor();

    await page.evaluate(
      'window.late = []; window.onTime = window.requestAnimationFrame; window.requestAnimationFrame = (draw) => window.late.push(draw)',
    );
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedTestId(page)).toBe('input-analysisParam.maxRegionNum');
    await page.evaluate(
      'window.requestAnimationFrame = window.onTime; window.late.forEach((draw) => draw(performance.now()))',
    );

    expect(await focusedTestId(page)).toBe('input-analysisParam.maxRegionNum');
  });

  it('paints a week with arrows and Space, and draws a region with arrows', async () => {
    const { page } = app;
    await device.open(adopted.ids.thermal, 'events/temperatureSchedule');
    const week = device.get('week-TimeBlockList');
    await week.waitFor();
    await week.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');

    expect(await week.getAttribute('aria-label')).toContain('Monday: 01:30–24:00');
  });
});

describe('what only the interface needs', () => {
  // Would catch: the id of a schedule as a box to type into, beside the week that a person came for.
  it('is no box on the settings, and stands under the interface details', async () => {
    await device.open(adopted.ids.thermal, 'events/thermometrySchedule');
    await device.get('week-TimeBlockList').waitFor();

    expect(await device.input('id').count()).toBe(0);
    expect(await device.input('eventType').count()).toBe(0);
    expect(await app.page.locator('main').innerText()).not.toContain('/API/');
    await device.open(adopted.ids.thermal, 'interface/events/thermometrySchedule');
    await device.input('id').waitFor();
    expect(await device.get('page-spec').innerText()).toContain('/API/Event/schedules');
  });

  it('leads from the settings of one channel to those of another, without a number to type', async () => {
    await device.open(adopted.ids.thermal, 'settings');
    await device.get('group-alarms').waitFor();
    await device.get('param-channelID-2').click();

    await expect.poll(() => app.page.url()).toContain('channelID=2');
    expect(await app.page.locator('[data-test-id="params"] input[type="text"]').count()).toBe(0);
  });
});

describe('unsaved changes', () => {
  it('are asked about before they are left, and kept when the person stays', async () => {
    const { page } = app;
    await device.open(adopted.ids.thermal, 'thermal/thermometryBasic');
    await device.type('distance', '9');
    await device.get('to-overview').click();
    await device.get('stay').click();

    expect(await device.input('distance').inputValue()).toBe('9');
    expect(page.url()).toContain('thermometryBasic');

    await device.get('to-overview').click();
    await device.get('leave').click();
    await device.get('overview').waitFor();
  });

  it('show what was there, and go back to it one by one', async () => {
    await device.open(adopted.ids.thermal, 'thermal/thermometryBasic');
    const before = await device.input('distance').inputValue();
    await device.type('distance', '12');

    expect(await device.get('field-changed').innerText()).toContain(before);
    await device.get('reset-field').click();
    expect(await device.input('distance').inputValue()).toBe(before);
    expect(await device.get('save-bar').getAttribute('data-changes')).toBe('0');
  });

  it('that do not fit are not sent, and the focus goes to the field', async () => {
    await device.open(adopted.ids.thermal, 'thermal/thermometryBasic');
    const sent = site.device(adopted.index.thermal).requests.length;
    await device.type('emissivity', 'much');
    await device.get('review').click();

    expect(await device.get('field-error').first().innerText()).toBe('This is not a number.');
    expect(await focusedTestId(app.page)).toBe('input-emissivity');
    expect(
      site
        .device(adopted.index.thermal)
        .requests.slice(sent)
        .filter((request) => request.method === 'PUT'),
    ).toEqual([]);
  });
});

describe('what the device says', () => {
  it('is told apart: ignored and needs reboot are no success', async () => {
    const outcomes: string[] = [];
    for (const fault of ['ignored', 'reboot'] as const) {
      await device.open(adopted.ids.recorder, 'passback/basic');
      await device.input('endTime').waitFor();
      await device.type('endTime', String(700 + outcomes.length));
      await device.review();
      site.device(adopted.index.recorder).setFault(fault, 1, { method: 'PUT' });
      outcomes.push(await device.write());
      site.device(adopted.index.recorder).clearFaults();
      await device.settled();
      await device.open(adopted.ids.recorder);
    }

    expect(outcomes).toEqual(['ignored', 'needs-reboot']);
  });

  it('about what it does not have stands folded away, with its words', async () => {
    await device.open(adopted.ids.gate, 'interface');
    const absent = device.get('absent-areas');
    await absent.waitFor();
    await absent.locator('summary').click();

    await expect.poll(() => absent.innerText()).toMatch(/Thermal[\s\S]*notSupport/);
    await device.open(adopted.ids.gate, 'thermal/thermometryMode');
    await device.get('error-notice').waitFor();
    expect(await device.get('error-notice').getAttribute('data-code')).toBe('not-supported');
  });

  it('asks for the name of the device before data is lost for good', async () => {
    await device.open(adopted.ids.counter, 'peopleCounting/count.reset');
    await device.get('send').click();

    expect(await device.get('confirm-action').isDisabled()).toBe(true);
    await device.page.keyboard.press('Escape');
    expect(await device.send(adopted.names.counter)).toBe('ok');
  });

  it('needs consent before a password leaves readable', async () => {
    await device.open(adopted.ids.ai, 'aiPlatform/picturePollingTasks.create');
    await device.type('taskID', 't1');
    await device.input('engine').selectOption('1');
    await device.type('pollingTime', '60');
    await device.get('list-channel-entries').check();
    await device.input('channel[0]').selectOption('1');
    await device.get('list-Destination-entries').check();
    await device.input('Destination[0].destinationType').selectOption('ServerClient');
    await device.type('Destination[0].destinationURL', 'http://10.0.0.1/events');
    await device.type('Destination[0].password', 'hunter22');
    await device.get('send').click();
    await device.get('confirm-action').click();
    await device.get('error-notice').waitFor();

    expect(await device.get('error-notice').getAttribute('data-code')).toBe('consent-needed');
    await device.get('consent').check();
    expect(await device.send()).toBe('ok');
    expect(await app.page.locator('main').innerText()).not.toContain('hunter22');
  });
});

// Would catch: a page that stays at "loading" where a link was followed before its device had come into the list.
it('opens a device that comes into the list only after the link to it was followed', async () => {
  const { watch } = app.engine.devices;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const late = adopted.ids.thermal;
  app.engine.devices.watch = async function* watchLate(signal) {
    for await (const event of watch(signal)) {
      if (event.type !== 'all') yield event;
      else {
        yield { type: 'all', devices: event.devices.filter(({ id }) => id !== late) };
        await held;
        yield event;
      }
    }
  };
  await app.page.reload();
  await app.page.goto(new URL(`#/devices/${late}`, app.page.url()).href);
  await device.get('empty-state').waitFor();

  release();

  await device.get('overview').waitFor();
});
