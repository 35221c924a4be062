/** The ways to begin and to continue a job, each down to one function a device. */
import { defined } from '../../shared/defined.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import type { ApplyOptions, PlanDevice, PlanSection, SectionResult } from '../../shared/model.ts';
import { requireConsent } from '../plain-fields.ts';
import { applyDevice, unwritable } from './apply-device.ts';
import { refuseTurn } from './device-turn.ts';
import type { JobContext } from './device-turn.ts';
import { wentWell } from '../jobs/job-state.ts';
import type { NewDevice } from '../jobs/journal.ts';
import { locate } from '../jobs/locate-device.ts';
import type { Finder } from '../jobs/locate-device.ts';
import type { PreparedDevice } from './prepare-job.ts';
import { earlierWrite, isUnfinished, planResume, sectionsLeft } from './resume-plan.ts';
import type { ResumeInput } from './resume-plan.ts';
import { holdsSecrets } from './secrets.ts';
import type { StoredDevice, StoredJob, StoredJobs } from '../jobs/stored-job.ts';
import { undoable } from './undo/undo-plan.ts';
import type { UndoableSection } from './undo/undo-plan.ts';
import { undoDevice } from './undo/undo-device.ts';
import type { UndoSection } from './undo/undo-device.ts';
import { applyUnplanned } from './unplanned-device.ts';
import type { PlanNow } from './unplanned-device.ts';

/** One device's turn, with everything it needs but the job around it. Never throws. */
export type JobTurn = (context: JobContext) => Promise<boolean>;

/** A device of a new job: what is journalled of it, and its turn where it can have one. */
export interface NewTurn {
  readonly device: NewDevice;
  readonly turn?: JobTurn;
  /** Nothing would change on it, so that it tells nothing about the others. */
  readonly idle?: boolean;
}

/** Of a plan. A device without a turn has its result already: what the plan says. */
export function applyTurns(
  prepared: readonly PreparedDevice[],
  options: ApplyOptions = {},
): readonly NewTurn[] {
  return prepared.map((device) => {
    const { planned, deviceId, name, url, connection, task } = device;
    const place = {
      deviceId,
      name,
      url,
      values: planned.values,
      planned: planned.sections,
      ...defined({ connection }),
    };
    if (task === undefined) return { device: { ...place, ...idleResult(planned, options) } };
    return {
      device: { ...place, state: 'pending', sections: planned.sections.map(pending) },
      turn: (context: JobContext) => applyDevice(task, context),
      idle: !planned.sections.some(({ state }) => state === 'changes' || state === 'adjusted'),
    };
  });
}

function idleResult(
  { state, error, sections }: PlanDevice,
  options: ApplyOptions,
): Pick<NewDevice, 'state' | 'error' | 'idle' | 'sections'> {
  const results = sections.map((section) => withoutTurn(section, options));
  return {
    state: state === 'failed' || !wentWell(results) ? 'failed' : 'done',
    idle: true,
    sections: results,
    ...defined({ error }),
  };
}

/** What would have been written is held back by what stands against the other sections. */
function withoutTurn(section: PlanSection, options: ApplyOptions): SectionResult {
  const { outcome, error } = unwritable(section, options) ?? {
    outcome: section.state === 'unchanged' ? 'unchanged' : 'blocked',
  };
  return { ...pending(section), outcome, ...defined({ error }) };
}

/** In the order in which they have their turns: only a device that gets something is a canary. */
export function inTurn(turns: readonly NewTurn[], { canary = 0 }: ApplyOptions): readonly JobTurn[] {
  const ordered =
    canary > 0 ? turns.toSorted((a, b) => Number(a.idle === true) - Number(b.idle === true)) : turns;
  return ordered.flatMap(({ turn }) => turn ?? []);
}

function pending({
  index,
  set,
  label,
  params,
  changes,
}: Pick<PlanSection, 'index' | 'set' | 'label' | 'params' | 'changes'>): SectionResult {
  return { index, set, label, params, outcome: 'pending', changes };
}

export interface ContinueInput extends Omit<ResumeInput, 'devices'> {
  readonly stored: StoredJobs;
  readonly planNow: PlanNow;
}

export interface ContinuedTurn {
  readonly position: number;
  readonly turn: JobTurn;
}

/** What is left of a stored job. Throws where template, values or secrets do not fit; nothing is sent then. */
export function continuedTurns(input: ContinueInput): readonly ContinuedTurn[] {
  const devices = input.job.devices.filter(isUnfinished);
  if (input.job.kind === 'undo') return continuedUndo(input, devices);
  return planResume({ ...input, devices }).map((task) => {
    switch (task.kind) {
      case 'planned':
        return { position: task.task.position, turn: (context) => applyDevice(task.task, context) };
      case 'unplanned':
        return {
          position: task.task.position,
          turn: (context) => applyUnplanned(task.task, context, input.planNow),
        };
      case 'impossible':
        return { position: task.position, turn: (context) => refuseTurn(task.position, task.error, context) };
    }
  });
}

