import { beforeEach, describe, expect, it } from 'vitest';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { faults } from './axe.ts';
import { focusedTestId, nextFrame } from './pages/in-page.ts';
import { TemplatesPage } from './pages/templates-page.ts';
import { byId } from './pages/test-id.ts';

let app: App;
let templates: TemplatesPage;
beforeEach(async () => {
  app = await openApp({ viewport: { width: 1440, height: 900 } });
  templates = new TemplatesPage(app.page);
});

const LANES = `# Kept by the head office
fieldwright: template/1
name: Lanes
variables:
  distance: { type: integer, default: 2, min: 1, max: 20 }
sections:
  # first the optics
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value:
      emissivityMode: customsettings # skin
      emissivity: 0.98
      distance: \${distance}
`;

/** Drafts that the window keeps of unsaved texts. */
const KEPT_DRAFTS = `new Promise((resolve) => {
  const opened = indexedDB.open('fieldwright-drafts');
  opened.onsuccess = () => {
    const done = (kept) => { opened.result.close(); resolve(JSON.stringify(kept)); };
    if (!opened.result.objectStoreNames.contains('templates')) return done([]);
    const all = opened.result.transaction('templates').objectStore('templates').getAll();
    all.onsuccess = () => done(all.result);
  };
})`;
const keptDrafts = (): Promise<string> => app.page.evaluate<string>(KEPT_DRAFTS);
/** Waits until the last typed words would come back after a crash. */
async function untilKept(words: string): Promise<void> {
  while (!(await keptDrafts()).includes(words)) await nextFrame(app.page);
}

describe('forms and text', () => {
  it('are one document: an edit in a form changes its line alone, an edit in the text shows in the form', async () => {
    await templates.import(LANES);
    await templates.get('input-emissivity').fill('0.95');
    await templates.waitForText('emissivity: 0.95');
    const byForm = await templates.text();
    await templates.caretBehind('emissivity: 0.95');
    await app.page.keyboard.press('Backspace');
    await app.page.keyboard.type('7');
    await templates.waitForValue('input-emissivity', '0.97');

    expect(byForm).toBe(LANES.replace('0.98', '0.95'));
    expect(await templates.text()).toBe(LANES.replace('0.98', '0.97'));
    expect(app.complaints).toEqual([]);
  });

  it('share one history', async () => {
    await templates.import(LANES);
    await templates.get('section-optional').check();
    await templates.waitForText('optional: true');
    await templates.get('input-emissivity').fill('0.9');
    await templates.waitForText('emissivity: 0.9\n');

    await app.page.keyboard.press('Control+z');
    await templates.waitForText('emissivity: 0.98');
    await app.page.keyboard.press('Control+z');
    const undone = await templates.text();
    await templates.get('redo').click();
    await templates.get('redo').click();

    expect(undone).toBe(LANES);
    expect(await templates.text()).toContain('emissivity: 0.9\n');
  });

  it('show the last good state, locked, while the text is no YAML', async () => {
    await templates.import(LANES);
    await templates.get('input-emissivity').waitFor();
    await templates.caretBehind('name: Lanes');
    await app.page.keyboard.type(': x: [');
    await templates.get('forms-stale').waitFor();

    expect(await templates.get('section-optional').isDisabled()).toBe(true);
    expect(await templates.openSection().innerText()).toContain('0.98');
  });

  it('tell a field that is left alone from one that is removed, set or filled by a variable', async () => {
    await templates.import(LANES);
    await templates.get('add-field-').click();
    await templates.get('search-field').fill('reflective');
    await templates.get('add-field-').click();
    await templates.get('take-out-emissivityMode').click();
    await templates.waitForText('value:\n      emissivity');
    await templates.get('variable-emissivity').click();
    await templates.get('variable-new').check();
    await templates.get('variable-name').fill('skin');
    await templates.get('confirm-variable').click();
    await templates.waitForText('emissivity: ${skin}');
    await app.page.locator('.cm-variable', { hasText: '${skin}' }).waitFor();
    await templates.get('null-distance').click();
    await templates.waitForText('distance: null');
    const text = await templates.text();

    expect(text).toContain('  skin:\n    type: number\n    default: 0.98\n    min: 0.01\n    max: 1\n');
    expect(text).toContain('# first the optics');
  });

  it('adds sections from everything that can be set, moves and removes them', async () => {
    await templates.import(LANES.replace('name: Lanes\n', 'name: Lanes\nappliesTo: { kinds: [thermal] }\n'));
    await templates.get('add-section').click();
    // Would catch: a picker that begins with whatever comes first in the specification.
    expect(await templates.get('section-picker').locator('h3').first().innerText()).toBe('Thermal');
    await templates.get('search-section').fill('voice');
    await templates.get('pick-accessControl.hostConfig').check();
    await templates.get('confirm-sections').click();
    await templates.waitForText('set: accessControl.hostConfig');
    await byId(templates.openSection(), 'section-up').click();
    await templates.waitForText(
      'sections:\n  - set: accessControl.hostConfig\n    value: {}\n  # first the optics',
    );
    await byId(templates.openSection(), 'section-remove').click();
    await templates.get('section-card').nth(1).waitFor({ state: 'detached' });

    expect(await templates.text()).toBe(
      LANES.replace('name: Lanes\n', 'name: Lanes\nappliesTo: { kinds: [thermal] }\n'),
    );
  });
});

