/** Taking back what a job wrote, as a job of its own: what it would put back, how it begins and how it goes on. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { appError, userError } from '#shared/errors.ts';
import type { SectionResult, UndoPreviewSection } from '#shared/model.ts';
import { refuseTurn } from '#engine/jobs/device-turn.ts';
import type {
  ContinuedTurn,
  JobKind,
  NewDevice,
  NewJob,
  ResumeRequest,
  UndoneSetting,
  UndoRequest,
} from '#engine/jobs/job-kind.ts';
import { isUnfinished, listRemainingUnits } from '#engine/jobs/job-state.ts';
import { createJobId } from '#engine/jobs/jobs.ts';
import { locate, type Finder } from '#engine/jobs/locate-device.ts';
import { requireConsent } from '#engine/operations/plain-fields.ts';
import { findEarlierWrite } from '../resume-plan.ts';
import { isWithin } from '#protocol/index.ts';
import { holdsSecrets } from '#engine/write/holds-secrets.ts';
import type { StoredDevice, StoredJob } from '#engine/jobs/types.ts';
import type { PartlyUndoable, Settings, SettingsDevice, SettingsJob } from '../settings-documents.ts';
import { runDeviceUndo, type UndoTask } from './undo-device.ts';
import { listUndoableSections, type UndoableSection } from './undo-plan.ts';

interface UndoOptions {
  readonly finder: Finder;
  /** Throws `vault-locked` where documents with secrets could not be kept. */
  readonly canSeal: () => void;
}

export function listPreviewSections(
  job: StoredJob<PartlyUndoable>,
  device: StoredDevice<PartlyUndoable>,
): readonly UndoPreviewSection[] {
  return listUndoableSections(job, device).map(({ stored, changes, lost, problem }) => ({
    index: stored.key.index,
    set: stored.detail.set,
    label: stored.label,
    params: stored.detail.params,
    outcome: stored.outcome,
    changes,
    lost,
    problem,
  }));
}

/** Begins going back to what the job found. @throws `not-allowed` if nothing can be undone */
export function beginUndo(
  source: StoredJob<PartlyUndoable>,
  { devices: chosen, named, options, only }: UndoRequest<PartlyUndoable>,
  undoOptions: UndoOptions,
): NewJob {
  const devices = chosen
    .map((device) => ({ device, sections: narrow(listUndoableSections(source, device), only) }))
    .filter(({ sections }) => named || sections.length > 0)
    .map(({ device, sections }, position) =>
      newDevice(device, sections, position, options.allowPlainFields, undoOptions),
    );
  if (!devices.some(({ turn }) => turn !== undefined)) throw userError('not-allowed', say('nothing-to-undo'));
  const { title, about, subject, body } = source;
  return {
    id: createJobId(),
    kind: 'undo',
    title,
    about,
    subject,
    body: {
      planId: '',
      templateText: body.templateText ?? '',
      backwards: body.backwards !== true,
      only,
    } satisfies Settings['body'],
    options,
    devices,
  };
}

/** Leaves the one setting that is named, if one is. */
function narrow(
  sections: readonly UndoableSection[],
  only: UndoneSetting | undefined,
): readonly UndoableSection[] {
  if (only === undefined) return sections;
  return sections
    .filter(({ stored }) => stored.key.index === only.index)
    .map(({ goal, ...section }) => ({
      ...section,
      changes: section.changes.filter(({ path }) => isWithin(path, only.path)),
      ...(goal !== undefined && { goal: { ...goal, only: only.path } }),
    }));
}

