import { beforeEach, describe, expect, it } from 'vitest';
import type { Site, SiteOptions } from '#simulator/index.ts';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { countActions } from './actions.ts';
import { violations } from './axe.ts';
import { ApplyPage } from './pages/apply-page.ts';
import { goToHash } from './pages/in-page.ts';
import { SitePage } from './pages/site-page.ts';
import { pickDevice } from './pages/pick-device.ts';
import { input } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

const TEMPLATE = `fieldwright: template/1
name: Entrance distances
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value: { distance: 3 }
`;

/**
 * A device that spreads its answers over this time keeps a job under way until the test has pressed its
 * buttons.
 */
const LONG_MS = 60_000;

async function adopted(options: SiteOptions): Promise<Site> {
  const site = await app.site({ kinds: ['thermal'], ...options });
  await adoptSite(app, site);
  return site;
}

/** Leads to the panel of the options for careful work. */
async function planned(): Promise<ApplyPage> {
  const apply = new ApplyPage(app.page);
  await apply.visit();
  await apply.openTemplate(TEMPLATE);
  await apply.toDevices();
  await new SitePage(app.page).selectAll();
  await apply.plan();
  await apply.get('to-apply').click();
  return apply;
}

async function begin(apply: ApplyPage): Promise<void> {
  await apply.get('agree').check();
  await apply.get('start-apply').click();
}

describe('a job under way', () => {
  it('goes in waves, pauses and continues, and says where it is', async () => {
    const site = await adopted({ devices: 6, slowMs: LONG_MS });
    const apply = await planned();
    site.device(1).setFault('slow');
    await apply.option('canary', '1');
    await apply.option('wave', '2');
    await apply.option('concurrency', '1');
    expect(await apply.get('course').innerText()).toMatch(
      /trial on 1 device.*5 devices in 3 waves of up to 2/s,
    );

    await begin(apply);
    await apply
      .get('job-wave')
      .filter({ hasText: /Wave \d of 3/ })
      .waitFor();
    await apply.get('pause-job').click();
    await apply.get('job-progress').filter({ hasText: 'Pausing' }).waitFor();
    site.device(1).clearFaults();
    await apply.get('job-progress').filter({ hasText: 'Paused; no further' }).waitFor();
    const held = await apply.get('progress-count').innerText();
    const found = await violations(app.page, 'paused');
    expect(app.engine.jobs.list()[0]).toMatchObject({ state: 'running', paused: true });
    await apply.get('unpause-job').click();

    expect(await apply.result()).toBe('done');
    expect(held).not.toMatch(/^6/);
    expect(found).toEqual([]);
  });

  it('is cancelled for good: what was not begun stays untouched and can be finished later', async () => {
    const site = await adopted({ devices: 5, slowMs: LONG_MS });
    const apply = await planned();
    await apply.option('canary', '0');
    await apply.option('concurrency', '1');
    site.device(1).setFault('slow');
    await begin(apply);
    await apply.get('job-now').waitFor();

    await apply.get('cancel-job').click();

    expect(await apply.result()).toBe('cancelled');
    site.device(1).clearFaults();
    expect(site.device(4).requests.filter(({ method }) => method === 'PUT')).toHaveLength(0);
    await apply.get('resume-job').click();
    await apply.get('start-resume').click();
    expect(await apply.result()).toBe('done');
  });
});

describe('after the program was closed', () => {
  it('finishes on the screen what was left, and writes nothing twice', async () => {
    const site = await adopted({ devices: 5, slowMs: LONG_MS });
    const apply = await planned();
    await apply.option('canary', '0');
    await apply.option('concurrency', '1');
    site.device(1).setFault('slow');
    await begin(apply);
    await apply.get('job-now').waitFor();
    const id = app.engine.jobs.list()[0]?.id ?? '';

    app = await app.reopen();
    site.device(1).clearFaults();
    const again = new ApplyPage(app.page);
    await again.visitHistory();
    await again.get('job-row').first().click();
    await again.get('resume-job').click();
    await again.get('job-target').first().waitFor();
    const found = await violations(app.page, 'resume');
    await again.get('start-resume').click();
    const state = await again.result();

    expect(state).toBe('done');
    expect(app.page.url()).toContain(id);
    expect(await again.get('job-runs').locator('li').count()).toBe(2);
    expect(
      site.devices.map(
        (_device, index) => site.device(index).requests.filter(({ method }) => method === 'PUT').length,
      ),
    ).toEqual([1, 1, 1, 1, 1]);
    expect(found).toEqual([]);
  });
});

