/** Follows people whose change takes effect after a restart (status 7): waits for the restart, then verifies them. */
import { say } from '#shared/details.ts';
import { isGone, isShutOut } from '#shared/error-meaning.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import { Absence } from '#engine/device/absence.ts';
import { AT_ONCE, countPeople, openView, readLimits } from '../view.ts';
import { comparePerson } from './conclude-person.ts';
import { provePeople } from './proof-phase.ts';
import { AWAITING_RESTART } from './rows.ts';
import type { Phase } from './write-phase.ts';

/** Wait before the first check, in milliseconds; later waits grow, so that a starting device is not overloaded. */
const FIRST_LOOK_MS = 2_000;
const LONGEST_LOOK_MS = 15_000;
const GROWTH = 1.5;

/**
 * Waits until the device has restarted, then verifies the rows that wait for it. Returns why they still wait; undefined
 * if they do not, or if the job was cancelled. Never throws.
 */
export async function followRestart(phase: Phase, waitMs: number): Promise<ErrorShape | undefined> {
  const { clock, signal, device } = phase.reach;
  const until = clock.now().getTime() + waitMs;
  const absence = new Absence();
  let [waited, wait] = [0, FIRST_LOOK_MS];
  for (;;) {
    // Check once more after the deadline: the computer may have been asleep.
    const isOver = waited >= waitMs || clock.now().getTime() >= until;
    let error: ErrorShape | undefined;
    try {
      if (absence.hasLeft ? await isBack(phase) : await showsRestart(phase)) {
        await provePeople(phase, AWAITING_RESTART);
        return undefined;
      }
      absence.there();
    } catch (thrown) {
      error = { device, ...toErrorShape(thrown) };
      if (isGone(error)) absence.away(error);
      if (isShutOut(error)) return error;
    }
    if (phase.cancelled()) return undefined;
    const minutes = Math.max(1, Math.round(waitMs / 60_000));
    if (isOver)
      return error === undefined || !isGone(error)
        ? (error ?? { code: 'timeout', source: 'app', device, ...say('not-restarted', { minutes }) })
        : { ...error, ...say('went-away', { minutes }) };
    const delay = Math.min(wait, waitMs - waited);
    waited += delay;
    wait = Math.min(wait * GROWTH, LONGEST_LOOK_MS);
    await clock.delay(delay, signal).catch(() => undefined);
    if (phase.cancelled()) return undefined;
  }
}

/** Returns true once the device answers again; throws until then. */
async function isBack({ reach }: Phase): Promise<boolean> {
  await countPeople(reach);
  return true;
}

/** Returns true if the device shows a change now that it did not show before its restart. */
async function showsRestart({ reach, rows, id, device }: Phase): Promise<boolean> {
  await countPeople(reach);
  const some = rows.next(id, device, { after: 0, limit: AT_ONCE, now: ['needs-reboot'] });
  if (some.length === 0) return false;
  const shown = await (
    await openView(reach, (await readLimits(reach)).span)
  ).find(some.map(({ key }) => key));
  return some.some((due) => comparePerson(due, shown.get(due.key)).kind === 'taken');
}