function newDevice(
  device: StoredDevice<PartlyUndoable>,
  sections: readonly UndoableSection[],
  position: number,
  allowPlainFields: boolean | undefined,
  { finder, canSeal }: UndoOptions,
): NewDevice {
  const located = locate(device, finder);
  const results = sections
    .map(({ stored, changes, problem }): SectionResult => {
      const { set, params } = stored.detail;
      return {
        index: stored.key.index,
        set,
        label: stored.label,
        params,
        changes,
        outcome: problem === undefined ? 'pending' : 'blocked',
        ...removeUndefined({ error: problem }),
      };
    })
    .toSorted((a, b) => a.index - b.index);
  const { id: deviceId, name, url } = located.ok ? located.device : { ...device, id: device.deviceId };
  const able = located.ok && sections.some(({ goal }) => goal !== undefined);
  const error = located.ok || sections.length === 0 ? undefined : located.error;
  const entry: NewDevice = {
    deviceId,
    name,
    url,
    state: able ? 'pending' : sections.length === 0 ? 'done' : 'failed',
    ...(able ? {} : { idle: true }),
    error,
    units: results.map((result) => ({ result, document: { planned: result.changes } })),
    document: { values: {}, sourcePosition: device.position },
    connection: device.connection,
  };
  if (!able) return entry;
  const task = taskOf(sections, { position, deviceId, url, allowPlainFields, canSeal });
  return { ...entry, turn: (context) => runDeviceUndo(task, context) };
}

/** Throws `consent-needed` or `vault-locked`: nothing is sent then. */
function taskOf(
  sections: readonly UndoableSection[],
  {
    allowPlainFields,
    canSeal,
    ...place
  }: Pick<UndoTask, 'position' | 'deviceId' | 'url'> & {
    readonly allowPlainFields: boolean | undefined;
    readonly canSeal: () => void;
  },
): UndoTask {
  const { url } = place;
  const goals = sections.flatMap(({ goal }) => goal ?? []);
  for (const { section, before } of goals)
    requireConsent({ operation: section.resource.put, value: before.value, url, allowed: allowPlainFields });
  if (goals.some(({ section }) => holdsSecrets(section.resource))) canSeal();
  return { ...place, secrets: sections.flatMap((section) => section.secrets), sections: goals };
}

/**
 * Returns the sections of a device that an undo still has to put back, with what an earlier run of it may
 * have sent.
 */
export function listRemainingUndo(
  source: StoredJob<PartlyUndoable>,
  device: SettingsDevice,
  only?: UndoneSetting,
): readonly UndoableSection[] {
  const left = new Map(listRemainingUnits(device).map((unit) => [unit.key.index, unit]));
  return source.devices
    .filter(({ position }) => position === device.document.sourcePosition)
    .flatMap((from) => narrow(listUndoableSections(source, from), only))
    .flatMap((section) => {
      const unit = left.get(section.stored.key.index);
      if (unit === undefined) return [];
      const earlier = findEarlierWrite(unit);
      return [
        { ...section, ...(section.goal && { goal: { ...section.goal, ...removeUndefined({ earlier }) } }) },
      ];
    });
}

/** Resumes an undo. Throws like beginning one. */
export function resumeUndo(
  job: SettingsJob,
  { options }: ResumeRequest,
  { finder, canSeal }: UndoOptions,
): ReturnType<JobKind['resume']> {
  const source = job.source();
  if (source === undefined) throw appError('storage-damaged', say('undo-of-unknown'));
  return job.devices.filter(isUnfinished).map((device): ContinuedTurn => {
    const { position } = device;
    const located = locate(device, finder);
    if (!located.ok) return { position, turn: (context) => refuseTurn(position, located.error, context) };
    const { id: deviceId, url } = located.device;
    const sections = listRemainingUndo(source, device, job.body.only);
    // Such a problem, e.g. a vault that is locked now, is reported because the sections stay open.
    const problem = sections.find((section) => section.problem !== undefined)?.problem;
    const { allowPlainFields } = options;
    const task = taskOf(sections, { position, deviceId, url, allowPlainFields, canSeal });
    return {
      position,
      turn: (context) => runDeviceUndo({ ...task, ...removeUndefined({ problem }) }, context),
    };
  });
}
