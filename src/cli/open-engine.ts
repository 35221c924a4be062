/** The engine as the command line runs it. */
import { join } from 'node:path';
import { createEngine, keyFileProtection } from '../engine/index.ts';
import type { Engine } from '../engine/api.ts';
import { findResourcesDir } from '../rpc/hosting/index.ts';
import { dataDir } from './places.ts';
import type { Invocation } from './invocation.ts';
import { productVersion } from './version.ts';

export async function openEngine({ io, globals }: Pick<Invocation, 'io' | 'globals'>): Promise<Engine> {
  const folder = dataDir(io, globals);
  return createEngine({
    dataDir: folder,
    resourcesDir: findResourcesDir(),
    face: 'cli',
    version: productVersion(),
    protections: [keyFileProtection(join(folder, 'vault.key'))],
    user: io.user,
  });
}
