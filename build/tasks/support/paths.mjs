/** Paths of a checkout. Plain JavaScript: also runs on Node 20 without node_modules. */
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `node:fs`, required: an import would make all its exports ready, which costs a start 3 ms. */
export const fs = createRequire(import.meta.url)('node:fs');

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
export const windows = process.platform === 'win32';

/** The Node that `npm ci` brings; the registry's `node` package keeps its binary here. */
export const ownNode = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');

/** Script behind a package's command, to be run by `ownNode` (no shell, no .cmd files). */
export function toolScript(packageName, script) {
  return join(root, 'node_modules', ...packageName.split('/'), ...script.split('/'));
}

/** Folder for what the tasks remember between runs; removed along with node_modules. */
export const cacheDir = join(root, 'node_modules', '.cache', 'fieldwright');

export const isCheckout = fs.existsSync(join(root, 'src', 'cli'));
