/** Follows a device through the restart after which changes to people take effect; builds the context of phases. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { type ErrorShape, toErrorShape } from '#shared/errors.ts';
import type { JobContext } from '../jobs/job-kind.ts';
import { haveAllSucceeded } from '../jobs/job-state.ts';
import { locate, type Finder } from '../jobs/locate-device.ts';
import { isRestartDue } from '../jobs/restarts.ts';
import type { StoredDevice } from '../jobs/types.ts';
import type { UnitPlace } from '../jobs/unit-kind.ts';
import type { OpenFingerprints } from './fingerprints-of-people.ts';
import { PHASES, getUnitOutcome } from './work/unit-verdict.ts';
import type { WorkRows } from './work/work-rows.ts';
import type { Phase } from './work/write-phase.ts';
import { say } from '#shared/details.ts';
import { isGone, isShutOut } from '#shared/error-meaning.ts';
import { Absence } from '#engine/device/absence.ts';
import { AT_ONCE, countPeople, openView, readLimits } from './view.ts';
import { comparePerson } from './work/conclude-person.ts';
import { provePeople } from './work/proof-phase.ts';
import { AWAITING_RESTART } from './work/rows.ts';

interface PhaseOptions {
  readonly rows: WorkRows;
  readonly fingerprints: OpenFingerprints;
  readonly finder: Finder;
}

export function buildPhase(
  { deviceId, url, position: device }: UnitPlace,
  { job, clients, clock, options }: JobContext,
  { rows, fingerprints, finder }: PhaseOptions,
): Omit<Phase, 'progress'> {
  return {
    reach: { client: clients.get(deviceId), clock, signal: job.stopped, device: url },
    rows,
    fingerprints,
    id: job.id,
    device,
    inFlight: finder.find(deviceId).profile.inFlight,
    acceptDrift: options.acceptDrift === true,
    cancelled: () => job.cancelled,
    ready: () => job.whileUnpaused(),
  };
}

/** Waits for a device to restart and verifies its people again. Returns true if no restart is due any more. Never throws. */
export async function followUp(
  device: StoredDevice,
  waitMs: number,
  context: JobContext,
  options: PhaseOptions,
): Promise<boolean> {
  const { job, journal, clock } = context;
  const { position } = device;
  const located = locate(device, options.finder);
  const before = job.results[position];
  const unit = before?.units.slice(0, PHASES.length).find(isRestartDue);
  if (before === undefined || unit === undefined) return true;
  job.device(position, 'running');
  job.phase(position, unit.index, 'waiting');
  let error: ErrorShape | undefined;
  if (located.ok) {
    const place = { position, deviceId: located.device.id, url: located.device.url };
    const phase = buildPhase(place, context, options);
    error = await followRestart({ ...phase, progress: () => undefined }, waitMs);
  } else ({ error } = located);
  const { detail, ...verdict } = getUnitOutcome(options.rows, job.id, position, unit.index);
  const { error: _before, ...held } = unit;
  const result = { ...held, ...detail, ...verdict, ...removeUndefined({ error: verdict.error ?? error }) };
  job.unit(position, result);
  const key = { jobId: job.id, position, index: unit.index };
  journal.settled(key, result, clock.now().toISOString());
  const state =
    before.error === undefined && haveAllSucceeded(job.results[position]?.units ?? []) ? 'done' : 'failed';
  journal.device(job.id, position, job.device(position, state, before.error), clock.now().toISOString());
  return !isRestartDue(result);
}

/** Wait before the first check, in milliseconds; later waits grow, so that a starting device is not overloaded. */
const FIRST_LOOK_MS = 2_000;
const LONGEST_LOOK_MS = 15_000;
const GROWTH = 1.5;

/**
 * Waits until the device has restarted, then verifies the rows that wait for it. Returns why they still wait; undefined
 * if they do not, or if the job was cancelled. Never throws.
 */
async function followRestart(phase: Phase, waitMs: number): Promise<ErrorShape | undefined> {
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
