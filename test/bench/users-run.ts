/** Measured process: pages through all people of a gate, keeping none. Needs `--expose-gc`. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import type { Engine } from '#engine/index.ts';
import { peakRssMb, readInput, type BenchDevice, type PagingResult } from './shared.ts';
import { withBenchEngine } from './bench-engine.ts';

/** More than devices give: they reduce it without a word (part 2, 2.6). */
const WANTED = 100;
const SAMPLES = 20;

interface Page {
  readonly responseStatusStrg: string;
  readonly totalMatches: number;
  readonly UserInfo?: readonly { readonly employeeNo: string }[];
}

/**
 * Returns the memory held after a full collection, in MB: objects and buffers. Excluded is code that V8
 * compiles while it gets to know the program: no page holds it, and it depends on how busy the machine is.
 * Buffers are freed in a thread of their own: the second collection sees them freed.
 */
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

/** One search id for all pages, on by as many as came, until the device says that it is done or nothing comes. */
async function pageThrough(engine: Engine, deviceId: string): Promise<PagingResult> {
  const { signal } = new AbortController();
  const heaps: number[] = [];
  let [pages, people, sampling] = [0, 0, 0];
  const started = performance.now();
  for (;;) {
    const answer = await engine.operations.call(
      {
        deviceId,
        operation: 'accessControl.users.search',
        body: { searchID: 'bench', searchResultPosition: people, maxResults: WANTED },
      },
      signal,
    );
    if (answer.outcome !== 'ok') throw new Error(answer.error?.message ?? answer.outcome);
    const page = answer.value as Page;
    const came = page.UserInfo?.length ?? 0;
    pages += 1;
    people += came;
    if (people >= ((heaps.length + 1) * page.totalMatches) / SAMPLES) {
      const before = performance.now();
      heaps.push(await heldMb());
      sampling += performance.now() - before;
    }
    if (page.responseStatusStrg !== 'MORE' || came === 0) break;
  }
  const early = SAMPLES / 10;
  return {
    ms: performance.now() - started - sampling,
    pages,
    people,
    earlyMb: heaps[early - 1] ?? Number.NaN,
    highestMb: Math.max(...heaps.slice(early)),
    peakRssMb: peakRssMb(),
  };
}

const device = (await readInput()) as BenchDevice;
await withBenchEngine(async (engine) => {
  const { id } = engine.devices.add({ address: device.url });
  engine.credentials.save({
    label: 'bench',
    userName: device.user,
    password: device.password,
    deviceIds: [id],
  });
  process.stdout.write(`${JSON.stringify(await pageThrough(engine, id))}\n`);
});
