/**
 * A finger enrolled on the screen: person, finger, readers, result, and the next; cancelled in the middle;
 * refused by a reader.
 */
import { beforeEach, expect, it } from 'vitest';
import { FINGERPRINTS } from '#simulator/areas/people/fingerprint-readers.ts';
import type { Site } from '#simulator/index.ts';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { faults } from './axe.ts';
import { look } from './look.ts';
import { goToHash } from './pages/in-page.ts';
import { pickDevice } from './pages/pick-device.ts';
import { byId } from './pages/test-id.ts';

let app: App;
let site: Site;
beforeEach(async () => {
  app = await openApp();
  site = await app.site({ kinds: ['gate'], devices: 2 });
  await adoptSite(app, site);
});

const next = () => byId(app.page, 'next').click();
const put = (employeeNo: string, finger: number) =>
  site.device(0).part(FINGERPRINTS).present(employeeNo, finger, [1]);
const phase = (name: string) => app.page.locator(`[data-test-id="capture"][data-phase="${name}"]`).waitFor();

/** Leads to the step where the finger is to be put on. */
async function upToCapture(employeeNo: string, finger: number): Promise<void> {
  const { page } = app;
  await goToHash(page, '#/people/enrol');
  await byId(page, `person-${employeeNo}`).click();
  await byId(page, `finger-${finger}`).click();
  await next();
  await byId(page, 'all-readers').check();
  await next();
}

it('enrols a finger on every reader, and the next one after it', async () => {
  const { page } = app;
  await goToHash(page, '#/people/enrol');
  await byId(byId(page, 'enrol'), 'search').fill('1005');
  await byId(page, 'person-1005').waitFor();
  await look(page, '1-person');
  expect(await faults(page, 'person')).toEqual([]);
  await byId(page, 'person-1005').click();
  // Proposed first: the index finger of the right hand; the arrow keys go on from there.
  await page.locator('[data-finger="2"][aria-checked="true"]').focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('[data-finger="3"][aria-checked="true"]').waitFor();
  await look(app.page, '2-finger');
  expect(await faults(page, 'finger')).toEqual([]);
  await next();
  for (const reader of await byId(page, 'reader-1').all()) await reader.check();
  await byId(page, 'reader-2').last().check();
  await look(app.page, '3-readers');
  expect(await faults(page, 'readers')).toEqual([]);
  await next();
  await phase('waiting');
  await look(app.page, '4-waiting');
  expect(await faults(page, 'waiting')).toEqual([]);
  const data = put('1005', 3);
  await phase('ended');
  await page.locator('[data-test-id="capture"][data-good="true"]').waitFor();
  await look(app.page, '5-ended');
  expect(await faults(page, 'ended')).toEqual([]);

  expect(await page.locator('[data-status="taken"]').count()).toBe(3);
  expect(site.device(1).part(FINGERPRINTS).find('1005', undefined, 3)).toHaveLength(2);
  // Would catch: a template in the page.
  expect(await page.content()).not.toContain(data.slice(0, 24));

  await byId(page, 'next-finger').click();
  await page.locator('[data-finger="2"][aria-checked="true"]').waitFor();
  await next();
  await next();
  await phase('waiting');
  put('1005', 2);
  await phase('ended');
  expect(site.device(1).part(FINGERPRINTS).find('1005', undefined, 2)).toHaveLength(2);
  expect(app.complaints).toEqual([]);
});

it('ends where somebody cancels, and can be begun again', async () => {
  await upToCapture('1006', 4);
  await phase('waiting');
  await byId(app.page, 'cancel').click();
  await phase('cancelled');
  // Would catch: a terminal that stays busy, or a finger of the first attempt that is taken for the second.
  await byId(app.page, 'retry').click();
  await phase('waiting');
  put('1006', 4);
  await phase('ended');
  expect(site.device(1).part(FINGERPRINTS).find('1006', undefined, 4)).toHaveLength(2);
  expect(app.complaints).toEqual([]);
});

it('says which reader did not take it, and why', async () => {
  site.device(1).setFault('finger-exists', 1, { reader: 1 });
  site.device(1).setFault('reader-old', 1, { reader: 2 });
  await upToCapture('1007', 3);
  await phase('waiting');
  put('1007', 3);
  await phase('ended');

  await app.page.getByText('Person 9999 has this fingerprint on the reader already.').waitFor();
  await app.page.getByText('The version of the reader is too low for this fingerprint.').waitFor();
  await look(app.page, '6-refused');
  expect(await faults(app.page, 'refused')).toEqual([]);
});

it('asks what to do with a finger that is there already', async () => {
  put('1008', 3);
  await upToCapture('1008', 3);
  await phase('there');
  await look(app.page, '7-there');
  await byId(app.page, 'take').click();
  await phase('ended');

  expect(site.device(1).part(FINGERPRINTS).find('1008', undefined, 3)).toHaveLength(2);
});

// Would catch: a terminal reported as restored although it could not be asked any more.
it('says what is to be looked at where the terminal went away', async () => {
  await upToCapture('1006', 4);
  await phase('waiting');
  await site.device(0).unplug();
  await phase('failed');
  await app.page.getByText('The terminal could not be asked again').waitFor();
  await look(app.page, '8-gone');

  await goToHash(app.page, '#/people');
  await pickDevice(app.page, 'terminal');
  await byId(app.page, 'people-screen').getByText('Nothing listens at this address').waitFor();
  expect(await byId(app.page, 'count').count()).toBe(0);
});
