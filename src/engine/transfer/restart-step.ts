/** After the download the device must be restarted (part 1, 3), which this interface cannot do: a person does, and it is watched. */
import { isGone } from '../../shared/error-meaning.ts';
import { detailOf } from '../../shared/details.ts';
import { toErrorShape, type ErrorShape } from '../../shared/errors.ts';
import type { PackageView } from '../../shared/models.ts';
import { readPackages } from './board.ts';
import { pause, trouble, type Send, type StepEnd } from './send.ts';

/** Gently: a device that starts has other things to do. */
const FIRST_LOOK_MS = 2_000;
const LONGEST_LOOK_MS = 15_000;
const GROWTH = 1.5;
/** Looks at a device that is back before a package that is not listed is missing: some load their lists late. */
const LOOKS_AFTER_RESTART = 5;
/** A refused connection tells that it restarts; a lost one twice in a row as well. */
const CERTAIN = 2;

/** `waitMs` 0: one look. */
export async function restartStep(send: Send, waitMs: number): Promise<StepEnd> {
  const { units, body, time, onRestart } = send;
  const until = time.now() + waitMs;
  let evidence = units.of('restart').left === true ? CERTAIN : 0;
  let looks = 0;
  let wait = FIRST_LOOK_MS;
  for (let first = true; ; first = false) {
    const over = time.now() >= until;
    const seen = await look(send);
    if (seen.kind === 'stopped') return { kind: 'stopped' };
    if (seen.kind === 'refused') return { kind: 'failed', error: seen.error };
    if (seen.kind === 'away') {
      evidence += seen.error.code === 'connection-refused' ? CERTAIN : 1;
      looks = 0;
      if (evidence >= CERTAIN && units.of('restart').left !== true) {
        units.show(units.of('restart'), { left: true });
        units.log(detailOf('model.left'));
      }
    } else {
      const left = units.of('restart').left === true;
      if (!left) evidence = 0;
      const listed = seen.packages.some(({ MPID }) => MPID === body.mpid);
      // One that was listed before shows nothing of a restart.
      if (listed && (left || !body.update)) {
        units.log(detailOf('model.listed'));
        onRestart('restarted');
        return { kind: 'done', outcome: 'effective', patch: { stage: 'listed' } };
      }
      looks += left ? 1 : 0;
      if (looks === 1) {
        units.log(detailOf('model.back'));
        wait = FIRST_LOOK_MS;
      }
      if (looks >= LOOKS_AFTER_RESTART)
        return { kind: 'failed', error: trouble(send, 'not-found', 'model.not-listed', { mpid: body.mpid }) };
    }
    if (first && units.of('restart').outcome !== 'needs-reboot') {
      onRestart('restart-due');
      units.log(detailOf('model.restart-now'));
    }
    if (first) units.show(units.of('restart'), { stage: 'waits-for-restart' });
    if (over)
      return {
        kind: 'waits',
        ...(waitMs === 0
          ? {}
          : {
              error: trouble(send, 'timeout', 'model.not-restarted', {
                minutes: Math.max(1, Math.round(waitMs / 60_000)),
              }),
            }),
      };
    if (first) units.waiting(units.of('restart'));
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
    // While it starts a device answers all kinds of things.
    if (error.code === 'device-busy' || error.code === 'malformed-answer' || error.code === 'device-error')
      return { kind: 'seen', packages: [] };
    return isGone(error) ? { kind: 'away', error } : { kind: 'refused', error };
  }
}
