/** Tasks about people and packages whose clicks are promised, counted from the list of devices. */
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { FINGERPRINTS } from '#simulator/areas/people/fingerprint-readers.ts';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import { countActions } from './actions.ts';
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

const openPlace = (path: string) => app.page.locator(`nav a[href="#${path}"]`).first().click();

// Would catch: a plan that stands out of sight while its button lights up, rows counted per terminal,
// and a screen that takes more clicks than promised.
it('imports 500 people with 9 wrong rows onto 4 gates in at most 8 clicks', async () => {
  const site = await app.site({ kinds: ['gate'], devices: 4, users: 5 });
  await adoptSite(app, site);
  const { page } = app;
  const rows = Array.from({ length: 500 }, (_, at) =>
    at % 55 === 0 && at < 490 ? `${7000 + at},Wrong ${at},robot` : `${7000 + at},Person ${at},female`,
  );
  const wrong = rows.filter((row) => row.endsWith('robot')).length;
  expect(wrong).toBe(9);

  await goToHash(page, '#/devices');
  const actions = await countActions(page);
  await openPlace('/people');
  await byId(page, 'bring').click();
  const choosing = page.waitForEvent('filechooser');
  await byId(page, 'choose-file').click();
  await (
    await choosing
  ).setFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['employeeNo,name,gender', ...rows].join('\n')),
  });
  await byId(page, 'select-all').check();
  await byId(page, 'plan').click();
  await byId(page, 'planned').getByText('491 new, 0 known already, 9 wrong.').waitFor();
  await byId(page, 'person-row').first().waitFor();
  await look(app.page, 'import-plan');
  await expect.poll(() => isInSight('people-plan')).toBe(true);
  expect(await violations(page, 'import plan')).toEqual([]);
  await byId(page, 'begin').click();
  await byId(page, 'job-summary').getByText('491 of 500 people are on all 4 terminals').waitFor();
  await byId(page, 'save-failed').waitFor();
  await look(app.page, 'import-result');
  const download = page.waitForEvent('download');
  await byId(page, 'save-failed').click();
  const saved = readFileSync(await (await download).path(), 'utf8');

  expect(await actions.clicks()).toBeLessThanOrEqual(8);
  expect(saved.trimEnd().split('\n')).toHaveLength(10);
  for (const nth of site.devices.keys()) expect(site.device(nth).part(PEOPLE).count).toBe(496);
});

/** True if the top of an element is within the window. */
const isInSight = (id: string): Promise<boolean> =>
  byId(app.page, id).evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    return top >= 0 && top < (element.ownerDocument.defaultView?.innerHeight ?? 0) / 2;
  });

// Would catch: a question that does not name the person, and terminals listed that never had them.
it('removes a leaver everywhere, with a receipt, in at most 5 clicks', async () => {
  const site = await app.site({ kinds: ['gate'], devices: 3, users: 6 });
  await adoptSite(app, site);
  const { page } = app;
  const gate = site.device(0).part(PEOPLE);
  const { employeeNo, name } = await firstPerson();

  await goToHash(page, '#/devices');
  const actions = await countActions(page);
  await openPlace('/people');
  await pickDevice(page, 'terminal');
  await byId(page, 'person').first().waitFor();
  await page.keyboard.type(employeeNo);
  await byId(page, 'remove').click();
  await byId(page, 'remove-question').getByText(`Remove ${name} (${employeeNo}) from`).waitFor();
  await look(app.page, 'leaver-question');
  expect(await violations(page, 'leaver')).toEqual([]);
  await byId(page, 'remove-now').click();
  await byId(page, 'receipt-lines').waitFor();
  await look(app.page, 'leaver-receipt');
  await byId(page, 'open-receipt').click();
  const preview = byId(page, 'document-preview');
  await preview.getByText('All of it is done and was read back.').waitFor();

  expect(await actions.clicks()).toBeLessThanOrEqual(5);
  expect(await preview.getByText(employeeNo).count()).toBeGreaterThan(0);
  expect(gate.count).toBe(5);
});

/** A person of the first device, whose number no other person's record holds. */
async function firstPerson(): Promise<{ readonly employeeNo: string; readonly name: string }> {
  const deviceId = app.engine.devices.list()[0]?.id ?? '';
  for await (const event of app.engine.people.read({ deviceId }, AbortSignal.timeout(20_000)))
    if (event.type === 'people') {
      const [person] = event.people;
      if (person !== undefined) return { employeeNo: person.employeeNo, name: person.name ?? '' };
    }
  throw new Error('The device has no people');
}

