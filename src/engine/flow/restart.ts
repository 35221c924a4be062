/**
 * The restart that a write needs before it counts (status 7). This interface has no operation for it: a person restarts the
 * device, and the step watches it go offline and return. If no step was watching, the person confirms the restart.
 */
import { answerKind, isGone, isShutOut } from '#shared/error-meaning.ts';
import { say } from '#shared/details.ts';
import { FieldwrightError, toErrorShape, userError, type ErrorShape } from '#shared/errors.ts';
import { createRefusal } from '#protocol/index.ts';
import { Absence } from '../device/absence.ts';
import { getSpecifiedOperation } from '../operations/specified.ts';
import type { Written } from './flow.ts';
import type { StepHands } from './step-hands.ts';

/** Known facts about a restart that a write waits for. */
interface KeptRestart {
  /** A person was asked to restart the device. */
  readonly asked?: true;
  /** The device was seen to go offline. */
  readonly left?: true;
  readonly over?: NonNullable<Written['restart']>;
}

interface Presence {
  readonly left: boolean;
  /** The device went offline and answers again. */
  readonly back: boolean;
  /** Error if the device refuses every sign-in, so that watching on is useless. */
  readonly shut?: ErrorShape;
}

/** Operation that every device answers. */
const READ = 'system.capabilities.get';
const LONGEST_S = 900;
/** Interval between two looks; long, because a starting device is busy. */
const EVERY_MS = 2_000;
/** Time in which a device that restarts by itself goes offline. A script waits no longer, as no person is there. */
const UNATTENDED_S = 5;

/** Resolves when the device has restarted. `name`: key of the write that waits for it. */
export async function waitForRestart(
  name: string,
  { find, put, question, watch, options }: StepHands,
): Promise<NonNullable<Written['restart']>> {
  const { device, onRestart } = options;
  const key = `restart:${name}`;
  const known = (find(key)?.value ?? {}) as KeptRestart;
  if (known.over !== undefined) return known.over;
  const keep = (restart: KeptRestart): void => put(key, restart);
  const end = (over: NonNullable<Written['restart']>): typeof over => {
    keep({ over });
    onRestart(device.id, 'restarted');
    return over;
  };

  onRestart(device.id, 'restart-due');
  const absence = new Absence(known.left);
  const look = lookFor(absence, options, () => keep({ asked: true, left: true }));
  const { met, seen, error } = await watch<Presence>('restart', {
    look,
    until: ({ back, shut }) => back || shut !== undefined,
    everyMs: EVERY_MS,
    seconds: LONGEST_S,
    mayEnd: () => {
      if (absence.hasLeft) throw userError('not-allowed', say('flow-restart-away'));
    },
    show: (now) => ({
      text: [{ id: now?.left === true ? 'flow-restart-waits' : 'flow-restart-now' }],
      tone: 'warning',
      unattendedSeconds: UNATTENDED_S,
    }),
  });
  if (seen?.shut !== undefined) throw new FieldwrightError(seen.shut);
  if (met) return end('seen');
  if (absence.hasLeft)
    throw new FieldwrightError(
      error ?? { code: 'timeout', source: 'device', device: device.url, ...say('flow-restart-away') },
    );
  keep({ asked: true });
  await question('restarted', 'answer', {
    text: [{ id: 'flow-restart-unseen' }],
    tone: 'warning',
    fields: [
      {
        name: 'restarted',
        label: { id: 'flow-restarted' },
        kind: 'flag',
        required: true,
        // The person who resumes the flow was asked before leaving it.
        ...(known.asked === true && { value: true }),
      },
    ],
  });
  return end('attested');
}

/** Looks whether the device is away, or back and able to answer. */
function lookFor(
  absence: Absence,
  { job, device }: StepHands['options'],
  onLeft: () => void,
): () => Promise<Presence> {
  const presence = (isReady: boolean, shut?: ErrorShape): Presence => ({
    left: absence.hasLeft,
    back: absence.hasLeft && isReady,
    ...(shut && { shut }),
  });
  return async () => {
    try {
      const client = job.clients.get(device.id);
      const { document, status } = await client.read(
        getSpecifiedOperation(READ),
        {},
        { signal: job.job.stopped },
      );
      absence.there();
      if (document !== undefined) return presence(true);
      const refusal = createRefusal(status);
      if (isShutOut(refusal)) return presence(false, { ...refusal, device: device.url });
      const kind = answerKind(refusal);
      return presence(kind === 'lacks' || kind === 'refuses' || kind === 'no-permission');
    } catch (thrown) {
      const error = toErrorShape(thrown);
      if (isShutOut(error)) return presence(false, error);
      if (!isGone(error)) throw thrown;
      const before = absence.hasLeft;
      absence.away(error);
      if (!before && absence.hasLeft) onLeft();
      return presence(false);
    }
  };
}
