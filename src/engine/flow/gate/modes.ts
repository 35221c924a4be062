/** Passage modes in both directions: what was agreed, what the dial says, what the gate does. */
import { findConstraint, findField } from '#protocol/index.ts';
import { buildFact } from '#engine/report-files/facts.ts';
import { createCheckedIfReported, conclude, type Checked } from '../common/findings.ts';
import type { FlowField, FlowStep } from '../flow.ts';
import { buildGateDrawing } from './drawing.ts';
import { DIAL, STATUS, readGate, type Direction, type GateReadings, type PassageMode } from './readings.ts';
import { getSpecifiedOperation } from '#engine/operations/specified.ts';

const CONFIGURATION = 'gate.channelController.capabilities.get';
const DOORS = { in: 'InDoor', out: 'OutDoor' } as const;
const DIRECTIONS = ['in', 'out'] as const;

export const modes: FlowStep = {
  id: 'modes',
  title: { id: 'flow-gate-modes' },
  async run(step) {
    // The configuration itself is never written here, and shows its values in its capability alone.
    const configured = await step.once('configured', async () => {
      const limits = await step.limits(CONFIGURATION);
      return Object.fromEntries(
        ['gatePassingMode', 'freePassAuthEnabled', 'openAndCloseSpeed'].map((path) => [
          path,
          findConstraint(limits, path)?.text ?? '',
        ]),
      );
    });
    const seen = await step.once('readings', () => readGate(step));
    const wanted = await step.ask('wanted', {
      text: [{ id: 'flow-gate-modes-text' }],
      shows: [buildGateDrawing(seen)],
      fields: DIRECTIONS.map((direction) => wantedField(direction, currentOf(seen, direction))),
    });
    const proof = 'read-back' as const;
    const operation = getSpecifiedOperation(CONFIGURATION);
    step.record({
      block: 'facts',
      facts: [
        ...DIRECTIONS.flatMap((direction) => [
          buildFact(getSpecifiedOperation(DIAL), `DialMode.${DOORS[direction]}`, seen.dial, { proof }),
          buildFact(getSpecifiedOperation(STATUS), `current${DOORS[direction]}Mode`, seen.status, { proof }),
        ]),
        ...Object.entries(configured)
          .filter(([, value]) => value !== '')
          .map(([path, value]) => buildFact(operation, path, { [path]: asNumber(value) }, { proof })),
      ],
    });
    return conclude(
      step,
      DIRECTIONS.flatMap((direction) =>
        checkModes(direction, {
          dial: seen.dial.DialMode?.[DOORS[direction]],
          current: currentOf(seen, direction),
          wanted: wanted[direction] as PassageMode,
          isDialled: configured['gatePassingMode'] !== 'ByRightController',
        }),
      ),
    );
  },
};

function asNumber(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function currentOf({ status }: GateReadings, direction: Direction): PassageMode | undefined {
  return direction === 'in' ? status.currentInDoorMode : status.currentOutDoorMode;
}

function wantedField(direction: Direction, current: PassageMode | undefined): FlowField {
  const path = `current${DOORS[direction]}Mode`;
  const { response } = getSpecifiedOperation(STATUS);
  const field = response && findField(response, path);
  const options = field?.kind === 'choice' ? field.options : [];
  return {
    name: direction,
    label: { id: direction === 'in' ? 'flow-gate-in-wanted' : 'flow-gate-out-wanted' },
    kind: 'choice',
    required: true,
    ...(current !== undefined && { value: current }),
    options: options.map((option) => ({
      value: option.value,
      label: { root: 'GateStatus', path, option: String(option.value), label: option.label },
    })),
  };
}

interface ModeReading {
  readonly wanted: PassageMode;
  readonly current: PassageMode | undefined;
  readonly dial: PassageMode | undefined;
  /** The dial decides; otherwise the access controller does, and the two may differ. */
  readonly isDialled: boolean;
}

export function checkModes(
  direction: Direction,
  { wanted, current, dial, isDialled }: ModeReading,
): readonly Checked[] {
  const isIn = direction === 'in';
  return [
    createCheckedIfReported(
      { id: isIn ? 'flow-gate-in-as-wanted' : 'flow-gate-out-as-wanted' },
      current,
      (mode) => mode === wanted,
      {
        severity: 'major',
        reason: { id: isIn ? 'flow-gate-in-not-wanted' : 'flow-gate-out-not-wanted' },
        proof: 'read-back',
      },
    ),
    ...(isDialled
      ? [
          createCheckedIfReported(
            { id: isIn ? 'flow-gate-in-as-dial' : 'flow-gate-out-as-dial' },
            current === undefined ? undefined : dial,
            (mode) => mode === current,
            {
              severity: 'major',
              reason: { id: isIn ? 'flow-gate-in-not-dial' : 'flow-gate-out-not-dial' },
              proof: 'read-back',
            },
          ),
        ]
      : []),
  ];
}
