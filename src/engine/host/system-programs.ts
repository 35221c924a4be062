/**
 * Programs of the system, run by their absolute path alone: Windows looks for a bare name in the current folder first,
 * and a download folder may hold any program. The only place in `src` that starts programs by name.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** Paths below the system's folder. */
const WINDOWS = {
  reg: 'System32\\reg.exe',
  icacls: 'System32\\icacls.exe',
  whoami: 'System32\\whoami.exe',
  netsh: 'System32\\netsh.exe',
  powercfg: 'System32\\powercfg.exe',
  route: 'System32\\route.exe',
  rundll32: 'System32\\rundll32.exe',
  powershell: 'System32\\WindowsPowerShell\\v1.0\\powershell.exe',
} as const;
const MAC = {
  open: '/usr/bin/open',
  pmset: '/usr/bin/pmset',
  route: '/sbin/route',
  socketfilterfw: '/usr/libexec/ApplicationFirewall/socketfilterfw',
} as const;
/** Distributions keep them in different folders. */
const LINUX = ['gsettings', 'nft', 'systemctl', 'xdg-open'] as const;
const LINUX_FOLDERS = [
  '/usr/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
  '/usr/local/bin',
  '/run/current-system/sw/bin',
];

export type SystemProgram = keyof typeof WINDOWS | keyof typeof MAC | (typeof LINUX)[number];

interface System {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Partial<Record<string, string>>>;
  readonly exists: (path: string) => boolean;
}
const HERE: System = { platform: process.platform, env: process.env, exists: existsSync };

/** Returns the absolute path of a program; undefined if this system does not have it. */
export function findProgram(
  name: SystemProgram,
  { platform, env, exists }: System = HERE,
): string | undefined {
  switch (platform) {
    case 'win32':
      return Object.hasOwn(WINDOWS, name)
        ? win32.join(getSystemFolder(env), WINDOWS[name as keyof typeof WINDOWS])
        : undefined;
    case 'darwin':
      return Object.hasOwn(MAC, name) ? MAC[name as keyof typeof MAC] : undefined;
    default:
      return LINUX.some((known) => known === name)
        ? LINUX_FOLDERS.map((folder) => posix.join(folder, name)).find(exists)
        : undefined;
  }
}

/** Returns the folder of Windows: what the environment says where that is a folder of a local disk, else `C:\Windows`. */
export function getSystemFolder(env: System['env']): string {
  const said = env['SystemRoot'] ?? env['SYSTEMROOT'] ?? env['windir'] ?? '';
  const isLocal = /^[a-z]:(?:\\[\p{L}\p{N}_$-][\p{L}\p{N} _.$-]*)+\\?$/iu.test(said);
  return isLocal ? win32.normalize(said) : 'C:\\Windows';
}

/**
 * Returns the folder that a program is run in: what it looks for in its current folder is the system's too.
 */
function folderOf(path: string): string {
  return (HERE.platform === 'win32' ? win32 : posix).dirname(path);
}

interface RunLimits {
  readonly timeoutMs: number;
  readonly mostBytes: number;
}

/** Runs a program to its end. Returns what it writes, whatever its exit code; undefined if it is missing, silent or too slow. */
export async function runProgram(
  name: SystemProgram,
  args: readonly string[],
  limits: RunLimits,
): Promise<string | undefined> {
  const path = findProgram(name);
  return path === undefined ? undefined : runAt(path, args, limits);
}

/** Runs a program by its absolute path, like `runProgram`. */
export function runAt(
  path: string,
  args: readonly string[],
  { timeoutMs, mostBytes }: RunLimits,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = {
      timeout: timeoutMs,
      maxBuffer: mostBytes,
      windowsHide: true,
      cwd: folderOf(path),
      // Output in English, if the program knows languages.
      env: { ...process.env, LC_ALL: 'C' },
    };
    execFile(path, [...args], options, (error, stdout) => {
      const ran = error === null || typeof error.code === 'number';
      resolve(ran && stdout.trim() !== '' ? stdout : undefined);
    });
  });
}

/** Starts a program that goes on by itself; undefined if this system does not have it. */
export function startProgram(
  name: SystemProgram,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ChildProcess | undefined {
  const path = findProgram(name);
  if (path === undefined) return undefined;
  const child = spawn(path, args, { stdio: 'ignore', detached: true, cwd: folderOf(path), env });
  child.unref();
  return child;
}
