/** Measured process: devices are added one by one, each gets a saved sign-in of its own and is signed in to, as many more come from a list. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, createKeyFileProtection } from '#engine/index.ts';
import { findResourcesDir } from '#rpc/hosting/folders.ts';
import { readInput, type BenchDevice } from './shared.ts';

/** Milliseconds of the main thread for all devices together: other work on this computer hardly disturbs them. */
export interface ScaleResult {
  readonly add: number;
  readonly save: number;
  readonly signIn: number;
  readonly import: number;
}

async function msOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const devices = (await readInput()) as readonly BenchDevice[];
const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
const engine = await createEngine({
  dataDir,
  resourcesDir: findResourcesDir(),
  face: 'cli',
  version: 'bench',
  protections: [createKeyFileProtection(join(dataDir, 'key'))],
});
try {
  const ids: string[] = [];
  const add = await msOf(() => {
    for (const { url } of devices) ids.push(engine.devices.add({ address: url }).id);
  });
  const save = await msOf(() => {
    for (const [index, { user, password }] of devices.entries())
      engine.credentials.save({
        label: `device ${index}`,
        userName: user,
        password,
        deviceIds: ids.slice(index, index + 1),
      });
  });
  const signIn = await msOf(async () => {
    const tests = await engine.devices.test({ ids }, new AbortController().signal);
    const refused = tests.filter(({ ok }) => !ok).length;
    if (refused > 0) throw new Error(`${refused} of ${tests.length} devices let nobody in.`);
  });
  const rows = devices.map(
    (_device, index) =>
      `10.${index >> 16}.${(index >> 8) & 255}.${index & 255},Camera ${index},device ${index}`,
  );
  const imported = await msOf(() => {
    const { added } = engine.devices.importCsv({
      text: ['address,name,credential', ...rows].join('\n'),
    });
    if (added.length !== rows.length)
      throw new Error(`${added.length} of ${rows.length} rows were imported.`);
  });
  process.stdout.write(JSON.stringify({ add, save, signIn, import: imported } satisfies ScaleResult));
} finally {
  await engine.close();
  rmSync(dataDir, { recursive: true, force: true });
}
