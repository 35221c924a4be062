/** Rows of a file as people that are wanted; a row that cannot be understood comes with the reason, and the others go on. */
import { isPlain, findNearestName, getOwn, type Plain } from '#protocol/index.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail, formatDetail, say, splitSentences, type Detail } from '#shared/details.ts';
import { userError, type ErrorShape } from '#shared/errors.ts';
import type { CodePage } from '#shared/text/file-text.ts';
import { checkColumns } from '#engine/text/csv.ts';
import { COUNTS, isKnownMember, PERSON } from '../person.ts';
import { SeenNumbers } from '../seen-numbers.ts';
import { coerceValue, readCell, readOther, type Read } from './cells.ts';
import { readColumns, parseTargetField, TARGETS, type Column } from './columns.ts';
import { decodeParts, readLines, readRecords, type FileSource } from './lines.ts';
import { describeRemovedMarks, parseLine } from './marks.ts';
import type { DayOrder } from './moments.ts';

export type FileFormat = 'csv' | 'ndjson';

export interface FileOptions {
  readonly format: FileFormat;
  /** Field by heading, or by member; an empty one leaves it out. */
  readonly map: Readonly<Record<string, string>>;
  readonly dates?: DayOrder | undefined;
  readonly codePage: CodePage;
}

/** Person as wanted on a device. */
export interface Wanted {
  /** Given members of the person; `employeeNo` is among them. */
  readonly value: Plain;
  /** Members that the specification does not know, as JSON text. */
  readonly other?: Readonly<Record<string, string>>;
}

export interface FileRow {
  readonly line: number;
  /** Empty where none could be read. */
  readonly employeeNo: string;
  readonly wanted?: Wanted;
  /** Input as it is in the file: cells, or the line. */
  readonly raw: readonly string[] | string;
  readonly error?: ErrorShape;
}

/** Findings of a file, filled in while the rows are read. */
interface FileFindings {
  columns?: readonly Column[];
  guessed?: CodePage;
  /** Odd things by what they are, and how often. */
  readonly notes: Map<string, { readonly detail: (count: number) => Detail; count: number }>;
}

export function createFileFindings(): FileFindings {
  return { notes: new Map() };
}

/** Throws where the file as a whole cannot be taken. */
export async function* readRows(
  source: FileSource,
  options: FileOptions,
  findings: FileFindings,
): AsyncGenerator<FileRow> {
  const { parts, guessed } = await decodeParts(source, options.codePage);
  if (guessed !== undefined) findings.guessed = guessed;
  const seen = new SeenNumbers();
  const rows =
    options.format === 'csv' ? tableRows(parts, options, findings) : jsonRows(parts, options, findings);
  for await (const row of rows) {
    const { employeeNo, error } = row;
    if (error === undefined && !seen.add(employeeNo))
      yield { ...row, error: wrong('not-allowed', createDetail('people-again', { employeeNo }), row.line) };
    else yield row;
  }
}

async function* tableRows(
  parts: AsyncIterable<string>,
  { map, dates }: FileOptions,
  findings: FileFindings,
): AsyncGenerator<FileRow> {
  let columns: readonly Column[] | undefined;
  let used: readonly { readonly field: string; readonly at: number }[] = [];
  for await (const { line, cells } of readRecords(parts)) {
    if (columns === undefined) {
      checkColumns(cells.length, line);
      columns = findings.columns = readColumns(
        cells.map((cell) => cell.replace(/^\uFEFF/, '')),
        map,
      );
      for (const { heading, field, quiet } of columns)
        if (field === undefined && quiet !== true)
          remark(findings, `column ${heading}`, () => createDetail('people-column-ignored', { heading }));
      used = columns.flatMap(({ field }, at) => (field === undefined ? [] : [{ field, at }]));
      continue;
    }
    const given: Record<string, unknown> = {};
    const complaints: { readonly path: string; readonly detail: Detail }[] = [];
    if (cells.length > columns.length)
      complaints.push({
        path: '',
        detail: createDetail('people-cells', { cells: cells.length, columns: columns.length }),
      });
    for (const { field, at } of used) {
      const text = cells[at] ?? '';
      if (text === '') continue;
      const read: Read =
        field === 'other' ? { value: readOther(text) ?? text } : readCell(field, text, dates);
      if ('complaint' in read) complaints.push({ path: field, detail: read.complaint });
      else given[field] = read.value;
      noteMarks(findings, field, text, read);
    }
    yield asRow({ given, complaints, line, raw: cells }, findings);
  }
  if (columns === undefined) throw userError('unreadable-file', say('people-empty-file'));
}

