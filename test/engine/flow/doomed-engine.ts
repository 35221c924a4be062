/** An engine for tests in which time between two looks passes quickly, in whatever process. */
import { join } from 'node:path';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';

const RESOURCES = join(process.cwd(), 'resources');

export interface DoomedDevice {
  readonly url: string;
  readonly name: string;
  readonly user: string;
  readonly password: string;
}

export async function quickEngine(
  dataDir: string,
  { url, name, user, password }: DoomedDevice,
): Promise<{ readonly engine: Engine; readonly deviceId: string }> {
  const engine = await createEngine({
    dataDir,
    resourcesDir: RESOURCES,
    face: 'cli',
    version: '0.0.0',
    user: 'installer',
    clock: {
      now: () => new Date(),
      delay: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 3))),
    },
    protections: [createKeyFileProtection(join(dataDir, 'vault.key'))],
  });
  const { id } = engine.devices.addTransient({ url, name, userName: user, password });
  return { engine, deviceId: id };
}
