/** Model packages in the browser: a rollout with a canary, one device that fails, the engines afterwards. */
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Site } from '#simulator/index.ts';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { violations } from './axe.ts';
import { look } from './look.ts';
import { goToHash } from './pages/in-page.ts';
import { byId } from './pages/test-id.ts';

let app: App;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldwright-package-'));
  app = await openApp();
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The site's time goes on faster: engines initialize for five seconds of it. */
function hurry(site: Site): Disposable {
  const timer = setInterval(() => {
    for (const [nth] of site.devices.entries()) site.device(nth).clock.advance(2_000);
  }, 200);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

it('rolls a package out behind a canary; one device fails, the others run it', async () => {
  const site = await app.site({ kinds: ['ai'], devices: 4 });
  await adoptSite(app, site);
  // The second after the canary cannot decrypt it.
  site.device(2).setFault('decrypt-fails');
  const { page } = app;
  const file = join(folder, 'helmet-7.bin');
  writeFileSync(file, Buffer.alloc(4_000_000, 9));

  await goToHash(page, '#/models');
  await expect.poll(() => byId(page, 'matrix-row').count()).toBe(4);
  await page.getByText('1: Running').first().waitFor();
  await look(app.page, '1-matrix');
  expect(await violations(page, 'matrix')).toEqual([]);

  await byId(page, 'send-package').click();
  await byId(page, 'send-screen').locator('input[type=file]').setInputFiles(file);
  await page.getByText('helmet-7.bin').waitFor();
  await byId(page, 'select-all').check();
  await byId(page, 'mpid').locator('input').fill('helmet-7');
  await byId(page, 'engine-choice').nth(1).check();
  await byId(page, 'canary').locator('input').fill('1');
  await byId(page, 'wave').locator('input').fill('3');
  await byId(page, 'wait').locator('input').fill('10');
  expect(await violations(page, 'send')).toEqual([]);
  await byId(page, 'check-package').click();
  await byId(page, 'model-plan').waitFor();
  await expect.poll(() => byId(page, 'plan-device').count()).toBe(4);
  await look(app.page, '2-plan');
  expect(site.device(0).requests.some(({ method }) => method === 'POST')).toBe(false);

  await byId(page, 'begin-send').click();
  await byId(page, 'transfer-screen').waitFor();
  const stages = () =>
    byId(page, 'transfer-row').evaluateAll((rows) => rows.map((row) => row.dataset['stage']));
  using _ = hurry(site);
  // Would catch: a wave that does not wait for its canary.
  await expect.poll(stages).toEqual(['waits-for-restart', 'waiting', 'waiting', 'waiting']);
  await look(app.page, '3-canary');
  expect(await violations(page, 'transfer')).toEqual([]);
  await site.device(0).restart(300);
  await expect.poll(async () => (await stages())[0]).toBe('proved');
  await expect.poll(async () => (await stages()).slice(1)).toEqual(Array(3).fill('waits-for-restart'));
  await Promise.all([1, 2, 3].map((nth) => site.device(nth).restart(300)));

  // Would catch: a failed device without its mark, or one that takes the others along.
  await expect.poll(stages).toEqual(['proved', 'proved', 'failed', 'proved']);
  await byId(page, 'job-summary').waitFor();
  await page.getByText('cannot decrypt the package').first().waitFor();
  await look(app.page, '4-ended');
  expect(await violations(page, 'ended')).toEqual([]);

  await goToHash(page, '#/models');
  await expect.poll(() => page.getByText('2: Running').count()).toBe(3);
  await look(app.page, '5-after');
  await byId(page, 'board-link').nth(2).click();
  const engine = byId(page, 'engine').nth(1);
  await expect.poll(() => engine.getAttribute('data-status')).toBe('3');
  await look(app.page, '6-board');
  expect(await violations(page, 'board')).toEqual([]);
  await site.device(3).unplug();
  await goToHash(page, '#/models');
  await page.getByRole('button', { name: 'Read again' }).click();
  // Would catch: a device that could not be read, and nothing that says why.
  await byId(page, 'unread').filter({ hasText: 'Nothing listens at this address' }).waitFor();
  await look(app.page, '5-unread');
  await byId(page, 'board-link').nth(2).click();
  site.device(2).clearFaults();
  await byId(engine, 'engine-unload').click();
  await byId(page, 'change-loses').waitFor();
  await look(app.page, '7-unload');
  await byId(page, 'change-go').click();
  await expect.poll(() => engine.getAttribute('data-status')).toBe('0');
  expect(app.complaints).toEqual([]);
});
