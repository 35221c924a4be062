/** Templates that come and go as files, from devices, and out of the list; and what the keyboard learns in the editor. */
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { goToHash, nextFrame } from './pages/in-page.ts';
import { TemplatesPage } from './pages/templates-page.ts';
import { byId } from './pages/test-id.ts';

let app: App;
let templates: TemplatesPage;
beforeEach(async () => {
  app = await openApp({ viewport: { width: 1440, height: 900 } });
  templates = new TemplatesPage(app.page);
});

const LANES = `fieldwright: template/1
name: Lanes
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value:
      emissivity: &skin 0.98
  - set: thermal.thermometryBasic
    params: { channelID: 2 }
    value: { emissivity: *skin }
`;
const PLAIN = `fieldwright: template/1
name: Plain
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value: { emissivity: 0.98, distance: 2 }
`;

describe('a file', () => {
  // Would catch: a tab that leaves the app for a file that fell beside its place, or files that vanish without a word.
  it('dropped anywhere is opened, and of several the screen says which were not', async () => {
    await goToHash(app.page, '#/devices');
    await templates.get('desktop-events').waitFor({ state: 'attached' });
    const isHeld = await app.page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(PLAIN)}], 'plain.yaml', { type: 'text/yaml' }));
      data.items.add(new File(['employeeNo,name'], 'people.csv', { type: 'text/csv' }));
      const drag = { dataTransfer: data, bubbles: true, cancelable: true };
      return ['dragover', 'drop'].map((name) => !document.querySelector('main').dispatchEvent(new DragEvent(name, drag)));
    })()`);
    await templates.get('template-editor').waitFor();
    await app.page.getByText('Not opened: people.csv.').first().waitFor();

    expect(isHeld).toEqual([true, true]);

    expect(await templates.text()).toBe(PLAIN);
    expect(app.complaints).toEqual([]);
  });

  it('leaves with the line ends it came with', async () => {
    const windows = PLAIN.replaceAll('\n', '\r\n');
    await templates.import(windows);
    const [download] = await Promise.all([
      app.page.waitForEvent('download'),
      templates.get('export-template').click(),
    ]);

    expect(download.suggestedFilename()).toBe('Plain.fwtemplate');
    expect(await readFile(await download.path(), 'utf8')).toBe(windows);
  });
});

describe('an own template', () => {
  it('is deleted only after a question, and gone then', async () => {
    await templates.import(PLAIN);
    await templates.save('');
    await templates.list();
    await byId(templates.row('Plain'), 'row-remove').click();
    await templates.get('remove-dialog').waitFor();
    const before = app.engine.templates.list().some(({ name }) => name === 'Plain');
    await templates.get('confirm-remove').click();
    await templates.row('Plain').waitFor({ state: 'detached' });

    expect(before).toBe(true);
    expect(app.engine.templates.list().some(({ name }) => name === 'Plain')).toBe(false);
  });
});

// Would catch: an empty editor called a new template, in which work is begun that belongs nowhere.
it('an address without a template says so; one made elsewhere meanwhile is opened', async () => {
  await templates.list();
  await goToHash(app.page, '#/changes/templates/gone');
  await app.page.locator('[data-test-id="error-notice"][data-code="not-found"]').waitFor();
  const offered = await templates.get('save-version').count();
  const { id } = app.engine.templates.save({ text: PLAIN });
  await goToHash(app.page, `#/changes/templates/${id}`);
  await templates.waitForText('name: Plain');
  const { id: other } = app.engine.templates.save({ text: LANES });
  await goToHash(app.page, `#/changes/templates/${other}`);
  await templates.waitForText('name: Lanes');
  await templates.replaceText(PLAIN);
  await goToHash(app.page, `#/changes/templates/${id}`);
  await templates.get('stay').click();

  expect(await templates.text()).toContain('name: Plain');
  expect(await templates.get('template-editor').getAttribute('data-dirty')).toBe('true');
  expect(offered).toBe(0);
  expect(app.complaints).toEqual([]);
});

