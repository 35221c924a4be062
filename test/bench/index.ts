/**
 * `npm run bench`: what applying the bundled template to many devices costs, beside a bare loop
 * that sends the same requests. Each run has a fresh site and a process of its own. Then what
 * decoding, opening a workspace and paging through people cost.
 */
import { cpus } from 'node:os';
import { tableLines } from '../../src/cli/output/table.ts';
import { workspaceReport } from './open-workspace.ts';
import { usersReport } from './page-users.ts';
import { runMeasured, withSite } from './processes.ts';
import { decodeReport } from './protocol-decode.ts';
import { median, plainPaint, type BenchResult, type BenchTask } from './shared.ts';

const DEVICES = Number(process.env['FIELDWRIGHT_BENCH_DEVICES'] ?? 200);
const ROUNDS = Number(process.env['FIELDWRIGHT_BENCH_ROUNDS'] ?? 5);
const CONCURRENCY = 16;
const BOUNDS = { ratio: 2.0, memoryMb: 250 };

/** The main bench's site, and one measured process on it. */
function run(name: string, task: Omit<BenchTask, 'devices' | 'concurrency'> = {}): Promise<BenchResult> {
  return withSite({ devices: DEVICES, kinds: ['thermal', 'gate'], seed: 7 }, (devices) => runMeasured<BenchResult>(name, { ...task, devices, concurrency: CONCURRENCY }));
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

say(`Recording what the engine sends to ${DEVICES} devices …`);
const recorded = (await run('engine-run.ts', { record: true })).recorded ?? [];
const engine: BenchResult[] = [];
const bare: BenchResult[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  // Whoever goes first is warmer or colder: take turns.
  const runs = [
    async () => { engine.push(await run('engine-run.ts')); },
    async () => { bare.push(await run('bare-run.ts', { recorded })); },
  ];
  for (const next of round % 2 === 0 ? runs : runs.toReversed()) await next();
  say(`Round ${round + 1} of ${ROUNDS}: engine ${engine.at(-1)?.ms.toFixed(0)} ms, bare loop ${bare.at(-1)?.ms.toFixed(0)} ms`);
}

const rows = [{ name: 'Fieldwright engine', results: engine }, { name: 'bare undici loop', results: bare }];
type Row = (typeof rows)[number];
const number = (read: (result: BenchResult) => number, digits = 0) => (row: Row): string => median(row.results.map(read)).toFixed(digits);
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
  ], rows, { paint: plainPaint }),
  '',
  `Ratio of time: ${ratio.toFixed(2)} (goal: at most ${BOUNDS.ratio.toFixed(1)}${ratio <= BOUNDS.ratio ? ', met' : ', MISSED'})`,
  `Highest memory of the engine: ${peak.toFixed(0)} MB (goal: under ${BOUNDS.memoryMb} MB${peak < BOUNDS.memoryMb ? ', met' : ', MISSED'})`,
  '',
].join('\n'));
for (const report of [decodeReport, workspaceReport, usersReport]) process.stdout.write(`\n${await report()}`);
