import type { Migration } from './types.ts';

/**
 * What units hold at length has a table of its own, each text of a job once: alike devices have alike ones, and
 * a unit that goes on is a short row that is written again. Sealed content is a BLOB, content in the clear TEXT.
 */
export const jobContentsMigration: Migration = {
  version: 26,
  name: 'job-contents',
  sql: `
    CREATE TABLE job_contents (
      id      INTEGER PRIMARY KEY,
      job_id  TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
      content ANY NOT NULL
    ) STRICT;
    INSERT INTO job_contents SELECT rowid * 5, job_id, detail FROM job_units;
    INSERT INTO job_contents SELECT rowid * 5 + 1, job_id, document FROM job_units WHERE document IS NOT NULL;
    INSERT INTO job_contents SELECT rowid * 5 + 2, job_id, iif(before_sealed, before_document, CAST(before_document AS TEXT))
      FROM job_units WHERE before_document IS NOT NULL;
    INSERT INTO job_contents SELECT rowid * 5 + 3, job_id, iif(before_sealed, sent_document, CAST(sent_document AS TEXT))
      FROM job_units WHERE sent_document IS NOT NULL;
    INSERT INTO job_contents SELECT rowid * 5 + 4, job_id, iif(before_sealed, after_document, CAST(after_document AS TEXT))
      FROM job_units WHERE after_document IS NOT NULL;

    ALTER TABLE job_units RENAME TO old_job_units;
    CREATE TABLE job_units (
      job_id          TEXT NOT NULL,
      position        INTEGER NOT NULL,
      idx             INTEGER NOT NULL,
      label           TEXT NOT NULL,
      detail          INTEGER NOT NULL,
      document        INTEGER,
      phase           TEXT NOT NULL DEFAULT 'planned',
      outcome         TEXT NOT NULL DEFAULT 'pending',
      attempts        INTEGER NOT NULL DEFAULT 0,
      before_document INTEGER,
      sent_document   INTEGER,
      after_document  INTEGER,
      status          TEXT,
      error           TEXT,
      note            TEXT,
      done            INTEGER,
      total           INTEGER,
      intent_at       TEXT,
      result_at       TEXT,
      PRIMARY KEY (job_id, position, idx),
      FOREIGN KEY (job_id, position) REFERENCES job_devices(job_id, position) ON DELETE CASCADE
    ) STRICT;
    INSERT INTO job_units SELECT job_id, position, idx, label, rowid * 5, iif(document IS NULL, NULL, rowid * 5 + 1), phase, outcome, attempts,
        iif(before_document IS NULL, NULL, rowid * 5 + 2), iif(sent_document IS NULL, NULL, rowid * 5 + 3),
        CASE WHEN after_known = 0 THEN NULL WHEN after_document IS NOT NULL THEN rowid * 5 + 4 WHEN sent_document IS NOT NULL THEN rowid * 5 + 3 END,
        status, error, note, done, total, intent_at, result_at
      FROM old_job_units;
    DROP TABLE old_job_units;`,
};
