/** Kinds of job with independent units: each is worked on by itself, one after the other on its device. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { isOwnTrouble } from '#shared/error-meaning.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { UnitProgress, UnitResult } from '#shared/model.ts';
import type { DocumentText } from '#shared/report-document.ts';
import { createJobCancelledError, refuseTurn, runTurn } from './device-turn.ts';
import type { JobContext, JobKind, JobTurn, NewDevice } from './job-kind.ts';
import type { Intent } from './journal.ts';
import { isUnfinished, listRemainingUnits } from './job-state.ts';
import { locate, type Finder } from './locate-device.ts';
import type { Documents, NewUnit, UnitKey } from './types.ts';

/** A device and how it is reached now; its id is empty where the unit is a step of the whole site. */
export interface UnitPlace {
  readonly position: number;
  readonly deviceId: string;
  readonly url: string;
}

export interface Unit<Kept extends Documents> {
  readonly key: UnitKey;
  readonly label: string;
  readonly title?: DocumentText;
  readonly detail: Kept['detail'];
  readonly document: Kept['unit'] | undefined;
  /** How far an earlier run came. */
  readonly progress?: UnitProgress;
}

export interface UnitWork extends JobContext {
  /** Resolves when the unit may begin: nothing that cannot be done twice may begin before. */
  begin(intent?: Intent): Promise<void>;
  /** Reports progress at once; in the journal at most twice a second. */
  progress(progress: UnitProgress): void;
}

/**
 * Result of a unit; `detail` if its kind shows something else now, `stop` if the device cannot be worked on
 * further.
 */
export interface UnitVerdict extends Pick<UnitResult, 'outcome' | 'status' | 'error' | 'note'> {
  readonly detail?: object;
  readonly stop?: ErrorShape;
}

interface UnitKindOptions<Kept extends Documents> extends Omit<JobKind<Kept>, 'resume' | 'finder'> {
  readonly finder: Finder;
  /**
   * Works on a unit. A thrown error is the unit's failure. Ends early, with the present result, when
   * `work.job.stopped` aborts.
   */
  readonly work: (unit: Unit<Kept>, place: UnitPlace, work: UnitWork) => Promise<UnitVerdict>;
}

export interface UnitKind<Kept extends Documents> extends JobKind<Kept> {
  /** Returns the turn of a device of a new job. */
  turn(device: Omit<NewDevice, 'turn'>, position: number): JobTurn;
}

const PROGRESS_MS = 500;

export function createUnitKind<Kept extends Documents>(options: UnitKindOptions<Kept>): UnitKind<Kept> {
  const { finder, work, ...kind } = options;

  function turnOf(place: UnitPlace, units: (context: JobContext) => readonly Unit<Kept>[]): JobTurn {
    return (context) =>
      runTurn({ ...place, secrets: [] }, context, async () => {
        for (const unit of units(context)) {
          if (context.job.cancelled) return createJobCancelledError();
          const stop = await workOn(unit, place, context);
          if (stop !== undefined) return stop;
        }
        return undefined;
      });
  }

  async function workOn(
    unit: Unit<Kept>,
    place: UnitPlace,
    context: JobContext,
  ): Promise<ErrorShape | undefined> {
    const { job, journal, clock } = context;
    const { key, label, title } = unit;
    let written = 0;
    let result: UnitResult = {
      ...unit.detail,
      index: key.index,
      label,
      outcome: 'pending',
      ...removeUndefined({ title, progress: unit.progress }),
    };
    const at = (): string => clock.now().toISOString();
    const verdict = await attempt(kind.interrupted, () =>
      work(unit, place, {
        ...context,
        begin: (intent) => journal.intent(key, result, at(), intent),
        progress(progress) {
          result = { ...result, progress };
          job.unit(key.position, result);
          const now = clock.now().getTime();
          if (now - written < PROGRESS_MS) return;
          written = now;
          journal.progress(key, progress);
        },
      }),
    );
    const { stop, detail, ...shown } = verdict;
    result = { ...result, ...detail, ...shown };
    job.unit(key.position, result);
    journal.settled(key, result, at());
    return stop ?? (result.outcome === 'pending' && job.cancelled ? createJobCancelledError() : undefined);
  }

  return {
    ...kind,
    turn: (device, position) => {
      const { deviceId, url, units } = device;
      return turnOf({ position, deviceId, url }, ({ job }) =>
        units
          .filter(({ result }) => result.outcome === 'pending')
          .map((unit) => asUnit<Kept>(unit, { jobId: job.id, position, index: unit.result.index })),
      );
    },
    resume: (job) =>
      job.devices.filter(isUnfinished).map((device) => {
        const { position } = device;
        const units = listRemainingUnits(device).map((unit) => ({
          ...unit,
          document: unit.document(),
        }));
        if (device.deviceId === '')
          return { position, turn: turnOf({ position, deviceId: '', url: '' }, () => units) };
        const located = locate(device, finder);
        return {
          position,
          turn: located.ok
            ? turnOf({ position, deviceId: located.device.id, url: located.device.url }, () => units)
            : (context) => refuseTurn(position, located.error, context),
        };
      }),
  };
}

function asUnit<Kept extends Documents>({ result, document }: NewUnit, key: UnitKey): Unit<Kept> {
  const { index: _index, label, title, outcome: _outcome, progress, ...detail } = result;
  return {
    key,
    label,
    detail,
    document,
    title,
    progress,
  };
}

async function attempt(
  interrupted: JobKind['interrupted'],
  work: () => Promise<UnitVerdict>,
): Promise<UnitVerdict> {
  try {
    return await work();
  } catch (thrown) {
    const error = toErrorShape(thrown);
    if (!isOwnTrouble(error)) return { outcome: 'failed', error };
    // A full disk or a locked vault says nothing about the device: its turn ends early, and resuming goes on here.
    return interrupted === 'pending'
      ? { outcome: 'pending', stop: error }
      : { outcome: 'failed', error, stop: error };
  }
}
