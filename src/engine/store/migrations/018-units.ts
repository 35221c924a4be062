import type { Migration } from './types.ts';

/**
 * Jobs that know no template: `about` is what the summary of a job tells in the terms of its kind, `body`
 * what the kind keeps beside that, `subject` the id of what it is about. A section's row becomes that of a
 * unit of work: `detail` is what its kind shows of it, `document` what it keeps beside that (bytes: sealed).
 * A device's `document` likewise; an empty `device_id` stands for the site as a whole. What is in
 * `search_text` behind a tab is folded when the history is opened.
 */
export const unitsMigration: Migration = {
  version: 18,
  name: 'units',
  sql: `
    UPDATE jobs SET search_text = char(9) || template_name || char(10) || by_user || char(10) || id || char(10) || coalesce(
      (SELECT group_concat(DISTINCT set_name || ' ' || label) FROM job_sections WHERE job_id = jobs.id), '') WHERE search_text = '';

    ALTER TABLE jobs RENAME TO old_jobs;
    DROP INDEX jobs_by_age;
    CREATE TABLE jobs (
      id            TEXT PRIMARY KEY,
      kind          TEXT NOT NULL,
      title         TEXT NOT NULL,
      about         TEXT NOT NULL,
      subject       TEXT,
      body          TEXT NOT NULL,
      state         TEXT NOT NULL,
      created_at    TEXT NOT NULL,
      ended_at      TEXT,
      by_user       TEXT NOT NULL,
      owner_process INTEGER NOT NULL,
      owner_engine  TEXT NOT NULL,
      owner_started TEXT,
      undo_of       TEXT,
      options       TEXT NOT NULL,
      follow_up     TEXT,
      totals        TEXT,
      search_text   TEXT NOT NULL DEFAULT ''
    ) STRICT;
    INSERT INTO jobs (rowid, id, kind, title, about, subject, body, state, created_at, ended_at, by_user, owner_process, owner_engine,
      owner_started, undo_of, options, follow_up, totals, search_text)
      SELECT rowid, id, kind, template_name,
        json_object('template', json_patch('{}', json_object('name', template_name, 'hash', template_hash, 'id', template_id, 'version', template_version))),
        template_id,
        json_patch('{}', json_object('planId', plan_id, 'templateText', template_text, 'backwards', json(iif(backwards, 'true', 'false')), 'secretsCheck', iif(secrets_check IS NULL, NULL, hex(secrets_check)))),
        state, created_at, ended_at, by_user, owner_process, owner_engine, owner_started, undo_of, options, follow_up, totals, search_text
      FROM old_jobs ORDER BY rowid;

    ALTER TABLE job_runs RENAME TO old_job_runs;
    CREATE TABLE job_runs (
      job_id  TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
      number  INTEGER NOT NULL,
      kind    TEXT NOT NULL,
      at      TEXT NOT NULL,
      by_user TEXT NOT NULL,
      PRIMARY KEY (job_id, number)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO job_runs SELECT job_id, number, kind, at, by_user FROM old_job_runs;
    DROP TABLE old_job_runs;

    DROP INDEX job_devices_by_target;
    ALTER TABLE job_devices RENAME TO old_job_devices;
    CREATE TABLE job_devices (
      job_id     TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
      position   INTEGER NOT NULL,
      device_id  TEXT NOT NULL,
      name       TEXT NOT NULL,
      url        TEXT NOT NULL,
      state      TEXT NOT NULL,
      error      TEXT,
      idle       INTEGER NOT NULL DEFAULT 0,
      connection TEXT,
      document   TEXT NOT NULL,
      target     INTEGER REFERENCES journal_targets(id),
      PRIMARY KEY (job_id, position)
    ) STRICT;
    INSERT INTO job_devices (job_id, position, device_id, name, url, state, error, idle, connection, document, target)
      SELECT job_id, position, device_id, name, url, state, error, idle, connection,
        '{"values":' || given || iif(source_position IS NULL, '', ',"sourcePosition":' || source_position) || '}', target
      FROM old_job_devices;
    CREATE INDEX job_devices_by_target ON job_devices(job_id, target);

    CREATE TABLE job_units (
      job_id          TEXT NOT NULL,
      position        INTEGER NOT NULL,
      idx             INTEGER NOT NULL,
      label           TEXT NOT NULL,
      detail          TEXT NOT NULL,
      document        ANY,
      phase           TEXT NOT NULL DEFAULT 'planned',
      outcome         TEXT NOT NULL DEFAULT 'pending',
      attempts        INTEGER NOT NULL DEFAULT 0,
      before_document BLOB,
      before_sealed   INTEGER NOT NULL DEFAULT 0,
      before_sha256   TEXT,
      sent_document   BLOB,
      sent_sha256     TEXT,
      after_document  BLOB,
      after_known     INTEGER NOT NULL DEFAULT 0,
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
    INSERT INTO job_units (job_id, position, idx, label, detail, document, phase, outcome, attempts, before_document, before_sealed, before_sha256,
      sent_document, sent_sha256, after_document, after_known, status, error, note, intent_at, result_at)
      SELECT job_id, position, idx, label,
        '{"set":' || json_quote(set_name) || ',"params":' || params || ',"changes":' || coalesce(changes, planned) || '}',
        '{"planned":' || planned || iif(confirmed IS NULL, '', ',"confirmed":' || confirmed) || '}',
        phase, outcome, attempts, before_document, before_sealed, before_sha256, sent_document, sent_sha256, after_document, after_known,
        status, error, note, intent_at, result_at
      FROM job_sections;

    DROP TABLE job_sections;
    DROP TABLE old_job_devices;
    DROP TABLE old_jobs;
    CREATE INDEX jobs_by_age ON jobs(created_at);
    CREATE INDEX jobs_at_work ON jobs(state) WHERE state IN ('running', 'waiting');
  `,
};
