/** Test passages in both directions, counted by a person and by the gate. */
import { createChecked, conclude, createSkippedCheck, type Checked } from '../common/findings.ts';
import type { DocumentText, Fact } from '#shared/report-document.ts';
import type { FlowStep, StepContext } from '../flow.ts';
import { parseCounters, createTally, passVerdict, tallyWith, type Tally } from '#shared/gate-counters.ts';
import { buildGateDrawing } from './drawing.ts';
import { STATUS, type Direction, type GateStatus } from './readings.ts';

const WALK_S = 900;
const EVERY_MS = 500;

interface Counted {
  readonly walked: number;
  readonly tally: Tally;
}

export const passes: FlowStep = {
  id: 'passes',
  title: { id: 'flow-gate-passes' },
  async run(step) {
    const status = await step.once('status', () => step.read<GateStatus>(STATUS));
    const answer = await step.ask('plan', {
      text: [{ id: 'flow-gate-passes-text' }],
      fields: [
        {
          name: 'count',
          label: { id: 'flow-gate-passes-count' },
          kind: 'number',
          required: true,
          min: 1,
          max: 1000,
          value: 5,
          kept: true,
        },
      ],
    });
    const wanted = Math.floor(answer['count'] as number);
    const results: Checked[] = [];
    const rows: (readonly [Direction, Counted])[] = [];
    for (const direction of ['in', 'out'] as const) {
      const label: DocumentText = { id: direction === 'in' ? 'flow-gate-passes-in' : 'flow-gate-passes-out' };
      const mode = direction === 'in' ? status.currentInDoorMode : status.currentOutDoorMode;
      if (mode === 'Forbid') {
        results.push(createSkippedCheck(label, { id: 'flow-gate-passes-forbidden' }));
        continue;
      }
      const counted = await countPasses(step, direction, wanted);
      if (counted === undefined) {
        results.push(createSkippedCheck(label, { id: 'flow-gate-passes-not-told' }));
        continue;
      }
      rows.push([direction, counted]);
      results.push(judge(direction, label, counted));
    }
    if (rows.length > 0) step.record(tableOf(rows));
    return conclude(step, results);
  },
};

/** Walks of one direction: from the first reading on, whatever happens to the app meanwhile. Undefined where the gate counts nothing. */
async function countPasses(
  step: StepContext,
  direction: Direction,
  wanted: number,
): Promise<Counted | undefined> {
  const key = `tally-${direction}`;
  const read = async () => {
    const status = await step.read<GateStatus>(STATUS);
    const counters = parseCounters(status);
    const before = step.saved<Tally>(key);
    if (counters === undefined) return { status, tally: before };
    const tally = before === undefined ? createTally(counters) : tallyWith(before, counters);
    if (before === undefined || JSON.stringify(tally) !== JSON.stringify(before)) step.save(key, tally);
    return { status, tally };
  };
  const passed = (tally: Tally | undefined): number =>
    (tally?.counted.inDoorPassCount ?? 0) + (tally?.counted.outDoorPassCount ?? 0);
  await step.watch(`walk-${direction}`, {
    look: read,
    until: ({ tally }) => passed(tally) >= wanted,
    everyMs: EVERY_MS,
    seconds: WALK_S,
    show: (seen) => ({
      text: [
        { id: direction === 'in' ? 'flow-gate-walk-in' : 'flow-gate-walk-out', values: { count: wanted } },
      ],
      live: countedFacts(seen?.tally),
      ...(seen !== undefined && { shows: [buildGateDrawing({ status: seen.status })] }),
    }),
  });
  const field = `walked-${direction}`;
  const answer = await step.ask(field, {
    text: [{ id: 'flow-gate-walked-text' }],
    fields: [
      {
        name: field,
        label: { id: direction === 'in' ? 'flow-gate-walked-in' : 'flow-gate-walked-out' },
        kind: 'number',
        required: true,
        min: 0,
        max: 1000,
        value: wanted,
      },
    ],
  });
  // A gate may count a passage a moment after the person has passed.
  const last = await step.once(`last-${direction}`, async () => (await read()).tally ?? null);
  if (last === null) return undefined;
  return { walked: Math.floor(answer[field] as number), tally: last };
}

function countedFacts(tally: Tally | undefined): readonly Fact[] {
  const { inDoorPassCount: entered = 0, outDoorPassCount: left = 0 } = tally?.counted ?? {};
  return [
    { label: { id: 'flow-gate-entered' }, value: { number: entered } },
    { label: { id: 'flow-gate-left' }, value: { number: left } },
  ];
}

function judge(direction: Direction, label: DocumentText, { walked, tally }: Counted): Checked {
  if (walked === 0) return createSkippedCheck(label, { id: 'flow-gate-passes-none' });
  const verdict = passVerdict(direction, walked, tally);
  const { inDoorPassCount: entered, outDoorPassCount: left } = tally.counted;
  const reason: DocumentText =
    verdict === 'swapped'
      ? { id: 'flow-gate-passes-swapped' }
      : verdict === 'restarted'
        ? { id: 'flow-gate-passes-restarted' }
        : {
            id: direction === 'in' ? 'flow-gate-passes-in-wrong' : 'flow-gate-passes-out-wrong',
            values: { walked, entered, left },
          };
  return createChecked(label, verdict === 'right', { severity: 'major', reason, proof: 'function-tested' });
}

function tableOf(rows: readonly (readonly [Direction, Counted])[]) {
  const names = ['inDoorPassCount', 'outDoorPassCount', 'inDoorAuthCount', 'outDoorAuthCount'] as const;
  const ids = {
    inDoorPassCount: 'flow-gate-entered',
    outDoorPassCount: 'flow-gate-left',
    inDoorAuthCount: 'flow-gate-in-authentications',
    outDoorAuthCount: 'flow-gate-out-authentications',
  } as const;
  const number = (label: DocumentText) => ({ label, type: 'number' as const });
  return {
    block: 'table' as const,
    columns: [
      { label: { id: 'flow-gate-direction' as const }, type: 'text' as const },
      number({ id: 'flow-gate-walked' }),
      ...names.map((name) => number({ id: ids[name] })),
      number({ id: 'flow-gate-wraps' }),
      number({ id: 'flow-gate-restarts' }),
    ],
    rows: rows.map(([direction, { walked, tally }]) => [
      { id: direction === 'in' ? 'flow-gate-in' : 'flow-gate-out' } as DocumentText,
      { number: walked },
      ...names.map((name) => ({ number: tally.counted[name] })),
      { number: tally.wraps },
      { number: tally.restarts },
    ]),
  };
}
