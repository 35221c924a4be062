/** Every beam is interrupted once by a person, and must be clear again after that. */
import { findConstraint } from '#protocol/index.ts';
import { createChecked, conclude, createSkippedCheck, type Checked } from '../common/findings.ts';
import type { FlowStep, StepContext } from '../flow.ts';
import { buildGateDrawing } from './drawing.ts';
import {
  INFRARED,
  MOST_EMITTERS,
  parseIds,
  formatRanges,
  readGate,
  type GateReadings,
  type Infrared,
} from './readings.ts';

const WALK_S = 1800;
const EMPTY_S = 15;
const EVERY_MS = 500;

export const beamWalk: FlowStep = {
  id: 'beams',
  title: { id: 'flow-gate-beams' },
  async run(step) {
    const fitted = await fittedBeams(step);
    const gate = await step.once('gate', () => readGate(step));
    for (let round = 1; ; round += 1) {
      const still = await walk(step, { fitted, gate, round });
      const tally = step.saved<BeamTally>('tally') ?? NO_BEAMS;
      const results = getBeamResults(fitted, tally, still ?? []);
      const picture = buildGateDrawing({ infrared: pictured(results), fitted, tested: results.passed });
      const isWhole = results.passed.length === fitted.length;
      const answer = isWhole
        ? {}
        : await step.ask(`again-${round}`, {
            text: [
              { id: 'flow-gate-beams-left', values: valuesOf(results) },
              { id: 'flow-gate-beams-again-text' },
            ],
            tone: 'warning',
            isOccasional: true,
            shows: [picture],
            fields: [
              {
                name: `again-${round}`,
                label: { id: 'flow-gate-beams-again' },
                kind: 'flag',
                value: false,
              },
            ],
          });
      if (answer[`again-${round}`] === true) continue;
      step.record(picture);
      return conclude(step, beamChecks(results, still !== undefined));
    }
  },
};

/** Numbers of the beams that the gate reports, without those that a person says are not there. */
async function fittedBeams(step: StepContext): Promise<readonly number[]> {
  const most = await step.once('most', async () => {
    const limits = await step.limits('gate.irStatus.capabilities.get');
    return findConstraint(limits, 'IREmitter.triggered')?.max ?? MOST_EMITTERS;
  });
  const last = Math.max(1, Math.min(MOST_EMITTERS, most));
  const answer = await step.ask('fitted', {
    text: [{ id: 'flow-gate-beams-fitted', values: { count: last } }],
    fields: [
      {
        name: 'beams',
        label: { id: 'flow-gate-beams-count' },
        kind: 'number',
        required: true,
        min: 1,
        max: last,
        value: last,
        kept: true,
      },
      {
        name: 'missing',
        label: { id: 'flow-gate-beams-missing' },
        kind: 'numbers',
        min: 1,
        max: last,
        maxLength: last,
        value: [],
        kept: true,
      },
    ],
  });
  const missing = (answer['missing'] ?? []) as readonly number[];
  const fitted = Array.from(
    { length: Math.floor(answer['beams'] as number) },
    (_, index) => index + 1,
  ).filter((id) => !missing.includes(id));
  step.record({
    block: 'facts',
    facts: [
      {
        label: { id: 'flow-gate-beams-count' },
        value: `${fitted.length} (${formatRanges(fitted)})`,
        proof: 'attested',
        source: step.user,
      },
    ],
  });
  return fitted;
}

/**
 * Watches until every beam was interrupted and clear again, and then the empty passage. Returns the beams
 * that are still interrupted then; undefined if that was not read.
 */
