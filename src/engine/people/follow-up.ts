/** Follows a device through the restart after which changes to people take effect; builds the context of phases. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { JobContext } from '../jobs/job-kind.ts';
import { haveAllSucceeded } from '../jobs/job-state.ts';
import { locate, type Finder } from '../jobs/locate-device.ts';
import { isRestartDue } from '../jobs/restarts.ts';
import type { StoredDevice } from '../jobs/types.ts';
import type { UnitPlace } from '../jobs/unit-kind.ts';
import type { OpenFingerprints } from './fingerprints-of-people.ts';
import { followRestart } from './work/follow-restart.ts';
import { PHASES, getUnitOutcome } from './work/unit-verdict.ts';
import type { WorkRows } from './work/work-rows.ts';
import type { Phase } from './work/write-phase.ts';

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