// Would catch: readers that are ticked one by one.
it('brings a finger to all readers in at most 6 clicks', async () => {
  const site = await app.site({ kinds: ['gate'], devices: 3, users: 6 });
  await adoptSite(app, site);
  const { page } = app;
  const { employeeNo } = await firstPerson();

  await goToHash(page, '#/devices');
  const actions = await countActions(page);
  await openPlace('/people');
  await pickDevice(page, 'terminal');
  await byId(page, 'person').first().waitFor();
  await page.keyboard.type(employeeNo);
  await byId(page, 'enrol-found').click();
  await page.locator('[data-finger="2"][aria-checked="true"]').waitFor();
  await byId(page, 'next').click();
  await byId(page, 'all-readers').click();
  await look(app.page, 'finger-readers');
  await byId(page, 'next').click();
  await page.locator('[data-test-id="capture"][data-phase="waiting"]').waitFor();
  const at = app.engine.devices.list().map(({ url }) => url);
  const first = site.devices.findIndex(({ url }) => url.startsWith(at[0] ?? ' '));
  site.device(Math.max(first, 0)).part(FINGERPRINTS).present(employeeNo, 2, [1]);
  await page.locator('[data-test-id="capture"][data-phase="ended"]').waitFor();
  await look(app.page, 'finger-result');

  expect(await actions.clicks()).toBeLessThanOrEqual(6);
  expect(await page.locator('[data-status="taken"]').count()).toBe(6);
});

// Would catch: a package id that is typed although the file names it, and a plan below the fold.
it('sends a package to 6 devices in at most 8 clicks', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldwright-package-'));
  const site = await app.site({ kinds: ['ai'], devices: 6 });
  await adoptSite(app, site);
  const { page } = app;
  const file = join(folder, 'helmet-7.bin');
  writeFileSync(file, Buffer.alloc(1_000_000, 9));

  try {
    await goToHash(page, '#/devices');
    const actions = await countActions(page);
    await openPlace('/models');
    await byId(page, 'send-package').click();
    const choosing = page.waitForEvent('filechooser');
    await byId(page, 'choose-file').click();
    await (await choosing).setFiles(file);
    await page.getByText('helmet-7.bin').waitFor();
    await byId(page, 'select-all').check();
    await byId(page, 'engine-choice').nth(1).check();
    await byId(page, 'check-package').click();
    await byId(page, 'model-plan').waitFor();
    await look(app.page, 'package-plan');
    await expect.poll(() => isInSight('model-plan')).toBe(true);
    await byId(page, 'begin-send').click();
    await byId(page, 'transfer-screen').waitFor();

    expect(await actions.clicks()).toBeLessThanOrEqual(8);
    await expect.poll(() => byId(page, 'transfer-row').count()).toBe(6);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

// Would catch: fingerprints in bulk that need the command line, a template in the page, and a result that
// does not say which reader has what.
it("brings a file of fingerprints to the readers of all gates, then removes a person's from them", async () => {
  const site = await app.site({ kinds: ['gate'], devices: 2, users: 6 });
  await adoptSite(app, site);
  const { page } = app;
  const { employeeNo } = await firstPerson();
  const fingerData = Buffer.alloc(192, 'finger of a person').toString('base64');
  const lines = [
    JSON.stringify({ employeeNo, fingerPrintID: 4, fingerType: 'normalFP', fingerData }),
    'not a fingerprint',
  ];
  const held = (nth: number) => site.device(nth).part(FINGERPRINTS).find(employeeNo, undefined, 4);

  await goToHash(page, '#/people');
  await byId(page, 'prints').click();
  const choosing = page.waitForEvent('filechooser');
  await byId(page, 'choose-file').click();
  await (
    await choosing
  ).setFiles({
    name: 'fingers.ndjson',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(lines.join('\n')),
  });
  await byId(page, 'select-all').check();
  await byId(page, 'reader-1').check();
  await byId(page, 'reader-2').check();
  await look(app.page, 'prints-choice');
  expect(await violations(page, 'fingerprints')).toEqual([]);
  await byId(page, 'plan').click();
  await byId(page, 'prints-read').getByText('1 fingerprint of 1 person, 1 wrong line.').waitFor();
  await look(app.page, 'prints-plan');
  expect(await violations(page, 'fingerprints plan')).toEqual([]);
  expect([held(0).length, held(1).length]).toEqual([0, 0]);
  await byId(page, 'begin').click();
  await byId(page, 'job-summary').getByText('4 of 4 fingerprints on readers are as asked.').waitFor();
  await look(app.page, 'prints-result');
  expect(await violations(page, 'fingerprints result')).toEqual([]);
  expect([held(0).length, held(1).length]).toEqual([2, 2]);
  expect(await page.content()).not.toContain(fingerData.slice(0, 24));

  await goToHash(page, '#/people/fingerprints');
  await page.getByRole('radio', { name: 'Remove' }).check();
  await byId(page, 'numbers').locator('input').fill(employeeNo);
  await byId(page, 'select-all').check();
  await byId(page, 'plan').click();
  await byId(page, 'prints-plan').getByText(employeeNo).waitFor();
  await byId(page, 'begin').click();
  await byId(page, 'job-summary').waitFor();
  expect([held(0).length, held(1).length]).toEqual([0, 0]);
  expect(app.complaints).toEqual([]);
});