describe('a setting that is added', () => {
  it('stands there empty, is asked for, and takes what is typed', async () => {
    await templates.import(LANES.replace('      emissivity: 0.98\n', ''));
    await templates.get('add-field-').click();
    // Would catch: a list that opens below the window, and Enter that takes none of it.
    const box = await templates.get('search-field').boundingBox();
    expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThan(900);
    await app.page.keyboard.type('emissivity');
    expect(await templates.get('add-emissivity').count()).toBe(1);
    await app.page.keyboard.press('Enter');
    await templates.get('input-emissivity').waitFor();
    await templates.get('search-field').fill('');
    await templates.get('add-enabled').click();
    await templates.checked('errors');

    expect(await templates.get('input-emissivity').inputValue()).toBe('');
    expect(await app.page.locator('[data-test-id="finding"][data-code="missing-field"]').count()).toBe(2);

    await templates.get('input-emissivity').fill('0.98');
    await templates.get('input-enabled-true').click({ force: true });
    await templates.checked('ok');

    expect(await templates.text()).toMatch(/emissivity: 0\.98\n/);
    expect(await templates.text()).toMatch(/enabled: true\n/);
    expect(app.complaints).toEqual([]);
  });
});

describe('the text editor', () => {
  it('names a wrong value at its line, in the form and in the check, and mends a mistyped name', async () => {
    await templates.import(
      LANES.replace('0.98', '7').replace('distance: ${distance}', 'distanse: ${distance}'),
    );
    await templates.checked('errors');
    const lines = await app.page.evaluate<string[]>(
      `[...document.querySelectorAll('[data-test-id="finding"]')].map((row) => row.dataset.code + ' ' + row.dataset.line)`,
    );

    expect(lines).toEqual(expect.arrayContaining(['out-of-range 12', 'unknown-field 13']));
    expect(
      await templates.openSection().locator('[data-test-id="field-error"]').first().innerText(),
    ).toContain('0.01');

    await app.page
      .locator('[data-test-id="finding"][data-code="unknown-field"] [data-test-id="finding-fix"]')
      .click();
    await templates.waitForText('distance: ${distance}');
    await app.page
      .locator('[data-test-id="finding"][data-code="out-of-range"] [data-test-id="finding-text"]')
      .click();
    await app.page.locator('.cm-lintRange-error').first().waitFor();
    expect(await focusedTestId(app.page)).toBe('template-yaml');
  });

  it('suggests what may stand at the place and inserts it', async () => {
    // Enter takes a suggestion only after it was visible for a moment, so that none is taken unseen while
    // typing.
    await app.page.clock.install();
    await templates.import(LANES);
    await templates.caretBehind('emissivity: 0.98');
    await app.page.keyboard.press('Enter');
    await app.page.keyboard.type('distanceU');
    await app.page.locator('.cm-completionLabel', { hasText: 'distanceUnit' }).waitFor();
    await app.page.keyboard.press('Control+ ');
    await app.page.locator('.cm-tooltip-autocomplete li[aria-selected]').waitFor();
    await app.page.clock.fastForward(100);
    await app.page.keyboard.press('Enter');
    await templates.waitForText('distanceUnit: ');
    await app.page.keyboard.type('fe');
    await app.page.locator('.cm-completionLabel', { hasText: 'feet' }).waitFor();
    await app.page.clock.fastForward(100);
    await app.page.keyboard.press('Enter');

    await templates.waitForText('distanceUnit: feet');
    await templates.waitForValue('input-distanceUnit', 'feet');
  });

  it('offers nothing while something is typed into a form, nor on a click afterwards', async () => {
    await app.page.clock.install();
    await templates.import(LANES.replace(' # skin', ''));
    await templates.caretBehind('emissivityMode: customsettings');
    await templates.get('input-emissivity').fill('0.95');
    await templates.waitForText('emissivity: 0.95');
    await app.page.clock.fastForward(1000);
    const whileTyping = await app.page.locator('.cm-tooltip-autocomplete').count();
    await templates.caretBehind('emissivityMode: customsettings');
    await app.page.clock.fastForward(1000);

    expect([whileTyping, await app.page.locator('.cm-tooltip-autocomplete').count()]).toEqual([0, 0]);
  });

  it('lets the keyboard go on after Escape', async () => {
    await templates.import(LANES);
    await templates.caretBehind('name: Lanes');
    await app.page.keyboard.press('Escape');
    await app.page.keyboard.press('Tab');

    expect(await focusedTestId(app.page)).not.toBe('template-yaml');
  });
});

