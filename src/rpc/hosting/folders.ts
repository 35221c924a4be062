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

/** Set by the portable program to the folder that it lies in: nothing is written outside of it. */
const PORTABLE_DIR = 'PORTABLE_EXECUTABLE_DIR';

/** Returns the one data folder of app and command line; `FIELDWRIGHT_DATA_DIR` names another. */
export function getDefaultDataDir(around: DataDirSurroundings = getSurroundings()): string {
  const { platform, env, home } = around;
  if (env['FIELDWRIGHT_DATA_DIR']) return resolve(env['FIELDWRIGHT_DATA_DIR']);
  if (platform === 'win32' && env[PORTABLE_DIR]) return join(env[PORTABLE_DIR], 'Fieldwright data');
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Fieldwright');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Fieldwright');
  const config = env['XDG_CONFIG_HOME'];
  // The standard says: a relative path there is to be ignored.
  return join(config && isAbsolute(config) ? config : join(home, '.config'), 'Fieldwright');
}

/**
 * Returns the folder of Chromium's own files (caches, settings of the page), apart from what belongs to the person. On
 * Windows it is beside those of other programs that do not travel with a person's profile from computer to computer.
 */
export function getSessionDir(dataDir: string, around: DataDirSurroundings = getSurroundings()): string {
  const { platform, env } = around;
  const isElsewhere = env['FIELDWRIGHT_DATA_DIR'] || env[PORTABLE_DIR];
  return platform === 'win32' && env['LOCALAPPDATA'] && !isElsewhere
    ? join(env['LOCALAPPDATA'], 'Fieldwright', 'session')
    : join(dataDir, 'session');
}

function getSurroundings(): DataDirSurroundings {
  return { platform: process.platform, env: process.env, home: homedir() };
}
