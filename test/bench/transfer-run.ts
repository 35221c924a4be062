/**
 * Measured process: serves a file to devices at 127.0.0.1, or sends it to one. A JSON object a line: `serve` gives URLs,
 * `push` milliseconds; at the end of standard input the last line tells memory and delays.
 */
import { createServer, type AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { systemClock } from '#engine/host/clock.ts';
import { pushPackage } from '#engine/transfer/push/push-package.ts';
import { FileServer } from '#engine/transfer/serve/file-server.ts';
import { openPackage, type PackageFile } from '#engine/transfer/serve/package-file.ts';
import type { Offer } from '#engine/transfer/serve/types.ts';
import { oneDevice } from '../engine/device/directory.ts';

export type TransferQuestion =
  | { readonly do: 'open'; readonly path: string }
  | { readonly do: 'serve'; readonly devices: number }
  | { readonly do: 'push'; readonly url: string };

export interface TransferNumbers {
  readonly growthMb: number;
  /** Delay of the event loop while something was under way, without the time between two looks. */
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Every offer was fetched whole. */
  readonly complete: boolean;
}

const LOOK_MS = 1;
const server = new FileServer({ clock: systemClock });
const door = createServer((socket) => socket.destroy());
await new Promise<void>((resolve) => {
  door.listen(0, '127.0.0.1', resolve);
});
const device = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
const offers: Offer[] = [];
let file: PackageFile | undefined;
let base = 0;
let highest = 0;
let pushing = 0;

/** Delays of the worst period in which something was under way. */
const delays = { p99: 0, max: 0 };
let watching: ReturnType<typeof monitorEventLoopDelay> | undefined;
const sampling = setInterval(() => {
  highest = Math.max(highest, process.memoryUsage.rss());
  const busy = pushing > 0 || offers.some((offer) => offer.served().open > 0);
  if (busy && watching === undefined) {
    watching = monitorEventLoopDelay({ resolution: LOOK_MS });
    watching.enable();
  } else if (!busy) stopWatching();
}, 20);

function stopWatching(): void {
  if (watching === undefined) return;
  watching.disable();
  if (watching.count > 0) {
    delays.p99 = Math.max(delays.p99, watching.percentile(99));
    delays.max = Math.max(delays.max, watching.max);
  }
  watching = undefined;
}

async function answer(question: TransferQuestion): Promise<unknown> {
  if (question.do === 'open') {
    file = await openPackage(question.path);
    base = highest = process.memoryUsage.rss();
    return { size: file.size };
  }
  if (file === undefined) throw new Error('no file');
  if (question.do === 'serve') {
    for (let count = 0; count < question.devices; count += 1)
      offers.push(await server.offer({ file, peer: { url: device } }));
    return { urls: offers.map(({ url }) => url) };
  }
  const { clients } = oneDevice(question.url);
  pushing += 1;
  const started = performance.now();
  const { http } = await pushPackage({
    client: clients.get('d-1'),
    file,
    model: { MPID: 'bench' },
    signal: new AbortController().signal,
  });
  const ms = performance.now() - started;
  pushing -= 1;
  await clients.close();
  if (http !== 200) throw new Error(`The sink answered ${http}.`);
  return { ms };
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line) as TransferQuestion))}\n`);

stopWatching();
// Comparing may lag behind sending: wait for its end.
for (let looks = 0; looks < 1000 && !offers.every((offer) => offer.served().complete); looks += 1)
  await new Promise((resolve) => {
    setTimeout(resolve, 10);
  });
const numbers: TransferNumbers = {
  growthMb: (highest - base) / 1024 / 1024,
  p99Ms: delays.p99 / 1e6 - LOOK_MS,
  maxMs: delays.max / 1e6 - LOOK_MS,
  complete: offers.every((offer) => offer.served().complete),
};
process.stdout.write(`${JSON.stringify(numbers)}\n`);
clearInterval(sampling);
await server.close();
door.close();
