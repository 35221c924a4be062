/** People in the browser: listed, brought from a file with rows that go wrong, removed everywhere, compared. */
import { readFileSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { violations } from './axe.ts';
import { look } from './look.ts';
import { goToHash } from './pages/in-page.ts';
import { pickDevice } from './pages/pick-device.ts';
import { byId } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

it('brings people from a file, saves the rows that went wrong, and removes somebody everywhere', async () => {
  const site = await app.site({ kinds: ['gate'], devices: 2, users: 40 });
  await adoptSite(app, site);
  const { page } = app;
  const count = (device: number): number => site.device(device).part(PEOPLE).count;

  const on = (device: number, employeeNo: string) =>
    site
      .device(device)
      .part(PEOPLE)
      .search('test', 0, { only: new Set([employeeNo]) })
      .page(0, 1)[0]?.record;

  await goToHash(page, '#/people');
  await pickDevice(page, 'terminal');
  await byId(page, 'person').first().waitFor();
  await look(app.page, 'people-1-list');
  expect(await violations(page, 'people')).toEqual([]);
  await byId(page, 'bring').click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      '工号,姓名,Valid until,Shoe size\n9001,张三,2031-05-01,44\n9002,Ada,03/04/2031,37\n9003,Eve,,40\n',
    ),
  });
  await byId(page, 'select-all').check();
  await byId(page, 'plan').click();
  await byId(page, 'people-plan').waitFor();
  await look(app.page, 'people-2-plan');
  expect(await byId(page, 'bad-rows').textContent()).toContain('1');
  expect(await violations(page, 'people plan')).toEqual([]);
  await byId(page, 'begin').click();
  await byId(page, 'failed-rows').waitFor();
  await look(app.page, 'people-3-done');
  const download = page.waitForEvent('download');
  await byId(page, 'save-failed').click();
  const saved = readFileSync(await (await download).path(), 'utf8');
  expect(saved.trimEnd().split('\n')).toHaveLength(2);
  expect(saved).toContain('9002,Ada,03/04/2031,37,');
  expect([count(0), count(1)]).toEqual([42, 42]);

  await goToHash(page, '#/people');
  await byId(page, 'search').fill('张三');
  await byId(page, 'person').filter({ hasText: '张三' }).getByRole('checkbox').check();
  await byId(page, 'remove').click();
  await byId(page, 'remove-question').getByText('Remove 张三 (9001) from 2 terminals?').waitFor();
  for (const { name } of site.devices) await byId(page, 'remove-dialog').getByText(name).waitFor();
  await look(app.page, 'people-4-question');
  expect(await violations(page, 'people removal')).toEqual([]);
  await site.device(1).unplug();
  await byId(page, 'remove-now').click();
  // The remaining work is finished in place, by the one button that offers it.
  const finish = byId(page, 'people-job').getByRole('button', { name: /^(Finish|Go on)/ });
  // The group names the gate and its problem, once.
  const stopped = byId(page, 'result-group').filter({ hasText: site.devices[1]?.name ?? '' });
  await stopped.getByText('Nothing listens at this address').first().waitFor();
  expect(await stopped.getByText('Nothing listens at this address').count()).toBe(1);
  await look(app.page, 'people-4-left');
  expect(await finish.allTextContents()).toEqual(['Finish the rest']);
  await site.device(1).plugIn();
  await finish.click();
  await finish.waitFor({ state: 'detached' });
  await byId(page, 'open-receipt').waitFor();
  await look(app.page, 'people-4-removed');
  await byId(page, 'open-receipt').click();
  const preview = byId(page, 'document-preview');
  await preview.getByText('All of it is done and was read back.').waitFor();
  expect(await preview.getByText('9001').count()).toBe(2);
  expect(await preview.getByText('gone, read back', { exact: true }).count()).toBe(2);
  await look(app.page, 'people-4-receipt');
  expect(await violations(page, 'receipt')).toEqual([]);
  const receipt = page.waitForEvent('download');
  await byId(page, 'save-pdf').click();
  expect((await receipt).suggestedFilename()).toMatch(/^receipt .*\.pdf$/);
  expect([count(0), count(1)]).toEqual([41, 41]);

  await goToHash(page, '#/people');
  await byId(page, 'add-person').click();
  const edit = byId(page, 'person-edit');
  await edit.getByLabel('Employee number').fill('9100');
  await edit.getByLabel('Name', { exact: true }).fill('Grace');
  await look(app.page, 'people-6-add');
  expect(await violations(page, 'person')).toEqual([]);
  await byId(page, 'edit-plan').click();
  await byId(page, 'edit-begin').click();
  await byId(page, 'people-job')
    .getByRole('heading', { name: /^Import of people · / })
    .waitFor();
  await byId(page, 'job-summary').waitFor();
  expect([count(0), count(1)]).toEqual([42, 42]);

  for (const device of [0, 1])
    expect(on(device, '9100')).toMatchObject({ name: 'Grace', userType: 'normal' });

  const open = async (): Promise<void> => {
    await goToHash(page, '#/people');
    await byId(page, 'search').fill('9100');
    await byId(page, 'open-person').filter({ hasText: '9100' }).click();
  };
  await open();
  await byId(page, 'change-person').click();
  await edit.getByLabel('Name', { exact: true }).fill('Grace H.');
  await byId(page, 'edit-plan').click();
  await byId(page, 'people-plan').getByText('Grace H.').first().waitFor();
  await look(app.page, 'people-7-change');
  await byId(page, 'edit-begin').click();
  await byId(page, 'job-summary').waitFor();
  await open();
  await byId(page, 'disable-person').click();
  await byId(page, 'people-plan').waitFor();
  await look(app.page, 'people-8-disable');
  await byId(page, 'edit-begin').click();
  await byId(page, 'job-summary').waitFor();
  for (const device of [0, 1])
    expect(on(device, '9100')).toMatchObject({ name: 'Grace H.', Valid: { enable: true } });

  await goToHash(page, '#/people/places');
  await byId(page, 'compare-now').click();
  await byId(page, 'matrix-row').first().waitFor();
  await look(app.page, 'people-5-places');
  expect(await violations(page, 'people places')).toEqual([]);
  expect(app.complaints).toEqual([]);
});

