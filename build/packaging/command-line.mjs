/**
 * The program `fieldwright` of an installation: Node's "single executable application", made of the checkout's Node
 * and a script of a few lines. What it runs lies beside it as it was built and tested. Electron itself cannot serve: its
 * fuses keep it from running as Node, it has no console on Windows, and it starts ten times as slowly.
 */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ownNode, root } from '../tasks/support/paths.mjs';
import { capture } from '../tasks/support/processes.mjs';
import { TaskError } from '../tasks/support/report.mjs';
import { removeWindowsSignature } from './windows-signature.mjs';

const MAIN = join(import.meta.dirname, 'command-line-main.cjs');
/** Mark in Node's program that says whether something was put into it. */
const SENTINEL = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const CODESIGN = '/usr/bin/codesign';

const HOST = { darwin: 'mac', win32: 'win' }[process.platform] ?? 'linux';

/** Name of the system that this computer has, as electron-builder calls it. */
export function getHostSystem() {
  return HOST;
}

/**
 * Returns Node's program for a system and processor: the one that `FIELDWRIGHT_NODE_<SYSTEM>_<ARCH>` names, or the
 * checkout's own. Windows on ARM runs the one for x64 too.
 */
function findNodeFor(system, arch, env) {
  const variable = `FIELDWRIGHT_NODE_${system}_${arch}`.toUpperCase();
  const named = env[variable];
  if (named !== undefined && named !== '') return named;
  if (system === HOST && (arch === process.arch || system === 'win')) return ownNode;
  throw new TaskError(
    `There is no Node for ${system} on ${arch} here, which the command line is made of.`,
    `Set ${variable} to the program of Node for it, of the same version as ${ownNode}.`,
  );
}

async function run(program, args) {
  const { code, stdout, stderr } = await capture(program, args, { cwd: root });
  if (code !== 0) throw new TaskError(`${program} ${args[0]} failed.`, `${stdout}${stderr}`.slice(-2000));
  return stdout.trim();
}

/** Throws unless a program is the Node that prepares what is put into it: no other version can read that. */
async function assertSameVersion(program, bytes) {
  const version = await run(ownNode, ['--version']);
  if (!bytes.includes(Buffer.from(version))) throw new TaskError(`${program} is not Node ${version}.`);
}

/** Writes the script as Node wants to have it inside. */
async function writeBlob(folder) {
  const blob = join(folder, 'command-line.blob');
  const description = join(folder, 'command-line.json');
  writeFileSync(
    description,
    JSON.stringify({
      main: MAIN,
      output: blob,
      disableExperimentalSEAWarning: true,
      // Neither belongs to one system: the same blob serves all.
      useSnapshot: false,
      useCodeCache: false,
      execArgvExtension: 'none',
    }),
  );
  await run(ownNode, ['--experimental-sea-config', description]);
  const bytes = readFileSync(blob);
  rmSync(blob);
  rmSync(description);
  return bytes;
}

/** Returns the licence that belongs to a program of Node, as archives of Node and packages of npm have it. */
function findNodeLicence(node) {
  const packages = join(root, 'node_modules', 'node', 'node_modules');
  const places = [
    join(dirname(node), '..', 'LICENSE'),
    join(dirname(node), 'LICENSE'),
    ...(existsSync(packages) ? readdirSync(packages).map((name) => join(packages, name, 'LICENSE')) : []),
  ];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new TaskError(`The licence of Node cannot be found beside ${node}.`);
  return found;
}

/** Copies what the program runs, as it was built, into a folder: `out/` of it, and who it is. */
export function copyCommandLineFiles(folder) {
  for (const place of ['main/cli.cjs', 'main/chunks', 'renderer'])
    cpSync(join(root, 'out', place), join(folder, 'out', place), {
      recursive: true,
      filter: (file) => !/\.map$|licenses\.md$/.test(file),
    });
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, version })}\n`);
}

/** Makes the program in a folder, beside the licence of Node; returns its path. */
export async function makeCommandLine({ system, arch, folder, env = process.env }) {
  const node = findNodeFor(system, arch, env);
  mkdirSync(folder, { recursive: true });
  const program = join(folder, system === 'win' ? 'fieldwright.exe' : 'fieldwright');
  const bytes = readFileSync(node);
  await assertSameVersion(node, bytes);
  const blob = await writeBlob(folder);
  // A signature says that nothing was changed; the package is signed as a whole later.
  writeFileSync(program, system === 'win' ? removeWindowsSignature(bytes) : bytes);
  chmodSync(program, 0o755);
  if (system === 'mac') await run(CODESIGN, ['--remove-signature', program]);
  const { inject } = createRequire(import.meta.url)('postject');
  await inject(program, 'NODE_SEA_BLOB', blob, {
    sentinelFuse: SENTINEL,
    ...(system === 'mac' ? { machoSegmentName: 'NODE_SEA' } : {}),
  });
  copyFileSync(findNodeLicence(node), join(folder, 'LICENSE.node.txt'));
  return program;
}
