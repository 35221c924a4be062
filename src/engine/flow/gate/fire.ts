/**
 * Fire release. A person closes the contact of the hard-wired input; nothing is ever sent for it. First the app
 * watches the input and the gate; then it is done again with the network unplugged, and the state is read when
 * the device is back.
 */
import { createPresenceCheck, type Presence } from '../common/read-if-any.ts';
import { createChecked, conclude, attest, createSkippedCheck, type Checked } from '../common/findings.ts';
import { buildFact } from '#engine/report-files/facts.ts';
import { getSpecifiedOperation } from '#engine/operations/specified.ts';
import type { FlowStep, Question, StepContext } from '../flow.ts';
import { buildGateDrawing } from './drawing.ts';
import { PARTS, STATUS, isFire, isOpen, type GateParts, type GateStatus } from './readings.ts';

const RELEASE_S = 600;
const RESTORE_S = 300;
const UNPLUG_S = 900;
const EVERY_MS = 500;

export const fire: FlowStep = {
  id: 'fire',
  title: { id: 'flow-gate-fire' },
  async run(step) {
    await step.ask('ready', {
      text: [{ id: 'flow-gate-fire-text' }, { id: 'flow-gate-fire-people' }],
      tone: 'warning',
      fields: [{ name: 'ready', label: { id: 'flow-gate-fire-ready' }, kind: 'flag', required: true }],
    });
    const released = await release(step);
    if (!released.seen && step.isRehearsal !== true)
      return conclude(step, [
        ...released.all,
        createSkippedCheck({ id: 'flow-gate-fire-offline' }, { id: 'flow-gate-fire-no-input' }),
      ]);
    const { all: local } = await attest(step, 'local', { text: [{ id: 'flow-gate-fire-look' }] }, [
      { name: 'clear', label: { id: 'flow-gate-fire-clear' }, severity: 'unsafe' },
      { name: 'stays', label: { id: 'flow-gate-fire-stays' }, severity: 'unsafe' },
      { name: 'breakGlass', label: { id: 'flow-gate-fire-break-glass' }, severity: 'unsafe' },
    ]);
    const restored = await restore(step, 'restore');
    return conclude(step, [...released.all, ...local, restored, ...(await withoutNetwork(step))]);
  },
};

interface FireState {
  readonly status: GateStatus;
  readonly parts: GateParts;
  readonly fire: boolean;
  /** True if the gate is open; undefined if it does not report that. */
  readonly open: boolean | undefined;
}

async function stateOf(step: StepContext): Promise<FireState> {
  const parts = await step.read<GateParts>(PARTS);
  const status = await step.read<GateStatus>(STATUS);
  return { parts, status, fire: isFire(parts), open: isOpen(status) };
}

/** Observations since the gate was closed without an alarm; times in milliseconds since 1970. */
interface Release {
  readonly idle?: true;
  readonly alarmAt?: number;
  readonly openAt?: number;
  /** The app looked away between the two: how long it took is not known. */
  readonly lost?: true;
}

/** Watches the gate while the contact is closed. `seen`: the input reaches the gate. */
async function release(
  step: StepContext,
): Promise<{ readonly seen: boolean; readonly all: readonly Checked[] }> {
  const looked = { before: false };
  const watched = await step.watch('release', {
    look: async () => {
      const state = await stateOf(step);
      const saved = step.saved<Release>('release') ?? {};
      const isLost = !looked.before && saved.alarmAt !== undefined && saved.openAt === undefined;
      const before: Release = isLost ? { ...saved, lost: true } : saved;
      looked.before = true;
      const release = releaseWith(before, state, step.now().getTime());
      // The state is kept as it was then, whatever it is when the step is taken up again.
      if (release.alarmAt !== undefined && release !== saved) step.save('released', state);
      if (release !== saved) step.save('release', release);
      return { ...state, release };
    },
    until: ({ release: { alarmAt, openAt }, open }) =>
      alarmAt !== undefined && (openAt !== undefined || open === undefined),
    everyMs: EVERY_MS,
    seconds: RELEASE_S,
    show: (seen) => ({
      tone: 'warning',
      text: [
        {
          id:
            seen === undefined || seen.release.idle === true
              ? 'flow-gate-fire-actuate'
              : 'flow-gate-fire-not-idle',
        },
        ...(seen?.release.alarmAt === undefined ? [] : [{ id: 'flow-gate-fire-alarm' } as const]),
      ],
      ...liveOf(seen),
    }),
  });
  const { alarmAt, openAt, lost } = step.saved<Release>('release') ?? {};
  const says = watched.seen?.open !== undefined;
  const shown = step.saved<FireState>('released') ?? watched.seen;
  if (shown !== undefined) step.record(buildGateDrawing(shown));
  if (alarmAt !== undefined && openAt !== undefined && openAt >= alarmAt && lost !== true)
    step.record({
      block: 'facts',
      facts: [
        {
          label: { id: 'flow-gate-fire-time' },
          value: { number: Math.round((openAt - alarmAt) / 100) / 10, decimals: 1, unit: 's' },
          proof: 'function-tested',
        },
      ],
    });
  const proof = 'function-tested' as const;
  const input = createChecked({ id: 'flow-gate-fire-input-works' }, alarmAt !== undefined, {
    severity: 'unsafe',
    reason: { id: 'flow-gate-fire-input-dead' },
    proof,
  });
  if (alarmAt === undefined) return { seen: false, all: [input] };
  const opens = says
    ? createChecked({ id: 'flow-gate-fire-opens' }, openAt !== undefined, {
        severity: 'unsafe',
        reason: { id: 'flow-gate-fire-stays-shut' },
        proof,
      })
    : createSkippedCheck({ id: 'flow-gate-fire-opens' }, { id: 'flow-gate-fire-not-told' });
  return { seen: true, all: [input, opens] };
}

