/**
 * Rights of files that hold a secret, on Windows: outside of the profile of a user, every user of the computer may read a
 * new file. Set and read by `icacls`, whose words are translated, so that only its saved form (SDDL) is looked at.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { runProgram, type SystemProgram } from './system-programs.ts';

interface RightsView {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Partial<Record<string, string>>>;
  readonly run: (program: SystemProgram, args: readonly string[]) => Promise<string | undefined>;
  /** Returns the rights that were saved to a file, and removes it; undefined if there is none. */
  readonly takeSaved: (file: string) => string | undefined;
}

const HERE: RightsView = {
  platform: process.platform,
  env: process.env,
  run: (program, args) => runProgram(program, args, { timeoutMs: 5_000, mostBytes: 64 * 1024 }),
  takeSaved(file) {
    try {
      return readFileSync(file, 'utf16le');
    } catch {
      return undefined;
    } finally {
      rmSync(file, { force: true });
    }
  },
};

const SYSTEM = 'S-1-5-18';
/** The system, administrators, and the owner of the file. */
const TRUSTED = new Set(['SY', 'BA', 'OW', SYSTEM, 'S-1-5-32-544', 'S-1-3-4']);

/**
 * Keeps a file from other users of this computer. Returns false if that cannot be done, on FAT for example. Does nothing on
 * other systems, which have modes, and in the profile, which is private.
 */
export async function keepFromOthers(path: string, view: RightsView = HERE): Promise<boolean> {
  const { platform, env, run } = view;
  if (platform !== 'win32' || isInProfile(path, env)) return true;
  const user = /S-1-5-21(?:-\d+){2,}/.exec((await run('whoami', ['/user', '/fo', 'csv', '/nh'])) ?? '')?.[0];
  if (user === undefined) return false;
  if (await isPrivate(path, user, view)) return true;
  await run('icacls', [path, '/inheritance:r', '/grant:r', `*${user}:F`, `*${SYSTEM}:F`, '/q']);
  return isPrivate(path, user, view);
}

async function isPrivate(path: string, user: string, { run, takeSaved }: RightsView): Promise<boolean> {
  const file = join(tmpdir(), `fieldwright-rights-${randomUUID()}.txt`);
  await run('icacls', [path, '/save', file, '/q']);
  return isPrivateSddl(takeSaved(file) ?? '', user);
}

/** Returns whether only this user and the system have rights; false also for text that is no list of rights. */
export function isPrivateSddl(text: string, user: string): boolean {
  // `D:` begins the list: (type;flags;rights;object;inherited object;trustee).
  const list = /D:[A-Z]*((?:\([^()]*\))+)/.exec(text)?.[1];
  if (list === undefined) return false;
  return [...list.matchAll(/\(([^()]*)\)/g)].every(([, entry = '']) => {
    const [type = '', , , , , trustee = ''] = entry.split(';');
    return !type.includes('A') || trustee === user || TRUSTED.has(trustee);
  });
}

/** Returns whether a path lies in the profile of the user, which Windows keeps from others. */
function isInProfile(path: string, env: RightsView['env']): boolean {
  const profile = env['USERPROFILE'];
  if (profile === undefined || !win32.isAbsolute(profile)) return false;
  const inside = win32.relative(profile, path);
  return inside !== '' && !inside.startsWith('..') && !win32.isAbsolute(inside);
}

/** Numbers by which Linux and macOS know file systems without permissions. */
const WITHOUT_RIGHTS = new Set([0x4d44, 0x2011bab0]);

/** Returns whether a file lies on a disk that keeps no permissions; false if the system does not say. */
export function isWithoutRights(path: string): boolean {
  try {
    return WITHOUT_RIGHTS.has(statfsSync(path).type);
  } catch {
    return false;
  }
}
