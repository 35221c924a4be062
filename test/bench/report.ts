/**
 * A capability report of virtual devices of every kind at 5 ms: reading them beside a bare client that sends the same
 * requests, as many at once to each device; then PDF and HTML in time and memory, and how long the HTML takes to open.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright';
import { CHROMIUM_ARGS, findChromium } from '../helpers/chromium.ts';
import { DEVICES_AT_ONCE } from '#shared/model.ts';
import { runMeasured, withSite } from './processes.ts';
import type { ReportFigures, ReportTask } from './report-run.ts';
import { goal, median, say, type BenchResult, type BenchTask } from './shared.ts';

const DEVICES = Number(process.env['FIELDWRIGHT_BENCH_DEVICES'] ?? 200);
const ROUNDS = Math.min(Number(process.env['FIELDWRIGHT_BENCH_ROUNDS'] ?? 3), 3);
const LATENCY_MS = 5;
/** Calls at once to a device that nothing else is known of. */
const IN_FLIGHT = 2;
const GOALS = { ofBound: 0.8, pdfMs: 15_000, memoryMb: 400, openMs: 1_000 };

export async function reportReport(): Promise<string> {
  const run = <T>(name: string, task: object): Promise<T> =>
    withSite({ devices: DEVICES, latencyMs: LATENCY_MS, seed: 7 }, (devices) =>
      runMeasured<T>(name, { ...task, devices }),
    );
  const engine = (task: Omit<ReportTask, 'devices'>): Promise<ReportFigures> => run('report-run.ts', task);

  say(`Recording what a report of ${DEVICES} devices asks for …`);
  const { recorded = [], failed } = await engine({ record: true });
  const requests = recorded.reduce((sum, { length }) => sum + length, 0);
  const bareTask = { recorded, concurrency: DEVICES_AT_ONCE.most, inFlight: IN_FLIGHT, templateText: '' };
  const read: ReportFigures[] = [];
  const bare: BenchResult[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await run('bare-run.ts', bareTask satisfies Omit<BenchTask, 'devices'>));
    read.push(await engine({}));
    say(
      `Round ${round + 1} of ${ROUNDS}: engine ${read.at(-1)?.ms.toFixed(0)} ms, bare client ${bare.at(-1)?.ms.toFixed(0)} ms`,
    );
  }
  const [readMs, bareMs] = [median(read.map(({ ms }) => ms)), median(bare.map(({ ms }) => ms))];
  const [readCpu, bareCpu] = [median(read.map(({ cpuMs }) => cpuMs)), median(bare.map(({ cpuMs }) => cpuMs))];

  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
  try {
    // Each in a process of its own: the memory of one says nothing of the other.
    const { pdf } = (await engine({ folder, formats: ['pdf'] })).files;
    const { html, csv } = (await engine({ folder, formats: ['html', 'csv'] })).files;
    const opened = await openMs(join(folder, 'report.html'));
    const about = (file: typeof pdf): string =>
      `${((file?.ms ?? NaN) / 1000).toFixed(1)} s, ${((file?.bytes ?? NaN) / 1e6).toFixed(1)} MB`;
    return [
      `Capability report of ${DEVICES} virtual devices of every kind, ${LATENCY_MS} ms an answer; median of ${ROUNDS} runs; ${cpus().length} cores, Node ${process.versions.node}`,
      '',
      `Read: ${requests.toLocaleString('en')} requests in ${(readMs / 1000).toFixed(2)} s (${goal(failed === 0, 'no device fails')}); the bare client needs ${(bareMs / 1000).toFixed(2)} s: ${(bareMs / readMs).toFixed(2)} of that bound (${goal(bareMs / readMs >= GOALS.ofBound, `at least ${GOALS.ofBound}`)})`,
      `CPU of the main thread: ${(readCpu / 1000).toFixed(2)} s, that of the bare client ${(bareCpu / 1000).toFixed(2)} s`,
      `PDF: ${about(pdf)} (${goal((pdf?.ms ?? Infinity) < GOALS.pdfMs, `under ${GOALS.pdfMs / 1000} s`)}), peak RSS with the reading ${pdf?.peakRssMb.toFixed(0)} MB (${goal((pdf?.peakRssMb ?? Infinity) < GOALS.memoryMb, `under ${GOALS.memoryMb} MB`)})`,
      `HTML: ${about(html)}, opens in ${opened === undefined ? '? ms (no Chromium)' : `${opened} ms (${goal(opened < GOALS.openMs, `under ${GOALS.openMs} ms`)})`}`,
      `CSV: ${about(csv)}`,
      '',
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the milliseconds until the file is loaded and painted, as the first page of a freshly started
 * browser.
 */
async function openMs(file: string): Promise<number | undefined> {
  const executablePath = findChromium();
  if (executablePath === undefined) return undefined;
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS] });
  try {
    const page = await browser.newPage();
    await page.goto('about:blank');
    const start = performance.now();
    await page.goto(pathToFileURL(file).href);
    await page.evaluate('new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))');
    return Math.round(performance.now() - start);
  } finally {
    await browser.close();
  }
}

if (import.meta.main) process.stdout.write(await reportReport());
