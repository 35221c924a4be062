/**
 * Devices of a job whose rest a later job finished: derived from the journal, so that it holds for every old job. What
 * counts is the device, the setting and the value that was asked for, never the name of a template.
 */
import { OUTCOMES, isAtWork } from '#shared/outcomes.ts';
import type { Change, JobSummary } from '#shared/model.ts';
import { UNIT_OUTCOMES } from '#shared/model/jobs.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { readOwnJson } from '#shared/read-json.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import type { Store } from '../store/index.ts';
import { selectContent } from './job-columns.ts';
import { IS_UNFINISHED, quoteOutcomes } from './job-state.ts';

const GOOD = quoteOutcomes(UNIT_OUTCOMES.filter((outcome) => OUTCOMES[outcome].good));
/** A setting that was left out is as it was; one that the device does not have can have no rest. */
const FINISHED = `(n.outcome IN (${GOOD}) AND (n.outcome <> 'skipped' OR json_extract(n.error, '$.code') = 'not-supported'))`;

/** SQL of the units of a job that are not as asked; a device that could not be planned has one row without a unit. */
const REST = `FROM jobs AS j JOIN job_devices AS d ON d.job_id = j.id AND d.state <> 'done'
  LEFT JOIN job_units AS o ON o.job_id = d.job_id AND o.position = d.position
  WHERE j.id = ? AND j.kind = 'apply' AND (o.outcome IS NULL OR o.outcome NOT IN (${GOOD}))`;

/** The turns that later jobs gave the devices of `rest`. */
const LATER_TURNS = `FROM rest CROSS JOIN journal_targets AS t ON t.device_id = rest.device_id OR t.url = rest.url
  CROSS JOIN jobs AS later ON later.rowid > rest.row AND later.kind = 'apply'
  CROSS JOIN job_devices AS e ON e.job_id = later.id AND e.target = t.id`;
const LATER_TURN = `rest.position, e.job_id, e.device_id, rest.hash = later.about ->> '$.template.hash' AS isSameTemplate,
  rest.wanted, e.document -> '$.values' AS given`;

interface LaterTurn {
  readonly position: number;
  readonly job_id: string;
  readonly device_id: string;
  readonly isSameTemplate: number | null;
  readonly wanted: string | null;
  readonly given: string | null;
}
interface LaterUnit extends LaterTurn {
  readonly idx: number;
  readonly laterIdx: number;
  readonly asked: string;
  readonly written: string;
}
interface Setting {
  readonly set: string;
  readonly params: object;
  readonly changes: readonly Change[];
}

/** Returns the positions of devices on which the job is not as asked and later jobs finished all that was left, unless that was undone since. */
export function findFinishedLater(store: Pick<Store, 'all'>, jobId: string): ReadonlySet<number> {
  const finished = new Set<number>();
  const rest = `WITH rest AS MATERIALIZED (
    SELECT j.rowid AS row, j.about ->> '$.template.hash' AS hash, d.position, d.device_id, d.url,
      d.document -> '$.values' AS wanted, o.job_id, o.idx, o.label, o.detail ${REST})`;
  const units = store.all<LaterUnit>(
    `${rest} SELECT ${LATER_TURN}, rest.idx, n.idx AS laterIdx, ${selectContent('rest.detail', 'asked')}, ${selectContent('n.detail', 'written')}
     ${LATER_TURNS}
       CROSS JOIN job_units AS n ON n.job_id = e.job_id AND n.position = e.position AND n.label = rest.label AND ${FINISHED}
     WHERE rest.idx IS NOT NULL`,
    jobId,
  );
  const unplanned = store.all<LaterTurn>(
    `${rest} SELECT ${LATER_TURN} ${LATER_TURNS} WHERE rest.idx IS NULL AND e.state = 'done'
       AND NOT EXISTS (SELECT 1 FROM job_units AS n WHERE n.job_id = e.job_id AND n.position = e.position AND NOT ${FINISHED})`,
    jobId,
  );
  if (units.length + unplanned.length === 0) return finished;
  const isUndone = undoneUnits(store, [...units, ...unplanned]);
  for (const turn of unplanned) if (asksTheSame(turn) && !isUndone(turn)) finished.add(turn.position);

  const done = new Set<string>();
  for (const unit of units) {
    const key = `${unit.position}/${unit.idx}`;
    if (!done.has(key) && !isUndone(unit, unit.laterIdx) && finishes(unit)) done.add(key);
  }
  const open = store.all<{ readonly position: number; readonly idx: number }>(
    `SELECT d.position, o.idx ${REST} AND o.idx IS NOT NULL`,
    jobId,
  );
  for (const [position, left] of Map.groupBy(open, (unit) => unit.position))
    if (left.every(({ idx }) => done.has(`${position}/${idx}`))) finished.add(position);
  return finished;
}

