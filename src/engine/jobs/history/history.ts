/** The journal searched and exported. */
import type { HistoryQuery } from '#shared/contract/inputs.ts';
import { say } from '#shared/details.ts';
import { isLeftOpen } from '#shared/outcomes.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { HistoryPage } from '#shared/history.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { SqlValue, Store } from '#engine/store/index.ts';
import { readHistoryRows } from './history-rows.ts';
import { formatHistoryCsv, formatHistoryJson } from './history-text.ts';
import type { JobKinds } from '../job-kind.ts';
import type { JobRows } from '../job-rows.ts';
import { foldText } from '../job-columns.ts';

type ExportFormat = 'csv' | 'json';
interface ExportRequest {
  readonly query: HistoryQuery;
  readonly format: ExportFormat;
}

export interface History {
  /** Throws `usage` where `after` is no place of a page. */
  search(query: HistoryQuery): HistoryPage;
  /** Yields what the query finds, in pieces; `limit` and `after` do not count. */
  parts(request: ExportRequest): Iterable<string>;
}

const DEFAULT_LIMIT = 100;
const LARGEST_LIMIT = 500;
/** An answer that has to be held in memory as a whole is bounded. */
const LARGEST_TEXT = 64 * 1024 * 1024;

interface Clause {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export function createHistory(
  store: Store,
  rows: Pick<JobRows, 'select'>,
  kinds: Pick<JobKinds, 'find'>,
): History {
  return {
    search(query) {
      const limit = Math.min(Math.max(Math.trunc(query.limit ?? DEFAULT_LIMIT), 1), LARGEST_LIMIT);
      const matching = clauseOf(query);
      if (query.open === true) {
        const open = rows.select(matching.sql, matching.values, LARGEST_LIMIT).map(({ summary }) => summary);
        const jobs = open.filter(isLeftOpen);
        return { jobs, total: jobs.length };
      }
      const from = query.after === undefined ? undefined : placeOf(query.after);
      const page =
        from === undefined
          ? matching
          : both(matching, { sql: '(created_at, rowid) < (?, ?)', values: [from.at, from.row] });
      const found = rows.select(page.sql, page.values, limit + 1);
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      const total =
        store.get<{ readonly total: number }>(
          `SELECT count(*) AS total FROM jobs WHERE ${matching.sql}`,
          ...matching.values,
        )?.total ?? 0;
      return {
        jobs: shown.map(({ summary }) => summary),
        total,
        ...(found.length > limit && last !== undefined
          ? { next: `${last.summary.createdAt}~${last.row}` }
          : {}),
      };
    },
    parts({ query, format }) {
      const { sql, values } = clauseOf(query);
      const found = readHistoryRows(store, kinds, {
        where: sql,
        values,
        byItem: format === 'csv',
        ...removeUndefined({ deviceId: query.deviceId }),
      });
      return format === 'csv' ? formatHistoryCsv(found) : formatHistoryJson(found);
    },
  };
}

/** Returns the whole export as one text. @throws `input-too-large` if it would not fit into memory well */
export function exportText(
  parts: Iterable<string>,
  { format, at }: { readonly format: ExportFormat; readonly at: Date },
): { readonly text: string; readonly fileName: string } {
  const pieces: string[] = [];
  let length = 0;
  for (const piece of parts) {
    pieces.push(piece);
    length += piece.length;
    if (length > LARGEST_TEXT) {
      throw new FieldwrightError({
        code: 'input-too-large',
        source: 'user',
        ...say('too-much-history'),
      });
    }
  }
  return {
    text: pieces.join(''),
    fileName: `fieldwright-history-${at.toISOString().slice(0, 10)}.${format}`,
  };
}

/** Builds the clause over `jobs`; values are always bound, never written into the statement. */
function clauseOf(query: HistoryQuery): Clause {
  const clauses: Clause[] = [{ sql: '1', values: [] }];
  const where = (sql: string, ...values: SqlValue[]): void => {
    clauses.push({ sql, values });
  };
  const { text, deviceId, subject, kind, states, from, to } = query;
  if (kind !== undefined) where('kind = ?', kind);
  // These may be left open, and are few: the whole job decides it.
  if (query.open === true)
    where(
      `(state IN ('failed', 'partial', 'interrupted', 'cancelled') OR (state = 'done' AND totals LIKE '%"needs-reboot"%'))
       AND NOT EXISTS (SELECT 1 FROM jobs AS later WHERE later.undo_of = jobs.id AND later.state = 'done')`,
    );
  if (states !== undefined && states.length > 0)
    where(`state IN (${states.map(() => '?').join(', ')})`, ...states);
  if (subject !== undefined) where('subject = ?', subject);
  if (from !== undefined) where('created_at >= ?', instant(from));
  if (to !== undefined) where('created_at <= ?', instant(to));
  if (deviceId !== undefined) where(`${hasTarget('device_id = ?')}`, deviceId);
  if (text !== undefined && text.trim() !== '') {
    const wanted = foldText(text.trim());
    where(
      `(instr(search_text, ?) > 0 OR ${hasTarget('instr(journal_targets.search_text, ?) > 0')})`,
      wanted,
      wanted,
    );
  }
  return clauses.reduce(both);
}

/** Devices are looked for among all there ever were, each once; jobs are then found by an index. */
function hasTarget(condition: string): string {
  return `EXISTS (SELECT 1 FROM job_devices WHERE job_id = jobs.id AND target IN (SELECT id FROM journal_targets WHERE ${condition}))`;
}

function both(one: Clause, other: Clause): Clause {
  return { sql: `${one.sql} AND ${other.sql}`, values: [...one.values, ...other.values] };
}

/** Formats a time like the journal, whose form sorts as text. */
function instant(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime()))
    throw new FieldwrightError({
      code: 'usage',
      source: 'user',
      ...say('time-form-utc', { text: text.slice(0, 50) }),
    });
  return date.toISOString();
}

function placeOf(cursor: string): { readonly at: string; readonly row: number } {
  const [, at, row] = /^(\d{4}-\d{2}-\d{2}T[\d:.]+Z)~(\d{1,15})$/.exec(cursor) ?? [];
  if (at === undefined || row === undefined)
    throw new FieldwrightError({
      code: 'usage',
      source: 'user',
      path: 'after',
      ...say('no-page'),
    });
  return { at, row: Number(row) };
}
