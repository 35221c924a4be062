/** Measured process: devices read for a report, then the files of it in a folder. */
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import { findResourcesDir } from '#rpc/hosting/folders.ts';
import { boundYoungGeneration } from '#rpc/hosting/young-generation.ts';
import type { ReportFileFormat } from '#shared/reports.ts';
import { recordRequests } from './record.ts';
import { measured, peakRssMb, readInput, type BenchDevice, type RecordedRequest } from './shared.ts';

export interface ReportTask {
  readonly devices: readonly BenchDevice[];
  /** The engine tells what it sent; such a run is not timed and makes no files. */
  readonly record?: boolean;
  /** Folder of the files, which are named `report.<format>`. */
  readonly folder?: string;
  readonly formats?: readonly ReportFileFormat[];
}
export interface ReportFigures {
  readonly ms: number;
  readonly cpuMs: number;
  readonly failed: number;
  readonly peakRssMb: number;
  readonly recorded?: readonly (readonly RecordedRequest[])[];
  /** `peakRssMb`: of the whole process until then, reading among it. */
  readonly files: Readonly<
    Partial<
      Record<ReportFileFormat, { readonly ms: number; readonly bytes: number; readonly peakRssMb: number }>
    >
  >;
}

const never = new AbortController().signal;

async function read(engine: Engine, deviceIds: readonly string[]): Promise<number> {
  let failed = 0;
  for await (const { error } of engine.reports.gather({ deviceIds }, never))
    failed += error === undefined ? 0 : 1;
  return failed;
}

async function write(
  engine: Engine,
  deviceIds: readonly string[],
  format: ReportFileFormat,
  path: string,
): Promise<{ readonly ms: number; readonly bytes: number; readonly peakRssMb: number }> {
  const begun = performance.now();
  const request = { kind: 'capabilities', deviceIds: [...deviceIds], format, language: 'en' } as const;
  const { parts } = await engine.reports.file(request);
  const file = createWriteStream(path);
  for await (const part of parts) if (!file.write(part)) await once(file, 'drain');
  file.end();
  await once(file, 'close');
  return { ms: performance.now() - begun, bytes: statSync(path).size, peakRssMb: peakRssMb() };
}

boundYoungGeneration();
const { devices, record, folder, formats = [] } = (await readInput()) as ReportTask;
const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
const engine = await createEngine({
  dataDir,
  resourcesDir: findResourcesDir(),
  face: 'cli',
  version: '0',
  user: 'bench',
  protections: [createKeyFileProtection(join(dataDir, 'key'))],
});
try {
  const byOrigin = record === true ? recordRequests() : undefined;
  const ids = devices.map(
    ({ url, user, password }) => engine.devices.addTransient({ url, userName: user, password }).id,
  );
  const { value: failed, ms, cpuMs, peakRssMb: reading } = await measured(() => read(engine, ids));
  const files: Record<string, Awaited<ReturnType<typeof write>>> = {};
  for (const format of folder === undefined ? [] : formats)
    files[format] = await write(engine, ids, format, join(folder ?? '', `report.${format}`));
  process.stdout.write(
    JSON.stringify({
      ms,
      cpuMs,
      failed,
      peakRssMb: reading,
      files,
      ...(byOrigin && { recorded: devices.map(({ url }) => byOrigin.get(url) ?? []) }),
    } satisfies ReportFigures),
  );
} finally {
  await engine.close();
  rmSync(dataDir, { recursive: true, force: true });
}