async function* jsonRows(
  parts: AsyncIterable<string>,
  { map, dates }: FileOptions,
  findings: FileFindings,
): AsyncGenerator<FileRow> {
  const fields = Object.fromEntries(
    Object.entries(map).map(([name, field]) => [name, field === '' ? '' : parseTargetField(field)]),
  );
  for await (const { line, text } of readLines(parts)) {
    if (text === undefined) {
      yield {
        line,
        employeeNo: '',
        raw: '',
        error: wrong('input-too-large', createDetail('people-line-long'), line),
      };
      continue;
    }
    const parsed = parseLine(text, (name) => (fields[name] ?? name) === 'employeeNo');
    if (parsed === undefined) {
      yield {
        line,
        employeeNo: '',
        raw: text,
        error: wrong('unreadable-file', createDetail('people-no-json'), line),
      };
      continue;
    }
    const whole =
      isPlain(parsed) && isPlain(getOwn(parsed, 'UserInfo')) ? getOwn(parsed, 'UserInfo') : parsed;
    if (!isPlain(whole)) {
      yield {
        line,
        employeeNo: '',
        raw: text,
        error: wrong('unreadable-file', createDetail('people-no-object'), line),
      };
      continue;
    }
    yield asRow({ ...membersOf(whole, fields, dates, findings), line, raw: text }, findings);
  }
}

const COUNTED: ReadonlySet<string> = new Set<string>(COUNTS);
/** Members that our own files have beside the person. */
const BESIDE: ReadonlySet<string> = new Set(['device', 'reason']);

type Given = Pick<Row, 'given' | 'complaints'>;

function membersOf(
  whole: Plain,
  map: Readonly<Record<string, string>>,
  dates: DayOrder | undefined,
  findings: FileFindings,
): Given {
  const given: Record<string, unknown> = {};
  const other: Record<string, string> = {};
  const complaints: { path: string; detail: Detail }[] = [];
  const take = (target: string, value: unknown): void => {
    if (value === null || value === undefined || value === '') return;
    const read = coerceValue(target, value, dates);
    if ('complaint' in read) complaints.push({ path: target, detail: read.complaint });
    else given[target] = read.value;
    noteMarks(findings, target, String(value), read);
  };
  for (const [name, value] of Object.entries(whole)) {
    const target = Object.hasOwn(map, name) ? (map[name] ?? '') : name;
    if (target === '' || COUNTED.has(target) || BESIDE.has(target)) continue;
    if (target === 'Valid' && isPlain(value)) {
      for (const [part, held] of Object.entries(value)) take(`Valid.${part}`, held);
    } else if (target === 'other' && isPlain(value)) {
      for (const [inner, held] of Object.entries(value)) other[inner] = JSON.stringify(held);
    } else if (TARGETS.includes(target)) take(target, value);
    else {
      const nearest = findNearestName(target, TARGETS);
      if (nearest === undefined) {
        other[target] = JSON.stringify(value);
        remark(findings, `member ${target}`, (count) =>
          createDetail('people-member-other', { name: target, count }),
        );
      } else
        complaints.push({
          path: target,
          detail: createDetail('people-member-near', { name: target, nearest }),
        });
    }
  }
  if (Object.keys(other).length > 0) given['other'] = other;
  return { given, complaints };
}

interface Row {
  /** Values by target: dotted for the validity. */
  readonly given: Record<string, unknown>;
  readonly complaints: readonly { readonly path: string; readonly detail: Detail }[];
  readonly line: number;
  readonly raw: readonly string[] | string;
}

