import type { Migration } from './types.ts';

/**
 * Own templates, plans, and the journal: one row a device and one a section of every job. A section's
 * row holds the intent (the document read before, what was sent) before anything is sent, and the
 * result after. `before_document` is sealed by the vault where the operation holds secrets.
 */
export const jobsMigration: Migration = {
  version: 2,
  name: 'jobs',
  sql: `
    CREATE TABLE templates (
      id         TEXT PRIMARY KEY,
      name       TEXT NOT NULL,
      text       TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE plans (
      id         TEXT PRIMARY KEY,
      created_at TEXT NOT NULL,
      body       TEXT NOT NULL
    ) STRICT;
    CREATE INDEX plans_by_age ON plans(created_at);

    CREATE TABLE jobs (
      id            TEXT PRIMARY KEY,
      kind          TEXT NOT NULL,
      state         TEXT NOT NULL,
      created_at    TEXT NOT NULL,
      ended_at      TEXT,
      by_user       TEXT NOT NULL,
      owner_process INTEGER NOT NULL,
      owner_engine  TEXT NOT NULL,
      plan_id       TEXT NOT NULL,
      template_name TEXT NOT NULL,
      template_hash TEXT NOT NULL,
      template_text TEXT NOT NULL,
      options       TEXT NOT NULL
    ) STRICT;
    CREATE INDEX jobs_by_age ON jobs(created_at);

    CREATE TABLE job_devices (
      job_id    TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
      position  INTEGER NOT NULL,
      device_id TEXT NOT NULL,
      name      TEXT NOT NULL,
      url       TEXT NOT NULL,
      state     TEXT NOT NULL,
      error     TEXT,
      given     TEXT NOT NULL,
      PRIMARY KEY (job_id, position)
    ) STRICT;

    CREATE TABLE job_sections (
      job_id          TEXT NOT NULL,
      position        INTEGER NOT NULL,
      idx             INTEGER NOT NULL,
      set_name        TEXT NOT NULL,
      label           TEXT NOT NULL,
      params          TEXT NOT NULL,
      planned         TEXT NOT NULL,
      phase           TEXT NOT NULL DEFAULT 'planned',
      outcome         TEXT NOT NULL DEFAULT 'pending',
      attempts        INTEGER NOT NULL DEFAULT 0,
      before_document BLOB,
      before_sealed   INTEGER NOT NULL DEFAULT 0,
      before_sha256   TEXT,
      sent_sha256     TEXT,
      changes         TEXT,
      status          TEXT,
      error           TEXT,
      intent_at       TEXT,
      result_at       TEXT,
      PRIMARY KEY (job_id, position, idx),
      FOREIGN KEY (job_id, position) REFERENCES job_devices(job_id, position) ON DELETE CASCADE
    ) STRICT;
  `,
};