const SECRET = `fieldwright: template/1
name: Locked cards
variables:
  cardLock: { type: secret }
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value: { distance: 3 }
  - set: storage.rwLock
    optional: true
    value: { enabled: true, passwd: "\${cardLock}" }
`;

describe('a retry of a template with secrets', () => {
  it('asks for them before anything is read, and not again before it writes', async () => {
    const site = await adopted({ devices: 2 });
    const apply = new ApplyPage(app.page);
    await apply.visit();
    await apply.openTemplate(SECRET);
    await input(app.page, 'variable-cardLock').fill('c4rd-lock');
    await apply.toDevices();
    await new SitePage(app.page).selectAll();
    await apply.plan();
    site.device(1).setFault('ignored', 1, { operation: 'thermal.thermometryBasic.put' });
    await apply.start();
    expect(await apply.result()).toBe('failed');
    site.device(1).clearFaults();
    const before = site.device(1).requests.length;

    await apply.get('retry-failed').click();
    await apply.get('retry-preview').waitFor();
    const found = await violations(app.page, 'secrets of a retry');
    expect(await apply.get('plan-retry').isDisabled()).toBe(true);
    expect(site.device(1).requests).toHaveLength(before);
    await input(app.page, 'secret-cardLock').fill('c4rd-lock');
    await apply.get('plan-retry').click();
    await apply.get('plan-groups').waitFor();
    await apply.get('to-apply').click();
    expect(await apply.get('secret-fields').count()).toBe(0);
    await apply.get('agree').check();
    await apply.get('start-apply').click();

    expect(await apply.result()).toBe('done');
    expect(found).toEqual([]);
  });
});

describe('settings that count after a restart', () => {
  it('are one list of devices, waited for and verified once they were restarted', async () => {
    const site = await adopted({ devices: 2 });
    const apply = await planned();
    site.device(0).setFault('reboot', 1, { operation: 'thermal.thermometryBasic.put' });
    await begin(apply);
    await apply.result();
    expect((await apply.outcomes()).join()).toMatch(/1\s*Needs restart/);
    expect(await apply.get('reboot-panel').locator('[data-test-id="chosen-name"]').count()).toBe(1);
    expect(await apply.get('job-summary').locator('h2').innerText()).toBe(
      '1 of 2 devices are as asked, read back.',
    );
    const found = await violations(app.page, 'reboot list');

    await apply.get('follow-up').click();
    await apply.get('job-progress').filter({ hasText: 'Waiting for devices to restart' }).waitFor();
    site.device(0).clearFaults();
    await site.device(0).restart(300);

    expect(await apply.result()).toBe('done');
    expect((await apply.outcomes()).join()).toMatch(/2\s*Verified/);
    expect(await apply.get('reboot-panel').count()).toBe(0);
    expect(found).toEqual([]);
  });
});

describe('devices that all wait for a restart', () => {
  it('are never "all done": not on the job, not in the list, not in their row, not on their page', async () => {
    const site = await adopted({ devices: 2 });
    const apply = await planned();
    for (const index of [0, 1])
      site.device(index).setFault('reboot', 1, { operation: 'thermal.thermometryBasic.put' });
    await begin(apply);
    await apply.result();
    const headline = await apply.get('job-summary').locator('h2').innerText();
    await apply.visitHistory();
    const row = await apply.get('job-row').first().innerText();
    await apply.get('nav-devices').click();
    await app.page.locator('[data-exception="restart"]').nth(1).waitFor();
    await goToHash(app.page, `#/devices/${app.engine.devices.list()[0]?.id ?? ''}`);
    await apply.get('restart-due').waitFor();
    const found = await violations(app.page, 'restart due');
    const band = await apply.get('device-head').innerText();
    await apply.get('restarted').click();
    await apply.get('restart-due').waitFor({ state: 'detached' });

    expect(headline).toBe('0 of 2 devices are as asked.');
    expect(row).toMatch(/Waiting for restart.*2 take effect after a restart/s);
    expect(band).toContain(site.devices[0]?.name ?? '?');
    expect(app.engine.devices.list().map(({ restartDue }) => restartDue === undefined)).toEqual([
      true,
      false,
    ]);
    expect(found).toEqual([]);
  });
});

