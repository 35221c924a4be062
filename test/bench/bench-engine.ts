/** The engine of a measured process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import { findResourcesDir } from '#rpc/hosting/folders.ts';
import { boundYoungGeneration } from '#rpc/hosting/young-generation.ts';

/** Runs work with an engine that starts as in every face, in a data folder that is removed afterwards. */
export async function withBenchEngine(work: (engine: Engine) => Promise<void>): Promise<void> {
  boundYoungGeneration();
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
  const engine = await createEngine({
    dataDir: folder,
    resourcesDir: findResourcesDir(),
    face: 'cli',
    version: '0',
    user: 'bench',
    protections: [createKeyFileProtection(join(folder, 'vault.key'))],
  });
  try {
    await work(engine);
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
