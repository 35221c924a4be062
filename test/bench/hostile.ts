/**
 * Measures the highest cost of one answer of a device, beside the bare parser on a plain document of the same
 * limit.
 */
import { formatTable } from '#cli/output/table.ts';
import { startHostileProcess } from '../helpers/hostile-device.ts';
import { HOSTILE_SHAPES } from '../helpers/hostile-shapes.ts';
import type { HostileResult } from './hostile-run.ts';
import { runMeasured } from './processes.ts';
import { goal, plainPaint, say } from './shared.ts';

/** Goals of one answer: computing in one piece (on a slow machine in terms of the bare parser), and memory on top. */
const MOST = { pieceMs: 100, parserTimes: 2.5, megabytes: 64 };
const SHOWN = 8;

export async function hostileReport(): Promise<string> {
  say(`${HOSTILE_SHAPES.length} hostile answers, each read in every way …`);
  const device = await startHostileProcess();
  const { rows, referenceMs } = await runMeasured<HostileResult>('hostile-run.ts', { url: device.url }, [
    '--expose-gc',
  ]).finally(() => device.close());
  const byPiece = rows.toSorted((a, b) => b.pieceMs - a.pieceMs);
  const byMemory = rows
    .filter(({ isSingle }) => isSingle)
    .toSorted((a, b) => (b.megabytes ?? 0) - (a.megabytes ?? 0));
  const [piece] = byPiece;
  const [memory] = byMemory;
  if (piece === undefined || memory === undefined) throw new Error('Nothing was measured.');
  return [
    `What a hostile device can cost: ${HOSTILE_SHAPES.length} answers at the limits, ${rows.length} readings`,
    '',
    'pieces are what the process itself computes, the shortest of up to three readings; a parser slower than usual tells of a busy machine',
    `longest piece of computing: ${piece.pieceMs.toFixed(0)} ms; the bare parser on a plain document: ${referenceMs.toFixed(0)} ms; ratio ${(piece.pieceMs / referenceMs).toFixed(2)}; ${goal(piece.pieceMs <= Math.max(MOST.pieceMs, MOST.parserTimes * referenceMs), `at most ${MOST.pieceMs} ms, or ${MOST.parserTimes} times the bare parser where that is more`)}`,
    memory.megabytes === undefined
      ? 'memory: not told by this system'
      : `most memory for one answer: ${memory.megabytes.toFixed(0)} MB; ${goal(memory.megabytes <= MOST.megabytes, `at most ${MOST.megabytes} MB`)}`,
    '',
    ...formatTable(
      [...byPiece.slice(0, SHOWN), ...byMemory.slice(0, SHOWN)],
      {
        'LONGEST PIECES': ({ shape }) => shape,
        IN: ({ use }) => use,
        'PIECE ms': { value: ({ pieceMs }) => pieceMs.toFixed(0), align: 'right' },
        'ALL ms': { value: ({ wholeMs }) => wholeMs.toFixed(0), align: 'right' },
        MB: { value: ({ megabytes }) => megabytes?.toFixed(0) ?? '', align: 'right' },
      },
      { paint: plainPaint },
    ),
    '',
  ].join('\n');
}

if (import.meta.main) process.stdout.write(await hostileReport());
