/** Measured process: what each hostile shape costs the engine, in every way an answer goes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { systemClock } from '#engine/host/clock.ts';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import { boundYoungGeneration } from '#rpc/hosting/young-generation.ts';
import { costOf, type Cost } from '../helpers/cost-of.ts';
import { HOSTILE_SHAPES } from '../helpers/hostile-shapes.ts';
import { usesOf } from '../helpers/hostile-uses.ts';
import { readInput } from './shared.ts';

export interface HostileTask {
  readonly url: string;
}

export interface HostileRow extends Cost {
  readonly shape: string;
  readonly use: string;
  /** One answer was asked for. */
  readonly isSingle: boolean;
}

export interface HostileResult {
  readonly rows: readonly HostileRow[];
  /** Reading the plainest of the longest documents with the bare parser, the best of several times. */
  readonly referenceMs: number;
}

/**
 * Milliseconds above which a reading is repeated: the machine's other work slows this process too, though it
 * is not counted as its own.
 */
const DOUBTED_MS = 100;
const ROUNDS = 3;

/** The round with the shortest piece. */
async function leastCost(run: () => Promise<unknown>): Promise<Cost> {
  let least = await costOf(run);
  for (let round = 1; round < ROUNDS && least.pieceMs > DOUBTED_MS; round += 1) {
    const again = await costOf(run);
    if (again.pieceMs < least.pieceMs) least = again;
  }
  return least;
}

async function rowsOf(engine: Engine, url: string): Promise<readonly HostileRow[]> {
  const rows: HostileRow[] = [];
  for (const [nth, shape] of HOSTILE_SHAPES.entries()) {
    for (const use of usesOf(engine, url, nth))
      rows.push({
        shape: shape.name,
        use: use.name,
        isSingle: use.isSingle === true,
        ...(await leastCost(() => use.run())),
      });
  }
  return rows;
}

async function reference(): Promise<number> {
  const plain = HOSTILE_SHAPES.find(({ name }) => name === 'XML, items of a list, all out of range');
  const text = Buffer.from(plain?.answer('Schedule')[1] ?? []).toString();
  const parser = new XMLParser({ preserveOrder: true, ignoreAttributes: false });
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const { pieceMs } = await costOf(() => {
      if (XMLValidator.validate(text) !== true) throw new Error('The document is not well formed.');
      return Promise.resolve(parser.parse(text) as unknown);
    });
    times.push(pieceMs);
  }
  return Math.min(...times);
}

boundYoungGeneration();
const { url } = (await readInput()) as HostileTask;
const folder = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
const engine = await createEngine({
  dataDir: folder,
  resourcesDir: join(folder, 'none'),
  face: 'cli',
  // Patience with a device costs no computing: it is not waited for.
  clock: { now: systemClock.now, delay: (_ms, signal) => systemClock.delay(1, signal) },
  version: '0',
  user: 'bench',
  protections: [createKeyFileProtection(join(folder, 'vault.key'))],
});
try {
  // A first use of each compiles the code that is measured.
  for (const use of usesOf(engine, url, 0)) await use.run();
  process.stdout.write(
    `${JSON.stringify({ rows: await rowsOf(engine, url), referenceMs: await reference() } satisfies HostileResult)}\n`,
  );
} finally {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
}
