/**
 * Two hosts on a cable of their own: two network namespaces joined by a pair of virtual interfaces.
 * Nothing sent in there reaches the machine's real network. Needs root and iproute2.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Host {
  readonly name: string;
  readonly interface: string;
  /** Runs `ip` inside; throws where it fails. */
  ip(...args: readonly string[]): void;
  /** Runs a TypeScript file of this folder inside. */
  start(file: string, args: readonly string[]): Child;
}

export interface Child {
  readonly process: ChildProcess;
  /** Lines of its standard output, as they come. */
  readonly lines: AsyncIterableIterator<string>;
  say(line: string): void;
  readonly ended: Promise<void>;
  readonly errors: () => string;
}

export interface CableNetwork {
  readonly site: Host;
  readonly laptop: Host;
  remove(): void;
}

export const SITE_ADDRESS = '10.77.4.2';
export const MOVED_ADDRESS = '10.77.4.99';
const LAPTOP_ADDRESS = '10.77.4.1';

function ip(...args: readonly string[]): boolean {
  return spawnSync('ip', args, { encoding: 'utf8' }).status === 0;
}

/** Returns true if this machine and this user can have namespaces; leaves nothing behind. */
export function canHaveNetwork(): boolean {
  const network = openNetwork();
  network?.remove();
  return network !== undefined;
}

/** Names of our namespaces tell whose they are. */
const OURS = /^(fieldwright-(\d+)-\d+-(?:site|laptop))\b/;
const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let made = 0;

/**
 * Returns a network, undefined if this machine or this user cannot have namespaces. It is removed when this
 * process ends, or else with the next one that opens a network.
 */
export function openNetwork(): CableNetwork | undefined {
  removeLeftOver();
  made += 1;
  const mark = `fieldwright-${process.pid}-${made}`;
  const [site, laptop] = [hostOf(`${mark}-site`, 'site0'), hostOf(`${mark}-laptop`, 'lap0')];
  const take = (): void => {
    ip('netns', 'del', site.name);
    ip('netns', 'del', laptop.name);
  };
  const endWith = (signal: NodeJS.Signals): void => {
    remove();
    process.kill(process.pid, signal);
  };
  const remove = (): void => {
    process.off('exit', take);
    for (const signal of ENDINGS) process.off(signal, endWith);
    take();
  };
  process.once('exit', take);
  for (const signal of ENDINGS) process.once(signal, endWith);
  const works =
    ip('netns', 'add', site.name) &&
    ip('netns', 'add', laptop.name) &&
    ip(
      '-n',
      site.name,
      'link',
      'add',
      site.interface,
      'type',
      'veth',
      'peer',
      'name',
      laptop.interface,
      'netns',
      laptop.name,
    ) &&
    dress(site, SITE_ADDRESS) &&
    dress(laptop, LAPTOP_ADDRESS);
  if (works) return { site, laptop, remove };
  remove();
  return undefined;
}

/**
 * Removes namespaces of processes that were killed before they could tidy up. Their virtual interfaces are
 * removed along.
 */
function removeLeftOver(): void {
  const { stdout } = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' });
  for (const line of (stdout as string | null)?.split('\n') ?? []) {
    const [, name, pid] = OURS.exec(line) ?? [];
    if (name !== undefined && !isAlive(Number(pid))) ip('netns', 'del', name);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function dress(host: Host, address: string): boolean {
  return (
    ip('-n', host.name, 'link', 'set', 'lo', 'up') &&
    ip('-n', host.name, 'link', 'set', host.interface, 'up') &&
    ip('-n', host.name, 'addr', 'add', `${address}/24`, 'dev', host.interface) &&
    ip('-n', host.name, 'route', 'add', '224.0.0.0/4', 'dev', host.interface)
  );
}

function hostOf(name: string, device: string): Host {
  return {
    name,
    interface: device,
    ip(...args) {
      if (!ip('-n', name, ...args)) throw new Error(`ip ${args.join(' ')} failed in ${name}`);
    },
    start(file, args) {
      const child = spawn(
        'ip',
        ['netns', 'exec', name, process.execPath, fileURLToPath(new URL(file, import.meta.url)), ...args],
        { stdio: ['pipe', 'pipe', 'pipe'] },
      );
      let errors = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        errors += text;
      });
      child.stdin.on('error', () => undefined);
      return {
        process: child,
        errors: () => errors,
        lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
        say: (line) => {
          child.stdin.write(`${line}\n`);
        },
        ended: new Promise((resolve) => {
          child.once('close', () => resolve());
        }),
      };
    },
  };
}
