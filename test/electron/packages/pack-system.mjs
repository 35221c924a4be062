/** `node pack-system.mjs SYSTEM FOLDER`: packs what was built for one system into `FOLDER`, with a stand-in for Electron. */
import { join } from 'node:path';
import { Arch, build, Platform } from 'electron-builder';
import { readConfig } from '../../../build/packaging/config.mjs';
import { root } from '../../../build/tasks/support/paths.mjs';
import { writeStandInDistribution } from './stand-in-distribution.ts';

const PLATFORMS = { linux: Platform.LINUX, mac: Platform.MAC, win: Platform.WINDOWS };
const [, , system, folder = ''] = process.argv;

const distribution = join(folder, 'electron');
await writeStandInDistribution(system, distribution);
// No keys, whatever the environment of a test holds.
const config = readConfig(system, {});
await build({
  projectDir: root,
  targets: PLATFORMS[system].createTarget('dir', Arch.x64),
  publish: 'never',
  config: {
    ...config,
    electronDist: distribution,
    directories: { ...config.directories, output: join(folder, 'packed') },
  },
});
