/** Messages between the processes of a bench. */
import { readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';

/** One request as the engine sent it; `signed` where it carried credentials. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly signed: boolean;
}

export interface BenchDevice {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** Task of one measured process; comes on standard input. */
export interface BenchTask {
  readonly devices: readonly BenchDevice[];
  /** Absent: as the engine sees fit. */
  readonly concurrency?: number;
  readonly templateText: string;
  /** Requests of each device in the order sent, for the bare loop. */
  readonly recorded?: readonly (readonly RecordedRequest[])[];
  /** The engine tells what it sent; such a run is not timed. */
  readonly record?: boolean;
}

/** Answer of one measured process; one line on standard output. */
export interface BenchResult {
  readonly ms: number;
  /** CPU time of the main thread. */
  readonly cpuMs: number;
  readonly requests: number;
  readonly peakRssMb: number;
  readonly peakHeapMb: number;
  readonly outcome: string;
  readonly recorded?: readonly (readonly RecordedRequest[])[];
}

/** Highest heap seen while `work` ran, looked at every 10 ms; RSS comes from the system. */
export async function measured<T>(work: () => Promise<T>): Promise<{
  readonly value: T;
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakRssMb: number;
  readonly peakHeapMb: number;
}> {
  let heap = getHeapStatistics().used_heap_size;
  const timer = setInterval(() => {
    heap = Math.max(heap, getHeapStatistics().used_heap_size);
  }, 10);
  const started = performance.now();
  const before = process.threadCpuUsage();
  const value = await work();
  const ms = performance.now() - started;
  const { user, system } = process.threadCpuUsage(before);
  clearInterval(timer);
  return { value, ms, cpuMs: (user + system) / 1000, peakRssMb: peakRssMb(), peakHeapMb: heap / 1024 / 1024 };
}

/**
 * Most memory that this process ever held. On Linux `maxRSS` begins with what the process that started
 * this one held, a bench with a whole bundler in it; the high-water mark of the memory itself does not.
 */
export function peakRssMb(): number {
  const kilobytes =
    process.platform === 'linux'
      ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
      : undefined;
  return Number(kilobytes ?? process.resourceUsage().maxRSS) / 1024;
}

/** Standard input as JSON, unchecked. */
export async function readInput(): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString());
}

export async function readTask(): Promise<BenchTask> {
  return (await readInput()) as BenchTask;
}

export function writeResult(result: BenchResult): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** How many times as much as beside it, round by round: how fast a computer is changes while the rounds go on. */
export function ratios(ours: readonly number[], theirs: readonly number[]): readonly number[] {
  return ours.map((our, round) => our / (theirs[round] ?? Number.NaN));
}

/** Progress, beside the report. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** `goal: at most 1.6, met`. */
export function goal(met: boolean, text: string): string {
  return `goal: ${text}, ${met ? 'met' : 'MISSED'}`;
}

const same = (text: string): string => text;
/** Reports are plain text. */
export const plainPaint = { good: same, bad: same, warn: same, dim: same, strong: same };
