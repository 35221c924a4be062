/** Finds the parts of a job that can be undone, from the journal alone. */
import { say } from '#shared/details.ts';
import {
  decode,
  computeChanges,
  findResource,
  listSecrets,
  getValueAt,
  type Payload,
  type Resource,
} from '#protocol/index.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { Change } from '#shared/model.ts';
import { OUTCOMES } from '#shared/outcomes.ts';
import type { DeviceState } from '#engine/planning/pure/desired.ts';
import type { StoredDevice, StoredJob, StoredUnit } from '#engine/jobs/types.ts';
import { restoreSection, type PartlyUndoable, type Undoable } from '../settings-documents.ts';
import type { UndoSection } from './undo-device.ts';

/** A section that the job wrote, with what an undo needs or why it cannot be undone. */
export interface UndoableSection {
  readonly stored: StoredUnit<Undoable>;
  /** Changes from the state after the job back to the state before it; secrets hidden. */
  readonly changes: readonly Change[];
  /** Paths of secrets that the device never showed. */
  readonly lost: readonly string[];
  /** Secrets inside the documents, never to be seen in what comes back. */
  readonly secrets: readonly string[];
  readonly goal?: UndoSection;
  readonly problem?: ErrorShape;
}

/** Lists what the job wrote on the device in the order in which it is undone: last write first. */
export function listUndoableSections(
  job: StoredJob<PartlyUndoable>,
  device: StoredDevice<PartlyUndoable>,
): readonly UndoableSection[] {
  const written = device.units
    .filter(isSection)
    .filter(({ outcome, attempts }) => attempts > 0 && OUTCOMES[outcome].written);
  const ordered = job.body.backwards === true ? written : written.toReversed();
  return ordered.map((section) => undoableSection(section, device));
}

function isSection(unit: StoredUnit<PartlyUndoable>): unit is StoredUnit<Undoable> {
  return unit.detail.set !== undefined;
}

function undoableSection(
  stored: StoredUnit<Undoable>,
  device: StoredDevice<PartlyUndoable>,
): UndoableSection {
  const cannot = (problem: ErrorShape): UndoableSection => ({
    stored,
    changes: [],
    lost: [],
    secrets: [],
    problem: { ...problem, operation: `${stored.detail.set}.put`, device: device.url },
  });
  const { set, noUndo } = stored.detail;
  if (noUndo !== undefined) return cannot({ code: 'not-available', source: 'app', ...say(noUndo) });
  const resource = findResource(set);
  if (resource === undefined)
    return cannot({
      code: 'not-available',
      source: 'app',
      ...say('no-state-to-restore'),
    });
  if (!stored.hasBefore)
    return cannot({
      code: 'not-available',
      source: 'app',
      ...say('state-not-kept'),
    });
  try {
    const { before, sent, after } = stored.documents();
    if (before === undefined)
      return cannot({
        code: 'not-available',
        source: 'app',
        ...say('state-not-kept'),
      });
    // A device that still showed what it held before may have taken what it was sent later.
    const payload = resource.put.request;
    const ours = [after, sent].flatMap((text) =>
      text === undefined || text === before ? [] : [stateOf(payload, text)],
    );
    return ready(stored, { resource, payload, before: stateOf(payload, before), ours });
  } catch (thrown) {
    return cannot(toErrorShape(thrown));
  }
}

function stateOf(payload: Payload, text: string): DeviceState {
  const { document, value } = decode(payload, text);
  return { document, value };
}

function ready(
  stored: StoredUnit<Undoable>,
  {
    resource,
    payload,
    before,
    ours,
  }: {
    readonly resource: Resource;
    readonly payload: Payload;
    readonly before: DeviceState;
    readonly ours: readonly DeviceState[];
  },
): UndoableSection {
  const [left] = ours;
  return {
    stored,
    changes: left === undefined ? [] : computeChanges(payload, left.value, before.value),
    lost: stored.detail.changes
      .filter((change) => change.sensitive === true && isHidden(before.value, change.path))
      .map(({ path }) => path),
    secrets: [before, ...ours].flatMap(({ value }) => listSecrets(payload, value)),
    goal: {
      section: restoreSection(stored, resource),
      payload,
      before,
      ours,
      waitsForRestart: stored.outcome === 'needs-reboot',
    },
  };
}

/** Devices leave a secret out, or show it empty. */
function isHidden(value: unknown, path: string): boolean {
  const shown = getValueAt(value, path);
  return shown === undefined || shown === null || shown === '';
}
