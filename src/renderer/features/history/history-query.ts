import { removeUndefined } from '#shared/remove-undefined.ts';
import type { JobState } from '#shared/model.ts';
import type { InputAt } from '#shared/contract.ts';

/** Jobs that a screen lists: all, or those left open. */
export type JobsShown = 'history' | 'open';

export interface HistoryFilters {
  readonly text: string;
  readonly deviceId: string;
  readonly kind: string;
  readonly state: '' | JobState;
  /** Days as the date fields give them: `2026-03-01`; empty: no limit. */
  readonly from: string;
  readonly to: string;
}

export const NO_FILTERS: HistoryFilters = { text: '', deviceId: '', kind: '', state: '', from: '', to: '' };

const LONGEST = 200;

/** A day of this computer's calendar as a time: its beginning, or its last moment. */
function dayAsTime(day: string, end: boolean): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (match === null) return undefined;
  const [year, month, date] = [Number(match[1]), Number(match[2]) - 1, Number(match[3])] as const;
  const at = end ? new Date(year, month, date, 23, 59, 59, 999) : new Date(year, month, date);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

export function queryOf(filters: HistoryFilters, shown: JobsShown): InputAt<'jobs.search'> {
  const text = filters.text.trim().slice(0, LONGEST);
  const from = dayAsTime(filters.from, false);
  const to = dayAsTime(filters.to, true);
  return {
    ...(text === '' ? {} : { text }),
    ...(filters.deviceId === '' ? {} : { deviceId: filters.deviceId }),
    ...(filters.kind === '' ? {} : { kind: filters.kind }),
    ...(filters.state === '' ? {} : { states: [filters.state] }),
    ...removeUndefined({ from, to }),
    ...(shown === 'open' ? { open: true } : {}),
  };
}

export function isFiltered(filters: HistoryFilters): boolean {
  return Object.values(filters).some((value) => value !== '');
}
