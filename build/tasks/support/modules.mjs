/** node_modules as package-lock.json wants it, and the Node that runs everything else. */
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { NEEDED_MAJOR, ownNode, root, windows } from './paths.mjs';
import { become, capture } from './processes.mjs';
import { say, step, TaskError } from './report.mjs';

const REEXEC_MARK = 'FIELDWRIGHT_TASK_NODE';

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * True where every package of package-lock.json is installed in its version. Compares contents,
 * because a checkout's time stamps say nothing about when it was installed.
 */
function modulesAreCurrent() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const present = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!wanted || !present || !existsSync(ownNode)) return false;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' ||
      entry.optional ||
      entry.peer ||
      (entry.devOptional && !present[path]) ||
      present[path]?.version === entry.version,
  );
}

/** The script of npm: the one that started this task, else the one beside this Node or in a folder of PATH. */
export function npmScript() {
  const started = process.env.npm_execpath;
  if (started && isAbsolute(started) && /npm-cli\.[cm]?js$/.test(started)) return started;
  const inModules = join('node_modules', 'npm', 'bin', 'npm-cli.js');
  const here = dirname(process.execPath);
  const folders = (process.env.PATH ?? process.env.Path ?? '').split(delimiter).filter(isAbsolute);
  const found = [
    join(here, inModules),
    join(here, '..', 'lib', inModules),
    ...folders.flatMap((folder) => [join(folder, inModules), join(folder, '..', 'lib', inModules)]),
    // Some distributions put it elsewhere: its command is a link to the script.
    ...(windows ? [] : folders.map((folder) => join(folder, 'npm'))),
  ].find((path) => existsSync(path));
  if (found) return found;
  throw new TaskError(
    'npm cannot be found, so the dependencies cannot be installed.',
    'Install Node with npm.',
  );
}

function explainNpm(output) {
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|network request/i.test(
      output,
    )
  ) {
    return new TaskError(
      'The package registry cannot be reached, so the dependencies cannot be installed.',
      'Check the network connection, a proxy (npm config get proxy) and the registry (npm config get registry), then run the same command again.',
    );
  }
  if (/EACCES|EPERM|EROFS/.test(output))
    return new TaskError(
      'npm may not write into this folder.',
      `Check the owner of ${root} and of its node_modules.`,
    );
  if (/ENOSPC/.test(output))
    return new TaskError('The disk is full: the dependencies need about 1 GB.', undefined);
  const lines = output
    .split('\n')
    .filter((line) => /npm error/i.test(line) && !/complete log/i.test(line))
    .slice(0, 8);
  return new TaskError('npm ci failed.', lines.join('\n') || output.slice(-800));
}

/** Installs what package-lock.json says, when it is not there yet. */
async function ensureModules() {
  if (modulesAreCurrent()) return;
  // The system Node may be older than some tools ask for; they run under the Node installed here.
  const args = [
    npmScript(),
    'ci',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--no-progress',
  ];
  await step('Installing dependencies (once; a minute or two)', async () => {
    const result = await capture(process.execPath, args, {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'development' },
    });
    if (result.code !== 0) throw explainNpm(`${result.stderr}\n${result.stdout}`);
    if (!existsSync(ownNode))
      throw new TaskError(
        `The dependencies were installed, but not Node ${NEEDED_MAJOR}, which runs everything else.`,
        `The registry may have none for this computer, or install scripts may be turned off (npm config get ignore-scripts). Install Node ${NEEDED_MAJOR} and run the same command again.`,
      );
  });
}

/**
 * Makes sure that the caller runs under the checkout's Node: returns undefined where it does,
 * otherwise runs `script` again there and returns its exit code.
 */
async function ensureNode(script) {
  if (Number(process.versions.node.split('.')[0]) === NEEDED_MAJOR) return undefined;
  if (process.env[REEXEC_MARK])
    throw new TaskError(
      `Node ${NEEDED_MAJOR} is needed, ${process.version} was found in ${ownNode}.`,
      'Remove node_modules and run the same command again.',
    );
  return become(ownNode, [script, ...process.argv.slice(2)], {
    env: { ...childEnvironment(), [REEXEC_MARK]: '1' },
  });
}

/** Environment for children: the checkout's commands and Node come first on the path. */
export function childEnvironment(extra = {}) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const bins = join(root, 'node_modules', '.bin');
  const path = process.env[key] ?? '';
  const first = path.split(windows ? ';' : ':')[0] === bins;
  return { ...process.env, [key]: first ? path : `${bins}${windows ? ';' : ':'}${path}`, ...extra };
}

/** Modules and Node in one go: the first thing each task does. */
export async function ensureBasics(script) {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < 20) say(`Node ${process.version} is old; this works from Node 20 on.`);
  await ensureModules();
  return ensureNode(script);
}