export interface UndoInput {
  readonly source: StoredJob;
  readonly devices: readonly StoredDevice[];
  /** Somebody chose them one by one: each is in the undo, also one on which nothing was written. */
  readonly named: boolean;
  readonly stored: StoredJobs;
  readonly finder: Finder;
  readonly allowPlainFields: boolean;
  /** Throws `vault-locked` where documents with secrets could not be kept. */
  readonly canSeal: () => void;
}

/** Of a stored job, back to what it found. Throws `not-allowed` where nothing can be undone. */
export function undoTurns(input: UndoInput): readonly NewTurn[] {
  const written = input.devices
    .map((device) => ({ device, sections: undoable(input.source, device, input.stored.documents) }))
    .filter(({ sections }) => input.named || sections.length > 0);
  const turns = written.map(({ device, sections }, position) => newUndo(device, sections, position, input));
  if (turns.some(({ turn }) => turn !== undefined)) return turns;
  throw new FieldwrightError({
    code: 'not-allowed',
    source: 'user',
    message: 'Nothing of this job can be undone.',
    hint: 'Either it wrote nothing on these devices, or what they held before cannot be had; the preview of the undo tells which.',
  });
}

function newUndo(
  device: StoredDevice,
  sections: readonly UndoableSection[],
  position: number,
  input: UndoInput,
): NewTurn {
  const located = locate(device, input.finder);
  const goals = sections.flatMap(({ goal }) => goal ?? []);
  const results = sections
    .map(({ stored, changes, problem }): SectionResult => ({
      index: stored.key.index,
      set: stored.set,
      label: stored.label,
      params: stored.params,
      changes,
      outcome: problem === undefined ? 'pending' : 'blocked',
      ...defined({ error: problem }),
    }))
    .toSorted((a, b) => a.index - b.index);
  const place = located.ok
    ? { deviceId: located.device.id, name: located.device.name, url: located.device.url }
    : { deviceId: device.deviceId, name: device.name, url: device.url };
  const able = located.ok && goals.length > 0;
  const error = located.ok || sections.length === 0 ? undefined : located.error;
  const entry: NewDevice = {
    ...place,
    state: able ? 'pending' : sections.length === 0 ? 'done' : 'failed',
    ...(able ? {} : { idle: true }),
    ...defined({ error }),
    sections: results,
    values: {},
    sourcePosition: device.position,
    planned: [],
    ...defined({ connection: device.connection }),
  };
  if (!able) return { device: entry };
  mayBeSent(goals, place.url, input);
  const task = {
    position,
    deviceId: place.deviceId,
    url: place.url,
    secrets: sections.flatMap(({ secrets }) => secrets),
    sections: goals,
  };
  return { device: entry, turn: (context) => undoDevice(task, context) };
}

/** Throws `consent-needed` or `vault-locked`: nothing is sent then. */
function mayBeSent(
  goals: readonly UndoSection[],
  url: string,
  { allowPlainFields, canSeal }: Pick<UndoInput, 'allowPlainFields' | 'canSeal'>,
): void {
  for (const { section, before } of goals)
    requireConsent({ operation: section.resource.put, value: before.value, url, allowed: allowPlainFields });
  if (goals.some(({ section }) => holdsSecrets(section.resource))) canSeal();
}

function continuedUndo(input: ContinueInput, devices: readonly StoredDevice[]): readonly ContinuedTurn[] {
  const { job, stored } = input;
  if (job.undoOf === undefined)
    throw new FieldwrightError({
      code: 'storage-damaged',
      source: 'app',
      message: 'The journal does not say which job this undo takes back.',
    });
  const source = stored.read(job.undoOf);
  return devices.map((device): ContinuedTurn => {
    const { position } = device;
    const located = locate(device, input.finder);
    if (!located.ok) return { position, turn: (context) => refuseTurn(position, located.error, context) };
    const from = source.devices.find((candidate) => candidate.position === device.sourcePosition);
    const left = new Map(sectionsLeft(device).map((section) => [section.key.index, section]));
    const sections =
      from === undefined
        ? []
        : undoable(source, from, stored.documents).filter(({ stored: { key } }) => left.has(key.index));
    const goals = sections.flatMap(({ goal }): readonly UndoSection[] => {
      const section = goal === undefined ? undefined : left.get(goal.section.index);
      if (goal === undefined || section === undefined) return [];
      const earlier = earlierWrite(section);
      return [{ ...goal, ...defined({ earlier }) }];
    });
    mayBeSent(goals, located.device.url, input);
    const task = {
      position,
      deviceId: located.device.id,
      url: located.device.url,
      secrets: sections.flatMap(({ secrets }) => secrets),
      sections: goals,
    };
    return { position, turn: (context) => undoDevice(task, context) };
  });
}