async function walk(
  step: StepContext,
  {
    fitted,
    gate,
    round,
  }: { readonly fitted: readonly number[]; readonly gate: GateReadings; readonly round: number },
): Promise<readonly number[] | undefined> {
  const look = async (): Promise<Infrared> => step.read<Infrared>(INFRARED);
  await step.watch(`walk-${round}`, {
    look: async () => {
      const infrared = await look();
      const before = step.saved<BeamTally>('tally') ?? NO_BEAMS;
      const tally = addBeamReading(before, interruptedOf(infrared, fitted));
      // Kept at once: a crash loses nothing of a long walk.
      if (tally !== before) step.save('tally', tally);
      return { infrared, tally };
    },
    until: ({ tally }) => tally.cleared.length === fitted.length,
    everyMs: EVERY_MS,
    seconds: WALK_S,
    show: (seen) => {
      const { cleared = [] } = seen?.tally ?? step.saved<BeamTally>('tally') ?? {};
      return {
        text: [{ id: 'flow-gate-beams-walk' }],
        live: [
          { label: { id: 'flow-gate-beams-done' }, value: `${cleared.length} / ${fitted.length}` },
          {
            label: { id: 'flow-gate-beams-to-do' },
            value: formatRanges(fitted.filter((id) => !cleared.includes(id))) || '–',
          },
        ],
        shows: [buildGateDrawing({ ...gate, ...seen, fitted, tested: cleared })],
      };
    },
  });
  const empty = await step.watch(`empty-${round}`, {
    look: async () => {
      const infrared = await look();
      const interrupted = interruptedOf(infrared, fitted);
      const still = (step.saved<readonly number[]>(`still-${round}`) ?? fitted).filter((id) =>
        interrupted.includes(id),
      );
      step.save(`still-${round}`, still);
      return { infrared, still };
    },
    until: ({ still }) => still.length === 0,
    everyMs: EVERY_MS,
    seconds: EMPTY_S,
    show: (seen) => ({
      text: [{ id: 'flow-gate-beams-empty' }],
      live: [
        {
          label: { id: 'flow-gate-beams-interrupted' },
          value: formatRanges(seen?.still ?? []) || '–',
        },
      ],
      shows: [buildGateDrawing({ ...gate, ...seen, fitted })],
    }),
  });
  return empty.seen?.still ?? step.saved<readonly number[]>(`still-${round}`);
}

function interruptedOf({ IREmitter }: Infrared, fitted: readonly number[]): readonly number[] {
  return parseIds(IREmitter?.triggered, MOST_EMITTERS).filter((id) => fitted.includes(id));
}

/** Draws stuck beams as faulty, whatever the gate reports of them. */
function pictured({ stuck }: BeamResults): Infrared {
  return { IREmitter: { triggered: stuck.join(','), triggeredTimeout: stuck.join(',') } };
}

function valuesOf({ stuck, untested }: BeamResults): { readonly stuck: string; readonly untested: string } {
  return { stuck: formatRanges(stuck) || '–', untested: formatRanges(untested) || '–' };
}

function beamChecks({ passed, untested, stuck }: BeamResults, isEmptyRead: boolean): readonly Checked[] {
  return [
    ...(passed.length === 0
      ? []
      : [
          createChecked({ id: 'flow-gate-beams-passed', values: { beams: formatRanges(passed) } }, true, {
            severity: 'note',
            proof: 'function-tested',
          }),
        ]),
    createChecked({ id: 'flow-gate-beams-all-tested' }, untested.length === 0, {
      severity: 'major',
      reason: { id: 'flow-gate-beams-untested', values: { beams: formatRanges(untested) } },
      proof: 'function-tested',
    }),
    isEmptyRead
      ? createChecked({ id: 'flow-gate-beams-none-stuck' }, stuck.length === 0, {
          severity: 'major',
          reason: { id: 'flow-gate-beams-stuck', values: { beams: formatRanges(stuck) } },
          proof: 'function-tested',
        })
      : createSkippedCheck({ id: 'flow-gate-beams-none-stuck' }, { id: 'flow-gate-beams-unread' }),
  ];
}
/** A walk-test of infrared beams: each must have been seen interrupted, and clear after that. */

interface BeamTally {
  readonly triggered: readonly number[];
  readonly cleared: readonly number[];
}

export const NO_BEAMS: BeamTally = { triggered: [], cleared: [] };

/** Adds a reading to the tally; returns the same tally if nothing is new. */
export function addBeamReading(tally: BeamTally, interrupted: readonly number[]): BeamTally {
  const triggered = interrupted.filter((id) => !tally.triggered.includes(id));
  const cleared = tally.triggered.filter((id) => !interrupted.includes(id) && !tally.cleared.includes(id));
  if (triggered.length === 0 && cleared.length === 0) return tally;
  return { triggered: [...tally.triggered, ...triggered], cleared: [...tally.cleared, ...cleared] };
}

interface BeamResults {
  readonly passed: readonly number[];
  /** Never seen interrupted. */
  readonly untested: readonly number[];
  /** Beams that are interrupted although the passage is empty. */
  readonly stuck: readonly number[];
}

/**
 * Returns the results of the fitted beams; `still`: those interrupted all the time while the passage was
 * empty.
 */
export function getBeamResults(
  fitted: readonly number[],
  tally: BeamTally,
  still: readonly number[],
): BeamResults {
  const stuck = fitted.filter((id) => still.includes(id));
  const passed = fitted.filter((id) => tally.cleared.includes(id) && !stuck.includes(id));
  return {
    stuck,
    passed,
    untested: fitted.filter((id) => !passed.includes(id) && !stuck.includes(id)),
  };
}
