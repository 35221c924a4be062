/**
 * Measures the start of a command: `template list` as a person calls it, beside Node with nothing to do.
 * Alone: `npm run bench -- start`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTable } from '#cli/output/table.ts';
import { FIELDWRIGHT, howItRuns } from './processes.ts';
import { goal, median, plainPaint } from './shared.ts';

const ROUNDS = 21;
const GOAL = 5;

function timed(args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${String(status)}:\n${String(stderr)}`);
  return performance.now() - started;
}

/** Medians; the first start, which compiles, is not counted. */
export function startReport(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
  const rows = [
    { name: 'node -e 0', args: ['-e', '0'], times: [] as number[] },
    { name: 'fieldwright --version', args: [FIELDWRIGHT, '--version'], times: [] as number[] },
    {
      name: 'fieldwright template list',
      args: [FIELDWRIGHT, 'template', 'list', '--data-dir', folder],
      times: [] as number[],
    },
  ];
  try {
    for (const { args } of rows) timed(args);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { args, times } of round % 2 === 0 ? rows : rows.toReversed()) times.push(timed(args));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const bare = median(rows[0]?.times ?? []);
  const ratio = median(rows.at(-1)?.times ?? []) / bare;
  return Promise.resolve(
    [
      `Starting a command, whole processes, median of ${ROUNDS} runs; ${howItRuns()}`,
      '',
      ...formatTable(
        rows,
        {
          COMMAND: ({ name }) => name,
          'TIME ms': { value: ({ times }) => median(times).toFixed(0), align: 'right' },
          RATIO: { value: ({ times }) => (median(times) / bare).toFixed(2), align: 'right' },
        },
        { paint: plainPaint },
      ),
      '',
      `Ratio of time: ${ratio.toFixed(2)} (${goal(ratio <= GOAL, `at most ${GOAL}`)})`,
      '',
    ].join('\n'),
  );
}
