import type { Migration } from './types.ts';

/**
 * A secret of a device that was in force, or may be, is kept beside its successor, and a pending one tells whether it was
 * sent. A flow that is gone on with after its record was made makes another one.
 */
export const formerSecretsMigration: Migration = {
  version: 29,
  name: 'former-secrets',
  sql: `
    ALTER TABLE device_secrets RENAME TO old_device_secrets;
    CREATE TABLE device_secrets (
      id         INTEGER PRIMARY KEY,
      device_id  TEXT NOT NULL,
      name       TEXT NOT NULL,
      state      TEXT NOT NULL CHECK (state IN ('pending', 'current', 'former')),
      sent       INTEGER NOT NULL DEFAULT 0,
      secret     BLOB NOT NULL,
      changed_at TEXT NOT NULL
    ) STRICT;
    -- Whether a pending one was sent was not kept: the device may have it.
    INSERT INTO device_secrets (device_id, name, state, sent, secret, changed_at)
      SELECT device_id, name, state,
        iif(state = 'pending' AND name IN ('token-key', 'storage-card'), 1, 0), secret, changed_at
      FROM old_device_secrets;
    DROP TABLE old_device_secrets;
    CREATE INDEX device_secrets_by_device ON device_secrets (device_id, name);

    ALTER TABLE records RENAME TO old_records;
    CREATE TABLE records (
      id        TEXT PRIMARY KEY,
      site_id   TEXT,
      job_id    TEXT NOT NULL,
      position  INTEGER NOT NULL,
      device_id TEXT NOT NULL,
      kind      TEXT NOT NULL,
      at        TEXT NOT NULL,
      sha256    TEXT NOT NULL,
      sealed    TEXT NOT NULL
    ) STRICT;
    INSERT INTO records SELECT * FROM old_records ORDER BY old_records.rowid;
    DROP TABLE old_records;
    CREATE INDEX records_by_site ON records (site_id, at);
    CREATE INDEX records_by_job ON records (job_id, position);`,
};
