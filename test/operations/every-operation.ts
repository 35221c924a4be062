/**
 * Calls every operation of the interface through the engine against a virtual site: real flows with
 * realistic values, read back after each write, and refused by a kind that lacks it.
 * `node test/operations/every-operation.ts` prints the table; its exit code is 1 where a row is not
 * as expected.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTable } from '#cli/output/table.ts';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import { DEVICE_KINDS, type DeviceKind } from '#shared/model.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import * as access from './flows/access.ts';
import * as ai from './flows/ai.ts';
import { counting } from './flows/counting.ts';
import { gate } from './flows/gate.ts';
import * as recorder from './flows/recorder.ts';
import { storage } from './flows/storage.ts';
import { system } from './flows/system.ts';
import { thermal } from './flows/thermal.ts';
import { StepFailed, Trial, type Row } from './trial.ts';

const PASSWORD = 'Every-0peration';
const DEADLINE_MS = 60_000;

type Flow = (trial: Trial) => Promise<void>;
/** The flows of one device run one after the other, those of different devices at the same time. */
const FLOWS: readonly (readonly Flow[])[] = [
  [ai.models, ai.tasks, ai.people],
  [access.reports, access.settings, access.people, access.controllers, access.audio, gate],
  [recorder.passback, recorder.storageEvents, storage],
  [thermal, recorder.thermalEvents],
  [counting],
];

/**
 * Calls every operation; returns one row for each, in the specification's order; `prepare` may break the site
 * first.
 */
export async function callEveryOperation({
  prepare,
}: { readonly prepare?: (site: Site) => void } = {}): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-operations-'));
  const site = await startSite({
    devices: DEVICE_KINDS.length,
    kinds: DEVICE_KINDS,
    password: PASSWORD,
    seed: 104,
  });
  try {
    prepare?.(site);
    const engine = await createEngine({
      dataDir: folder,
      resourcesDir: folder,
      face: 'cli',
      version: '0',
      user: 'trial',
      protections: [createKeyFileProtection(join(folder, 'vault.key'))],
    });
    try {
      return await carryOut(
        new Trial({ engine, signal: AbortSignal.timeout(DEADLINE_MS), ...addDevices(engine, site) }),
      );
    } finally {
      await engine.close();
    }
  } finally {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function addDevices(engine: Engine, site: Site) {
  const ids = site.devices.map((device) => engine.devices.add({ address: device.url, name: device.name }).id);
  engine.credentials.save({
    label: 'Site',
    userName: site.devices[0]?.user ?? '',
    password: PASSWORD,
    deviceIds: ids,
  });
  const byKind = <T>(of: (index: number) => T) =>
    Object.fromEntries(site.devices.map((device, index) => [device.kind, of(index)])) as Record<
      DeviceKind,
      T
    >;
  return { ids: byKind((index) => ids[index] ?? ''), devices: byKind((index) => site.device(index)) };
}

async function carryOut(trial: Trial): Promise<readonly Row[]> {
  await Promise.all(
    FLOWS.map(async (flows) => {
      for (const flow of flows) await attempt(trial, flow);
    }),
  );
  await attempt(trial, system);
  await trial.refusals();
  return trial.rows();
}

/** Runs a flow; one that cannot go on does not affect the others, and its operation is reported. */
async function attempt(trial: Trial, flow: Flow): Promise<void> {
  try {
    await flow(trial);
  } catch (thrown) {
    if (!(thrown instanceof StepFailed)) throw thrown;
    trial.failed(thrown.operation, thrown.cause);
  }
}

/** Formats the rows as a table with a summary line. */
export function report(rows: readonly Row[]): string {
  const same = (text: string): string => text;
  const bad = rows.filter(({ problems }) => problems.length > 0);
  return [
    ...formatTable(
      rows,
      {
        '#': { value: (row) => String(rows.indexOf(row) + 1), align: 'right' },
        METHOD: ({ method }) => method,
        PATH: ({ path }) => path,
        ON: ({ kind }) => kind,
        CALLS: { value: ({ calls }) => String(calls), align: 'right' },
        'REFUSED BY': ({ refusedBy }) => refusedBy,
        OUTCOME: ({ outcome, problems }) =>
          problems.length === 0 ? outcome : `NOT AS EXPECTED: ${problems.join('; ')}`,
      },
      { paint: { good: same, bad: same, warn: same, dim: same, strong: same } },
    ),
    '',
    `${rows.length} operations, ${rows.length - bad.length} as expected, ${bad.length} not; ${rows.filter(({ refusedBy }) => refusedBy !== '-').length} also refused by a kind that lacks them.`,
    '',
  ].join('\n');
}

if (import.meta.main) {
  const rows = await callEveryOperation();
  process.stdout.write(report(rows));
  process.exitCode = rows.every(({ problems }) => problems.length === 0) ? 0 : 1;
}
