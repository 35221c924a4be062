import type { Migration } from './types.ts';

/**
 * What guided flows keep: the effects of their steps (answers, verdicts, readings; never a secret), the secrets
 * of devices that they made (sealed, one pending and one in force of each name), and the records they end with.
 */
export const flowsMigration: Migration = {
  version: 19,
  name: 'flows',
  sql: `
    CREATE TABLE flow_effects (
      job_id   TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      step     TEXT NOT NULL,
      key      TEXT NOT NULL,
      nth      INTEGER NOT NULL,
      value    TEXT NOT NULL,
      at       TEXT NOT NULL,
      PRIMARY KEY (job_id, position, step, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE device_secrets (
      device_id  TEXT NOT NULL,
      name       TEXT NOT NULL,
      state      TEXT NOT NULL CHECK (state IN ('pending', 'current')),
      secret     BLOB NOT NULL,
      changed_at TEXT NOT NULL,
      PRIMARY KEY (device_id, name, state)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE records (
      id        TEXT PRIMARY KEY,
      site_id   TEXT,
      job_id    TEXT NOT NULL,
      position  INTEGER NOT NULL,
      device_id TEXT NOT NULL,
      kind      TEXT NOT NULL,
      at        TEXT NOT NULL,
      sha256    TEXT NOT NULL,
      sealed    TEXT NOT NULL,
      UNIQUE (job_id, position)
    ) STRICT;
    CREATE INDEX records_by_site ON records (site_id, at);`,
};
