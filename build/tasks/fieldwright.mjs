#!/usr/bin/env node
/**
 * The `fieldwright` command. Runs the build where it belongs to the sources, otherwise the sources
 * themselves, under a Node that is new enough: the one that started it or the checkout's own.
 */
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fs, isCheckout, ownNode, root } from './support/paths.mjs';

const { existsSync, readdirSync, statSync } = fs;

const NEEDED = [24, 0];
const built = join(root, 'out', 'main', 'cli.js');
const source = join(root, 'src', 'cli', 'index.ts');
/** Compiled code, beside what it was compiled from: its owner alone can write there. A build empties it. */
const compiled = join(root, 'out', 'main', '.compiled');

function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

/** True where nothing that the command line is made of changed after the build. */
function buildIsFresh() {
  const stamp = join(root, 'out', '.stamp');
  if (!existsSync(built) || !existsSync(stamp)) return false;
  const builtAt = statSync(stamp).mtimeMs;
  // With every start: asking for types of entries, or joining paths, takes as long again.
  function changedBelow(folder) {
    return readdirSync(folder).some((name) => {
      const path = `${folder}/${name}`;
      const stats = statSync(path);
      if (stats.isDirectory()) return name !== 'renderer' && changedBelow(path);
      return stats.mtimeMs > builtAt;
    });
  }
  return !changedBelow(join(root, 'src'));
}

function entry() {
  return !isCheckout || buildIsFresh() ? built : source;
}

if (isNewEnough()) {
  // Where it cannot be kept, a start takes longer.
  module.enableCompileCache(compiled);
  await import(pathToFileURL(entry()).href);
} else if (existsSync(ownNode)) {
  const { become } = await import('./support/processes.mjs');
  process.exitCode = await become(ownNode, [entry(), ...process.argv.slice(2)], {
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
  });
} else {
  process.stderr.write(
    `fieldwright needs Node ${NEEDED.join('.')} or newer, this is ${process.versions.node}. In a checkout, npm ci brings the right one.\n`,
  );
  process.exitCode = 2;
}
