/**
 * Script inside the installed program `fieldwright`, which is Node with this in it: runs the command line that was
 * built, from the folder of resources around the program. It obeys no NODE_OPTIONS and no options of Node.
 */
const { realpathSync } = process.getBuiltinModule('node:fs');
const { createRequire, enableCompileCache } = process.getBuiltinModule('node:module');
const { homedir } = process.getBuiltinModule('node:os');
const { dirname, join } = process.getBuiltinModule('node:path');

// A link to the program (/usr/local/bin/fieldwright) is none of its folders.
const program = realpathSync(process.execPath);
const resources = dirname(dirname(program));
/** Electron sets the same for the desktop app. */
process.resourcesPath = resources;

/** Folder of the user's own for code that was compiled before: a start takes a third of the time with it. */
function findCacheDir() {
  const { env, platform } = process;
  if (platform === 'win32') return env.LOCALAPPDATA && join(env.LOCALAPPDATA, 'Fieldwright', 'compiled');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'Fieldwright', 'compiled');
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'Fieldwright', 'compiled');
}

try {
  const cacheDir = findCacheDir();
  if (cacheDir) enableCompileCache(cacheDir);
} catch {
  // A user without a home has no such folder: every start compiles anew.
}
createRequire(program)(join(resources, 'cli', 'out', 'main', 'cli.cjs'));
