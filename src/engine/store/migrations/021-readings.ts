import type { Migration } from './types.ts';

/**
 * What devices were read as for reports: `body` is compressed, and holds no secret. An attempt that failed has an
 * `error` and perhaps no body; a device has at most one of those.
 */
export const readingsMigration: Migration = {
  version: 21,
  name: 'readings',
  sql: `
    CREATE TABLE readings (
      id        INTEGER PRIMARY KEY,
      device_id TEXT NOT NULL,
      name      TEXT NOT NULL,
      url       TEXT NOT NULL,
      at        TEXT NOT NULL,
      by_user   TEXT NOT NULL,
      error     TEXT,
      body      BLOB
    ) STRICT;
    CREATE INDEX readings_by_device ON readings (device_id, id);`,
};
