/** Identifies the gate and reads its health. */
import { buildFact, listFacts } from '#engine/report-files/facts.ts';
import { createCheckedIfReported, conclude } from '../common/findings.ts';
import type { FlowStep } from '../flow.ts';
import { buildGateDrawing, listPartFacts } from './drawing.ts';
import { DIAL, STATUS, readGate, type GateReadings } from './readings.ts';
import { getSpecifiedOperation } from '#engine/operations/specified.ts';

export const health: FlowStep = {
  id: 'health',
  title: { id: 'flow-gate-health' },
  required: true,
  async run(step) {
    const seen = await step.once('readings', () => readGate(step));
    const answer = await step.ask('identity', {
      text: [{ id: 'flow-gate-identity' }],
      shows: [buildGateDrawing(seen), { block: 'facts', facts: healthFacts(seen) }],
      fields: [
        {
          name: 'lane',
          label: { id: 'flow-gate-lane' },
          kind: 'text',
          required: true,
          maxLength: 100,
          value: step.device.name,
        },
        { name: 'model', label: { id: 'report.model' }, kind: 'text', maxLength: 100, kept: true },
        { name: 'serial', label: { id: 'report.serial' }, kind: 'text', maxLength: 100 },
        { name: 'firmware', label: { id: 'report.firmware' }, kind: 'text', maxLength: 100, kept: true },
      ],
    });
    const labels = {
      lane: 'flow-gate-lane',
      model: 'report.model',
      serial: 'report.serial',
      firmware: 'report.firmware',
    } as const;
    step.record(
      {
        block: 'facts',
        facts: Object.entries(labels).map(([name, id]) => ({
          label: { id },
          value: (answer[name] as string | undefined) ?? null,
          ...(answer[name] !== undefined && { proof: 'attested' as const, source: step.user }),
        })),
      },
      { block: 'facts', facts: healthFacts(seen) },
      buildGateDrawing(seen),
    );
    const { status, dial } = seen;
    return conclude(step, [
      createCheckedIfReported({ id: 'flow-gate-bus-well' }, status.busSync, isNormal, {
        severity: 'major',
        reason: { id: 'flow-gate-bus-bad' },
        proof: 'read-back',
      }),
      createCheckedIfReported(
        { id: 'flow-gate-on-mains' },
        status.powerSupplyMode,
        (mode) => mode === 'ACPower',
        {
          severity: 'major',
          reason: { id: 'flow-gate-not-on-mains' },
          proof: 'read-back',
        },
      ),
      createCheckedIfReported({ id: 'flow-gate-mode-well' }, dial.workMode, isNormal, {
        severity: 'major',
        reason: { id: 'flow-gate-mode-bad' },
        proof: 'read-back',
      }),
      createCheckedIfReported(
        { id: 'flow-gate-remote-well' },
        status.remoteControlRecvModule,
        isNotAbnormal,
        {
          severity: 'minor',
          reason: { id: 'flow-gate-remote-bad' },
          proof: 'read-back',
        },
      ),
    ]);
  },
};

const isNormal = (told: string): boolean => told === 'Normal';
/** Returns true unless the part is broken: one that is not fitted is not. */
const isNotAbnormal = (told: string): boolean => told !== 'Abnormal';

function healthFacts({ status, parts, dial }: GateReadings) {
  const proof = 'read-back' as const;
  return [
    ...listFacts(getSpecifiedOperation(DIAL), dial, { proof }),
    ...['busSync', 'powerSupplyMode', 'remoteControlRecvModule'].map((path) =>
      buildFact(getSpecifiedOperation(STATUS), path, status, { proof }),
    ),
    ...listPartFacts({ parts, status }, { proof }).filter(
      ({ label }) => typeof label === 'object' && 'path' in label && label.path?.endsWith('.caseTemp'),
    ),
  ];
}
