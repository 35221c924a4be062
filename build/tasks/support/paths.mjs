/** Paths of a checkout. Plain JavaScript: also runs on Node 20 without node_modules. */
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `node:fs`, required: an import would make all its exports ready, which costs a start 3 ms. */
export const fs = createRequire(import.meta.url)('node:fs');

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
export const windows = process.platform === 'win32';

/** The Node that `npm ci` brings; the registry's `node` package keeps its binary here. */
const broughtNode = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');

/** Major version of Node that everything runs under. */
export const NEEDED_MAJOR = 24;

/**
 * The Node that tasks run programs with: the one that `npm ci` brings, or where the registry has none for this computer
 * (macOS, Windows on ARM) the one that runs already, if it is of the same major version.
 */
export const ownNode =
  !fs.existsSync(broughtNode) && process.versions.node.startsWith(`${NEEDED_MAJOR}.`)
    ? process.execPath
    : broughtNode;

/** Script behind a package's command, to be run by `ownNode` (no shell, no .cmd files). */
export function toolScript(packageName, script) {
  return join(root, 'node_modules', ...packageName.split('/'), ...script.split('/'));
}

/** Folder for what the tasks remember between runs; removed along with node_modules. */
export const cacheDir = join(root, 'node_modules', '.cache', 'fieldwright');

export const isCheckout = fs.existsSync(join(root, 'src', 'cli'));