// Would catch: people whom a terminal's own claim keeps back.
it('people whom the capability of a terminal does not allow for are sent, and the page says so', async () => {
  const site = await app.site({ kinds: ['gate'], devices: 1, users: 2 });
  const gate = site.device(0).part(PEOPLE);
  gate.setLimits({ capability: { userType: { '@opt': 'normal' } } });
  await adoptSite(app, site);
  const { page } = app;

  await goToHash(page, '#/people/bring');
  await page.locator('input[type=file]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('employeeNo,name,userType\n9001,Ada,visitor\n'),
  });
  await byId(page, 'plan').click();
  await byId(page, 'claimed').scrollIntoViewIfNeeded();
  await look(app.page, 'people-7-claimed');
  expect(await violations(page, 'people claimed')).toEqual([]);
  await byId(page, 'begin').click();
  await byId(page, 'job-summary').waitFor();
  expect(gate.count).toBe(3);
});

// Would catch: changes counted on a terminal that was not read, wire names of fields, wrong rows counted as
// devices that need a person, and long names that push a narrow page sideways.
it('a plan and its result count terminals that take something and call fields by their words', async () => {
  const site = await app.site({ kinds: ['gate'], devices: 2, users: 2 });
  const long = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis';
  const ids = site.devices.map(({ url, user, password }, at) => {
    const { id } = app.engine.devices.add({ address: url, name: at === 0 ? long : 'Gate 2' });
    app.engine.credentials.save({ label: id, userName: user, password, deviceIds: [id] });
    return id;
  });
  await app.engine.devices.test({ ids }, AbortSignal.timeout(60_000));
  const { page } = app;
  await page.setViewportSize({ width: 390, height: 844 });
  const sideways = (): Promise<number> =>
    page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth);

  await goToHash(page, '#/people');
  await byId(page, 'terminal').first().waitFor();
  await look(app.page, 'people-9-narrow');
  expect(await sideways()).toBe(0);
  await site.device(1).unplug();
  await byId(page, 'bring').click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('employeeNo,name,gender\n9001,Ada,female\n9002,Eve,robot\n'),
  });
  await byId(page, 'select-all').check();
  await byId(page, 'plan').click();
  await byId(page, 'person-row').first().waitFor();
  await look(app.page, 'people-9-plan');

  expect(await byId(page, 'moving').textContent()).toBe('1 change on 1 terminal');
  expect(await byId(page, 'person-row').first().textContent()).toContain('Gender must be one of');
  expect(await sideways()).toBe(0);

  await site.device(1).plugIn();
  await byId(page, 'begin').click();
  await byId(page, 'job-summary').getByText('1 of 2 people are on both terminals').waitFor();
  const rest = await byId(page, 'result-rest').innerText();
  await look(app.page, 'people-9-result');

  expect(await byId(page, 'resume-job').count()).toBe(0);
  expect(rest).not.toContain('device');
  expect(await sideways()).toBe(0);
});

// Would catch: a copy that overwrites another person because both have the same number, and one that nothing can make do so.
it('copies nobody over another person with the same number unless that is agreed', async () => {
  const site = await app.site({ kinds: ['gate'], devices: 2, users: 3 });
  await adoptSite(app, site);
  const { page } = app;
  const [from = '', to = ''] = app.engine.devices.list().map(({ id }) => id);
  const names = (device: number): readonly unknown[] =>
    site
      .device(device)
      .part(PEOPLE)
      .search('test', 0, {})
      .page(0, 9)
      .map(({ record }) => record['name']);
  for (const employeeNo of ['1001', '1002', '1003'])
    site
      .device(1)
      .part(PEOPLE)
      .put(employeeNo, { employeeNo, name: `Other ${employeeNo}`, userType: 'normal' }, true);

  await goToHash(page, `#/people/bring?from=${from}&to=${to}`);
  await byId(page, 'plan').click();
  await byId(page, 'numbers-taken').waitFor();
  expect(await byId(page, 'begin').isDisabled()).toBe(true);
  expect(await violations(page, 'numbers taken')).toEqual([]);
  await byId(page, 'replace-others').click();
  await page.locator('[data-test-id="begin"]:not([disabled])').click();
  await byId(page, 'job-summary').waitFor();

  expect([names(0), names(1)].map((all) => all.toSorted())).toEqual([
    names(0).toSorted(),
    names(0).toSorted(),
  ]);
});