describe('devices that get nothing', () => {
  it('stay in the result, the history and the file, and those that need somebody are tried again', async () => {
    const site = await adopted({ devices: 5, kinds: ['thermal', 'thermal', 'thermal', 'gate', 'gate'] });
    site.device(1).setFault('busy', 1, { method: 'GET', operation: 'thermal.thermometryBasic.get' });
    await site.device(2).close();
    const apply = await planned();
    await begin(apply);
    await apply.result();
    const headline = await apply.get('job-summary').locator('h2').innerText();
    const groups = await apply.get('result-group').count();
    const file = await apply.saved('export-csv');
    await apply.visitHistory();
    const row = await apply.get('job-row').first().innerText();
    await apply.get('job-row').first().click();
    await apply.get('retry-failed').click();
    await apply.get('plan-summary').waitFor();

    expect(headline).toBe('1 of 5 devices are as asked, read back.');
    expect(groups).toBe(4);
    expect(site.devices.filter(({ url }) => !file.text.includes(url))).toEqual([]);
    expect(row).toContain('2 still need you. 2 have no such setting.');
    expect(await apply.get('plan-group').count()).toBe(2);
  });
});

describe('history', () => {
  it('is searched and filtered, and saved as CSV that names every change', async () => {
    await adopted({ devices: 2 });
    const apply = await planned();
    await begin(apply);
    await apply.result();
    await apply.visitHistory();
    await apply.get('job-row').first().waitFor();
    const found = await violations(app.page, 'history');

    await apply.get('history-search').locator('input').fill('nothing of the kind');
    await apply.get('empty-state').waitFor();
    await apply.get('history-clear').click();
    await apply.get('history-search').locator('input').fill('entrance dist');
    await apply.get('job-row').first().waitFor();
    await apply.get('history-state').selectOption('cancelled');
    await apply.get('job-row').first().waitFor({ state: 'detached' });
    await apply.get('history-state').selectOption('done');
    await apply.get('job-row').first().waitFor();
    const file = await apply.saved('export-csv');

    expect(file.name).toMatch(/\.csv$/);
    expect(
      file.text.split(/\r?\n/).filter((line) => /distance/i.test(line) && /Entrance distances/.test(line)),
    ).toHaveLength(2);
    expect(JSON.parse((await apply.saved('export-json')).text)).toBeTruthy();
    expect(found).toEqual([]);
  });
});

describe('replacing a device', () => {
  // Would catch: a button away from where people look for it, one question too many, or a device that is written before a yes.
  it('is found on the device, shows what becomes of it, and takes six clicks at most', async () => {
    const site = await adopted({ devices: 2 });
    const [old, by] = app.engine.devices.list();
    const apply = new ApplyPage(app.page);
    await goToHash(app.page, `#/devices/${old?.id ?? ''}`);
    await apply.get('device-replace').waitFor();
    const actions = await countActions(app.page);

    await apply.get('device-replace').click();
    await pickDevice(app.page, 'new-device', by?.name);
    await apply.get('replace-summary').waitFor();
    const found = await violations(app.page, 'replace');
    const written = site.device(1).requests.filter(({ method }) => method === 'PUT').length;
    await apply.get('begin-replacement').click();
    const clicks = await actions.clicks();
    const result = await apply.result();
    await apply.get('undo-job').waitFor();
    await goToHash(app.page, '#/devices/archive');
    const archived = await apply.get('archived-device').innerText();

    expect(clicks).toBeLessThanOrEqual(6);
    expect([written, result, found]).toEqual([0, 'done', []]);
    expect(archived).toContain(old?.name);
    expect(app.engine.devices.list()).toMatchObject([{ id: by?.id, name: old?.name }]);
  });
});

