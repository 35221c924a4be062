/** The command line as a test runs it: inside this process, or as a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { ErrorShape } from '#shared/errors.ts';
import type { Io } from '#cli/io.ts';
import { runCli } from '#cli/main.ts';
import { throwViolations, type Violation } from '../helpers/strict-site.ts';

/** The command as it ships, where the run of tests has built it: a process of it starts in a quarter of the time. */
/** The sources, some of whose modules a test stands in for. */
export const SOURCES = resolve('src/cli/index.ts');
export const ENTRY = process.env['FIELDWRIGHT_TEST_CLI'] ?? SOURCES;

/** A template with one variable. */
export const LANES = [
  'fieldwright: template/1',
  'name: Lanes',
  'variables:',
  '  distance: { type: integer, min: 1, max: 20 }',
  'sections:',
  '  - set: thermal.thermometryBasic',
  '    params: { channelID: 1 }',
  '    value: { distance: "${distance}" }',
  '',
].join('\n');

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The one JSON document of stdout; throws where it is not exactly one. */
  json<T = unknown>(): T;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Called as soon as stdout has output, with a way to send the first signal. */
  readonly onOutput?: (text: string, interrupt: () => void) => void;
}

export interface Folder {
  readonly path: string;
  file(name: string): string;
  remove(): void;
}

export function makeFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'fieldwright-cli-'));
  return {
    path,
    file: (name) => join(path, name),
    // Windows removes no file that a process, perhaps a scanner, still has open.
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function ran(code: number, stdout: string, stderr: string): Ran {
  return { code, stdout, stderr, json: <T>() => JSON.parse(stdout) as T };
}

function collected(stream: PassThrough, onText?: (text: string) => void): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    onText?.(text);
  });
  return () => text;
}

/** Runs the command line with its data in `folder`, in this process, without a terminal. */
export async function run(folder: Folder, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const handlers = new Set<() => void>();
  const interrupt = (): void => {
    for (const handler of handlers) handler();
  };
  const out = collected(stdout, (text) => options.onOutput?.(text, interrupt));
  const err = collected(stderr);
  const io: Io = {
    stdin: Readable.from(options.input === undefined ? [] : [Buffer.from(options.input)]),
    stdout,
    stderr,
    env: { FIELDWRIGHT_DATA_DIR: folder.file('data'), ...options.env },
    platform: process.platform,
    homeDir: folder.path,
    user: 'tester',
    onSignal(handler) {
      handlers.add(handler);
      return () => {
        handlers.delete(handler);
      };
    },
    exitNow: () => {
      throw new Error('The command was ended by force.');
    },
  };
  const code = await runCli(args, io);
  return ran(code, out(), err());
}

/** Runs a command at a terminal, with one answer typed. */
export async function atTerminal(
  folder: Folder,
  args: readonly string[],
  answer: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly shown: string }> {
  const [stdin, stdout, stderr] = [
    Object.assign(new PassThrough(), { isTTY: true }),
    new PassThrough(),
    Object.assign(new PassThrough(), { isTTY: true }),
  ];
  let shown = '';
  stdout.on('data', (part: Buffer) => {
    shown += part.toString();
  });
  stderr.on('data', (part: Buffer) => {
    shown += part.toString();
    if (part.toString().includes('[y/N]')) stdin.write(`${answer}\n`);
  });
  const io: Io = {
    stdin,
    stdout,
    stderr,
    env: { FIELDWRIGHT_DATA_DIR: folder.file('data'), NO_COLOR: '1', ...env },
    platform: process.platform,
    homeDir: folder.path,
    user: 'tester',
    onSignal: () => () => undefined,
    exitNow: () => {
      throw new Error('ended by force');
    },
  };
  return { code: await runCli(args, io), shown };
}

export interface Running {
  readonly child: ChildProcess;
  /** First line of stdout. */
  readonly firstLine: Promise<string>;
  readonly ended: Promise<Ran>;
}

/** Starts the command line as its own process. */
export function start(
  folder: Folder,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  entry = ENTRY,
): Running {
  const child = spawn(process.execPath, [entry, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FIELDWRIGHT_DATA_DIR: folder.file('data'), ...env },
  });
  let stdout = '';
  let stderr = '';
  const { promise: firstLine, resolve: gotLine, reject } = Promise.withResolvers<string>();
  firstLine.catch(() => undefined);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.includes('\n')) gotLine(stdout.slice(0, stdout.indexOf('\n')));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code]) => {
    reject(new Error(`ended before its first line: ${stderr}`));
    return ran(Number(code), stdout, stderr);
  });
  return { child, firstLine, ended };
}

export interface SiteDevice {
  readonly name: string;
  readonly kind: string;
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

export interface StartedSite {
  readonly devices: readonly SiteDevice[];
  readonly password: string;
  /** Environment with the site's password. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<Ran>;
}

/**
 * A virtual site in a process of its own, through the real command; a strict one. `stop` throws where a request broke
 * the specification, and the test with it.
 */
export async function startSite(folder: Folder, args: readonly string[]): Promise<StartedSite> {
  const running = start(folder, ['simulate', '--strict', ...args]);
  const { devices } = JSON.parse(await running.firstLine) as { readonly devices: readonly SiteDevice[] };
  const password = devices[0]?.password ?? '';
  return {
    devices,
    password,
    env: { FIELDWRIGHT_PASSWORD: password },
    async stop() {
      running.child.kill('SIGTERM');
      const ended = await running.ended;
      throwViolations(
        ended.stdout
          .split('\n')
          .filter((line) => line.startsWith('{"violation"'))
          .map((line) => (JSON.parse(line) as { readonly violation: Violation }).violation),
      );
      return ended;
    },
  };
}

export function errorOf(result: Ran): ErrorShape {
  return result.json<ErrorShape>();
}
