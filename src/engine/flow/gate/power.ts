/** Mains loss: on the battery, or without one, the way must be clear; then the mains come back. */
import { presenceOf, type Presence } from '../common/read-if-any.ts';
import { attest, checked, conclude, type Checked } from '../common/findings.ts';
import type { FlowStep, StepContext } from '../flow.ts';
import { gateDrawing } from './drawing.ts';
import { STATUS, type GateStatus } from './readings.ts';

const LOSS_S = 600;
const BACK_S = 900;
const EVERY_MS = 500;

export const power: FlowStep = {
  id: 'power',
  title: { id: 'flow-gate-power' },
  async run(step) {
    const answer = await step.ask('battery', {
      text: [{ id: 'flow-gate-power-text' }],
      tone: 'warning',
      fields: [
        {
          name: 'battery',
          label: { id: 'flow-gate-power-battery' },
          kind: 'choice',
          required: true,
          kept: true,
          options: [
            { value: 'fitted', label: { id: 'flow-gate-power-fitted' } },
            { value: 'none', label: { id: 'flow-gate-power-none' } },
          ],
        },
      ],
    });
    const hasBattery = answer['battery'] === 'fitted';
    const lost = await loss(step, hasBattery);
    const { all, values } = await attest(
      step,
      'position',
      {
        text: [{ id: 'flow-gate-power-look' }],
        fields: [
          {
            name: 'position',
            label: { id: 'flow-gate-power-position' },
            kind: 'choice',
            required: true,
            options: [
              { value: 'open', label: { id: 'flow-gate-power-open' } },
              { value: 'free', label: { id: 'flow-gate-power-free' } },
              { value: 'shut', label: { id: 'flow-gate-power-shut' } },
            ],
          },
          {
            name: 'seconds',
            label: { id: 'flow-gate-power-seconds' },
            kind: 'number',
            unit: 's',
            min: 0,
            max: 3600,
          },
        ],
      },
      [{ name: 'clear', label: { id: 'flow-gate-power-clear' }, severity: 'unsafe' }],
    );
    const attested = { proof: 'attested' as const, source: step.user };
    const positions = {
      open: 'flow-gate-power-open',
      free: 'flow-gate-power-free',
      shut: 'flow-gate-power-shut',
    } as const;
    const seconds = values['seconds'] as number | undefined;
    step.record({
      block: 'facts',
      facts: [
        {
          label: { id: 'flow-gate-power-battery' },
          value: { id: hasBattery ? 'flow-gate-power-fitted' : 'flow-gate-power-none' },
          ...attested,
        },
        {
          label: { id: 'flow-gate-power-position' },
          value: { id: positions[values['position'] as keyof typeof positions] },
          ...attested,
        },
        ...(seconds === undefined
          ? []
          : [
              {
                label: { id: 'flow-gate-power-seconds' as const },
                value: { number: seconds, unit: 's' },
                ...attested,
              },
            ]),
      ],
    });
    return conclude(step, [lost, ...all, await comeBack(step, lost.check.result === 'done')]);
  },
};

/** On a battery the gate says so; without one it is gone. */
async function loss(step: StepContext, hasBattery: boolean): Promise<Checked> {
  const { met } = await step.watch<Presence<GateStatus>>('loss', {
    look: presenceOf(() => step.read<GateStatus>(STATUS)),
    until: ({ seen, isAway }) => (hasBattery ? seen?.powerSupplyMode === 'Battery' : isAway),
    everyMs: EVERY_MS,
    seconds: LOSS_S,
    show: (now) => ({
      tone: 'warning',
      text: [{ id: 'flow-gate-power-cut' }],
      ...(now?.seen && { shows: [gateDrawing({ status: now.seen })] }),
    }),
  });
  return checked({ id: hasBattery ? 'flow-gate-power-on-battery' : 'flow-gate-power-gone' }, met, {
    severity: 'major',
    reason: { id: hasBattery ? 'flow-gate-power-not-on-battery' : 'flow-gate-power-not-gone' },
    proof: 'function-tested',
  });
}

/** `wasLost`: a gate that never was off the mains proves nothing by being on them. */
async function comeBack(step: StepContext, wasLost: boolean): Promise<Checked> {
  const { met } = await step.watch<Presence<GateStatus>>('mains', {
    look: presenceOf(() => step.read<GateStatus>(STATUS)),
    until: ({ seen }) => seen?.powerSupplyMode === 'ACPower',
    everyMs: EVERY_MS,
    seconds: BACK_S,
    show: (now) => ({
      text: [{ id: 'flow-gate-power-restore' }],
      ...(now?.seen && { shows: [gateDrawing({ status: now.seen })] }),
    }),
  });
  return checked({ id: 'flow-gate-power-back' }, met, {
    severity: 'major',
    reason: { id: 'flow-gate-power-not-back' },
    proof: wasLost ? 'function-tested' : 'read-back',
  });
}
