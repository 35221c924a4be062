/** Packages of the three systems as `npm run package` makes them, with a stand-in for Electron, and what is in them. */
import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PackedSystem } from '../../../build/packaging/config.mjs';
import type { AppFiles } from '../desktop-app.ts';

export const SYSTEMS: readonly PackedSystem[] = ['linux', 'mac', 'win'];

export interface PackedApp extends AppFiles {
  readonly system: PackedSystem;
  /** Folder that an installer copies to a computer. */
  readonly installed: string;
  /** The program that a person starts. */
  readonly program: string;
  /** The command line. */
  readonly commandLine: string;
}

/** electron-builder names folders of other processors than x64 after them. */
const ARCH = process.arch === 'arm64' ? '-arm64' : '';

/** The app inside what electron-builder leaves in a folder, for each system. */
const PLACES = {
  linux: {
    installed: `linux${ARCH}-unpacked`,
    resources: 'resources',
    program: 'fieldwright-desktop',
  },
  mac: {
    installed: `mac${ARCH}/Fieldwright.app`,
    resources: 'Contents/Resources',
    program: 'Contents/MacOS/Fieldwright',
  },
  win: {
    installed: `win${ARCH}-unpacked`,
    resources: 'resources',
    program: 'Fieldwright.exe',
  },
} as const;

/** Packs for one system and takes its archive apart beside the package. */
export async function pack(system: PackedSystem, folder: string): Promise<PackedApp> {
  await mkdir(folder, { recursive: true });
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'pack-system.mjs'), system, folder]);
  const place = PLACES[system];
  const installed = join(folder, 'packed', place.installed);
  const resources = join(installed, place.resources);
  const app = join(folder, 'archive');
  readAsar().extractAll(join(resources, 'app.asar'), app);
  return {
    system,
    installed,
    resources,
    program: join(installed, place.program),
    commandLine: join(resources, 'bin', system === 'win' ? 'fieldwright.exe' : 'fieldwright'),
    root: app,
  };
}

/** Returns the files below a folder, as paths with `/`, in order. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}

function readAsar(): { extractAll(archive: string, folder: string): void } {
  const builder = createRequire(createRequire(import.meta.url).resolve('app-builder-lib/package.json'));
  return builder('@electron/asar') as { extractAll(archive: string, folder: string): void };
}
