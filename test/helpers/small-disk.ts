/** A disk of any size in memory, for tests of what happens when it is full. It needs Linux and user namespaces. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Returns whether this system lets a test mount a disk of its own. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || spawnSync('nsenter', ['--version']).status !== 0) return false;
  return spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SmallDisk {
  /** Folder of the disk; only what runs through `run` sees it. */
  readonly path: string;
  /** Bytes on it. */
  used(): number;
  /** Leaves so many bytes free. */
  leave(bytes: number): void;
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  close(): Promise<void>;
}

export async function mountSmallDisk(): Promise<SmallDisk> {
  const path = mkdtempSync(join(tmpdir(), 'fieldwright-disk-'));
  // The namespace, and the disk with it, lasts as long as the process that waits in it.
  const holder = spawn(
    'unshare',
    ['-Urm', 'sh', '-c', 'mount -t tmpfs -o size=512m none "$0" && echo ready && exec cat', path],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await once(holder.stdout, 'data');
  const inside = ['-t', String(holder.pid), '-U', '-m', '--preserve-credentials'];
  const ask = (...command: string[]): string =>
    execFileSync('nsenter', [...inside, ...command], { encoding: 'utf8' });
  const used = (): number => {
    const [, kilobytes] = ask('df', '-k', '--output=used', path).split('\n');
    return Number(kilobytes) * 1024;
  };
  return {
    path,
    used,
    leave: (bytes) => void ask('mount', '-o', `remount,size=${used() + bytes}`, path),
    async run(command, args, env = {}) {
      const child = spawn('nsenter', [...inside, command, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...env },
      });
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      return { code: Number(code), stdout, stderr };
    },
    async close() {
      const ended = once(holder, 'close');
      holder.stdin.end();
      await ended;
      rmSync(path, { recursive: true, force: true });
    },
  };
}
