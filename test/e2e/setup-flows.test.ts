/** The guided flows at the screen, from the first question to the record: a gate, a thermal camera, a token key. */
import { beforeEach, expect, it } from 'vitest';
import type { Answers } from '#engine/flow/scripted.ts';
import type { Asked } from '#shared/flows.ts';
import * as gate from '../engine/flow/gate-walk.ts';
import * as thermal from '../engine/flow/thermal-answers.ts';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { violations } from './axe.ts';
import { look } from './look.ts';
import { answerOnScreen, beginFlow, type AtTheScreen } from './pages/flow-page.ts';
import { cutPictures, cutTables, isTooWide, nextFrame } from './pages/in-page.ts';
import { SitePage } from './pages/site-page.ts';
import { byId } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

/**
 * Checks the pictures at every width of a window: beams 23, 24, 47 and 48 are at the right edge, as the
 * limits of a plot are.
 */
async function expectWholePictures(): Promise<void> {
  const { page } = app;
  for (const width of [390, 512, 760, 1024, 1440]) {
    await page.setViewportSize({ width, height: 700 });
    await nextFrame(page);
    expect(await cutPictures(page), `at ${width}`).toEqual([]);
  }
  await page.setViewportSize({ width: 1024, height: 700 });
}

/** Goes through, and opens the record. */
async function through(flow: string, answers: Answers, at: AtTheScreen = {}): Promise<readonly string[]> {
  const jobId = await beginFlow(app, flow);
  const seen = ({ step, key }: Asked): Promise<void> => look(app.page, `${flow}-${step}.${key}`);
  const shown = await answerOnScreen(app, jobId, answers, { ...at, seen });
  // The end names the devices, however long their names are.
  await app.page.setViewportSize({ width: 390, height: 700 });
  expect(await isTooWide(app.page), 'where it ended').toBe(false);
  await app.page.setViewportSize({ width: 1024, height: 700 });
  await byId(app.page, 'open-record').click();
  await byId(app.page, 'record-screen').waitFor();
  expect(await violations(app.page, 'record')).toEqual([]);
  await expectWholePictures();
  expect(await cutTables(app.page), 'tables of the record').toEqual([]);
  expect(app.complaints).toEqual([]);
  return shown;
}

// Would catch: a question whose fields cannot be filled on the screen, a watch that does not show what it waits for.
it('takes a gate into service: walked, counted, released', async () => {
  const site = await app.site({ kinds: ['gate'], devices: 1 });
  gate.prepareGate({ site });
  await adoptSite(app, site);
  const [device] = app.engine.devices.list();
  app.engine.devices.update({
    id: device?.id ?? '',
    name: 'Gate at the northern goods entrance of building 17, lane 2',
  });

  const shown = await through('gate', gate.ANSWERS, {
    async meanwhile(asked) {
      // A question without a time limit, with the drawing beside it.
      if (asked.step === 'parts') {
        await app.page.getByText('48', { exact: true }).first().waitFor();
        await expectWholePictures();
      }
      let didNotCome: 'on' | undefined;
      await gate.work({ site }, asked, {
        giveUp: () => {
          didNotCome = 'on';
        },
      });
      return didNotCome;
    },
  });

  for (const question of ['beams.walk-1', 'passes.walk-in', 'fire.release', 'fire.offline', 'power.loss'])
    expect(shown).toContain(question);
  await app.page.getByText('A. Installer').first().waitFor();
});

// Would catch: readings that the screen reads otherwise than a file does, a plot without its text.
it('verifies a thermal camera with typed readings, and corrects it', async () => {
  const site = await app.site({ kinds: ['thermal'], devices: 1 });
  await adoptSite(app, site);

  await through('thermal', thermal.ANSWERS, {
    async filled({ step, key }) {
      // The check runs while they are typed, not only after they were sent.
      if (key === 'next1') await expectWholePictures();
      if (step === 'readings' && key === 'readings1')
        await byId(app.page, 'live-series').getByText('35.38 °C').waitFor();
    },
  });

  await app.page.getByText('0.38').first().waitFor();
  await app.page.getByText('0.221').first().waitFor();
});

// Would catch: a key that the page keeps, or that is in the record.
it('gives a device its token key', async () => {
  const site = await app.site({ kinds: ['counter'], devices: 1 });
  await adoptSite(app, site);

  await through('token-key', {
    settings: { keyLen: '128' },
    'hand-over': { to: 'Integrator', given: true },
    sign: { name: 'A. Installer' },
  });

  await app.page.getByText('Integrator').first().waitFor();

  // Would catch: the only copy of a key, cut off from its device by a removal that did not say so.
  await byId(app.page, 'nav-devices').click();
  const inventory = new SitePage(app.page);
  await inventory.selectAll();
  await inventory.act('remove-devices');
  const remove = byId(app.page, 'confirm-remove');
  await byId(app.page, 'removal-keys').waitFor();
  const [before, losses] = [await remove.isDisabled(), await byId(app.page, 'removal').innerText()];
  await byId(app.page, 'agree-removal').check();
  await remove.click();
  await byId(app.page, 'empty-state').waitFor();

  expect(before).toBe(true);
  expect(losses).toContain('Which credential 1 device uses');
});