/** The same template with the same values asks for the same settings. */
function asksTheSame({ isSameTemplate, wanted, given }: LaterTurn): boolean {
  if (isSameTemplate !== 1 || wanted === null || given === null) return false;
  return (
    wanted === given || encodeCanonicalJson(readOwnJson(wanted)) === encodeCanonicalJson(readOwnJson(given))
  );
}

/** Returns if the later unit left in the device all that the earlier one was to change in the same setting. */
function finishes(unit: LaterUnit): boolean {
  const [asked, written] = [unit.asked, unit.written].map((text) => readOwnJson(text) as Setting);
  if (asked === undefined || written === undefined) return false;
  if (keyOf(asked.set, asked.params) !== keyOf(written.set, written.params)) return false;
  if (asksTheSame(unit)) return true;
  const values = new Set(written.changes.map(valueKey));
  // Masked values of secrets cannot be compared.
  return (
    asked.changes.length > 0 &&
    asked.changes.every((change) => change.sensitive !== true && values.has(valueKey(change)))
  );
}

function valueKey({ path, items, unit, to }: Change): string {
  return keyOf(path, items, unit, to);
}

function keyOf(...parts: readonly unknown[]): string {
  return encodeCanonicalJson(parts.map((part) => [part].filter((value) => value !== undefined)));
}

/** Returns what tells if something that a later job did was taken back since; without an index, anything at all. */
function undoneUnits(
  store: Pick<Store, 'all'>,
  turns: readonly LaterTurn[],
): (turn: LaterTurn, index?: number) => boolean {
  const rows = store.all<{ readonly job: string; readonly device: string; readonly idx: number }>(
    `SELECT undo.undo_of AS job, d.device_id AS device, u.idx
     FROM jobs AS undo JOIN job_devices AS d ON d.job_id = undo.id
       JOIN job_units AS u ON u.job_id = d.job_id AND u.position = d.position
     WHERE undo.undo_of IN (SELECT value FROM json_each(?)) AND u.outcome IN (${GOOD})`,
    JSON.stringify([...new Set(turns.map(({ job_id: id }) => id))]),
  );
  const undone = new Set(
    rows.flatMap(({ job, device, idx }) => [`${job}/${device}`, `${job}/${device}/${idx}`]),
  );
  return ({ job_id: job, device_id: device }, index) =>
    undone.has(index === undefined ? `${job}/${device}` : `${job}/${device}/${index}`);
}

/** Returns the summary of an ended job with what later jobs have finished and what a person dropped: those devices need no work any more. */
export function addFinishedLater<Summary extends JobSummary>(
  store: Pick<Store, 'all' | 'get'>,
  job: Summary,
): Summary {
  const { attention = 0, pending = 0 } = job.deviceCounts;
  if (isAtWork(job.state) || attention + pending === 0) return job;
  const later = job.kind === 'apply' ? findFinishedLater(store, job.id) : new Set<number>();
  const dropped = store
    .all<{ readonly position: number }>(
      'SELECT position FROM job_devices WHERE job_id = ? AND dropped IS NOT NULL',
      job.id,
    )
    .filter(({ position }) => !later.has(position));
  const positions = new Set([...later, ...dropped.map(({ position }) => position)]);
  if (positions.size === 0) return job;
  const isLeft = store.get(
    `SELECT 1 FROM job_devices AS d WHERE d.job_id = ? AND d.position NOT IN (SELECT value FROM json_each(?)) AND ${IS_UNFINISHED} LIMIT 1`,
    job.id,
    JSON.stringify([...positions]),
  );
  return {
    ...job,
    ...removeUndefined({ finishedLater: later.size || undefined, dropped: dropped.length || undefined }),
    resumable: job.resumable && (isLeft !== undefined || (job.rebootPending ?? 0) > 0),
  };
}
