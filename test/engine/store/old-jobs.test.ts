/** Data folders that an older version wrote, with jobs in them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '#engine/host/clock.ts';
import { migrations } from '#engine/store/migrations/index.ts';
import { openStore } from '#engine/store/index.ts';
import { keyFileProtection, type Engine } from '#engine/index.ts';
import { z } from 'zod';
import { jobKinds } from '#engine/jobs/job-kind.ts';
import { StoredJobs } from '#engine/jobs/stored-job.ts';
import { Vault } from '#engine/inventory/access/vault.ts';
import { startSite, type Site } from '#test/helpers/strict-site.ts';
import { BASIC, never, openEngine, template, watchToEnd } from '../site-engine.ts';

const BEFORE_UNITS = 17;
const BEFORE_CONTENTS = 25;
const upTo = (last: number) => migrations.filter(({ version }) => version <= last);

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
    migrations: upTo(BEFORE_UNITS),
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

// Would catch: an undo that writes the document of another unit, or one from before that is taken for what was sent; sealed bytes read as text.
it('documents of an older version are those of their unit, sealed where they were', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-old-'));
  folders.push(dataDir);
  const old = openStore(dataDir, { clock: systemClock, migrations: upTo(BEFORE_CONTENTS) });
  old.run(
    "INSERT INTO jobs (id, kind, title, about, state, created_at, by_user, owner_process, owner_engine, body, options, search_text) VALUES ('j-1', 'count', 'Count', '{}', 'done', '2026', 'x', 1, 'one', '{}', '{}', '')",
  );
  old.insert('job_devices', {
    job_id: 'j-1',
    position: 0,
    device_id: 'd',
    name: 'Gate',
    url: 'http://gate',
    state: 'done',
    document: '{}',
  });
  const units = [
    { before_document: 'b0', sent_document: 's0', after_known: 1, after_document: 'a0' },
    { before_document: 'b1', sent_document: 's1', after_known: 1, done: 3, total: 7 },
    { before_document: 'b2', sent_document: 's2', document: '{"kept":2}' },
    {
      before_document: 'sealed b3',
      sent_document: 'sealed s3',
      before_sealed: 1,
      after_known: 1,
      after_document: 'sealed a3',
    },
    {},
  ];
  for (const [
    idx,
    { before_document: before, sent_document: sent, after_document: after, ...unit },
  ] of units.entries())
    old.insert('job_units', {
      job_id: 'j-1',
      position: 0,
      idx,
      label: `Send ${idx}`,
      detail: JSON.stringify({ file: `${idx}.bin` }),
      outcome: 'effective',
      ...unit,
      ...Object.fromEntries(
        Object.entries({ before_document: before, sent_document: sent, after_document: after })
          .filter(([, text]) => text !== undefined)
          .map(([column, text]) => [column, Buffer.from(text ?? '')]),
      ),
    });
  old.close();

  const store = openStore(dataDir, { clock: systemClock });
  const anything = z.looseObject({});
  const kinds = jobKinds([
    {
      name: 'count',
      whenBusy: 'wait',
      interrupted: 'unknown',
      schemas: { body: anything, device: anything, detail: anything, unit: anything },
      resume: () => [],
    },
  ]);
  const open = (bytes: Uint8Array, place: string) => `opened ${place}: ${Buffer.from(bytes).toString()}`;
  const [device] = new StoredJobs(store, { open }, kinds).read('j-1').devices;
  const read = device?.units.map((unit) => [unit.detail, unit.document(), unit.documents(), unit.progress]);
  store.close();

  expect(read).toEqual([
    [{ file: '0.bin' }, undefined, { before: 'b0', sent: 's0', after: 'a0' }, undefined],
    [{ file: '1.bin' }, undefined, { before: 'b1', sent: 's1', after: 's1' }, { done: 3, total: 7 }],
    [{ file: '2.bin' }, { kept: 2 }, { before: 'b2', sent: 's2' }, undefined],
    [
      { file: '3.bin' },
      undefined,
      {
        before: 'opened journal/j-1/0/3: sealed b3',
        sent: 'opened journal/j-1/0/3/sent: sealed s3',
        after: 'opened journal/j-1/0/3/after: sealed a3',
      },
      undefined,
    ],
    [{ file: '4.bin' }, undefined, {}, undefined],
  ]);
});
