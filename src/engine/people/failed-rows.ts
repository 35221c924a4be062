/** Rows that went wrong as a file of the form they came in, each with the reason: to be mended and imported again. */
import { formatCsvRows } from '../text/csv.ts';
import { formatDetail } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { groupConsecutive } from '../store/index.ts';
import type { Wanted } from './file/read-rows.ts';
import type { PersonRow, RowDocument, WorkHead } from './work/rows.ts';
import { readJsonOrNothing, readOwnJson } from '#shared/read-json.ts';

const REASON = 'reason';

interface FailedContext {
  readonly head: Pick<WorkHead, 'format' | 'headings'>;
  /** Name of the device at a place. */
  readonly deviceName: (device: number) => string;
  readonly sentenceOf?: (error: ErrorShape) => string;
}

/** Lines of the file; nothing where nothing went wrong. Rows come grouped: one line each, with the reasons of all devices. */
export function* formatFailedRows(rows: Iterable<PersonRow>, context: FailedContext): Generator<string> {
  let isFirst = true;
  for (const [row, ...others] of groupConsecutive(rows, ({ nth }) => nth)) {
    if (isFirst && context.head.format === 'csv')
      yield `\ufeff${formatCsvRows([[...withoutReason(context.head.headings ?? []), REASON]])}`;
    isFirst = false;
    const reasons = [row, ...others].map((each) => reasonOf(each, context));
    yield lineOf(row.secret() ?? {}, reasons.join(' | '), context.head);
  }
}

function reasonOf(
  { position, error, outcome }: PersonRow,
  { deviceName, sentenceOf }: FailedContext,
): string {
  const why =
    error === undefined
      ? (outcome ?? 'open')
      : (sentenceOf?.(error) ??
        (error.detail === undefined ? error.message : (formatDetail(error.detail).split('\n', 1)[0] ?? '')));
  return position === undefined ? why : `${deviceName(position)}: ${why}`;
}

function withoutReason(headings: readonly string[]): readonly string[] {
  return headings.filter((heading) => heading.toLowerCase() !== REASON);
}

function lineOf(
  { raw, wanted }: RowDocument,
  reason: string,
  { format, headings = [] }: FailedContext['head'],
): string {
  if (format === 'csv' && typeof raw === 'object') {
    const cells = headings.flatMap((heading, at) =>
      heading.toLowerCase() === REASON ? [] : [raw[at] ?? ''],
    );
    return formatCsvRows([[...cells, reason]]);
  }
  if (typeof raw !== 'string') return `${objectOf(wanted, reason)}\n`;
  const held = objectIn(raw);
  return held === undefined
    ? `${JSON.stringify({ unreadable: raw, reason })}\n`
    : `${JSON.stringify({ ...held, reason })}\n`;
}

function objectIn(raw: string): object | undefined {
  const parsed = readJsonOrNothing(raw);
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
}

function objectOf(wanted: Wanted | undefined, reason: string): string {
  const { value = {}, other = {} } = wanted ?? {};
  const parts = Object.entries(other).map(([name, text]) => [name, readOwnJson(text)] as const);
  return JSON.stringify({ ...value, ...Object.fromEntries(parts), reason });
}
