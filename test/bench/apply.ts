/**
 * Cost of applying a template to many devices as people do it, at the engine's own pace, beside a bare loop
 * that sends the same requests to as many devices at once as the engine ever does. Each run has a fresh site
 * and a process of its own.
 */
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { formatTable } from '#cli/output/table.ts';
import { DEVICES_AT_ONCE, type DeviceKind } from '#shared/model.ts';
import { runMeasured, withSite } from './processes.ts';
import { goal, median, plainPaint, ratios, say, type BenchResult, type BenchTask } from './shared.ts';

interface ApplyCase {
  readonly title: string;
  readonly template: URL;
  readonly kinds: readonly DeviceKind[];
  readonly devices: number;
  readonly rounds: number;
  readonly goals: { readonly ratio: number; readonly memoryMb: number };
}

const ROUNDS = Number(process.env['FIELDWRIGHT_BENCH_ROUNDS'] ?? 9);
const DEVICES = process.env['FIELDWRIGHT_BENCH_DEVICES'];

/** Measures a mixed site, on which most devices have only some of the settings. */
export function mixedSiteReport(): Promise<string> {
  return applyReport({
    title: '"Site basics"',
    template: new URL('../../resources/templates/site-basics.yaml', import.meta.url),
    kinds: ['thermal', 'gate'],
    devices: Number(DEVICES ?? 200),
    rounds: ROUNDS,
    goals: { ratio: 2.0, memoryMb: 250 },
  });
}

/** Measures ten settings on each of 500 alike devices. */
export function tenSectionsReport(): Promise<string> {
  return applyReport({
    title: 'Ten sections',
    template: new URL('ten-sections.yaml', import.meta.url),
    kinds: ['thermal'],
    devices: Number(DEVICES ?? 500),
    rounds: ROUNDS,
    goals: { ratio: 1.25, memoryMb: 300 },
  });
}

async function applyReport({
  title,
  template,
  kinds,
  devices: count,
  rounds,
  goals,
}: ApplyCase): Promise<string> {
  const templateText = await readFile(template, 'utf8');
  const run = (name: string, task: Omit<BenchTask, 'devices' | 'templateText'> = {}): Promise<BenchResult> =>
    withSite({ devices: count, kinds, seed: 7 }, (devices) =>
      runMeasured<BenchResult>(name, { ...task, templateText, devices }),
    );

  say(`${title}: recording what the engine sends to ${count} devices …`);
  const recorded = (await run('engine-run.ts', { record: true })).recorded ?? [];
  const engine: BenchResult[] = [];
  const bare: BenchResult[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The first run is warmer or colder, so the two take turns.
    const runs = [
      async () => {
        engine.push(await run('engine-run.ts'));
      },
      async () => {
        bare.push(await run('bare-run.ts', { recorded, concurrency: DEVICES_AT_ONCE.most }));
      },
    ];
    for (const next of round % 2 === 0 ? runs : runs.toReversed()) await next();
    say(
      `Round ${round + 1} of ${rounds}: engine ${engine.at(-1)?.ms.toFixed(0)} ms, bare loop ${bare.at(-1)?.ms.toFixed(0)} ms`,
    );
  }

  const rows = [
    { name: 'Fieldwright engine', results: engine },
    { name: 'bare undici loop', results: bare },
  ];
  type Row = (typeof rows)[number];
  const number =
    (read: (result: BenchResult) => number, digits = 0) =>
    (row: Row): string =>
      median(row.results.map(read)).toFixed(digits);
  const ratiosOf = (read: (result: BenchResult) => number): readonly number[] =>
    ratios(engine.map(read), bare.map(read));
  const times = ratiosOf(({ ms }) => ms);
  const ratio = median(times);
  const peak = Math.max(...engine.map(({ peakRssMb }) => peakRssMb));

  return [
    `Plan, apply and read back ${title} on ${count} virtual devices, at most ${DEVICES_AT_ONCE.most} at a time; median of ${rounds} runs; ${cpus().length} cores, Node ${process.versions.node}`,
    '',
    ...formatTable(
      rows,
      {
        RUN: ({ name }) => name,
        'TIME ms': { value: number(({ ms }) => ms), align: 'right' },
        'CPU ms': { value: number(({ cpuMs }) => cpuMs), align: 'right' },
        REQUESTS: { value: number(({ requests }) => requests), align: 'right' },
        'PEAK RSS MB': { value: number(({ peakRssMb }) => peakRssMb), align: 'right' },
        'PEAK HEAP MB': { value: number(({ peakHeapMb }) => peakHeapMb), align: 'right' },
        OUTCOME: ({ results }) => results[0]?.outcome ?? '',
      },
      { paint: plainPaint },
    ),
    '',
    `Ratio of time, the median of the rounds: ${ratio.toFixed(2)} (${goal(ratio <= goals.ratio, `at most ${goals.ratio.toFixed(2)}`)}), ${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)}`,
    `Ratio of the main thread's CPU, which other work on this computer disturbs less: ${median(ratiosOf(({ cpuMs }) => cpuMs)).toFixed(2)}`,
    `Highest memory of the engine: ${peak.toFixed(0)} MB (${goal(peak < goals.memoryMb, `under ${goals.memoryMb} MB`)})`,
    '',
  ].join('\n');
}
