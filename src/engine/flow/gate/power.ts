/**
 * Mains loss: on the battery, or without one, the way must be clear; then the mains come back. The record says only what
 * was seen: nothing counts as tested where the mains was never off.
 */
import { createPresenceCheck, type Presence } from '../common/read-if-any.ts';
import { attest, createChecked, conclude, createSkippedCheck, type Checked } from '../common/findings.ts';
import type { DocumentText } from '#shared/report-document.ts';
import { buildFact } from '#engine/report-files/facts.ts';
import { getSpecifiedOperation } from '#engine/operations/specified.ts';
import type { FlowStep, Question, StepContext } from '../flow.ts';
import { buildGateDrawing } from './drawing.ts';
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
    const loss = await watchLoss(step, hasBattery);
    step.record({
      block: 'facts',
      facts: [
        {
          label: { id: 'flow-gate-power-battery' },
          value: { id: hasBattery ? 'flow-gate-power-fitted' : 'flow-gate-power-none' },
          proof: 'attested',
          source: step.user,
        },
      ],
    });
    if (loss.isOnMains)
      return conclude(step, [
        loss.check,
        createSkippedCheck(CLEAR, { id: 'flow-gate-power-never-off' }),
        createSkippedCheck({ id: 'flow-gate-power-back' }, { id: 'flow-gate-power-never-off' }),
      ]);
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
      [{ name: 'clear', label: CLEAR, severity: 'unsafe' }],
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
    return conclude(step, [loss.check, ...all, await comeBack(step, loss.seen)]);
  },
};

const CLEAR: DocumentText = { id: 'flow-gate-power-clear' };

interface Loss {
  readonly check: Checked;
  /** Observation: the gate on its battery, or a gate that no longer answered. */
  readonly seen?: 'battery' | 'silence';
  /** The gate said last that it runs on mains: nothing was tested. */
  readonly isOnMains: boolean;
}

/**
 * Watches for the loss of power. A gate on its battery reports it; one without stops answering, and so does
 * one with an unplugged network cable.
 */
async function watchLoss(step: StepContext, hasBattery: boolean): Promise<Loss> {
  const { met, seen } = await step.watch<Presence<GateStatus>>('loss', {
    look: createPresenceCheck(() => step.read<GateStatus>(STATUS)),
    until: ({ seen: status, isAway }) => (hasBattery ? status?.powerSupplyMode === 'Battery' : isAway),
    everyMs: EVERY_MS,
    seconds: LOSS_S,
    show: (now) => ({
      tone: 'warning',
      text: [{ id: 'flow-gate-power-cut' }],
      ...liveOf(now?.seen),
    }),
  });
  const isOnMains = !met && seen?.seen?.powerSupplyMode === 'ACPower';
  const reason: DocumentText = {
    id: isOnMains
      ? 'flow-gate-power-never-off'
      : hasBattery
        ? 'flow-gate-power-not-on-battery'
        : 'flow-gate-power-not-gone',
  };
  const check = hasBattery
    ? createChecked({ id: 'flow-gate-power-on-battery' }, met, {
        severity: 'major',
        reason,
        proof: 'function-tested',
      })
    : createChecked({ id: 'flow-gate-power-gone' }, met, { severity: 'major', reason, proof: 'read-back' });
  return { check, isOnMains, ...(met && { seen: hasBattery ? 'battery' : 'silence' }) };
}

function liveOf(status: GateStatus | undefined): Pick<Question, 'live' | 'shows'> {
  if (status === undefined) return {};
  return {
    live: ['powerSupplyMode', 'gateCurrentStatus'].map((path) =>
      buildFact(getSpecifiedOperation(STATUS), path, status),
    ),
    shows: [buildGateDrawing({ status })],
  };
}

/** Waits for mains power. Its return proves something only if the gate was seen on its battery. */
async function comeBack(step: StepContext, before: Loss['seen']): Promise<Checked> {
  const { met } = await step.watch<Presence<GateStatus>>('mains', {
    look: createPresenceCheck(() => step.read<GateStatus>(STATUS)),
    until: ({ seen }) => seen?.powerSupplyMode === 'ACPower',
    everyMs: EVERY_MS,
    seconds: BACK_S,
    show: (now) => ({
      text: [{ id: 'flow-gate-power-restore' }],
      ...liveOf(now?.seen),
    }),
  });
  const label = {
    battery: 'flow-gate-power-back',
    silence: 'flow-gate-power-answers',
    nothing: 'flow-gate-on-mains',
  } as const;
  return createChecked({ id: label[before ?? 'nothing'] }, met, {
    severity: 'major',
    reason: { id: 'flow-gate-power-not-back' },
    proof: before === 'battery' ? 'function-tested' : 'read-back',
  });
}
