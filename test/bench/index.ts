/**
 * `npm run bench`: what applying the bundled template to many devices costs, beside a bare loop
 * that sends the same requests. Each run has a fresh site and a process of its own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { tableLines } from '../../src/cli/output/table.ts';
import { decodeReport } from './protocol-decode.ts';
import type { BenchDevice, BenchResult, BenchTask } from './shared.ts';

const DEVICES = Number(process.env['FIELDWRIGHT_BENCH_DEVICES'] ?? 200);
const ROUNDS = Number(process.env['FIELDWRIGHT_BENCH_ROUNDS'] ?? 5);
const CONCURRENCY = 16;
const BOUNDS = { ratio: 2.0, memoryMb: 250 };

function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** A site in a process of its own; the same seed makes each one start alike. */
async function withSite<T>(work: (devices: readonly BenchDevice[]) => Promise<T>): Promise<T> {
  const site = spawn(process.execPath, [script('../../src/cli/index.ts'), 'simulate', '--devices', String(DEVICES), '--kinds', 'thermal,gate', '--seed', '7'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let text = '';
    site.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('\n')) resolve(text);
    });
    site.once('close', () => reject(new Error('The virtual site ended before it was ready.')));
    return await work((JSON.parse(await promise) as { readonly devices: readonly BenchDevice[] }).devices);
  } finally {
    site.kill('SIGTERM');
    if (site.exitCode === null) await once(site, 'close');
  }
}

async function measure(name: string, task: BenchTask): Promise<BenchResult> {
  const child = spawn(process.execPath, [script(name)], { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => { text += part; });
  child.stdin.end(JSON.stringify(task));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}.`);
  return JSON.parse(text) as BenchResult;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] ?? NaN : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

say(`Recording what the engine sends to ${DEVICES} devices …`);
const recorded = (await withSite((devices) => measure('engine-run.ts', { devices, concurrency: CONCURRENCY, record: true }))).recorded ?? [];
const engine: BenchResult[] = [];
const bare: BenchResult[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  // Whoever goes first is warmer or colder: take turns.
  const runs = [
    async () => { engine.push(await withSite((devices) => measure('engine-run.ts', { devices, concurrency: CONCURRENCY }))); },
    async () => { bare.push(await withSite((devices) => measure('bare-run.ts', { devices, concurrency: CONCURRENCY, recorded }))); },
  ];
  for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
  say(`Round ${round + 1} of ${ROUNDS}: engine ${engine.at(-1)?.ms.toFixed(0)} ms, bare loop ${bare.at(-1)?.ms.toFixed(0)} ms`);
}

const rows = [{ name: 'Fieldwright engine', results: engine }, { name: 'bare undici loop', results: bare }];
type Row = (typeof rows)[number];
const number = (read: (result: BenchResult) => number, digits = 0) => (row: Row): string => median(row.results.map(read)).toFixed(digits);
const same = (text: string): string => text;
const ratio = median(engine.map(({ ms }) => ms)) / median(bare.map(({ ms }) => ms));
const peak = Math.max(...engine.map(({ peakRssMb }) => peakRssMb));

process.stdout.write([
  `Plan, apply and read back "Site basics" on ${DEVICES} virtual devices, ${CONCURRENCY} at a time; median of ${ROUNDS} runs; ${cpus().length} cores, Node ${process.versions.node}`,
  '',
  ...tableLines<Row>([
    { title: 'RUN', cell: ({ name }) => name },
    { title: 'TIME ms', align: 'right', cell: number(({ ms }) => ms) },
    { title: 'REQUESTS', align: 'right', cell: number(({ requests }) => requests) },
    { title: 'PEAK RSS MB', align: 'right', cell: number(({ peakRssMb }) => peakRssMb) },
    { title: 'PEAK HEAP MB', align: 'right', cell: number(({ peakHeapMb }) => peakHeapMb) },
    { title: 'OUTCOME', cell: ({ results }) => results[0]?.outcome ?? '' },
  ], rows, { paint: { good: same, bad: same, warn: same, dim: same, strong: same } }),
  '',
  `Ratio of time: ${ratio.toFixed(2)} (goal: at most ${BOUNDS.ratio.toFixed(1)}${ratio <= BOUNDS.ratio ? ', met' : ', MISSED'})`,
  `Highest memory of the engine: ${peak.toFixed(0)} MB (goal: under ${BOUNDS.memoryMb} MB${peak < BOUNDS.memoryMb ? ', met' : ', MISSED'})`,
  '',
].join('\n'));
process.stdout.write(`\n${await decodeReport()}`);
