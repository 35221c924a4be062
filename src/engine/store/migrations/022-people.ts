import type { Migration } from './types.ts';

/**
 * Work on people: rows of a plan, which becomes the job of the same id. What is wanted of a person (`document`), the
 * row as it stood in the file (`raw`) and the changes on a device (`plan`) are sealed, and wiped when the job has
 * ended; those of rows that went wrong stay sealed for the file of failed rows, 30 days at most.
 */
export const peopleMigration: Migration = {
  version: 22,
  name: 'people',
  sql: `
    CREATE TABLE people_work (
      id         TEXT PRIMARY KEY,
      created_at TEXT NOT NULL,
      kept       TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE people_rows (
      work_id     TEXT NOT NULL REFERENCES people_work(id) ON DELETE CASCADE,
      row         INTEGER NOT NULL,
      line        INTEGER NOT NULL,
      employee_no TEXT NOT NULL,
      document    BLOB,
      error       TEXT,
      PRIMARY KEY (work_id, row)
    ) STRICT;
    CREATE TABLE people_results (
      work_id  TEXT NOT NULL REFERENCES people_work(id) ON DELETE CASCADE,
      device   INTEGER NOT NULL,
      row      INTEGER NOT NULL,
      plan     TEXT NOT NULL,
      detail   BLOB,
      outcome  TEXT,
      attempts INTEGER NOT NULL DEFAULT 0,
      error    TEXT,
      PRIMARY KEY (work_id, device, row)
    ) STRICT, WITHOUT ROWID;`,
};
