/** Measured process: enrols fingerprints on several gates from a stream, keeping none. Needs `--expose-gc`. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { Agent } from 'undici';
import type { Engine } from '#engine/index.ts';
import { bareClient } from './bare-client.ts';
import { peakRssMb, readInput, type BenchDevice, type RecordedRequest } from './shared.ts';
import { withBenchEngine } from './bench-engine.ts';

export interface PrintsTask {
  readonly devices: readonly BenchDevice[];
  readonly prints: number;
  readonly readers: readonly number[];
}
export interface PrintsResult {
  /** Time from the first byte of the input to the last result, without the memory readings. */
  readonly ms: number;
  /** Part of `ms` spent reading and sealing the input. */
  readonly readMs: number;
  /** Time of a bare loop for one fingerprint on all gates, measured right after it. */
  readonly bareMs: number;
  readonly taken: number;
  readonly others: number;
  readonly earlyMb: number;
  readonly highestMb: number;
  readonly peakRssMb: number;
}

const SAMPLES = 20;
const never = new AbortController().signal;

/** Objects and buffers after a full collection, in MB, without what V8 compiles meanwhile. */
async function heldMb(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('Start this with --expose-gc.');
  globalThis.gc();
  await nextTurn();
  globalThis.gc();
  const compiled = getHeapSpaceStatistics()
    .filter(({ space_name: name }) => /code|trusted/.test(name))
    .reduce((sum, { space_used_size: size }) => sum + size, 0);
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed - compiled + external) / 1024 / 1024;
}

/** Templates of 512 bytes, five fingers of each person. */
async function* lines(prints: number): AsyncGenerator<string> {
  for (let index = 0; index < prints; index += 1) {
    const print = createHash('shake256', { outputLength: 512 }).update(String(index)).digest('base64');
    yield await Promise.resolve(
      `${JSON.stringify({ employeeNo: `B${Math.floor(index / 5)}`, fingerPrintID: (index % 5) + 1, fingerType: 'normalFP', fingerData: print })}\n`,
    );
  }
}

/** The same requests from nothing but undici, two at a time to each gate: what the machine makes of the latency just now. */
async function bare({ devices, prints, readers }: PrintsTask): Promise<number> {
  const each = Math.max(20, Math.round(prints / 10));
  const dispatcher = new Agent({ allowH2: false, connections: 2, pipelining: 1 });
  const path = '/API/AccessControl/FingerPrint/SetUp?format=json';
  const request = (index: number, device: number): RecordedRequest => ({
    method: 'POST',
    path,
    contentType: 'application/json',
    signed: true,
    body: JSON.stringify({
      FingerPrintCfg: {
        employeeNo: `R${index}`,
        enableCardReader: readers,
        fingerPrintID: 1,
        fingerType: 'normalFP',
        fingerData: createHash('shake256', { outputLength: 512 })
          .update(`${device}/${index}`)
          .digest('base64'),
      },
    }),
  });
  const clients = devices.map((device) => bareClient(device, dispatcher));
  // The challenge first.
  await Promise.all(clients.map((send, device) => send({ ...request(0, device), signed: false })));
  const started = performance.now();
  await Promise.all(
    clients.flatMap((send, device) => {
      let next = 0;
      const worker = async (): Promise<void> => {
        while (next < each) {
          next += 1;
          await send(request(next, device));
        }
      };
      return [worker(), worker()];
    }),
  );
  const ms = performance.now() - started;
  await dispatcher.close();
  return ms / each;
}

async function enrol(
  engine: Engine,
  { devices, prints, readers }: PrintsTask,
): Promise<Omit<PrintsResult, 'bareMs'>> {
  const deviceIds = devices.map(
    ({ url, user, password }) => engine.devices.addTransient({ url, userName: user, password }).id,
  );
  const heaps: number[] = [];
  let [taken, others, sampling] = [0, 0, 0];
  const results = prints * devices.length * readers.length;
  const started = performance.now();
  const { jobId } = engine.prints.prepare({ deviceIds, readers });
  await engine.prints.fill(jobId, lines(prints), never);
  const readMs = performance.now() - started;
  engine.prints.begin({ jobId });
  for await (const { status } of engine.prints.results({ jobId }, never)) {
    if (status === 'taken') taken += 1;
    else others += 1;
    if (taken + others < ((heaps.length + 1) * results) / SAMPLES) continue;
    const before = performance.now();
    heaps.push(await heldMb());
    sampling += performance.now() - before;
  }
  const early = SAMPLES / 10;
  return {
    ms: performance.now() - started - sampling,
    readMs,
    taken,
    others,
    earlyMb: heaps[early - 1] ?? Number.NaN,
    highestMb: Math.max(...heaps.slice(early)),
    peakRssMb: peakRssMb(),
  };
}

const task = (await readInput()) as PrintsTask;
await withBenchEngine(async (engine) => {
  const enrolled = await enrol(engine, task);
  const result: PrintsResult = { ...enrolled, bareMs: await bare(task) };
  process.stdout.write(`${JSON.stringify(result)}\n`);
});
