/** Measured process: everybody of a gate read page by page, then people brought to several gates. Needs `--expose-gc`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import { findResourcesDir } from '#rpc/hosting/folders.ts';
import { peakRssMb, readInput, type BenchDevice } from './shared.ts';

export interface PeopleTask {
  readonly devices: readonly BenchDevice[];
  readonly brought: number;
}
export interface PeopleResult {
  readonly read: number;
  readonly readMs: number;
  readonly broughtMs: number;
  readonly done: number;
  /** Held after the first tenth of the reading, and at most later, after full collections. */
  readonly earlyMb: number;
  readonly highestMb: number;
  readonly peakRssMb: number;
}

const never = new AbortController().signal;
const SAMPLES = 10;

function heldMb(): number {
  if (globalThis.gc === undefined) throw new Error('Start this with --expose-gc.');
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

async function readAll(
  engine: Engine,
  deviceId: string,
): Promise<Pick<PeopleResult, 'read' | 'readMs' | 'earlyMb' | 'highestMb'>> {
  let [read, looked, nextAt] = [0, 0, 0];
  const held: number[] = [];
  const begun = performance.now();
  for await (const page of engine.people.pages({ deviceId }, never)) {
    read += page.people.length;
    if (read < nextAt) continue;
    nextAt += Math.ceil((page.total ?? 0) / SAMPLES);
    const before = performance.now();
    held.push(heldMb());
    looked += performance.now() - before;
  }
  const [, early = 0, ...later] = held;
  return {
    read,
    readMs: performance.now() - begun - looked,
    earlyMb: early,
    highestMb: Math.max(early, ...later),
  };
}

async function* lines(count: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at += 1)
    yield Buffer.from(`{"employeeNo":"b${at}","name":"Person ${at}","doorRight":"1"}\n`);
}

/** Planned before the clock starts: written and proven on every device. */
async function bring(
  engine: Engine,
  ids: readonly string[],
  count: number,
): Promise<Pick<PeopleResult, 'broughtMs' | 'done'>> {
  const source = {
    kind: 'file',
    format: 'ndjson',
    map: {},
    codePage: 'windows-1252',
    file: { name: 'bench', open: () => lines(count) },
  } as const;
  for await (const event of engine.people.planFrom({ source, deviceIds: ids }, never)) {
    if (event.type !== 'plan') continue;
    const begun = performance.now();
    const { jobId } = engine.people.begin({ id: event.plan.id });
    for await (const step of engine.jobs.watch({ id: jobId }, never)) if (step.type === 'end') break;
    const broughtMs = performance.now() - begun;
    let done = 0;
    for (const { outcome } of engine.people.listed({ id: jobId, only: 'all' }))
      if (outcome === 'done') done += 1;
    return { broughtMs, done };
  }
  throw new Error('no plan came');
}

const { devices, brought } = (await readInput()) as PeopleTask;
const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
const engine = await createEngine({
  dataDir,
  resourcesDir: findResourcesDir(),
  face: 'cli',
  version: '0.0.0',
  protections: [createKeyFileProtection(join(dataDir, 'vault.key'))],
});
try {
  const ids = devices.map(
    ({ url, user, password }) => engine.devices.addTransient({ url, userName: user, password }).id,
  );
  const [first = ''] = ids;
  const reading = await readAll(engine, first);
  const writing = await bring(engine, ids, brought);
  process.stdout.write(
    JSON.stringify({ ...reading, ...writing, peakRssMb: peakRssMb() } satisfies PeopleResult),
  );
} finally {
  await engine.close();
  rmSync(dataDir, { recursive: true, force: true });
}
