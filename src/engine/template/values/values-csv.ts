/** Values of variables for many devices: one row a device, one column a variable. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { findNearestName } from '#protocol/index.ts';
import { createDetail, type Detail } from '#shared/details.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import { readTable, type TableRow } from '#engine/text/csv.ts';
import type { VariableDeclaration } from '../document.ts';
import { TEMPLATE_LIMITS } from '#template/limits.ts';
import { PatternWork, TABLE_STEPS } from '../pattern.ts';
import { describeProblem } from '../check/problems.ts';
import { decodeText } from '../text.ts';
import { coerceVariable } from './variable-value.ts';

const VALUES_LIMITS = { bytes: 4 * 1024 * 1024, rows: 10_000, columns: 600, recordSize: 65_536 } as const;
const DEVICE_COLUMN = 'device';

interface ValuesRow {
  /** Line of the file on which the row begins, from 1. */
  readonly row: number;
  /** URL, name or id as written. */
  readonly device: string;
  /** Text as written; an empty cell leaves the variable to its default. */
  readonly values: Readonly<Record<string, string>>;
}
interface ValuesCsv {
  readonly rows: readonly ValuesRow[];
  /** Every complaint names its line. Where there is one, nothing may be sent. */
  readonly errors: readonly ErrorShape[];
}

/**
 * Reads UTF-8 (with or without a mark) and UTF-16, separated by comma, semicolon or tab. Reported by
 * line: unknown columns, rows of the wrong length, the same device twice, values that do not fit
 * their variable, variables without value and default. Unknown devices are for the caller to find.
 */
export function readValuesCsv(
  bytes: Uint8Array,
  variables: readonly VariableDeclaration[],
  options: {
    readonly file?: string;
    /** Variables that have a value from elsewhere. */ readonly given?: readonly string[];
  } = {},
): ValuesCsv {
  const { file } = options;
  const needed = variables.map((variable) => ({
    ...variable,
    required: variable.required && options.given?.includes(variable.name) !== true,
  }));
  let records: readonly TableRow[];
  try {
    records = readTable(decodeText(bytes, { maxBytes: VALUES_LIMITS.bytes, file }), {
      rows: VALUES_LIMITS.rows + 1,
      recordSize: VALUES_LIMITS.recordSize,
      strict: true,
    }).rows;
  } catch (thrown) {
    const shape = toErrorShape(thrown);
    return { rows: [], errors: [file === undefined ? shape : { ...shape, file }] };
  }

  const errors: ErrorShape[] = [];
  const complain: Complain = (code, line, detail, extra = {}) => {
    if (errors.length >= TEMPLATE_LIMITS.errors) return;
    errors.push({
      code,
      source: 'user',
      ...describeProblem(detail, extra.nearest),
      line,
      ...removeUndefined({ file }),
      ...extra,
    });
  };
  const [header, ...body] = records;
  if (header === undefined) {
    complain('unreadable-file', 1, createDetail('csv-empty'));
    return { rows: [], errors };
  }
  const columns = checkHeader(header, needed, complain);
  if (errors.length > 0) return { rows: [], errors };
  const patterns = new PatternWork(TABLE_STEPS);
  const rows = body.flatMap(
    (record) => readRow(record, columns, { variables: needed, patterns, complain }) ?? [],
  );
  if (body.length === 0) complain('unreadable-file', header.line, createDetail('csv-no-device'));
  checkRepeats(rows, complain);
  return { rows, errors };
}

type Complain = (code: ErrorShape['code'], line: number, detail: Detail, extra?: Partial<ErrorShape>) => void;

/** Spreadsheets begin a heading with a capital by themselves; the names of variables stay exact. */
function headings(cells: readonly string[], variables: readonly VariableDeclaration[]): readonly string[] {
  if (cells.includes(DEVICE_COLUMN)) return cells;
  const column = cells.findIndex(
    (cell) => cell.toLowerCase() === DEVICE_COLUMN && !variables.some(({ name }) => name === cell),
  );
  return column < 0 ? cells : cells.with(column, DEVICE_COLUMN);
}

function checkHeader(
  { cells, line }: TableRow,
  variables: readonly VariableDeclaration[],
  complain: Complain,
): readonly string[] {
  const columns = headings(cells, variables);
  const names = variables.map((variable) => variable.name);
  if (columns.length > VALUES_LIMITS.columns) {
    complain('input-too-large', line, createDetail('csv-columns', { max: VALUES_LIMITS.columns }));
    return columns;
  }
  if (!columns.includes(DEVICE_COLUMN))
    complain('missing-field', line, createDetail('csv-device-column', { name: DEVICE_COLUMN }));
  columns.forEach((name, index) => {
    const column = index + 1;
    const variable = variables.find((candidate) => candidate.name === name);
    if (columns.indexOf(name) !== index)
      complain('not-allowed', line, createDetail('csv-column-twice', { name }), { column });
    else if (variable?.type === 'secret')
      complain('not-allowed', line, createDetail('csv-secret', { name }), { column });
    else if (variable === undefined && name !== DEVICE_COLUMN) {
      const nearest = findNearestName(name, [...names, DEVICE_COLUMN]);
      complain('undefined-variable', line, createDetail('no-such-variable', { name }), {
        column,
        ...removeUndefined({ nearest }),
      });
    }
  });
  for (const variable of variables) {
    if (variable.required && variable.type !== 'secret' && !columns.includes(variable.name))
      complain('undefined-variable', line, createDetail('csv-no-column', { name: variable.name }));
  }
  return columns;
}

interface RowContext {
  readonly variables: readonly VariableDeclaration[];
  readonly patterns: PatternWork;
  readonly complain: Complain;
}

function readRow(
  record: TableRow,
  columns: readonly string[],
  { variables, patterns, complain }: RowContext,
): ValuesRow | undefined {
  if (record.cells.length !== columns.length) {
    complain(
      'unreadable-file',
      record.line,
      createDetail('csv-cells', { count: record.cells.length, columns: columns.length }),
    );
    return undefined;
  }
  const device = record.cells[columns.indexOf(DEVICE_COLUMN)] ?? '';
  if (device === '') {
    complain('missing-field', record.line, createDetail('csv-row-without-device'));
    return undefined;
  }

  const values: Record<string, string> = {};
  for (const variable of variables) {
    if (variable.type === 'secret') continue;
    const index = columns.indexOf(variable.name);
    const cell = index < 0 ? '' : (record.cells[index] ?? '');
    if (cell !== '') {
      values[variable.name] = cell;
      const coerced = coerceVariable(variable, cell, { fromText: true, patterns });
      if (!coerced.ok) complain(coerced.code, record.line, coerced.detail, { column: index + 1, device });
    } else if (index >= 0 && variable.required) {
      complain(
        'undefined-variable',
        record.line,
        createDetail('csv-no-value', { name: variable.name, device }),
        {
          column: index + 1,
          device,
        },
      );
    }
  }
  return { row: record.line, device, values };
}

function checkRepeats(rows: readonly ValuesRow[], complain: Complain): void {
  const seen = new Map<string, number>();
  for (const { row, device } of rows) {
    const first = seen.get(device);
    if (first === undefined) seen.set(device, row);
    else
      complain('duplicate-device', row, createDetail('csv-device-twice', { device, line: first }), {
        device,
      });
  }
}
