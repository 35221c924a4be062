/**
 * 2,000 fingerprints on two readers of each of four gates, by an engine that is killed with SIGKILL 20 times:
 * while it reads its input, and at seeded moments of its requests. Shown from the log of the gates
 * themselves: every person's every finger is on every reader, and none was written a second time. After each
 * life no template is anywhere in the data folder.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSite, type Site } from '#simulator/index.ts';
import { createRandom } from '#simulator/random.ts';
import { tracesOfPrints, written } from '../engine/fingerprints/site-with-prints.ts';
import { buildProgram, type BuiltProgram } from '../helpers/built-program.ts';
import { liveOnce } from './lives.ts';
import type { PrintLife, PrintLifeEnd } from './prints-process.ts';

const DEVICES = 4;
const KILLS = 20;
const SEED = 4_711;
/** The older readers keep five fingers of a person. */
const PRINTS = Array.from({ length: 2_000 }, (_, index): readonly [string, number] => [
  `E${Math.floor(index / 5)}`,
  (index % 5) + 1,
]);
/** Some 45,000 events of requests in all. */
const LONGEST_LIFE = 3_600;

let dataDir: string;
let program: BuiltProgram;
let site: Site;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-prints-'));
  program = await buildProgram(join(import.meta.dirname, 'prints-process.ts'));
  site = await startSite({
    devices: DEVICES,
    kinds: ['gate'],
    auth: 'none',
    seed: SEED,
    faults: ['reset-after:0.002', 'busy:0.002'],
  });
});
afterAll(async () => {
  await site.close();
  rmSync(dataDir, { recursive: true, force: true });
  program.remove();
});

function jobId(): string | undefined {
  const db = new DatabaseSync(join(dataDir, 'fieldwright.db'), { readOnly: true });
  try {
    return (db.prepare('SELECT id FROM jobs').get() as { id: string } | undefined)?.id;
  } finally {
    db.close();
  }
}

it(
  'enrols everybody on every reader exactly once, however often it is killed',
  { timeout: 600_000 },
  async () => {
    const random = createRandom(SEED);
    const traces: string[] = [];
    let kills = 0;
    let end: PrintLifeEnd | undefined;
    while (end === undefined) {
      const known = kills === 0 ? undefined : jobId();
      const killAt =
        kills >= KILLS
          ? undefined
          : // The first life ends while it reads: nothing was sent, and it is read again.
            kills === 0
            ? 900
            : (known === undefined ? PRINTS.length : 0) + 1 + Math.floor(random() * LONGEST_LIFE);
      const life: PrintLife = {
        dataDir,
        devices: site.devices as PrintLife['devices'],
        killAt,
        ...(known === undefined ? { prints: PRINTS } : { jobId: known }),
      };
      end = await liveOnce<PrintLifeEnd>(program, life);
      traces.push(...tracesOfPrints(dataDir));
      if (end === undefined) kills += 1;
    }

    expect(kills).toBe(KILLS);
    expect(end).toEqual({ state: 'done', results: PRINTS.length * DEVICES * 2 });
    const wanted = PRINTS.flatMap(([person, finger]) =>
      [1, 2].map((reader) => `${person}/${finger} ${reader}`),
    );
    for (let device = 0; device < DEVICES; device += 1)
      expect(written(site, device).toSorted()).toEqual(wanted.toSorted());
    // A reader that has it already says so: nothing that had succeeded was sent to it again.
    const again = site.devices.flatMap((_device, index) =>
      site
        .device(index)
        .requests.filter(({ told }) => (told?.['codes'] as number[] | undefined)?.includes(8)),
    );
    expect(again).toEqual([]);
    expect(traces).toEqual([]);
  },
);