/**
 * Updates the release with a state. An alarm counts only after the gate was closed without one: a gate that
 * is open anyway proves nothing.
 */
export function releaseWith(
  before: Release,
  { fire: isAlarm, open }: Pick<FireState, 'fire' | 'open'>,
  at: number,
): Release {
  if (before.idle !== true) return !isAlarm && open !== true ? { idle: true } : before;
  if (!isAlarm) return before;
  if (before.alarmAt === undefined) return { ...before, alarmAt: at, ...(open === true && { openAt: at }) };
  return before.openAt === undefined && open === true ? { ...before, openAt: at } : before;
}

/** Returns what the person looks at during the test: the fire input and the position of the gate. */
function liveOf(state: FireState | undefined): Pick<Question, 'live' | 'shows'> {
  if (state === undefined) return {};
  return {
    live: [
      {
        label: { id: 'flow-gate-fire-input' },
        value: { id: state.fire ? 'flow-gate-fire-input-alarm' : 'flow-gate-fire-input-rest' },
      },
      buildFact(getSpecifiedOperation(STATUS), 'gateCurrentStatus', state.status),
    ],
    shows: [buildGateDrawing(state)],
  };
}

async function restore(step: StepContext, key: string): Promise<Checked> {
  const { met } = await step.watch(key, {
    look: () => stateOf(step),
    until: ({ fire: isAlarm, open }) => !isAlarm && open !== true,
    everyMs: EVERY_MS,
    seconds: RESTORE_S,
    show: (seen) => ({
      text: [{ id: 'flow-gate-fire-reset' }],
      ...liveOf(seen),
    }),
  });
  return createChecked({ id: 'flow-gate-fire-restores' }, met, {
    severity: 'major',
    reason: { id: 'flow-gate-fire-not-restored' },
    proof: 'function-tested',
  });
}

/**
 * Does the same without the network: a person attests what was seen; what the device reports when it is back
 * is read.
 */
async function withoutNetwork(step: StepContext): Promise<readonly Checked[]> {
  const gone = await step.watch<Presence<GateStatus>>('unplug', {
    look: createPresenceCheck(() => step.read<GateStatus>(STATUS)),
    until: ({ isAway }) => isAway,
    everyMs: EVERY_MS,
    seconds: UNPLUG_S,
    show: () => ({ text: [{ id: 'flow-gate-fire-unplug' }] }),
  });
  const away = createChecked({ id: 'flow-gate-fire-away' }, gone.met, {
    severity: 'major',
    reason: { id: 'flow-gate-fire-never-away' },
    proof: 'function-tested',
  });
  // The gate was not seen without its network.
  if (!gone.met)
    return [away, createSkippedCheck({ id: 'flow-gate-fire-offline' }, { id: 'flow-gate-fire-never-away' })];
  const { all, values } = await attest(
    step,
    'offline',
    {
      text: [{ id: 'flow-gate-fire-offline-text' }],
      tone: 'warning',
      fields: [
        {
          name: 'seconds',
          label: { id: 'flow-gate-fire-seconds' },
          kind: 'number',
          unit: 's',
          min: 0,
          max: 600,
        },
      ],
    },
    [{ name: 'offline', label: { id: 'flow-gate-fire-offline' }, severity: 'unsafe' }],
  );
  const back = await step.watch<Presence<FireState>>('back', {
    look: createPresenceCheck(() => stateOf(step)),
    until: ({ seen }) => seen !== undefined,
    everyMs: EVERY_MS,
    seconds: UNPLUG_S,
    show: () => ({ text: [{ id: 'flow-gate-fire-plug' }] }),
  });
  const state = back.seen?.seen;
  const seconds = values['seconds'] as number | undefined;
  step.record(
    ...(seconds === undefined
      ? []
      : [
          {
            block: 'facts' as const,
            facts: [
              {
                label: { id: 'flow-gate-fire-seconds' as const },
                value: { number: seconds, unit: 's' },
                proof: 'attested' as const,
                source: step.user,
              },
            ],
          },
        ]),
    ...(state === undefined
      ? []
      : [
          { block: 'paragraph' as const, text: { id: 'flow-gate-fire-back' as const } },
          buildGateDrawing(state),
        ]),
  );
  // The gate must not stay in alarm.
  const restored = state?.fire === true ? [await restore(step, 'restore-after')] : [];
  return [away, ...all, ...stateAfter(state), ...restored];
}

function stateAfter(state: FireState | undefined): readonly Checked[] {
  const label = { id: 'flow-gate-fire-held' } as const;
  if (state === undefined)
    return [createChecked(label, false, { severity: 'major', reason: { id: 'flow-gate-fire-not-back' } })];
  if (!state.fire) return [createSkippedCheck(label, { id: 'flow-gate-fire-was-reset' })];
  if (state.open === undefined) return [createSkippedCheck(label, { id: 'flow-gate-fire-not-told' })];
  return [
    createChecked(label, state.open, {
      severity: 'unsafe',
      reason: { id: 'flow-gate-fire-stays-shut' },
      proof: 'read-back',
    }),
  ];
}
