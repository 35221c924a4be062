import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Device } from '#shared/model.ts';
import type { Site } from '#simulator/index.ts';
import { startServer } from '../engine/device/hostile-server.ts';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { faults } from './axe.ts';
import { goToHash } from './pages/in-page.ts';
import { ConsolePage } from './pages/console-page.ts';
import { pickDevice } from './pages/pick-device.ts';
import { byId } from './pages/test-id.ts';

/** A thermal camera and a gate in the inventory, signed in. */
async function equip(
  app: App,
): Promise<{ readonly site: Site; readonly thermal: Device; readonly gate: Device }> {
  const site = await app.site({ devices: 2, kinds: ['thermal', 'gate'] });
  const { ids } = await adoptSite(app, site);
  return {
    site,
    thermal: app.engine.devices.find(ids.thermal),
    gate: app.engine.devices.find(ids.gate),
  };
}

describe('the console', () => {
  let app: App;
  let page: ConsolePage;
  let site: Site;
  let thermal: Device;
  let gate: Device;
  beforeEach(async () => {
    app = await openApp();
    ({ site, thermal, gate } = await equip(app));
    page = new ConsolePage(app.page);
  });

  function writes(index: number): readonly string[] {
    return site
      .device(index)
      .requests.filter(({ method, http }) => method !== 'GET' && http !== 401)
      .map(({ method, path }) => `${method} ${path}`);
  }

  it('finds an operation, reads, and shows value, request, answer and a command line without password', async () => {
    // The address of earlier versions leads to the same screen.
    await goToHash(app.page, '#/console');
    await pickDevice(app.page, 'console-device', thermal.name);
    await page.input('operation-search').fill('thermometrybasic get');
    await page.input('operation-search').press('ArrowDown');
    await app.page.keyboard.press('ArrowDown');
    await app.page.keyboard.press('Enter');
    await page.input('param-channelID').fill('2');
    const state = await page.send();
    const value = await page.get('answer-value').innerText();
    const answer = await page.text('text', 'answer-text');
    const curl = await page.text('curl', 'curl-text');

    expect(state).toBe('ok');
    expect(value).toContain('emissivityMode');
    expect(answer).toMatch(/HTTP 200[\s\S]*<ThermometryBasicParam/);
    expect(curl).toContain(`--digest --user ${site.devices[0]?.user}`);
    expect(curl).toContain(`${thermal.url}/API/Thermal/channels/2/`);
    expect(await app.page.content()).not.toContain(site.devices[0]?.password);
    expect(app.complaints).toEqual([]);
  });

  // Would catch: members of the device's own and the limits of a capability document, which no part of the screen shows.
  it('shows what a device sends beside the value, and what each field takes', async () => {
    const server = await startServer((request, response) =>
      response.end(
        request.url?.endsWith('/capabilities') === true
          ? '<ChannelControllerCfg><openAndCloseSpeed min="1" max="10" def="5">4</openAndCloseSpeed><vendorMode opt="slow,fast"/></ChannelControllerCfg>'
          : '<ThermometryMode><mode>AI</mode><vendorRule><level>L3</level></vendorRule></ThermometryMode>',
      ),
    );
    const foreign = app.engine.devices.add({ name: 'Foreign', address: server.url });

    await page.open('thermal.thermometryMode.get', foreign.id);
    await page.input('param-channelID').fill('1');
    await page.send();
    const own = await page.get('answer-unlisted').innerText();
    await page.open('gate.channelController.capabilities.get', foreign.id);
    await page.send();
    const rows = await page.get('limits').locator('tbody tr').allInnerTexts();
    await server.close();

    expect(own).toMatch(/vendorRule[\s\S]*level[\s\S]*L3/);
    expect(rows.map((row) => row.replaceAll(/\s+/g, ' '))).toEqual([
      'Opening and closing speed openAndCloseSpeed 1–10 · default 5',
      'vendorMode vendorMode not in the specification slow, fast',
    ]);
    expect(await faults(app.page, 'console')).toEqual([]);
    expect(app.complaints).toEqual([]);
  });

  it('refuses a wrong value by its field before anything is sent', async () => {
    await page.open('thermal.thermometryBasic.put', thermal.id);
    await page.get('load-present').click();
    await page.get('tab-json').click();
    const text = await page.get('json-body').inputValue();
    await page.get('json-body').fill(text.replace('"temperatureUnit": "', '"temperatureUnit": "wrong '));
    await page.get('send').click();

    expect(await page.get('json-problem').allInnerTexts()).toEqual([
      expect.stringContaining('temperatureUnit'),
    ]);
    expect(await page.get('send-problem').isVisible()).toBe(true);
    expect(writes(0)).toEqual([]);
  });

  it('writes what was read and changed, after asking', async () => {
    await page.open('thermal.thermometryBasic.put', thermal.id);
    await page.get('load-present').click();
    await page.get('tab-json').click();
    await page
      .get('json-body')
      .fill((await page.get('json-body').inputValue()).replace(/"distance": \d+/, '"distance": 17'));
    await page.get('send').click();
    await page.get('cancel').click();
    const afterCancel = writes(0);
    const state = await page.send(() => page.confirm());
    const read = await app.engine.operations.call(
      { deviceId: thermal.id, operation: 'thermal.thermometryBasic.get', params: { channelID: 1 } },
      new AbortController().signal,
    );

    expect(afterCancel).toEqual([]);
    expect(state).toBe('ok');
    expect(read.value).toMatchObject({ distance: 17 });
  });

  it('removes only after the device was named', async () => {
    await page.open('accessControl.localController.deleteAll', gate.id);
    await page.get('send').click();
    const before = await page.get('confirm-send').isEnabled();
    await page.input('confirm-name').fill(thermal.name);
    const wrong = await page.get('confirm-send').isEnabled();
    await page.input('confirm-name').fill(gate.name);
    await page.confirm();
    await page.get('answer').waitFor();

    expect([before, wrong]).toEqual([false, false]);
    expect(await page.get('answer').getAttribute('data-state')).toBe('ok');
    expect(writes(1)).toEqual(['DELETE /API/AccessControl/localController']);
  });

  it('sends text as it is where the specification shows no body, and to any path', async () => {
    await page.open('token.check', thermal.id);
    await page.get('raw-body').fill('{"token":"t0psecret"}');
    const unspecified = await page.send(() => page.confirm());
    const sent = site.device(0).requests.findLast(({ method, http }) => method === 'POST' && http !== 401);
    const shown = await page.text('text', 'request-text');
    await page.open('request', thermal.id);
    await page.input('free-path').fill('/API/System/capabilities');
    const free = await page.send();

    expect(sent?.bodyHash).toBe(createHash('sha256').update('{"token":"t0psecret"}').digest('hex'));
    expect(unspecified).not.toBe('error');
    expect(shown).toContain('{"token":"••••••"}');
    expect(free).toBe('ok');
    expect(await page.text('text', 'answer-text')).toContain('<DeviceCap');
  });

  it('takes a secret once: hidden while typed, gone after sending, in no history', async () => {
    await page.open('storage.rwLock.put', thermal.id);
    const control = page.get('input-passwd');
    const type = await control.getAttribute('type');
    await control.fill('h1dden-key');
    await page.get('tab-json').click();
    const json = await page.get('json-body').inputValue();
    await page.get('json-body').fill(json.replace('{', '{ "enabled": true,'));
    await page.get('tab-form').click();
    const state = await page.send(() => page.confirm());
    const curl = await page.text('curl', 'curl-text');
    const unlocked = await app.engine.operations.call(
      { deviceId: thermal.id, operation: 'storage.unlock.put', body: { passwd: 'h1dden-key' } },
      new AbortController().signal,
    );

    expect([type, state, unlocked.outcome]).toEqual(['password', 'ok', 'ok']);
    expect(json).not.toContain('h1dden');
    expect(await control.inputValue()).toBe('');
    expect(curl).toContain('<passwd>••••••</passwd>');
    expect(await app.page.content()).not.toContain('h1dden');
  });

  it('opens what was sent before again, with its answer, and forgets it when told', async () => {
    await page.open('thermal.thermometryBasic.get', thermal.id);
    await page.input('param-channelID').fill('2');
    await page.send();
    await page.open('request', gate.id);
    await page.get('tab-history').click();
    await page.get('history-entry').first().click();
    await page.get('answer').waitFor();
    const channel = await page.input('param-channelID').inputValue();
    await page.get('clear-history').click();

    expect(channel).toBe('2');
    expect(await page.get('console-device').innerText()).toContain(thermal.name);
    expect(await page.get('history-entry').count()).toBe(0);
    expect(await page.get('answer').count()).toBe(0);
  });

  it('says what is wrong where there is no such operation, no such device, or no answer', async () => {
    const nobody = app.engine.devices.add({ name: 'Nobody', address: 'http://127.0.0.1:9' });
    await page.open('system.capabilities.get', nobody.id);
    const state = await page.send();
    const code = await byId(page.get('answer'), 'error-notice').getAttribute('data-code');
    await page.open('thermal.thermometryBasic.put', nobody.id);
    await page.get('load-present').click();
    const unread = await byId(page.get('operation-form'), 'error-notice').getAttribute('data-code');
    await goToHash(app.page, '#/devices/console/no.such.thing');
    const operation = await page.get('empty-state').innerText();
    await goToHash(app.page, '#/devices/console/system.capabilities.get?device=gone');
    await page.get('operation-title').waitFor();

    expect([state, code, unread]).toEqual(['error', 'connection-refused', 'connection-refused']);
    expect(operation).toContain('no.such.thing');
    expect(await page.get('empty-state').count()).toBe(1);
    expect(await page.get('send').count()).toBe(0);
  });
});

