/** Results of a flow: its settings as a template, records beside each other, and the chain of them. */
import { beforeEach, expect, it } from 'vitest';
import { follow } from '../engine/flow/run-flow.ts';
import { adoptSite } from './adopt-site.ts';
import { openApp, type App } from './app.ts';
import { violations } from './axe.ts';
import { look } from './look.ts';
import { goToHash } from './pages/in-page.ts';
import { byId } from './pages/test-id.ts';

let app: App;
beforeEach(async () => {
  app = await openApp();
});

const SIGN = { sign: { name: 'A. Installer', serial: '4711' } };
const LOCK = {
  password: { kept: true, understood: true },
  prove: { wait: false },
  alarms: { schedule: 'always', 'badBlocks-email': true },
  ...SIGN,
};

async function done(flow: string, deviceId: string, answers: Parameters<typeof follow>[2]): Promise<string> {
  const { jobId } = app.engine.flows.begin({ flow, deviceIds: [deviceId] });
  await follow(app.engine, jobId, answers);
  return jobId;
}

// Would catch: a button that saves nothing, a comparison of other records than were chosen.
it('saves what a flow set as a template, compares two records, and tells of their chain', async () => {
  const site = await app.site({ kinds: ['recorder'], devices: 2 });
  await adoptSite(app, site);
  const { page, engine } = app;
  const [one = '', other = ''] = engine.devices.list().map(({ id }) => id);
  const jobId = await done('storage-lock', one, LOCK);
  await done('storage-lock', other, { ...LOCK, sign: { ...SIGN.sign, serial: '4712' } });

  await goToHash(page, `#/commission/run/${jobId}`);
  await byId(page, 'save-template').waitFor();
  await look(app.page, '1-through');
  await byId(page, 'save-template').click();
  await page.waitForURL(/#\/changes\/templates\/.+/);
  const id = decodeURIComponent(page.url().split('#/changes/templates/')[1] ?? '');
  const { text } = engine.templates.version({ id, version: 1 });
  expect(text).toContain('events.hdBadBlockTrigger');

  await goToHash(page, '#/commission');
  await byId(page, 'chain-whole').waitFor();
  await look(app.page, '2-setup');
  await byId(page, 'record').first().getByRole('button').click();
  await byId(page, 'compare-with').selectOption({ index: 1 });
  await byId(page, 'comparison').getByText('4711').waitFor();
  await byId(page, 'comparison').getByText('4712').waitFor();
  await look(app.page, '3-compared');
  expect(await violations(page, 'compared')).toEqual([]);
  expect(app.complaints).toEqual([]);
});
