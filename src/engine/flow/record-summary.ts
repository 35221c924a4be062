/** First page of a record: what its checks and open points come to, and what each step did. */
import { createDetail } from '#shared/details.ts';
import type { Block, Check, OpenPoint } from '#shared/report-document.ts';
import { formatLocalTime } from '../host/local-time.ts';
import type { EndedStep } from './ended.ts';
import type { Flow } from './flow.ts';

export type EndedSteps = ReadonlyMap<string, EndedStep & { readonly at: string }>;

const WENT_WRONG: ReadonlySet<string> = new Set(['failed', 'refused', 'ignored', 'unknown']);

/** Returns a line for each step. A step whose checks were all left out is not done, and one with open points says so. */
export function listStepChecks({ steps }: Flow, ended: EndedSteps): readonly Check[] {
  return steps.map(({ id, title }) => stepCheck(title, ended.get(id)));
}

function stepCheck(label: Check['label'], end: (EndedStep & { readonly at: string }) | undefined): Check {
  if (end === undefined) return { label, result: 'open' };
  const { skipped, error, outcome } = end;
  const checks = checksIn(end.blocks);
  const tally = tallyOf(checks);
  const points = pointsIn(end.blocks);
  const found =
    points.length > 0
      ? createDetail('flow-step-points', { count: points.length, unsafe: unsafeOf(points).length })
      : tally.failed + tally.skipped > 0
        ? ((checks.length === 1 ? checks[0]?.reason : undefined) ?? createDetail('flow-step-checks', tally))
        : undefined;
  const reason = skipped || (error === undefined ? found : (error.detail ?? error.message));
  const isUnchecked = tally.count > 0 && tally.skipped === tally.count;
  return {
    label,
    result: WENT_WRONG.has(outcome) ? 'failed' : skipped !== undefined || isUnchecked ? 'skipped' : 'done',
    at: formatLocalTime(new Date(end.at)),
    reason,
  };
}

/** Returns the outcome, worst first; nothing of a flow that has checked nothing and left nothing out. */
export function buildOutcomeBlocks({ steps }: Flow, ended: EndedSteps): readonly Block[] {
  const blocks = [...ended.values()].flatMap((end) => end.blocks);
  const tally = tallyOf(checksIn(blocks));
  const unsafe = unsafeOf(pointsIn(blocks)).length;
  const leftOut = [...ended.values()].filter(({ skipped }) => skipped !== undefined).length;
  const open = steps.filter(({ id }) => !ended.has(id)).length;
  return [
    ...(unsafe === 0
      ? []
      : [
          {
            block: 'paragraph',
            text: createDetail('flow-verdict-unsafe', { count: unsafe }),
            tone: 'danger',
          } as const,
        ]),
    ...checksVerdict(tally, leftOut + open > 0),
    ...(leftOut === 0
      ? []
      : [
          {
            block: 'paragraph',
            text: createDetail('flow-verdict-left-out', { count: leftOut }),
            tone: 'warning',
          } as const,
        ]),
    ...(open === 0
      ? []
      : [
          {
            block: 'paragraph',
            text: createDetail('flow-verdict-open', { count: open }),
            tone: 'warning',
          } as const,
        ]),
  ];
}

function checksVerdict({ count, failed, skipped }: Tally, isPartial: boolean): readonly Block[] {
  if (count === 0) return [];
  if (failed > 0)
    return [
      {
        block: 'paragraph',
        text: createDetail('flow-verdict-failed', { count, failed, skipped }),
        tone: 'danger',
      },
    ];
  if (skipped > 0)
    return [
      { block: 'paragraph', text: createDetail('flow-verdict-partly', { count, skipped }), tone: 'warning' },
    ];
  return [
    {
      block: 'paragraph',
      text: createDetail('flow-verdict-good', { count }),
      tone: isPartial ? 'notice' : 'good',
    },
  ];
}

interface Tally {
  readonly count: number;
  readonly failed: number;
  readonly skipped: number;
}

function tallyOf(checks: readonly Check[]): Tally {
  const having = (result: Check['result']): number =>
    checks.filter((check) => check.result === result).length;
  return { count: checks.length, failed: having('failed'), skipped: having('skipped') };
}

function checksIn(blocks: readonly Block[]): readonly Check[] {
  return blocks.flatMap((block) => (block.block === 'checklist' ? block.items : []));
}

function pointsIn(blocks: readonly Block[]): readonly OpenPoint[] {
  return blocks.flatMap((block) => (block.block === 'openPoints' ? block.points : []));
}

function unsafeOf(points: readonly OpenPoint[]): readonly OpenPoint[] {
  return points.filter(({ severity }) => severity === 'unsafe');
}
