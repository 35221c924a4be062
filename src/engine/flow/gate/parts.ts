/** Parts of both channel controllers, the boards of the beams and the adapters, as the gate reports them. */
import { getLastName } from '#protocol/index.ts';
import type { DocumentText } from '#shared/report-document.ts';
import { attest, createCheckedIfReported, conclude, type Checked } from '../common/findings.ts';
import type { FlowStep } from '../flow.ts';
import { listBeamFacts, buildGateDrawing, listPartFacts } from './drawing.ts';
import { findBoardFaults, findPartFaults, type GateFault } from './faults.ts';
import { SIDES, isFire, formatRanges, readGate, type GateReadings, type Infrared } from './readings.ts';

export const parts: FlowStep = {
  id: 'parts',
  title: { id: 'flow-gate-parts' },
  async run(step) {
    const seen = await step.once('readings', () => readGate(step));
    const { all } = await attest(
      step,
      'seen',
      { text: [{ id: 'flow-gate-parts-text' }], shows: [buildGateDrawing(seen)] },
      [
        { name: 'lamps', label: { id: 'flow-gate-lamps' }, severity: 'minor' },
        { name: 'wings', label: { id: 'flow-gate-wings' }, severity: 'major' },
      ],
    );
    const proof = { proof: 'read-back' } as const;
    step.record(
      { block: 'facts', facts: listPartFacts(seen, proof) },
      { block: 'facts', facts: listBeamFacts(seen.infrared, proof) },
    );
    return conclude(step, [...checkParts(seen), ...all]);
  },
};

/** Checks the parts that the gate itself reports as faulty. */
export function checkParts({ parts: reported, infrared }: GateReadings): readonly Checked[] {
  const bySide = SIDES.flatMap((side) => {
    const controller = reported[side];
    const isMaster = side === 'MasterChannelController';
    const name: DocumentText = { id: isMaster ? 'flow-gate-master' : 'flow-gate-slave' };
    const problems = findPartFaults(controller, side).map(formatFault);
    const reason: DocumentText = {
      id: isMaster ? 'flow-gate-master-bad' : 'flow-gate-slave-bad',
      values: { parts: problems.join('; ') },
    };
    const told = { severity: 'major', reason, proof: 'read-back' } as const;
    return [createCheckedIfReported(name, controller, () => problems.length === 0, told)];
  });
  const boards = findBoardFaults(infrared).map(formatFault);
  const fireInputs = SIDES.flatMap((side) => reported[side]?.fireInput ?? []);
  return [
    ...bySide,
    createCheckedIfReported({ id: 'flow-gate-boards' }, toldOf(infrared), () => boards.length === 0, {
      severity: 'major',
      reason: { id: 'flow-gate-boards-bad', values: { parts: boards.join('; ') } },
      proof: 'read-back',
    }),
    createCheckedIfReported({ id: 'flow-gate-no-fire' }, fireInputs[0], () => !isFire(reported), {
      severity: 'major',
      reason: { id: 'flow-gate-fire-on' },
      proof: 'read-back',
    }),
  ];
}

/** Returns undefined where the gate says nothing about its beams. */
function toldOf(infrared: Infrared): Infrared | undefined {
  return Object.keys(infrared).length === 0 ? undefined : infrared;
}

/** Returns the name as in the interface: `lampBoardCommFailed 1–2`. */
function formatFault({ path, ids }: GateFault): string {
  const name = getLastName(path);
  return ids === undefined ? name : `${name} ${formatRanges(ids)}`;
}
