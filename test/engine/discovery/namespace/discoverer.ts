/**
 * A laptop that searches; `discoverer.ts FOLDER`. Prints `{ at, event }` a line, `at` in milliseconds
 * of its own clock since the search began. On stdin: `speed N` lets its time run N times as fast,
 * `add ADDRESS` adds a device, `devices` prints the inventory, `end` ends.
 */
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { systemClock } from '#engine/host/clock.ts';
import { createEngine, createKeyFileProtection, type Clock } from '#engine/index.ts';

const [folder = ''] = process.argv.slice(2);
let speed = 1;
let base = { real: performance.now(), shown: Date.now() };
const shownNow = (): number => base.shown + (performance.now() - base.real) * speed;
const clock: Clock = {
  now: () => new Date(shownNow()),
  delay: (ms, signal) => systemClock.delay(ms / speed, signal),
};
const print = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

const engine = await createEngine({
  dataDir: folder,
  resourcesDir: join(folder, 'none'),
  face: 'cli',
  version: '0.0.0',
  user: 'tester',
  protections: [createKeyFileProtection(join(folder, 'vault.key'))],
  clock,
});
const ended = new AbortController();
createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, value = ''] = line.split(' ');
  if (word === 'speed') {
    base = { real: performance.now(), shown: shownNow() };
    speed = Number(value);
  }
  if (word === 'add') engine.devices.add({ address: value });
  if (word === 'devices')
    print({ devices: engine.devices.list().map(({ id, url, identity }) => ({ id, url, identity })) });
  if (word === 'end') ended.abort();
});
const startedAt = shownNow();
for await (const event of engine.discovery.watch({ doctor: true }, ended.signal))
  print({ at: shownNow() - startedAt, event });
await engine.close();
process.exit(0);
