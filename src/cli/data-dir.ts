/** The app's data folder, from the option, the environment or the platform. */
import { resolve } from 'node:path';
import { getDefaultDataDir } from '#rpc/hosting/index.ts';
import type { Io } from './io.ts';

/** Options that every command takes. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly dataDir?: string;
  readonly lang?: string;
}

export function resolveDataDir(io: Io, globals: GlobalOptions): string {
  return resolve(
    globals.dataDir || getDefaultDataDir({ platform: io.platform, env: io.env, home: io.homeDir }),
  );
}
