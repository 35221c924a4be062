/** Folders of the checkout, the build and an installed app, and of the user's own data. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { say } from '#shared/details.ts';
import { appError } from '#shared/errors.ts';

/** This module's folder, in `src/` or in `out/`: whichever way it runs. */
const HERE = dirname(fileURLToPath(import.meta.url));

/** Returns the nearest folder above `start` that contains `landmark`. */
function findAbove(start: string, landmark: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, landmark))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Returns `resources/` of the checkout (also seen from `out/`), or of the installed app. */
export function findResourcesDir(): string {
  const installed: unknown = Reflect.get(process, 'resourcesPath');
  // An unpacked Electron has a resources folder of its own, without our templates.
  if (typeof installed === 'string' && existsSync(join(installed, 'templates'))) return installed;
  const root = findAbove(HERE, join('resources', 'templates'));
  if (root !== undefined) return join(root, 'resources');
  throw appError('not-available', say('resources-missing'));
}

/** Returns `out/` of this checkout or installation, also when run from source. */
export function findBuildDir(): string {
  return join(findAbove(HERE, 'package.json') ?? HERE, 'out');
}

export function findRendererDir(): string {
  return join(findBuildDir(), 'renderer');
}

interface DataDirSurroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Returns the one data folder of app and command line; `FIELDWRIGHT_DATA_DIR` names another. */
export function getDefaultDataDir(
  around: DataDirSurroundings = { platform: process.platform, env: process.env, home: homedir() },
): string {
  const { platform, env, home } = around;
  if (env['FIELDWRIGHT_DATA_DIR']) return resolve(env['FIELDWRIGHT_DATA_DIR']);
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Fieldwright');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Fieldwright');
  const config = env['XDG_CONFIG_HOME'];
  // The standard says: a relative path there is to be ignored.
  return join(config && isAbsolute(config) ? config : join(home, '.config'), 'Fieldwright');
}
