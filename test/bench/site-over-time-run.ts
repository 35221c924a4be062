/**
 * Measured process: a site whose settings were agreed, with devices that another program changed and devices that are gone;
 * what a look finds, what it costs in the background, and what the black box takes on disk.
 */
import { subscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { noteDocuments } from '#engine/snapshots/document-versions.ts';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import { DATABASE_FILE, openStore } from '#engine/store/index.ts';
import { findResourcesDir } from '#rpc/hosting/folders.ts';
import { startSite } from '#simulator/index.ts';
import { measureMerge, type MergeTimes } from './measure-merge.ts';
import { readInput, type BenchDevice } from './shared.ts';

export interface SiteOverTimeResult {
  readonly devices: number;
  readonly states: Readonly<Record<string, number>>;
  /** Devices that drifted although no other program changed them, and those that were changed and not found. */
  readonly wrong: number;
  readonly lookMs: number;
  readonly background: { readonly ms: number; readonly cpuMs: number; readonly requests: number };
  readonly status: { readonly devices: number; readonly ms: number };
  readonly merge: MergeTimes;
  readonly snapshots: { readonly days: number; readonly devices: number; readonly bytes: number };
}

const AWAY = 10;
const CHANGED = 37;
const BACKGROUND_MS = 30_000;
const MANY = 5_000;
const DAYS = 90;
const never = new AbortController().signal;

function template(distance: number): string {
  return `fieldwright: template/1\nname: Agreed\nsections:\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: { distance: ${distance}, alert: 37.4 }\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: expert }\n`;
}

function openEngine(dataDir: string): Promise<Engine> {
  return createEngine({
    dataDir,
    resourcesDir: findResourcesDir(),
    face: 'cli',
    version: 'bench',
    user: 'bench',
    protections: [createKeyFileProtection(join(dataDir, 'key'))],
  });
}

function addDevices(engine: Engine, devices: readonly BenchDevice[]): readonly string[] {
  const ids = devices.map(({ url }) => engine.devices.add({ address: url }).id);
  for (const [nth, { user, password }] of devices.entries())
    engine.credentials.save({
      label: `device ${ids[nth]}`,
      userName: user,
      password,
      deviceIds: ids.slice(nth, nth + 1),
    });
  return ids;
}

async function apply(engine: Engine, deviceIds: readonly string[], templateText: string): Promise<void> {
  for await (const event of engine.plans.create({ templateText, deviceIds }, never)) {
    if (event.type !== 'plan') continue;
    const { jobId } = engine.jobs.start({ plan: event.plan });
    for await (const step of engine.jobs.watch({ id: jobId }, never))
      if (step.type === 'end' && (step.job.counts.effective ?? 0) < deviceIds.length)
        throw new Error(`Not everything was proved: ${JSON.stringify(step.job.counts)}`);
  }
}

const devices = (await readInput()) as readonly BenchDevice[];
const folder = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
const dataDir = join(folder, 'site');
const gone = await startSite({ devices: AWAY, kinds: ['thermal'], seed: 3 });
const engine = await openEngine(dataDir);
const ids = addDevices(engine, [...devices, ...gone.devices]);
await apply(engine, ids, template(4));

const other = await openEngine(join(folder, 'other'));
const changed = devices.filter((_device, nth) => nth % 13 === 0).slice(0, CHANGED);
await apply(other, addDevices(other, changed), template(9));
await other.close();
await gone.close();

const started = performance.now();
for await (const event of engine.agreements.look({}, never)) void event;
const lookMs = performance.now() - started;
const found = engine.agreements.status({});
const urls = new Map(engine.devices.list().map(({ id, url }) => [id, url]));
const drifted = new Set(
  found.filter(({ state }) => state === 'drifted').map(({ deviceId }) => urls.get(deviceId)),
);
const expected = new Set(changed.map(({ url }) => url));
const wrong =
  [...drifted].filter((url) => !expected.has(url ?? '')).length +
  changed.filter(({ url }) => !drifted.has(url)).length;

// A day later all devices are due: the pace of the look in the background is what is measured.
const database = new DatabaseSync(join(dataDir, DATABASE_FILE));
const dayAgo = new Date(Date.now() - 25 * 3_600_000).toISOString();
database.exec(
  `UPDATE agreement_looks SET tried_at = '${dayAgo}', read_at = '${dayAgo}'; UPDATE job_units SET result_at = '${dayAgo}'`,
);
let requests = 0;
subscribe('undici:request:create', () => {
  requests += 1;
});
await engine.close();
const later = await openEngine(dataDir);
later.agreements.lookInBackground({ mayLook: () => true, startsAfterMs: 0 });
const [before, begun] = [process.cpuUsage(), performance.now()];
await new Promise((resolve) => setTimeout(resolve, BACKGROUND_MS));
const { user, system } = process.cpuUsage(before);
const background = { ms: performance.now() - begun, cpuMs: (user + system) / 1000, requests };
await later.close();

// The journal of these devices stands for that of as many as make 5,000.
database.exec(`
  WITH RECURSIVE copy(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ${MANY / ids.length - 1})
  INSERT INTO devices (id, name, url, profile, added_at) SELECT devices.id || '-' || n, name, 'http://h' || n || '-' || devices.rowid || '.example', profile, added_at FROM devices, copy;
  CREATE TEMP TABLE places AS SELECT job_id, position, device_id FROM job_devices;
  WITH RECURSIVE copy(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ${MANY / ids.length - 1})
  INSERT INTO job_devices (job_id, position, device_id, name, url, state, document)
    SELECT job_devices.job_id, job_devices.position + 100000 * n, job_devices.device_id || '-' || n, name, url, state, document FROM job_devices, copy;
  WITH RECURSIVE copy(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ${MANY / ids.length - 1})
  INSERT INTO job_units (job_id, position, idx, label, detail, phase, outcome, result_at)
    SELECT job_id, position + 100000 * n, idx, label, detail, phase, outcome, result_at FROM job_units, copy WHERE position < 100000;
`);
database.close();
const many = await openEngine(dataDir);
const asked = performance.now();
const statuses = many.agreements.status({});
const status = { devices: statuses.length, ms: performance.now() - asked };
const one = await many.snapshots
  .take({ deviceId: ids[0] ?? '' }, never)
  .then(({ deviceId }) => many.snapshots.show({ deviceId }));
const colleague = await openEngine(join(folder, 'colleague'));
const merge = await measureMerge(many, colleague);
await colleague.close();
await many.close();

// Ninety days of looks at every document of 500 devices, of which one in a hundred is changed each day.
const box = join(folder, 'box');
const store = openStore(box, { clock: { now: () => new Date(), delay: () => Promise.resolve() } });
for (let day = 0; day < DAYS; day += 1) {
  const at = new Date(Date.UTC(2030, 0, 1 + day)).toISOString();
  store.transaction(() => {
    for (let nth = 0; nth < ids.length; nth += 1)
      noteDocuments(
        store,
        `d${nth}`,
        at,
        one.map((document, place) => ({
          ...document,
          text: document.text.replace(
            '<id>',
            `<id>${nth}-${(nth + day) % 100 === 0 && place % 10 === 0 ? day : 0}-`,
          ),
        })),
      );
  });
}
store.close();
const bytes = statSync(join(box, DATABASE_FILE)).size;

process.stdout.write(
  `${JSON.stringify({
    devices: ids.length,
    states: Object.fromEntries(
      [...Map.groupBy(found, ({ state }) => state)].map(([state, own]) => [state, own.length]),
    ),
    wrong,
    lookMs,
    background,
    status,
    merge,
    snapshots: { days: DAYS, devices: ids.length, bytes },
  } satisfies SiteOverTimeResult)}\n`,
);
rmSync(folder, { recursive: true, force: true });
