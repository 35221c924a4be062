/** The app's data folder, from the option, the environment or the platform. */
import { resolve } from 'node:path';
import { defaultDataDir } from '../rpc/hosting/index.ts';
import type { Io } from './io.ts';
import type { GlobalOptions } from './invocation.ts';

export function dataDir(io: Io, globals: GlobalOptions): string {
  return resolve(globals.dataDir || defaultDataDir({ platform: io.platform, env: io.env, home: io.homeDir }));
}
