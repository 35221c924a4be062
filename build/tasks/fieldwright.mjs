#!/usr/bin/env node
/**
 * The `fieldwright` command. Runs the build where it belongs to the sources, otherwise the sources
 * themselves, under a Node that is new enough: the one that started it or the checkout's own.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fs, isCheckout, ownNode, root } from './support/paths.mjs';

const { existsSync, mkdirSync, readdirSync, statSync } = fs;

const NEEDED = [24, 0];
const built = join(root, 'out', 'main', 'cli.cjs');
const source = join(root, 'src', 'cli', 'index.ts');
/** Folder of compiled code, beside what it was compiled from. Node trusts it, so its owner alone can write there. A build empties it. */
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
  // This runs at every start: asking for types of entries, or joining paths, would double its time. Names
  // tell them apart.
  function changedBelow(folder) {
    return readdirSync(folder).some((name) => {
      const path = `${folder}/${name}`;
      if (name.endsWith('.ts')) return statSync(path).mtimeMs > builtAt;
      return !name.includes('.') && name !== 'renderer' && changedBelow(path);
    });
  }
  return !changedBelow(join(root, 'src'));
}

/** Enables the compile cache. A start takes longer if the cache cannot be kept. */
async function keepCompiledCode() {
  try {
    mkdirSync(compiled, { recursive: true, mode: 0o700 });
    // Loaded here: an older Node, which only has to start a newer one, has no such function.
    const { enableCompileCache } = await import('node:module');
    enableCompileCache(compiled);
  } catch {
    // The folder cannot be made: a checkout that only its owner may change.
  }
}

if (isNewEnough()) {
  if (isCheckout && !buildIsFresh()) await import(pathToFileURL(source).href);
  else {
    await keepCompiledCode();
    await import(pathToFileURL(built).href);
  }
} else if (existsSync(ownNode) && process.execPath !== ownNode) {
  const { become } = await import('./support/processes.mjs');
  process.exitCode = await become(ownNode, process.argv.slice(1));
} else {
  process.stderr.write(
    `fieldwright needs Node ${NEEDED.join('.')} or newer, this is ${process.versions.node}. In a checkout, npm ci brings the right one.\n`,
  );
  process.exitCode = 2;
}
