/** Statements for rows by their columns. Names of tables and columns come from the code alone, never from outside. */

/** Value of a column or a parameter. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** Columns with their values. Undefined is NULL, and so is `JSON.stringify` of it. */
export type Columns = Readonly<Record<string, SqlValue | undefined>>;

/** Columns that a row is found by. */
export type Key = Readonly<Record<string, SqlValue>>;

type Statement = readonly [sql: string, ...values: SqlValue[]];

/** `or`: what becomes of it where a row with its key is there already. */
export function buildInsert(table: string, row: Columns, or?: 'ignore' | 'replace'): Statement {
  const names = Object.keys(row);
  const verb = or === undefined ? 'INSERT' : `INSERT OR ${or}`;
  return [
    `${verb} INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ...valuesOf(row),
  ];
}

export function change(table: string, columns: Columns, where: Key): Statement {
  const set = Object.keys(columns).map((name) => `${name} = ?`);
  return [
    `UPDATE ${table} SET ${set.join(', ')} WHERE ${conditions(where)}`,
    ...valuesOf(columns),
    ...valuesOf(where),
  ];
}

export function buildDelete(table: string, where: Key): Statement {
  return [`DELETE FROM ${table} WHERE ${conditions(where)}`, ...valuesOf(where)];
}

/**
 * Rows of any number in constant memory, batch after batch: `read` gives those behind `after` in their
 * order, and none at the end.
 */
export function* readInBatches<Row, Place>(
  first: Place,
  read: (after: Place) => readonly Row[],
  placeOf: (row: Row) => Place,
): Generator<readonly Row[]> {
  for (let after = first; ;) {
    const batch = read(after);
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    after = placeOf(last);
  }
}

/** Yields rows that follow each other and have the same key together. */
export function* groupConsecutive<Row>(
  rows: Iterable<Row>,
  keyOf: (row: Row) => unknown,
): Generator<readonly [Row, ...Row[]]> {
  let run: [Row, ...Row[]] | undefined;
  for (const row of rows) {
    if (run !== undefined && keyOf(run[0]) === keyOf(row)) run.push(row);
    else {
      if (run !== undefined) yield run;
      run = [row];
    }
  }
  if (run !== undefined) yield run;
}

function conditions(where: Key): string {
  return Object.keys(where)
    .map((name) => `${name} = ?`)
    .join(' AND ');
}

function valuesOf(row: Columns): readonly SqlValue[] {
  return Object.values(row).map((value) => value ?? null);
}