describe('versions', () => {
  it('are saved with a note, compared in words and lines, and restored', async () => {
    await templates.import(LANES);
    await templates.save('as delivered');
    await templates.get('input-emissivity').fill('0.9');
    await templates.save('darker paint');
    await templates.tab('versions');
    await templates.get('version-row').nth(1).waitFor();
    const rows = await templates.get('version-row').allInnerTexts();
    await templates.get('compare-before').selectOption('1');
    await templates.get('compare-after').selectOption('2');
    await templates.get('compare').click();
    const words = await byId(templates.get('comparison'), 'value-diff').innerText();
    await templates.get('text-diff').locator('.cm-editor').first().waitFor();
    await byId(templates.get('version-row').nth(1), 'restore-version').click();

    await templates.waitForText('emissivity: 0.98');
    expect(rows[0]).toContain('darker paint');
    expect(rows[1]).toContain('as delivered');
    expect(words).toMatch(/Emissivity[\s\S]*0\.98[\s\S]*0\.9/);
    await templates.save('');
    expect(app.engine.templates.list().find((entry) => entry.source === 'own')).toMatchObject({
      name: 'Lanes',
      version: 3,
      text: LANES,
    });
  });

  it('shows both where somebody saved meanwhile, and loses neither', async () => {
    await templates.import(LANES);
    await templates.save('');
    const own = app.engine.templates.list().find((entry) => entry.source === 'own');
    app.engine.templates.save({ id: own?.id ?? '', text: LANES.replace('0.98', '0.91') });
    await templates.get('input-emissivity').fill('0.9');
    await app.page.locator('[data-test-id="save-version"]:not([disabled])').click();
    await templates.get('confirm-save').click();
    await templates.get('conflict-dialog').waitFor();
    await templates.get('save-mine').click();
    await app.page.locator('[data-test-id="template-editor"][data-dirty="false"]').waitFor();

    expect(app.engine.templates.versions({ id: own?.id ?? '' })).toHaveLength(3);
    expect(app.engine.templates.list().find((entry) => entry.source === 'own')?.text).toContain(
      'emissivity: 0.9\n',
    );
  });

  it('guards what is not saved, on leaving and over a reload', async () => {
    await templates.import(LANES);
    await templates.save('');
    await templates.get('input-emissivity').fill('0.9');
    await templates.waitForText('0.9\n');
    await templates.get('nav-devices').click();
    await templates.get('leave-dialog').waitFor();
    await templates.get('stay').click();
    await untilKept('emissivity: 0.9\\n');
    app.page.once('dialog', (dialog) => void dialog.accept());
    await app.page.reload();
    await templates.get('take-draft').click();

    await templates.waitForText('emissivity: 0.9\n');
  });

  // Would catch: the text that was only loaded kept in the place of the draft that is offered beside it.
  it('goes on offering a draft until somebody decides', async () => {
    await templates.import(LANES);
    await templates.save('');
    await templates.get('input-emissivity').fill('0.9');
    await templates.waitForText('0.9\n');
    await untilKept('emissivity: 0.9\\n');
    app.page.once('dialog', (dialog) => void dialog.accept());
    await app.page.clock.install();
    await app.page.reload();
    await templates.get('take-draft').waitFor();
    await app.page.clock.fastForward(10_000);
    const kept = await keptDrafts();
    await app.page.reload();
    await templates.get('drop-draft').click();
    await templates.get('take-draft').waitFor({ state: 'detached' });
    await app.page.reload();
    await templates.checked('ok');

    expect(kept).toContain('emissivity: 0.9\\n');
    expect(await templates.get('take-draft').count()).toBe(0);
    expect(await templates.text()).toContain('emissivity: 0.98');
  });

  // Would catch: text typed beside an undecided draft kept nowhere, or in its place.
  it('keeps what is typed while a draft is offered, and offers one after the other', async () => {
    await templates.import(LANES);
    await templates.save('');
    for (const value of ['0.9', '0.8']) {
      await templates.get('input-emissivity').fill(value);
      await untilKept(`emissivity: ${value}\\n`);
      app.page.once('dialog', (dialog) => void dialog.accept());
      await app.page.reload();
      await templates.get('take-draft').waitFor();
    }

    await templates.get('take-draft').click();
    await templates.waitForText('emissivity: 0.8\n');
    await templates.get('take-draft').click();
    await templates.waitForText('emissivity: 0.9\n');

    expect(await templates.get('take-draft').count()).toBe(0);
  });

  // Would catch: a new text from before a crash, overwritten by the next new one.
  it('offers a new text that was not saved beside another one that is begun', async () => {
    await templates.import(LANES);
    await untilKept('first the optics');
    app.page.once('dialog', (dialog) => void dialog.accept());
    await app.page.reload();
    await templates.get('draft-notice').waitFor();
    app.page.once('dialog', (dialog) => void dialog.accept());
    await app.page.goto(`${new URL(app.page.url()).origin}/?again#/changes/templates`);

    await templates.import('fieldwright: template/1\nname: Another\nsections: []\n');
    await templates.get('take-draft').click();

    await templates.waitForText('first the optics');
  });

  // Would catch: a button below a saved text that empties it; drafts of new texts offered at one that has a name.
  it('says no more of drafts of new texts where one of them was saved', async () => {
    await templates.import(LANES);
    await untilKept('first the optics');
    app.page.once('dialog', (dialog) => void dialog.accept());
    await app.page.reload();
    await templates.get('draft-notice').waitFor();
    await templates.save('');
    await templates.get('draft-notice').waitFor({ state: 'detached' });

    expect(await templates.text()).toContain('first the optics');
    expect(await keptDrafts()).toBe('[]');
  });
});