describe('a page that is loaded anew in the middle of a job', () => {
  // Would catch: an empty first step, and nothing that says what goes on or where to stop it.
  it('goes on showing it, to its end', async () => {
    const site = await adopted({ devices: 4, slowMs: LONG_MS });
    const apply = await planned();
    site.device(1).setFault('slow');
    await apply.option('canary', '0');
    await apply.option('concurrency', '1');
    await begin(apply);
    await apply.get('job-now').waitFor();
    await apply.get('pause-job').click();
    await apply.get('unpause-job').waitFor();
    site.device(1).clearFaults();

    await app.page.reload();
    await apply.get('unpause-job').click();

    expect(await apply.result()).toBe('done');
    await apply.get('start-over').click();
    await apply.get('template-item').first().waitFor();
    expect(app.page.url()).toMatch(/#\/changes\/apply\?step=template$/);
  });
});

describe('the steps of the wizard', () => {
  it('stand in the address: a reload and the ways back keep template, devices and plan', async () => {
    const site = await adopted({ devices: 3 });
    const apply = await planned();
    const place = app.page.url();

    await app.page.reload();
    await apply.get('agree').waitFor();
    await app.page.goBack();
    await apply.get('plan-groups').waitFor();
    await app.page.reload();
    await apply.get('plan-summary').waitFor();
    const summary = await apply.get('plan-summary').innerText();
    await app.page.goBack();
    await apply.get('make-plan').waitFor();
    await app.page.goBack();
    await apply.get('template-name').filter({ hasText: 'Entrance distances' }).waitFor();
    await app.page.goForward();
    await app.page.goForward();
    await apply.get('plan-groups').waitFor();
    await app.page.goForward();
    await begin(apply);
    await apply.result();
    const job = app.page.url();
    await app.page.goBack();
    await apply.get('plan-groups').waitFor();
    await app.page.goForward();
    await apply.result();

    expect(place).toMatch(/step=apply&plan=p-/);
    expect(summary).toBe('3 changes on 3 devices');
    expect(job).toMatch(/job=j-/);
    expect(app.page.url()).toBe(job);
    expect(
      site.devices.map(
        (_device, index) => site.device(index).requests.filter(({ method }) => method === 'PUT').length,
      ),
    ).toEqual([1, 1, 1]);
  });
});

describe('the undo of another job', () => {
  async function applied(deviceIds: readonly string[], distance: number): Promise<string> {
    const signal = AbortSignal.timeout(60_000);
    const templateText = TEMPLATE.replace('distance: 3', `distance: ${distance}`);
    for await (const event of app.engine.plans.create({ templateText, deviceIds }, signal)) {
      if (event.type !== 'plan') continue;
      const { jobId } = app.engine.jobs.start({ plan: event.plan });
      for await (const step of app.engine.jobs.watch({ id: jobId }, signal))
        if (step.type === 'end') return jobId;
    }
    throw new Error('There is no plan.');
  }

  // Would catch: what was shown and agreed to for one job being done to another one.
  it('is shown and agreed to anew', async () => {
    await adopted({ devices: 2 });
    const ids = app.engine.devices.list().map(({ id }) => id);
    const first = await applied(ids, 3);
    const second = await applied(ids.slice(0, 1), 4);
    const undo = new ApplyPage(app.page);
    await goToHash(app.page, `#/work/history/${first}/undo`);
    await undo.get('agree').check();

    await goToHash(app.page, `#/work/history/${second}/undo`);
    await undo.get('undo-screen').filter({ hasText: second }).waitFor();

    expect(await undo.get('agree').isChecked()).toBe(false);
    expect(await undo.get('start-undo').innerText()).toMatch(/1 device/);
    expect(app.complaints).toEqual([]);
  });
});

describe('a template that is to be applied after a job', () => {
  // Would catch: the results of the job before, and the template nowhere to be seen.
  it('is chosen for a new run', async () => {
    await adopted({ devices: 1 });
    const apply = await planned();
    await begin(apply);
    await apply.result();

    await goToHash(app.page, '#/changes/templates');
    await apply.get('template-row').first().waitFor();
    await goToHash(app.page, '#/changes/apply?template=bundled:site-basics');

    await apply.get('template-name').filter({ hasText: 'Site basics' }).waitFor();
    expect(await apply.get('job-result').count()).toBe(0);
    expect(app.page.url()).toMatch(/#\/changes\/apply\?step=template$/);
  });
});
