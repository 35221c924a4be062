/**
 * `npm run package`: builds, and makes the packages of this system in dist/. `-- --arch x64,arm64` names processors
 * (this computer's, if none is named), `-- --dir` stops at the folder that an installer would copy.
 * Keys to sign with come from the environment: build/packaging/README.md.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuild } from './support/app-build.mjs';
import { ensureBasics } from './support/modules.mjs';
import { root } from './support/paths.mjs';
import { runTask, step, TaskError } from './support/report.mjs';

const ARCHS = ['x64', 'arm64'];

function readArguments() {
  const { values } = parseArgs({
    options: { arch: { type: 'string', default: process.arch }, dir: { type: 'boolean', default: false } },
  });
  const archs = values.arch.split(',');
  const unknown = archs.find((arch) => !ARCHS.includes(arch));
  if (unknown !== undefined)
    throw new TaskError(`There are no packages for ${unknown}; there are: ${ARCHS.join(', ')}.`);
  return { archs, dir: values.dir };
}

async function makePackages({ archs, dir }) {
  const { copyCommandLineFiles, getHostSystem, makeCommandLine } =
    await import('../packaging/command-line.mjs');
  const { PREPARED, hasKey, readConfig } = await import('../packaging/config.mjs');
  const { writeLinuxScripts } = await import('../packaging/linux-scripts.mjs');
  const { Arch, build, Platform } = await import('electron-builder');
  const system = getHostSystem();
  const platform = { linux: Platform.LINUX, mac: Platform.MAC, win: Platform.WINDOWS }[system];
  rmSync(PREPARED, { recursive: true, force: true });
  mkdirSync(PREPARED, { recursive: true });
  await step('Making the command line', async () => {
    copyCommandLineFiles(join(PREPARED, 'cli'));
    for (const arch of archs) await makeCommandLine({ system, arch, folder: join(PREPARED, arch) });
  });
  if (system === 'linux') writeLinuxScripts(PREPARED);
  // A build for a change of others has no keys, and is signed ad hoc all the same.
  if (!hasKey(system, process.env)) process.env.CSC_FOR_PULL_REQUEST = 'true';
  await build({
    projectDir: root,
    // Given no kind, electron-builder makes those of the configuration.
    targets: platform.createTarget(dir ? 'dir' : null, ...archs.map((arch) => Arch[arch])),
    publish: 'never',
    config: readConfig(system),
  });
  if (dir) return;
  const { writeSums } = await import('../packaging/sums.mjs');
  const { writeSbom } = await import('../packaging/sbom.mjs');
  await step('Writing checksums and the list of parts', async () => {
    await writeSbom(join(root, 'dist', 'fieldwright.cdx.json'));
    await writeSums(join(root, 'dist'), system);
  });
}

await runTask(async () => {
  const again = await ensureBasics(fileURLToPath(import.meta.url));
  if (again !== undefined) return again;
  const wanted = readArguments();
  await ensureBuild();
  await makePackages(wanted);
  return 0;
});
