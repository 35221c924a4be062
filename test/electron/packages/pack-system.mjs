/**
 * `node pack-system.mjs SYSTEM FOLDER`: packs what was built for one system into `FOLDER`, with a stand-in for Electron.
 * The command line is made for this computer's own system; for others a few letters lie in its place.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Arch, build, Platform } from 'electron-builder';
import {
  copyCommandLineFiles,
  getHostSystem,
  makeCommandLine,
} from '../../../build/packaging/command-line.mjs';
import { readConfig } from '../../../build/packaging/config.mjs';
import { writeLinuxScripts } from '../../../build/packaging/linux-scripts.mjs';
import { root } from '../../../build/tasks/support/paths.mjs';
import { writeStandInDistribution } from './stand-in-distribution.ts';

const PLATFORMS = { linux: Platform.LINUX, mac: Platform.MAC, win: Platform.WINDOWS };
const [, , system, folder = ''] = process.argv;
const arch = process.arch === 'arm64' ? 'arm64' : 'x64';

const distribution = join(folder, 'electron');
await writeStandInDistribution(system, distribution);

const prepared = join(folder, 'prepared');
copyCommandLineFiles(join(prepared, 'cli'));
if (system === getHostSystem()) await makeCommandLine({ system, arch, folder: join(prepared, arch) });
else {
  mkdirSync(join(prepared, arch));
  writeFileSync(join(prepared, arch, system === 'win' ? 'fieldwright.exe' : 'fieldwright'), 'stand-in');
}
if (system === 'linux') writeLinuxScripts(prepared);

// No keys, whatever the environment of a test holds.
const config = readConfig(system, {}, prepared);
await build({
  projectDir: root,
  targets: PLATFORMS[system].createTarget('dir', Arch[arch]),
  publish: 'never',
  config: {
    ...config,
    electronDist: distribution,
    directories: { ...config.directories, output: join(folder, 'packed') },
  },
});
