import type { Migration } from './types.ts';

/** People as devices showed them, for a comparison: sealed, dropped with it, after a day at most. */
export const peopleSeenMigration: Migration = {
  version: 23,
  name: 'people-seen',
  sql: `
    CREATE TABLE people_seen (
      work_id     TEXT NOT NULL REFERENCES people_work(id) ON DELETE CASCADE,
      employee_no TEXT NOT NULL,
      device      INTEGER NOT NULL,
      state       TEXT NOT NULL,
      document    BLOB NOT NULL,
      PRIMARY KEY (work_id, employee_no, device)
    ) STRICT, WITHOUT ROWID;`,
};
