/** Measured process: one round of looking whether devices are there, and the same connections opened by a bare loop. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, createKeyFileProtection } from '#engine/index.ts';
import { findResourcesDir } from '#rpc/hosting/folders.ts';
import { readInput, type BenchDevice } from './shared.ts';

/** CPU of this process in milliseconds, of `ms` of time. */
export interface ReachResult {
  readonly checked: number;
  readonly ms: number;
  readonly cpuMs: number;
  readonly bareCpuMs: number;
}

async function cpuOf(work: () => Promise<void>): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  const started = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - started, cpuMs: (user + system) / 1000 };
}

function knock(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.destroy();
    });
    socket.once('close', () => {
      resolve();
    });
    socket.once('error', () => {});
  });
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
  engine.devices.addMany({ devices: devices.map(({ url }) => ({ address: url })) });
  const bare = await cpuOf(async () => {
    for (const { url } of devices) await knock(url);
  });
  const ending = new AbortController();
  let checked = 0;
  const round = await cpuOf(async () => {
    for await (const each of engine.devices.keepChecked(ending.signal)) {
      // The word that comes at once tells of no round.
      if (each.checked === 0) continue;
      checked = each.checked;
      break;
    }
  });
  const there = engine.devices.list().filter(({ reach }) => reach === 'reachable').length;
  if (there !== devices.length)
    throw new Error(`${there} of ${devices.length} devices were found to be there.`);
  process.stdout.write(JSON.stringify({ checked, ...round, bareCpuMs: bare.cpuMs } satisfies ReachResult));
} finally {
  await engine.close();
  rmSync(dataDir, { recursive: true, force: true });
}