describe('saved reports', () => {
  it('of a device name the value it would not take, at its place; a file that is none is refused', async () => {
    await templates.import(
      PLAIN.replace('thermometryBasic', 'thermometryMode').replace(
        '{ emissivity: 0.98, distance: 2 }',
        '{ mode: AI }',
      ),
    );
    await templates.checked('ok');
    const report = {
      name: 'Lobby 1',
      url: 'http://192.0.2.7',
      limits: [
        {
          operation: 'thermal.thermometryMode.capabilities.get',
          path: 'mode',
          options: ['normal', 'expert'],
        },
      ],
    };
    await templates.get('report-files').setInputFiles({
      name: 'lobby.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(report)),
    });
    const device = templates.get('report-device');
    await device.waitFor();
    const words = await device.innerText();
    await device.locator('li button').click();
    await app.page.locator('.cm-activeLine', { hasText: 'mode: AI' }).waitFor();
    await templates.tab('check');
    await templates
      .get('report-files')
      .setInputFiles({ name: 'film.json', mimeType: 'application/json', buffer: Buffer.from('[]') });

    await app.page.locator('[data-test-id="error-notice"][data-code="unreadable-file"]').waitFor();
    expect(words).toContain('Lobby 1');
    expect(words).toContain('expert');
  });
});

describe('devices that were read before', () => {
  // Would catch: a check that wants files of what the app has read itself, or that asks the devices again.
  it('say what they would not take, without being asked', async () => {
    const site = await app.site({ devices: 1, kinds: ['thermal'] });
    const { ids } = await adoptSite(app, site);
    const deviceIds = [ids.thermal ?? ''];
    for await (const _event of app.engine.reports.gather({ deviceIds }, AbortSignal.timeout(60_000)));
    const asked = site.device(0).requests.length;
    await templates.import(
      PLAIN.replace('thermometryBasic', 'thermometryMode').replace(
        '{ emissivity: 0.98, distance: 2 }',
        '{ mode: AI }',
      ),
    );
    await templates.checked('ok');

    await templates.get('check-known').click();
    const words = await templates.get('report-device').innerText();

    expect(words).toContain('expert');
    expect(await templates.get('known-devices').innerText()).toContain('1 device was read before');
    expect(site.device(0).requests).toHaveLength(asked);
  });
});

describe('capture', () => {
  it('stops when it is cancelled and leaves the list as it was', async () => {
    const site = await app.site({ devices: 1, kinds: ['recorder'], slowMs: 60_000 });
    await adoptSite(app, site);
    site.device(0).setFault('slow');
    await templates.list();
    await templates.get('capture-template').click();
    await templates.get('start-capture').click();
    await templates.get('cancel-capture').click();
    await templates.get('start-capture').waitFor();
    for (let turn = 0; turn < 20; turn += 1) await nextFrame(app.page);

    expect(await templates.get('template-editor').count()).toBe(0);
    expect(await templates.get('capture-dialog').count()).toBe(1);
    expect(app.complaints).toEqual([]);
  });
});

describe('the editor', () => {
  it('tells by F1 what stands at the cursor, and Escape takes it away', async () => {
    await templates.import(PLAIN.replace('{ emissivity: 0.98, distance: 2 }', '\n      emissivity: 0.98'));
    await templates.caretBehind('emissivity: 0.98');
    await app.page.keyboard.press('F1');
    const words = await templates.get('hover').innerText();
    await app.page.keyboard.press('Escape');
    await templates.get('hover').waitFor({ state: 'detached' });

    expect(words).toContain('Emissivity');
    expect(words).toContain('0.01 to 1');
  });

  it('changes in a form only what was meant where the text has an alias', async () => {
    await templates.import(LANES);
    await templates.get('input-emissivity').fill('0.9');
    await templates.waitForText('&skin 0.9\n');

    expect(await templates.text()).toContain('value: { emissivity: 0.98 }');
  });

  it('takes a variable in a cell of a table', async () => {
    await templates.import(
      PLAIN.replace(
        '{ emissivity: 0.98, distance: 2 }',
        '\n      AlertOutputIOPortList:\n        - { portID: "1", enabled: true }',
      ),
    );
    await templates.get('variable-AlertOutputIOPortList[0].enabled').click();
    await templates.get('variable-new').check();
    await templates.get('variable-name').fill('siren');
    await templates.get('confirm-variable').click();
    await templates.waitForText('enabled: "${siren}"');
    await templates.get('stand-in-AlertOutputIOPortList[0].enabled').waitFor();
    await templates.checked('ok');

    expect(await templates.text()).toContain('  siren:\n    type: boolean\n    default: true\n');
    expect(app.complaints).toEqual([]);
  });
});
