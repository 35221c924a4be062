/**
 * A package of 2 GiB to one device and to ten at once, beside nginx serving the same file to the same client (curl), and
 * sent as a body, beside `curl -T` to the same sink. Alone: `npm run bench -- transfer`.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { withAsked } from './processes.ts';
import { goal, median, say } from './shared.ts';
import type { TransferNumbers } from './transfer-run.ts';

const GIB = 1024 ** 3;
const SIZE = 2 * GIB;
const ROUNDS = 5;
const MANY = 10;
const RATIO = 0.9;
const GROWTH_MB = 64;
const P99_MS = 25;

const run = promisify(execFile);
const has = (name: string, flag: string): boolean => spawnSync(name, [flag]).status === 0;

/** Milliseconds until every one of them has the whole file. */
async function fetchAll(urls: readonly string[]): Promise<number> {
  const started = performance.now();
  const sizes = await Promise.all(
    urls.map((url) => run('curl', ['-sf', '-o', '/dev/null', '-w', '%{size_download}', url])),
  );
  if (sizes.some(({ stdout }) => Number(stdout) !== SIZE)) throw new Error('Some of the file is missing.');
  return performance.now() - started;
}

/** The package of 2 GiB, random: nothing of it can be left out. */
function makeFile(folder: string): string {
  const path = join(folder, 'package.bin');
  const block = Buffer.allocUnsafe(16 * 1024 * 1024);
  const file = openSync(path, 'w');
  for (let written = 0; written < SIZE; written += block.length) {
    randomFillSync(block);
    writeSync(file, block);
  }
  closeSync(file);
  return path;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** nginx with what the Debian package sets for files, on a port of its own. */
async function withNginx<T>(folder: string, work: (url: string) => Promise<T>): Promise<T> {
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} worker_processes auto; daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 768; }
http { access_log off; sendfile on; tcp_nopush on; ${temporary} server { listen 127.0.0.1:${port}; root ${folder}; } }
`,
  );
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const closed = once(nginx, 'close');
  try {
    await listens(port);
    return await work(`http://127.0.0.1:${port}/package.bin`);
  } finally {
    nginx.kill('SIGTERM');
    await closed;
  }
}

async function listens(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const socket = connect(port, '127.0.0.1');
    const [event] = await Promise.race([
      once(socket, 'connect').then(() => ['connect']),
      once(socket, 'error').then(() => ['error']),
    ]).catch(() => ['error']);
    socket.destroy();
    if (event === 'connect') return;
    await delay(50);
  }
  throw new Error('nginx did not start.');
}

/** Both in turn, so that what else the machine does meets both; medians. */
async function inTurn(
  ours: () => Promise<number>,
  other: () => Promise<number>,
): Promise<{ readonly ours: number; readonly other: number }> {
  const times = { ours: [] as number[], other: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const both = [async () => times.ours.push(await ours()), async () => times.other.push(await other())];
    for (const one of round % 2 === 0 ? both : both.reverse()) await one();
  }
  return { ours: median(times.ours), other: median(times.other) };
}

function line(
  what: string,
  bytes: number,
  { ours, other }: { readonly ours: number; readonly other: number },
  name: string,
): string {
  const mbs = (ms: number): string => (bytes / 1e6 / (ms / 1000)).toFixed(0);
  const ratio = other / ours;
  return `${what}: ${mbs(ours)} MB/s, ${name} ${mbs(other)} MB/s: ratio ${ratio.toFixed(2)} (${goal(ratio >= RATIO, `at least ${RATIO}`)})`;
}

function held(what: string, { growthMb, p99Ms, maxMs }: TransferNumbers): string[] {
  return [
    `${what}: the process grew by ${growthMb.toFixed(0)} MB (${goal(growthMb <= GROWTH_MB, `at most ${GROWTH_MB}`)})`,
    `${what}: delay of the event loop p99 ${p99Ms.toFixed(1)} ms, longest ${maxMs.toFixed(0)} ms (${goal(p99Ms < P99_MS, `p99 under ${P99_MS}`)})`,
  ];
}

/** Returns the report as text. */
export async function transferReport(): Promise<string> {
  const title = `A package of 2 GiB, served and sent; median of ${ROUNDS} rounds in turn`;
  if (!has('curl', '--version')) return `${title}\n\nNot measured: curl is not installed.\n`;
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
  try {
    say('writing 2 GiB');
    const path = makeFile(folder);
    const lines = has('nginx', '-v')
      ? await served(folder, path)
      : ['Not compared: nginx is not installed (apt-get install nginx-light).'];
    return [title, '', ...lines, ...(await pushed(path)), ''].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function served(folder: string, path: string): Promise<string[]> {
  return withNginx(folder, async (nginx) => {
    const { value, last } = await withAsked<readonly string[], TransferNumbers>(
      'transfer-run.ts',
      async ({ ask }) => {
        await ask({ do: 'open', path });
        const { urls } = await ask<{ readonly urls: readonly string[] }>({ do: 'serve', devices: MANY });
        const one = urls.slice(0, 1);
        say('to one device');
        const single = await inTurn(
          () => fetchAll(one),
          () => fetchAll([nginx]),
        );
        say('to ten at once');
        const many = await inTurn(
          () => fetchAll(urls),
          () => fetchAll(urls.map(() => nginx)),
        );
        return [
          line('Served to one device', SIZE, single, 'nginx'),
          line(`Served to ${MANY} at once`, SIZE * MANY, many, 'nginx'),
        ];
      },
    );
    if (!last.complete) throw new Error('Some device did not get everything.');
    return [...value, ...held('Serving', last)];
  });
}

async function pushed(path: string): Promise<string[]> {
  const { value } = await withAsked<string[], unknown>('transfer-sink.ts', async ({ ask: askSink }) => {
    const { url } = await askSink<{ readonly url: string }>({});
    const pushing = await withAsked<string, TransferNumbers>('transfer-run.ts', async ({ ask }) => {
      await ask({ do: 'open', path });
      say('sent as a body');
      const times = await inTurn(
        async () => (await ask<{ readonly ms: number }>({ do: 'push', url })).ms,
        async () => {
          const started = performance.now();
          await run('curl', ['-sf', '-H', 'Expect:', '-o', '/dev/null', '-T', path, `${url}/`]);
          return performance.now() - started;
        },
      );
      return line('Sent as a body', SIZE, times, 'curl -T');
    });
    return [pushing.value, ...held('Sending', pushing.last)];
  });
  return value;
}

if (import.meta.main) process.stdout.write(await transferReport());