describe('capture', () => {
  it('reads a device into a template that passes the check', async () => {
    const site = await app.site({ devices: 2, kinds: ['thermal', 'gate'] });
    await adoptSite(app, site);
    await templates.list();
    await templates.get('capture-template').click();
    await templates.get('start-capture').click();
    await templates.get('captured-notice').waitFor();
    await templates.checked('ok');

    expect(await templates.text()).toContain('set: thermal.thermometryBasic');
    expect(await templates.get('section-card').count()).toBeGreaterThan(1);
    expect(app.complaints).toEqual([]);
  });
});

describe('hostile files', () => {
  it.each([
    [
      'an alias bomb',
      `fieldwright: template/1\nname: x\na: &a [1,1,1,1,1,1,1,1,1,1]\n${[...'bcdefgh'].map((name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[index]}`).join(',')}]`).join('\n')}\nsections: [*h]\n`,
    ],
    [
      'prototype keys',
      'fieldwright: template/1\nname: x\n__proto__: { polluted: true }\nsections:\n  - set: a\n    value: { constructor: { prototype: { polluted: 1 } } }\n',
    ],
    [
      'markup',
      'fieldwright: template/1\nname: "<img src=x onerror=alert(1)>"\nsections:\n  - set: "<script>alert(1)</script>"\n    value: {}\n',
    ],
  ])('%s: errors are shown and the page lives', async (_what, text) => {
    await templates.import(text);
    await templates.checked('errors');

    await templates.replaceText(LANES);
    await templates.checked('ok');
    expect(await app.page.evaluate<unknown>('({}).polluted')).toBeUndefined();
    expect(app.complaints).toEqual([]);
  });

  it('reads UTF-16 and refuses what is no text', async () => {
    await templates.import(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(LANES, 'utf16le')]));
    expect(await templates.text()).toBe(LANES);
    await templates.get('nav-changes').click();
    await templates.get('leave').click();
    await templates.get('template-row').first().waitFor();
    await templates.get('template-file').setInputFiles({
      name: 'film.yaml',
      mimeType: 'text/yaml',
      buffer: Buffer.from([0xff, 0x00, 0xc3, 0x28, 0x80]),
    });

    await app.page.locator('[data-test-id="error-notice"][data-code="unreadable-file"]').waitFor();
  });
});