function asRow({ given, complaints, line, raw }: Row, findings: FileFindings): FileRow {
  const employeeNo = typeof given['employeeNo'] === 'string' ? given['employeeNo'] : '';
  const fail = (code: ErrorShape['code'], detail: Detail, path?: string): FileRow => ({
    line,
    employeeNo,
    raw,
    error: wrong(code, detail, line, path),
  });
  const [first] = complaints;
  if (first !== undefined)
    return fail('not-allowed', first.detail, first.path === '' ? undefined : first.path);
  if (employeeNo === '')
    return fail('missing-field', createDetail('is-required', { field: 'employeeNo' }), 'employeeNo');
  if (given['deleteUser'] === true)
    return fail('not-allowed', createDetail('people-no-delete'), 'deleteUser');
  const { other, planTemplateNo, deleteUser: _never, ...rest } = given;
  if (other !== undefined && !isPlain(other))
    return fail('wrong-type', createDetail('people-no-object'), 'other');
  // Members in the specification are checked by it, and must not come in under another name.
  const hidden = Object.keys(other ?? {}).find(isKnownMember);
  if (hidden !== undefined)
    return fail('not-allowed', createDetail('people-other-known', { name: hidden }), 'other');
  const plain = nested(rest);
  const valid = plain['Valid'];
  if (isPlain(valid)) {
    const { beginTime, endTime } = (plain['Valid'] = wantedValidity(valid, findings));
    if (Date.parse(String(endTime)) < Date.parse(String(beginTime)))
      return fail('condition-not-met', createDetail('people-ends-first'), 'Valid.endTime');
  }
  if (planTemplateNo !== undefined) {
    const doors = String(plain['doorRight'] ?? '')
      .split(',')
      .filter((door) => /^\d+$/.test(door));
    if (doors.length === 0 || plain['RightPlan'] !== undefined)
      return fail('condition-not-met', createDetail('people-plan-without-doors'), 'planTemplateNo');
    plain['RightPlan'] = doors.map((door) => ({
      doorNo: Number(door),
      planTemplateNo: String(planTemplateNo).replace(/\s*[,;、，；]\s*|\s+/g, ','),
    }));
  }
  const ordered = Object.fromEntries(
    PERSON.fields.flatMap(({ name }) => (plain[name] === undefined ? [] : [[name, plain[name]]])),
  );
  return {
    line,
    employeeNo,
    raw,
    wanted: {
      value: ordered,
      other: other as Readonly<Record<string, string>> | undefined,
    },
  };
}

function nested(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [target, value] of Object.entries(given)) {
    const [name = '', part] = target.split('.', 2);
    if (part === undefined) plain[name] = value;
    else plain[name] = { ...(isPlain(plain[name]) ? plain[name] : {}), [part]: value };
  }
  return plain;
}

/**
 * Limits that the table gives count; what is not said of them stays, or is open: each terminal has its own open ends. An
 * offset says that the times are in UTC's form.
 */
function wantedValidity(valid: Plain, findings: FileFindings): Record<string, unknown> {
  const { enable, beginTime, endTime, timeType } = valid;
  if (enable === undefined && (beginTime !== undefined || endTime !== undefined))
    remark(findings, 'limited', (count) => createDetail('people-validity-meant', { count }));
  const isZoned = [beginTime, endTime].some(
    (time) => typeof time === 'string' && /(?:Z|[+-]\d{2}:\d{2})$/.test(time),
  );
  return {
    enable: enable ?? (beginTime !== undefined || endTime !== undefined),
    ...removeUndefined({ beginTime, endTime }),
    ...(timeType !== undefined ? { timeType } : isZoned ? { timeType: 'UTC' } : {}),
  };
}

function remark(findings: FileFindings, key: string, detail: (count: number) => Detail): void {
  const known = findings.notes.get(key);
  if (known !== undefined) known.count += 1;
  else if (findings.notes.size < MOST_NOTES) findings.notes.set(key, { detail, count: 1 });
}

/** Remembers that marks were taken off; of secrets and other columns it tells the column alone. */
function noteMarks(findings: FileFindings, field: string, text: string, read: Read): void {
  if ('complaint' in read || read.marked !== true) return;
  if (field === 'employeeNo') {
    const to = String(read.value);
    remark(findings, 'marks', (count) => describeRemovedMarks(count, text, to));
  } else
    remark(findings, `marks ${field}`, (count) => createDetail('people-cells-marks-off', { count, field }));
}

const MOST_NOTES = 100;

function wrong(code: ErrorShape['code'], detail: Detail, line: number, path?: string): ErrorShape {
  return {
    code,
    source: 'user',
    ...splitSentences(formatDetail(detail)),
    detail,
    line,
    ...removeUndefined({ path }),
  };
}