describe.each([
  ['dark, Chinese', { colorScheme: 'dark', locale: 'zh-CN' }],
  ['light, at 200 % zoom', { colorScheme: 'light', viewport: { width: 512, height: 350 } }],
] as const)('accessibility, %s', (_name, options) => {
  it('is without faults on every state of the screen', async () => {
    const app = await openApp(options);
    const page = new ConsolePage(app.page);
    const found: string[] = [];

    await goToHash(app.page, '#/devices/console');
    await page.get('to-site').waitFor();
    found.push(...(await faults(app.page, 'no device')));
    const { thermal, gate } = await equip(app);
    await page.get('operation-list').waitFor();
    found.push(...(await faults(app.page, 'list')));
    await page.open('thermal.thermometryBasic.get', thermal.id);
    await page.send();
    found.push(...(await faults(app.page, 'value')));
    await page.get('tab-text').click();
    found.push(...(await faults(app.page, 'text')));
    await page.get('tab-curl').click();
    found.push(...(await faults(app.page, 'curl')));
    await page.open('storage.rwLock.put', thermal.id);
    await page.get('send').click();
    found.push(...(await faults(app.page, 'form with complaints')));
    await page.get('tab-json').click();
    found.push(...(await faults(app.page, 'JSON with complaints')));
    await page.open('accessControl.localController.deleteAll', gate.id);
    await page.get('send').click();
    await page.get('confirm-send').waitFor();
    found.push(...(await faults(app.page, 'confirmation')));
    await app.page.keyboard.press('Escape');
    await page.open('request', gate.id);
    await page.input('free-path').fill('/API/nothing');
    await page.send();
    found.push(...(await faults(app.page, 'refused')));

    expect(found).toEqual([]);
    expect(app.complaints).toEqual([]);
  });
});
