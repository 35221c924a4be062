import type { Migration } from './types.ts';

/**
 * What units hold at length is kept once for a job where alike devices have alike ones, and a row that is written
 * again is short: a column holds its content, or the number of one in `job_contents`. Sealed content is a BLOB, content
 * in the clear TEXT.
 */
export const jobContentsMigration: Migration = {
  version: 26,
  name: 'job-contents',
  sql: `
    CREATE TABLE job_contents (
      id      INTEGER PRIMARY KEY,
      job_id  TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
      content TEXT NOT NULL
    ) STRICT;

    ALTER TABLE job_units RENAME TO old_job_units;
    CREATE TABLE job_units (
      job_id          TEXT NOT NULL,
      position        INTEGER NOT NULL,
      idx             INTEGER NOT NULL,
      label           TEXT NOT NULL,
      detail          ANY NOT NULL,
      document        ANY,
      phase           TEXT NOT NULL DEFAULT 'planned',
      outcome         TEXT NOT NULL DEFAULT 'pending',
      attempts        INTEGER NOT NULL DEFAULT 0,
      before_document ANY,
      sent_document   ANY,
      after_document  ANY,
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
    INSERT INTO job_units SELECT job_id, position, idx, label, detail, document, phase, outcome, attempts,
        iif(before_sealed, before_document, CAST(before_document AS TEXT)),
        iif(before_sealed, sent_document, CAST(sent_document AS TEXT)),
        CASE WHEN after_known = 0 THEN NULL
          WHEN before_sealed THEN coalesce(after_document, sent_document)
          ELSE CAST(coalesce(after_document, sent_document) AS TEXT) END,
        status, error, note, done, total, intent_at, result_at
      FROM old_job_units;
    DROP TABLE old_job_units;`,
};
