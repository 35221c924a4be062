import type { Migration } from './types.ts';

/** Devices, their sign-ins and the wrapped key under which secrets are sealed. */
export const devicesMigration: Migration = {
  version: 1,
  name: 'devices',
  sql: `
    CREATE TABLE credentials (
      id         TEXT PRIMARY KEY,
      label      TEXT NOT NULL,
      user_name  TEXT NOT NULL,
      secret     BLOB NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE devices (
      id            TEXT PRIMARY KEY,
      name          TEXT NOT NULL,
      url           TEXT NOT NULL UNIQUE,
      kinds         TEXT NOT NULL DEFAULT '[]',
      tags          TEXT NOT NULL DEFAULT '[]',
      profile       TEXT NOT NULL,
      credential_id TEXT REFERENCES credentials(id) ON DELETE SET NULL,
      certificate   TEXT,
      digest_seen   INTEGER NOT NULL DEFAULT 0,
      reach         TEXT NOT NULL DEFAULT 'unknown',
      sign_in       TEXT NOT NULL DEFAULT 'unknown',
      last_seen     TEXT,
      last_error    TEXT,
      added_at      TEXT NOT NULL
    ) STRICT;
    CREATE INDEX devices_by_credential ON devices(credential_id);

    CREATE TABLE vault_keys (
      protection TEXT PRIMARY KEY,
      wrapped    BLOB NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;
  `,
};