describe.each([
  // Forms and text beside each other, then one of them.
  ['dark', 'zh-CN', 1440],
  ['light', 'en-US', 512],
] as const)('in %s, %s, %i wide', (colorScheme, locale, width) => {
  it('is free of accessibility faults and never wider than the window', async () => {
    app = await openApp({ viewport: { width, height: 700 }, colorScheme, locale });
    templates = new TemplatesPage(app.page);
    const found: string[] = [];
    const look = async (where: string): Promise<void> => {
      found.push(...(await faults(app.page, where)));
    };

    await templates.list();
    await look('list');
    await templates.import(LANES.replace('0.98', '7'));
    if (width < 1180) await templates.tab('forms');
    await templates.get('input-emissivity').waitFor();
    await templates.get('add-field-').click();
    await look('forms');
    await templates.get('toggle-variables').click();
    await templates.get('variable-row').first().locator('button').first().click();
    await look('variables');
    await templates.get('add-section').click();
    await look('picker');
    await app.page.keyboard.press('Escape');
    await templates.tab('text');
    await look('text');
    await templates.checked('errors');
    await look('check');
    await templates.tab('versions');
    await look('versions');

    expect(found).toEqual([]);
    expect(app.complaints).toEqual([]);
  });
});

const NIGHT = `fieldwright: template/1
name: Night
sections:
  - set: events.thermometrySchedule
    params: { channelID: 1 }
    value:
      TimeBlockList:
        - { dayOfWeek: 1, TimeRange: { beginTime: "22:00:00", endTime: "06:00:00" } }
`;

describe('what is unusual', () => {
  it('stands beside the text and in the form as a warning, and the template is valid', async () => {
    await templates.import(NIGHT);

    await templates.get('field-warning').waitFor();
    await templates.get('tab-check').click();
    await templates.get('check-warnings').waitFor();

    expect(await templates.get('check-state').getAttribute('data-state')).toBe('ok');
    expect(await templates.get('warning').count()).toBe(1);
    expect(await templates.get('field-warning').innerText()).toContain('midnight');
    expect(await templates.get('field-error').count()).toBe(0);
    expect(app.complaints).toEqual([]);
  });
});
