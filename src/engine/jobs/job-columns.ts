/** Columns of the journal that every reader of it needs. */
import type { ErrorShape, StatusReport } from '#shared/errors.ts';
import type { DeviceResult, OpenReason, UnitNote, UnitOutcome, UnitResult } from '#shared/model.ts';
import { readOwnJson } from '#shared/read-json.ts';

export interface DeviceColumns {
  readonly position: number;
  readonly device_id: string;
  readonly name: string;
  readonly url: string;
  readonly state: DeviceResult['state'];
  readonly error: string | null;
  /** 1: chosen, and had no turn. */
  readonly idle: number;
  readonly open_reason: OpenReason | null;
}

export interface UnitColumns {
  readonly position: number;
  readonly idx: number;
  readonly label: string;
  /** JSON of what its kind shows of it. */
  readonly detail: string;
  readonly outcome: UnitOutcome;
  readonly status: string | null;
  readonly error: string | null;
  readonly note: UnitNote | null;
  readonly done: number | null;
  readonly total: number | null;
}
export const UNIT_COLUMNS = `position, idx, label, ${selectContent('detail')}, outcome, status, error, note, done, total`;

/** Text in the clear, or sealed bytes. */
export type Content = string | Uint8Array;

/** Returns SQL for the content of a column of `job_units`, or for the content whose number it holds. */
export function selectContent(column: string, name = column): string {
  return `iif(typeof(${column}) = 'integer', (SELECT content FROM job_contents WHERE id = ${column}), ${column}) AS "${name}"`;
}

/** Converts a row to a result, with the details of its kind. */
export function toUnitResult(row: UnitColumns): UnitResult {
  return {
    ...(readOwnJson(row.detail) as object),
    index: row.idx,
    label: row.label,
    outcome: row.outcome,
    ...(row.status === null ? {} : { status: readOwnJson(row.status) as StatusReport }),
    ...(row.error === null ? {} : { error: readOwnJson(row.error) as ErrorShape }),
    ...(row.note === null ? {} : { note: row.note }),
    ...(row.done === null
      ? {}
      : { progress: { done: row.done, ...(row.total === null ? {} : { total: row.total }) } }),
  };
}

/** Returns the details of a unit's kind, without the fields that every unit has. */
export function getUnitDetail({
  index: _index,
  label: _label,
  outcome: _outcome,
  status: _status,
  error: _error,
  note: _note,
  progress: _progress,
  ...detail
}: UnitResult): object {
  return detail;
}

/** Folds a text for comparing where case does not matter. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

export function toJsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
