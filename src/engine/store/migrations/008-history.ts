import type { Migration } from './types.ts';

/**
 * Who worked on a job and when, the template version it used, saved states of devices; and what
 * makes ten thousand jobs on five hundred devices each searchable in a moment: `search_text` is
 * everything of a job that a text may be looked for in but its devices, without case; those stand in
 * `journal_targets`, each once however many jobs it is in. What was there before has none yet: it is
 * filled in when the history is opened, since SQLite folds A to Z alone. `totals` is the summary of a job that does not
 * run (null: counted anew). `follow_up` names what a follow-up waits for while it is under way. The body
 * of a saved state holds no secrets: none were read into it.
 */
export const historyMigration: Migration = {
  version: 8,
  name: 'history',
  sql: `
    ALTER TABLE jobs ADD COLUMN template_id TEXT;
    ALTER TABLE jobs ADD COLUMN template_version INTEGER;
    ALTER TABLE jobs ADD COLUMN follow_up TEXT;
    ALTER TABLE jobs ADD COLUMN totals TEXT;
    ALTER TABLE jobs ADD COLUMN search_text TEXT NOT NULL DEFAULT '';

    CREATE TABLE job_runs (
      job_id  TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
      number  INTEGER NOT NULL,
      kind    TEXT NOT NULL,
      at      TEXT NOT NULL,
      by_user TEXT NOT NULL,
      PRIMARY KEY (job_id, number)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO job_runs (job_id, number, kind, at, by_user) SELECT id, 1, 'start', created_at, by_user FROM jobs;

    CREATE TABLE journal_targets (
      id          INTEGER PRIMARY KEY,
      device_id   TEXT NOT NULL,
      name        TEXT NOT NULL,
      url         TEXT NOT NULL,
      search_text TEXT NOT NULL,
      UNIQUE (device_id, name, url)
    ) STRICT;
    INSERT INTO journal_targets (device_id, name, url, search_text)
      SELECT DISTINCT device_id, name, url, '' FROM job_devices;
    ALTER TABLE job_devices ADD COLUMN target INTEGER REFERENCES journal_targets(id);
    UPDATE job_devices SET target = (SELECT id FROM journal_targets AS known WHERE known.device_id = job_devices.device_id AND known.name = job_devices.name AND known.url = job_devices.url);
    CREATE INDEX job_devices_by_target ON job_devices(job_id, target);

    CREATE TABLE saved_states (
      id          TEXT PRIMARY KEY,
      name        TEXT NOT NULL,
      device_id   TEXT NOT NULL,
      device_name TEXT NOT NULL,
      url         TEXT NOT NULL,
      kinds       TEXT NOT NULL,
      at          TEXT NOT NULL,
      by_user     TEXT NOT NULL,
      sections    INTEGER NOT NULL,
      body        TEXT NOT NULL
    ) STRICT;
  `,
};
