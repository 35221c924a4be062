/** After the download the device must be restarted (part 1, 3), which this interface cannot do: a person does, and it is watched. */
import { answerKind, isGone, isWorthWaiting } from '#shared/error-meaning.ts';
import { createDetail } from '#shared/details.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { PackageView } from '#shared/ai-models/ai-models.ts';
import { Absence } from '../device/absence.ts';
import { readPackages } from './board.ts';
import type { ModelResult } from './documents.ts';
import { pause, createDeviceError, type Send, type StepEnd } from './send.ts';

/** Gently: a device that starts has other things to do. */
const FIRST_LOOK_MS = 2_000;
const LONGEST_LOOK_MS = 15_000;
const GROWTH = 1.5;
/** Looks at a device that is back before a package that is not listed is missing: some load their lists late. */
const LOOKS_AFTER_RESTART = 5;

/** Waits until the device lists the package after its restart; `waitMs` 0: one check. */
export function restartStep(send: Send, waitMs: number): Promise<StepEnd> {
  const { units, body } = send;
  return watchRestart(send, units.of('restart'), {
    waitMs,
    arrived: ({ packages, left, looks }) => {
      // A package that was listed before does not prove a restart.
      if (packages.some(({ MPID }) => MPID === body.mpid) && (left || !body.update)) {
        units.log(createDetail('model.listed'));
        return { kind: 'done', outcome: 'effective', patch: { stage: 'listed' } };
      }
      return looks >= LOOKS_AFTER_RESTART
        ? {
            kind: 'failed',
            error: createDeviceError(send, 'not-found', 'model.not-listed', { mpid: body.mpid }),
          }
        : undefined;
    },
  });
}

/** Result of a check that reached the device. */
interface Arrival {
  readonly packages: readonly PackageView[];
  /** True if the device was unreachable before. */
  readonly left: boolean;
  /** Number of checks since the device is reachable again. */
  readonly looks: number;
}

/** Watches a device restart, which a person is asked to do; `arrived` decides when the unit is finished. */
export async function watchRestart(
  send: Send,
  { index }: Pick<ModelResult, 'index'>,
  {
    waitMs,
    arrived,
  }: {
    readonly waitMs: number;
    readonly arrived: (arrival: Arrival) => StepEnd | undefined | Promise<StepEnd | undefined>;
  },
): Promise<StepEnd> {
  const { units, time, onRestart } = send;
  const unit = (): ModelResult => units.at(index);
  const until = time.now() + waitMs;
  const absence = new Absence(unit().left === true);
  let wait = FIRST_LOOK_MS;
  for (let first = true; ; first = false) {
    const over = time.now() >= until;
    const seen = await look(send);
    if (seen.kind === 'stopped') return { kind: 'stopped' };
    if (seen.kind === 'refused') return { kind: 'failed', error: seen.error };
    if (seen.kind === 'away') {
      absence.away(seen.error);
      if (absence.hasLeft && unit().left !== true) {
        units.show(unit(), { left: true });
        units.log(createDetail('model.left'));
      }
    } else {
      absence.there();
      const { hasLeft: left, looksSince: looks } = absence;
      const end = await arrived({ packages: seen.packages, left, looks });
      if (end?.kind === 'done') onRestart('restarted');
      if (end !== undefined) return end;
      if (looks === 1) {
        units.log(createDetail('model.back'));
        wait = FIRST_LOOK_MS;
      }
    }
    if (first && unit().outcome !== 'needs-reboot') {
      onRestart('restart-due');
      units.log(createDetail('model.restart-now'));
    }
    if (first) units.show(unit(), { stage: 'waits-for-restart' });
    if (over)
      return {
        kind: 'waits',
        ...(waitMs === 0
          ? {}
          : {
              error: createDeviceError(send, 'timeout', 'model.not-restarted', {
                minutes: Math.max(1, Math.round(waitMs / 60_000)),
              }),
            }),
      };
    if (first) units.waiting(unit());
    if (!(await pause(send, Math.min(wait, Math.max(until - time.now(), 1))))) return { kind: 'stopped' };
    wait = Math.min(wait * GROWTH, LONGEST_LOOK_MS);
  }
}

type Look =
  | { readonly kind: 'seen'; readonly packages: readonly PackageView[] }
  | { readonly kind: 'away'; readonly error: ErrorShape }
  | { readonly kind: 'refused'; readonly error: ErrorShape }
  | { readonly kind: 'stopped' };

async function look({ calls, device }: Send): Promise<Look> {
  try {
    return { kind: 'seen', packages: await readPackages(calls) };
  } catch (thrown) {
    const error = { device: device.url, ...toErrorShape(thrown) };
    if (error.code === 'cancelled') return { kind: 'stopped' };
    if (isGone(error)) return { kind: 'away', error };
    // A device gives all kinds of answers while it starts.
    if (isWorthWaiting(error) || answerKind(error) === 'trouble') return { kind: 'seen', packages: [] };
    return { kind: 'refused', error };
  }
}
