import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#engine/host/clock.ts';
import { createEngine, createKeyFileProtection, type Engine } from '#engine/index.ts';
import { toErrorShape } from '#shared/errors.ts';
import { turnFor } from '#engine/device/turns.ts';
import { costOf } from '#test/helpers/cost-of.ts';
import { startHostileProcess } from '#test/helpers/hostile-device.ts';
import { HOSTILE_SHAPES } from '#test/helpers/hostile-shapes.ts';
import { usesOf } from '#test/helpers/hostile-uses.ts';

/** Far above what the bench asks for, and far below what froze the window: seconds, and gigabytes. */
const MOST = { pieceMs: 600, wholeMs: 1_500, megabytes: 300 };

let engine: Engine;
let device: Awaited<ReturnType<typeof startHostileProcess>>;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fieldwright-hostile-'));
  engine = await createEngine({
    dataDir: folder,
    resourcesDir: join(folder, 'none'),
    face: 'cli',
    version: '0',
    user: 'tester',
    protections: [createKeyFileProtection(join(folder, 'vault.key'))],
  });
  device = await startHostileProcess();
});
afterAll(async () => {
  await engine.close();
  await device.close();
  rmSync(folder, { recursive: true });
});

/** An engine whose patience with devices takes no time. */
async function hastyEngine(dataDir: string) {
  const hasty = await createEngine({
    dataDir,
    resourcesDir: join(folder, 'none'),
    face: 'cli',
    version: '0',
    user: 'tester',
    clock: { now: systemClock.now, delay: (_ms, signal) => systemClock.delay(1, signal) },
    protections: [createKeyFileProtection(join(dataDir, 'vault.key'))],
  });
  return { engine: hasty, [Symbol.asyncDispose]: () => hasty.close() };
}

/** The ways that look closest at what a shape is made of; the bench goes all of them. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  XML: ['read XML', 'apply'],
  JSON: ['read JSON'],
  text: ['raw'],
  bytes: ['raw'],
  wire: ['write', 'probe'],
};

describe('no answer costs more than its limit', () => {
  it.each(HOSTILE_SHAPES.map(({ name }, nth) => ({ name, nth })))(
    '$name (else: one device freezes the window, or takes gigabytes)',
    async ({ name, nth }) => {
      const ways = WAYS[name.slice(0, name.indexOf(','))] ?? [];
      for (const use of usesOf(engine, device.url, nth).filter((each) => ways.includes(each.name))) {
        const cost = await costOf(() => use.run());

        expect(cost.pieceMs, use.name).toBeLessThan(MOST.pieceMs);
        expect(cost.wholeMs, use.name).toBeLessThan(MOST.wholeMs);
        expect(cost.megabytes ?? 0, use.name).toBeLessThan(MOST.megabytes);
      }
    },
  );

  it.each(['text, names and values', 'JSON, addresses with a sign-in'])(
    'a write that is answered with "%s" takes no longer piece than a read of it (else: the error about one answer and work on the next come in one)',
    async (name) => {
      const nth = HOSTILE_SHAPES.findIndex((shape) => shape.name === name);
      const dataDir = mkdtempSync(join(folder, 'hasty-'));
      await using hasty = await hastyEngine(dataDir);
      const uses = usesOf(hasty.engine, device.url, nth);
      const pieceOf = async (way: string): Promise<number> =>
        (await costOf(async () => uses.find((use) => use.name === way)?.run())).pieceMs;
      let [read, write] = [Infinity, Infinity];
      // The two take turns, and the best of each counts: other work on the computer holds up both alike.
      for (let round = 0; round < 5 || (round < 15 && write >= read * 1.7); round += 1) {
        read = Math.min(read, await pieceOf('raw'));
        write = Math.min(write, await pieceOf('write'));
      }

      expect(write).toBeLessThan(read * 1.7);
    },
    60_000,
  );

  it.each([
    'wire, chunks of one byte with long extensions',
    'wire, one extension',
    'wire, headers',
    'wire, a header',
    'wire, a status line',
    'wire, a body without a length',
    'bytes, a gzip bomb',
    'XML, bare ampersands',
    'XML, bare ampersands in an attribute',
  ])(
    '%s: what was taken in counts, not only the body (else: 64 KB are kept for each byte of it)',
    async (name) => {
      const nth = HOSTILE_SHAPES.findIndex((shape) => shape.name === name);
      usesOf(engine, device.url, nth);
      const [{ id: deviceId } = { id: '' }] = engine.devices.list();

      const thrown: unknown = await engine.operations
        .call(
          { deviceId, operation: 'thermal.thermometryMode.get', params: { channelID: 1 } },
          new AbortController().signal,
        )
        .catch((error: unknown) => error);

      expect(toErrorShape(thrown)).toMatchObject({ code: 'answer-too-large', source: 'device' });
    },
  );

  it('many long answers at once are dealt with one a turn of the event loop (else: sixteen devices freeze it for as many pieces)', async () => {
    let turn = 0;
    let isOver = false;
    const count = (): void => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);

    const turns = await Promise.all(Array.from({ length: 4 }, () => turnFor(1_000_000)?.then(() => turn)));
    isOver = true;

    expect(new Set(turns).size).toBe(4);
    expect(turnFor(1_000)).toBeUndefined();
  });
});
