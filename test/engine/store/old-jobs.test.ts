/** Data folders that an older version wrote, with jobs in them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/engine/clock.ts';
import { migrations } from '../../../src/engine/store/migrations/index.ts';
import { openStore } from '../../../src/engine/store/index.ts';
import { keyFileProtection, type Engine } from '../../../src/engine/index.ts';
import { Vault } from '../../../src/engine/inventory/access/vault.ts';
import { startSite, type Site } from '../../../src/simulator/index.ts';
import { BASIC, never, openEngine, template, watchToEnd } from '../site-engine.ts';

const BEFORE_UNITS = 17;

let site: Site | undefined;
let engine: Engine | undefined;
const folders: string[] = [];
afterEach(async () => {
  await engine?.close();
  await site?.close();
  [site, engine] = [undefined, undefined];
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A job that was cut off in the middle of its only section, as version 17 kept it. */
async function cutOffJob(): Promise<{
  readonly dataDir: string;
  readonly url: string;
  readonly before: string;
}> {
  site = await startSite({ devices: 1, kinds: ['thermal'] });
  const [{ url, name, user, password }] = site.devices as [Site['devices'][number]];
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-old-'));
  folders.push(dataDir);

  const trial = mkdtempSync(join(tmpdir(), 'fieldwright-trial-'));
  folders.push(trial);
  const reader = await openEngine(trial);
  const { id } = reader.devices.addTransient({ url, name, userName: user, password });
  const read = await reader.operations.call(
    { deviceId: id, operation: 'thermal.thermometryBasic.get', params: { channelID: 1 } },
    never,
  );
  await reader.close();
  const before = read.raw ?? '';

  const store = openStore(dataDir, {
    clock: systemClock,
    migrations: migrations.filter(({ version }) => version <= BEFORE_UNITS),
  });
  const vault = await Vault.open({
    store,
    clock: systemClock,
    log: () => undefined,
    protections: [keyFileProtection(join(dataDir, 'vault.key'))],
  });
  store.run(
    `INSERT INTO jobs (id, kind, state, created_at, by_user, owner_process, owner_engine, plan_id, template_name, template_hash,
     template_text, options, secrets_check, template_id, template_version)
     VALUES ('j-old', 'apply', 'running', '2025-01-01T08:00:00.000Z', 'Émile', 999999, 'dead', 'p-1', 'ÄHRE', 'h', ?, '{"concurrency":1}', ?, 't-1', 3)`,
    template(BASIC),
    vault.seal(JSON.stringify({ salt: 's', hashes: {} }), 'journal/j-old/secrets'),
  );
  store.run(
    "INSERT INTO job_runs (job_id, number, kind, at, by_user) VALUES ('j-old', 1, 'start', '2025-01-01T08:00:00.000Z', 'Émile')",
  );
  store.run(
    `INSERT INTO job_devices (job_id, position, device_id, name, url, state, given, connection) VALUES ('j-old', 0, 't-gone', 'Tor', ?, 'running', '{}', NULL)`,
    url,
  );
  const planned = JSON.stringify([
    { path: 'distance', label: 'Distance', from: 1, to: 3 },
    { path: 'alarmInterval', label: 'Interval', from: 10, to: 20 },
  ]);
  store.run(
    `INSERT INTO job_sections (job_id, position, idx, set_name, label, params, planned, confirmed, phase, outcome, attempts, before_document, sent_document)
     VALUES ('j-old', 0, 0, 'thermal.thermometryBasic', 'Thermometry', '{"channelID":1}', ?, ?, 'intent', 'pending', 1, ?, ?)`,
    planned,
    JSON.stringify({ state: 'changes', optional: false, adjustments: [], problems: [] }),
    Buffer.from(before),
    Buffer.from(before),
  );
  vault.close();
  store.close();
  return { dataDir, url, before };
}

// Would catch: a data folder whose jobs are lost, or stand there and can be neither finished nor taken back.
it('a job that an older version was cut off in is found, shown, finished, exported and undone', async () => {
  const { dataDir, url } = await cutOffJob();
  engine = await openEngine(dataDir);
  const [device] = site?.devices ?? [];
  engine.devices.addTransient({
    url,
    name: 'Tor',
    userName: device?.user ?? '',
    password: device?.password ?? '',
  });

  const cut = engine.jobs.show({ id: 'j-old' });
  expect(cut).toMatchObject({
    kind: 'apply',
    title: 'ÄHRE',
    about: { template: { name: 'ÄHRE', hash: 'h', id: 't-1', version: 3 } },
    state: 'interrupted',
    resumable: true,
    runs: [{ kind: 'start', by: 'Émile' }],
  });
  expect(cut.results[0]?.units[0]).toMatchObject({
    set: 'thermal.thermometryBasic',
    params: { channelID: 1 },
    outcome: 'unknown',
    changes: [{ path: 'distance', from: 1, to: 3 }, { path: 'alarmInterval' }],
  });
  expect(engine.jobs.search({ text: 'ähre' }).total).toBe(1);
  expect(engine.jobs.search({ subject: 't-1', text: 'thermometrybasic' }).total).toBe(1);

  expect(engine.jobs.resume({ id: 'j-old', options: { acceptDrift: true } })).toEqual({
    jobId: 'j-old',
    resumed: true,
  });
  await watchToEnd(engine, 'j-old');
  expect(engine.jobs.show({ id: 'j-old' })).toMatchObject({ state: 'done', counts: { effective: 1 } });
  expect(engine.jobs.export({ query: {}, format: 'csv' }).text).toContain('ÄHRE,3,Tor');

  const { jobId } = engine.jobs.undo({ id: 'j-old' });
  await watchToEnd(engine, jobId);
  expect(engine.jobs.show({ id: jobId })).toMatchObject({ state: 'done', undoOf: 'j-old', title: 'ÄHRE' });
});
