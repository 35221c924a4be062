import { beforeEach, describe, expect, it } from 'vitest';
import { adoptSite } from './adopt-site.ts';
import { look } from './look.ts';
import { openApp, type App } from './app.ts';
import { ApplyPage } from './pages/apply-page.ts';
import { SitePage } from './pages/site-page.ts';
import { input } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

const WRONG = `fieldwright: template/1
name: Wrong
sections:
  - set: thermal.thermometryBasics
    params: { channelID: 1 }
    value: { emissivity: 7 }
`;
const SECRET = `fieldwright: template/1
name: Needs values
variables:
  distance: { type: integer, min: 1, max: 5 }
  cardLock: { type: secret }
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value: { distance: \${distance} }
  - set: storage.rwLock
    optional: true
    value: { enabled: true, passwd: "\${cardLock}" }
`;

const PER_DEVICE = `fieldwright: template/1
name: Distances
variables:
  distance: { type: integer, min: 1, max: 5 }
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value: { distance: \${distance} }
`;

const FIXED = `fieldwright: template/1
name: Paint
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value: { emissivity: 0.5 }
`;

async function toTemplates(): Promise<ApplyPage> {
  const apply = new ApplyPage(app.page);
  await apply.visit();
  await apply.get('template-item').first().waitFor();
  return apply;
}

describe('an invalid template', () => {
  it('names the line and the nearest name, and does not let on', async () => {
    const apply = await toTemplates();

    await apply.openTemplate(WRONG);
    const problem = apply.get('template-problem').first();
    await problem.waitFor();

    expect(await problem.getAttribute('data-code')).toBe('unknown-section');
    expect(await problem.innerText()).toMatch(/line 4.*thermal\.thermometryBasic”/s);
    expect(await apply.get('to-devices').isDisabled()).toBe(true);
  });

  it('is refused as a file that is no text', async () => {
    const apply = await toTemplates();

    await apply.get('template-file').setInputFiles({
      name: 'photo.yaml',
      mimeType: 'text/yaml',
      buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff]),
    });

    await apply.get('error-notice').waitFor();
    expect(await apply.get('error-notice').getAttribute('data-code')).toBe('unreadable-file');
  });
});

describe('variables', () => {
  it('must be given within their limits before devices are chosen', async () => {
    const virtual = await app.site({ devices: 1, kinds: ['thermal'] });
    const apply = await toTemplates();
    await apply.openTemplate(SECRET);
    await input(app.page, 'variable-distance').fill('9');

    await apply.get('to-devices').click();

    expect(await apply.get('field-error').allInnerTexts()).toEqual([
      expect.stringContaining('At most 5'),
      expect.stringContaining('fill this in'),
    ]);
    expect(await input(app.page, 'variable-cardLock').getAttribute('type')).toBe('password');
    expect(virtual.device(0).requests).toHaveLength(0);

    await input(app.page, 'variable-distance').fill('3');
    await input(app.page, 'variable-cardLock').fill('4711');
    await apply.toDevices();
  });
});

describe('values for each device', () => {
  it('come from a CSV; wrong rows are told with their line and nothing is sent', async () => {
    const virtual = await app.site({ devices: 2, kinds: ['thermal'] });
    const { ids } = await adoptSite(app, virtual);
    const before = virtual.device(0).requests.length;
    const names = virtual.devices.map(({ name }) => name);
    const apply = await toTemplates();
    await apply.openTemplate(PER_DEVICE);
    await input(app.page, 'variable-distance').waitFor();

    await apply.openValues(`device,distance\n${names[0]},9\nno such device,2\n${names[0]},3\n`);

    const problems = await apply
      .get('values-problems')
      .locator('[data-test-id="template-problem"]')
      .allInnerTexts();
    expect(problems.map((text) => text.match(/line \d/g)?.at(-1))).toEqual(['line 2', 'line 3', 'line 4']);
    expect(await apply.get('template-state').innerText()).toMatch(/Fix the file/);
    expect(virtual.device(0).requests).toHaveLength(before);

    await apply.openValues(`device;distance\n${names[0]};3\n${names[1]};4\n`);
    await apply.get('values-taken').waitFor();
    await apply.toDevices();
    await apply.plan();

    expect(ids.thermal).not.toBe('');
    expect(await apply.get('plan-group').count(), 'different values are different groups').toBe(2);
  });
});

describe('a plan that is blocked', () => {
  // Would catch: a plan that says why and leaves it to the person to write what frees it.
  it('offers the fix at the line, and makes the plan anew with it', async () => {
    const virtual = await app.site({ devices: 1, kinds: ['thermal'] });
    await adoptSite(app, virtual);
    const [site, apply] = [new SitePage(app.page), new ApplyPage(app.page)];
    await site.selectAll();
    await site.applyTemplate();
    await apply.openTemplate(FIXED);
    await apply.toDevices();
    await apply.plan();
    await look(app.page, 'plan-blocked');
    expect(await apply.get('fix-set').innerText()).toMatch(/^Also set Emissivity mode to Custom settings/);

    await apply.get('fix-set').click();
    await app.page.locator('[data-test-id="plan-group"][data-state="changes"]').waitFor();
    expect(await apply.get('plan-summary').innerText()).toContain('2 changes on 1 device');
    await look(app.page, 'plan-fixed');
    await apply.start();
    await apply.result();

    expect((await apply.outcomes()).join()).toMatch(/1\s*Verified/);
  });
});

describe('results that differ', () => {
  it('groups them, says why, and plans only the failed ones again', async () => {
    const virtual = await app.site({ devices: 3, kinds: ['thermal'] });
    await adoptSite(app, virtual);
    const site = new SitePage(app.page);
    const apply = new ApplyPage(app.page);
    await site.rows.nth(2).locator('[data-state="ok"]').waitFor();
    await site.selectAll();
    await site.applyTemplate();
    await apply.choose('Thermal camera at an entrance');
    await apply.toDevices();
    await apply.plan();
    virtual.device(1).setFault('ignored', 1, { operation: 'thermal.thermometryBasic.put' });

    await apply.start();
    const state = await apply.result();

    expect(state).not.toBe('running');
    expect(await apply.get('result-group').count()).toBe(2);
    expect(await apply.get('result-group').first().getAttribute('data-outcome')).toBe('ignored');
    expect((await apply.outcomes()).join()).toMatch(/1\s*Not applied/);

    virtual.device(1).clearFaults();
    await apply.get('retry-failed').click();
    await apply.get('plan-groups').waitFor();
    expect(await apply.get('plan-summary').innerText()).toContain('1 device');
    await apply.start();
    await apply.result();

    expect((await apply.outcomes()).join()).not.toMatch(/Not applied/);
    expect(app.engine.jobs.list()).toHaveLength(2);
    await apply.visitHistory();
    await apply.get('job-row').nth(1).waitFor();
    await apply.get('job-row').nth(1).click();
    await apply.get('job-summary').waitFor();
    expect(app.page.url()).toContain('#/work/history/');
    await app.page.reload();
    await apply.get('result-group').first().waitFor();
  });
});
