/** A Chromium that really starts: for browser tests and for the desktop stand-in. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { cacheDir, ownNode, root, toolScript, windows } from './paths.mjs';
import { childEnvironment } from './modules.mjs';
import { capture } from './processes.mjs';
import { step, TaskError } from './report.mjs';

const COMMANDS = windows
  ? ['chrome.exe', 'msedge.exe']
  : [
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
      'chrome',
      'microsoft-edge',
      'microsoft-edge-stable',
    ];
const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
const verifiedFile = join(cacheDir, 'chromium.json');

function installedPlaces() {
  if (process.platform === 'darwin')
    return MAC_APPS.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`);
  if (!windows) return ['/snap/bin/chromium', '/opt/google/chrome/chrome'];
  const bases = [
    process.env['ProgramFiles'],
    process.env['ProgramFiles(x86)'],
    process.env['LOCALAPPDATA'],
  ].filter(Boolean);
  return bases.flatMap((base) => [
    join(base, 'Google', 'Chrome', 'Application', 'chrome.exe'),
    join(base, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
    join(base, 'Chromium', 'Application', 'chrome.exe'),
  ]);
}

function onPath() {
  const folders = (process.env.PATH ?? process.env.Path ?? '').split(delimiter).filter(isAbsolute);
  return COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
}

function playwrightBrowser() {
  try {
    return createRequire(join(root, 'package.json'))('playwright').chromium.executablePath();
  } catch {
    return undefined;
  }
}

/** Places in the order in which they are tried; only such that exist. */
export function chromiumCandidates() {
  const named = process.env.FIELDWRIGHT_CHROMIUM;
  if (named) return [resolve(named)];
  return [...new Set([...onPath(), ...installedPlaces(), playwrightBrowser()])].filter(
    (path) => path && existsSync(path),
  );
}

function identity(path) {
  const { size, mtimeMs } = statSync(path);
  return `${path}|${size}|${mtimeMs}`;
}

function lastVerified() {
  try {
    const { path, identity: known } = JSON.parse(readFileSync(verifiedFile, 'utf8'));
    return identity(path) === known ? path : undefined;
  } catch {
    return undefined;
  }
}

/** A binary may be there and still not start: a stub, or system libraries missing. */
async function starts(path) {
  const args = [
    '--headless',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  if (process.platform === 'linux') args.push('--no-sandbox');
  const result = await capture(path, [...args, '--dump-dom', 'about:blank'], { timeoutMs: 30_000 });
  return result.stdout.includes('<html');
}

async function firstThatStarts(candidates) {
  for (const path of candidates) {
    if (await starts(path)) {
      mkdirSync(cacheDir, { recursive: true });
      writeFileSync(verifiedFile, JSON.stringify({ path, identity: identity(path) }));
      return path;
    }
  }
  return undefined;
}

async function download(extra = []) {
  const env = childEnvironment();
  const result = await capture(
    ownNode,
    [toolScript('playwright', 'cli.js'), 'install', ...extra, '--no-shell', 'chromium'],
    { cwd: root, env, timeoutMs: 600_000 },
  );
  return result.code === 0;
}

const PACKAGE_MANAGERS = [
  {
    probe: '/usr/bin/apt-get',
    commands: [
      ['/usr/bin/apt-get', 'update', '-q'],
      ['/usr/bin/apt-get', 'install', '-y', '-q', '--no-install-recommends', 'chromium', 'fonts-noto-cjk'],
    ],
  },
  { probe: '/usr/bin/dnf', commands: [['/usr/bin/dnf', 'install', '-y', '-q', 'chromium']] },
  { probe: '/sbin/apk', commands: [['/sbin/apk', 'add', '--no-cache', 'chromium']] },
  { probe: '/usr/bin/pacman', commands: [['/usr/bin/pacman', '-Sy', '--noconfirm', 'chromium']] },
];

async function systemInstall() {
  const manager =
    process.getuid?.() === 0 ? PACKAGE_MANAGERS.find(({ probe }) => existsSync(probe)) : undefined;
  if (!manager) return false;
  for (const [command, ...args] of manager.commands) {
    const result = await capture(command, args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMs: 600_000,
    });
    // A repository that cannot be refreshed may still hold the package.
    if (result.code !== 0 && !args.includes('update')) return false;
  }
  return true;
}

/**
 * Path of a Chromium that starts: the one named in FIELDWRIGHT_CHROMIUM, one already on the
 * machine, the test runner's download, or (as root) the system's package.
 */
export async function ensureChromium() {
  const named = process.env.FIELDWRIGHT_CHROMIUM;
  const remembered = lastVerified();
  if (remembered && (!named || named === remembered)) return remembered;
  const found = await firstThatStarts(chromiumCandidates());
  if (found) return found;
  if (named)
    throw new TaskError(
      `FIELDWRIGHT_CHROMIUM names ${named}, which does not start.`,
      'Correct it, or unset it to let a browser be found.',
    );
  const installed = await step(
    'Getting a Chromium for the browser tests (once)',
    async () =>
      ((await download())
        ? ((await firstThatStarts(chromiumCandidates())) ??
          (process.getuid?.() === 0 && (await download(['--with-deps']))
            ? await firstThatStarts(chromiumCandidates())
            : undefined))
        : undefined) ?? ((await systemInstall()) ? firstThatStarts(chromiumCandidates()) : undefined),
  );
  if (installed) return installed;
  throw new TaskError(
    'No Chromium was found, and none could be installed.',
    'Install Chromium, Chrome or Edge, or set FIELDWRIGHT_CHROMIUM to the path of one, then run the same command again.',
  );
}
