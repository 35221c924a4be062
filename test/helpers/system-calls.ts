/** System calls of a process as strace sees them from outside: what was on disk when something was said. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

export interface SystemCall {
  readonly name: string;
  /** Arguments as strace writes them, with the path of each file behind its number. */
  readonly args: string;
  readonly failed: boolean;
  /** Places in the order of all calls: when it began, and when it had ended. */
  readonly begun: number;
  readonly ended: number;
}

export interface Traced {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly calls: readonly SystemCall[];
}

const CALLS =
  'openat,write,writev,pwrite64,sendto,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink';

/** Returns whether this system lets a test trace the calls of a process. */
export function canTrace(): boolean {
  return process.platform === 'linux' && spawnSync('strace', ['-f', '-e', 'trace=none', 'true']).status === 0;
}

/** Runs a command under strace. `inject`: calls that fail, as strace names them (`rename:error=EBUSY:when=1..3`). */
export async function trace(
  command: readonly string[],
  options: {
    readonly into: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly inject?: string;
  },
): Promise<Traced> {
  const { into, env = {}, inject } = options;
  // The filter stops the process at these calls alone, which takes a third of the time.
  const words = ['-f', '--seccomp-bpf', '-y', '-s', '32768', '-e', `trace=${CALLS}`, '-o', into];
  if (inject !== undefined) words.push('-e', `inject=${inject}`);
  const child = spawn('strace', [...words, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: Number(code), stdout, stderr, calls: parse(readFileSync(into, 'utf8')) };
}

function parse(output: string): readonly SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, { readonly name: string; readonly args: string; readonly begun: number }>();
  for (const [at, line] of output.split('\n').entries()) {
    const [, pid = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const [, begunName, begunArgs] = /^(\w+)\((.*) <unfinished \.\.\.>$/.exec(rest) ?? [];
    if (begunName !== undefined) {
      open.set(pid, { name: begunName, args: begunArgs ?? '', begun: at });
      continue;
    }
    const [, resumed, tail = ''] = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest) ?? [];
    const [, name, args = ''] = resumed === undefined ? (/^(\w+)\((.*)$/.exec(rest) ?? []) : [];
    const before = resumed === undefined ? undefined : open.get(pid);
    const failed = / = -1 /.test(rest);
    if (before !== undefined) calls.push({ ...before, args: before.args + tail, failed, ended: at });
    else if (name !== undefined) calls.push({ name, args, failed, begun: at, ended: at });
  }
  return calls;
}

/** @throws Error with the first promise that a power cut before `said` would break. */
export function expectOnDisk({ calls }: Traced, path: string, said: string | undefined): void {
  const need = <T>(found: T | undefined, what: string): T => {
    if (found === undefined) throw new Error(`${path}: ${what}`);
    return found;
  };
  const folder = path.slice(0, path.lastIndexOf('/'));
  const good = calls.filter(({ failed }) => !failed);
  const isSync = ({ name }: SystemCall): boolean => name === 'fsync' || name === 'fdatasync';
  const isWrite = ({ name }: SystemCall): boolean => /^p?write/.test(name);
  const placed = need(
    good.find(({ name, args }) => /^(?:rename|link)/.test(name) && args.includes(`, "${path}"`)),
    'it did not get its name by a rename or a link',
  );
  const part = /"([^"]+)"/.exec(placed.args)?.[1] ?? '';
  const made = need(
    good.findLast(
      ({ name, args }) => name === 'openat' && args.includes(`"${part}"`) && /O_CREAT/.test(args),
    ),
    'what was renamed was not made',
  );
  if (!made.args.includes('O_EXCL') || !made.args.includes('0600'))
    throw new Error(`${path}: made so that others may read it or a link is followed: ${made.args}`);
  const written = need(
    good.findLast((call) => isWrite(call) && call.args.includes(`<${part}>`)),
    'nothing was written',
  );
  const synced = need(
    good.find((call) => isSync(call) && call.args.includes(`<${part}>`) && call.begun > written.ended),
    'its bytes were not synced after the last write',
  );
  if (synced.ended >= placed.begun) throw new Error(`${path}: it was renamed before its bytes were on disk`);
  const named = need(
    good.find((call) => isSync(call) && call.args.includes(`<${folder}>`) && call.begun > placed.ended),
    'its folder was not synced after the rename',
  );
  if (said === undefined) return;
  const word = need(
    good.find((call) => isWrite(call) && /^[12]</.test(call.args) && call.args.includes(said)),
    `"${said}" was not said`,
  );
  if (word.begun <= named.ended) throw new Error(`${path}: "${said}" was said before it was on disk`);
}
