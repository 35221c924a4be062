/** A build in out/ that belongs to the sources as they are now. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { formatLicences } from './licences.mjs';
import { ownNode, root, toolScript } from './paths.mjs';
import { childEnvironment } from './modules.mjs';
import { capture } from './processes.mjs';
import { step, TaskError } from './report.mjs';

const INPUTS = [
  'src',
  'resources',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.node.json',
  'tsconfig.web.json',
];
const LICENCES = 'out/licences.txt';
const RESULTS = [
  LICENCES,
  'out/main/cli.cjs',
  'out/main/index.cjs',
  'out/main/licenses.md',
  'out/preload/index.cjs',
  'out/renderer/index.html',
  'out/renderer/licenses.md',
];
const stampFile = join(root, 'out', '.stamp');

function* filesBelow(path) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) yield* filesBelow(join(path, entry.name));
    else if (entry.isFile()) yield join(path, entry.name);
  }
}

/** Hash over names and contents of everything that goes into a build. */
function sourceStamp() {
  const hash = createHash('sha256');
  for (const input of INPUTS) {
    for (const file of filesBelow(join(root, input)))
      hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function builtStamp() {
  return existsSync(stampFile) && RESULTS.every((file) => existsSync(join(root, file)))
    ? readFileSync(stampFile, 'utf8').trim()
    : '';
}

/** Builds all faces when the sources changed since the last build. */
export async function ensureBuild({ force = false } = {}) {
  const wanted = sourceStamp();
  if (!force && builtStamp() === wanted) return;
  await step('Building the app', async () => {
    rmSync(stampFile, { force: true });
    const result = await capture(
      ownNode,
      [toolScript('electron-vite', 'bin/electron-vite.js'), 'build', '--logLevel', 'warn'],
      { cwd: root, env: childEnvironment({ NODE_ENV: 'production' }) },
    );
    if (result.code !== 0)
      throw new TaskError('The build failed.', `${result.stdout}${result.stderr}`.slice(-4000));
    writeFileSync(join(root, LICENCES), formatLicences());
    const missing = RESULTS.filter((file) => !existsSync(join(root, file)));
    if (missing.length > 0)
      throw new TaskError(`The build ended well but left out ${missing.join(', ')}.`, undefined);
    writeFileSync(stampFile, `${wanted}\n`);
  });
}
