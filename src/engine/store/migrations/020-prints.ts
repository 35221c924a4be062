import type { Migration } from './types.ts';

/**
 * Jobs on fingerprints: whose they are (`print_items`), up to which of them each device may have been sent
 * (`print_lanes`), what became of them (`print_results`; position -1: a line of a file that could not be used). Templates
 * stand in `print_data` alone, sealed by the vault, and are wiped when the job ends. Items come before their job.
 */
export const printsMigration: Migration = {
  version: 20,
  name: 'prints',
  sql: `
    CREATE TABLE print_jobs (
      job_id     TEXT PRIMARY KEY,
      created_at TEXT NOT NULL,
      closed     INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE print_items (
      job_id      TEXT NOT NULL,
      nth         INTEGER NOT NULL,
      line        INTEGER,
      employee_no TEXT NOT NULL,
      finger      INTEGER NOT NULL,
      finger_type TEXT NOT NULL,
      leader      TEXT,
      readers     TEXT NOT NULL,
      PRIMARY KEY (job_id, nth)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX print_items_by_finger ON print_items(job_id, employee_no, finger, readers);
    CREATE TABLE print_data (
      job_id TEXT NOT NULL,
      nth    INTEGER NOT NULL,
      sealed BLOB NOT NULL,
      PRIMARY KEY (job_id, nth)
    ) STRICT;
    CREATE TABLE print_lanes (
      job_id   TEXT NOT NULL,
      position INTEGER NOT NULL,
      begun    INTEGER NOT NULL,
      PRIMARY KEY (job_id, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE print_results (
      id       INTEGER PRIMARY KEY,
      job_id   TEXT NOT NULL,
      position INTEGER NOT NULL,
      nth      INTEGER,
      readers  TEXT NOT NULL,
      error    TEXT,
      at       TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX print_results_by_item ON print_results(job_id, position, nth) WHERE position >= 0;
    CREATE INDEX print_results_by_job ON print_results(job_id, id);`,
};
