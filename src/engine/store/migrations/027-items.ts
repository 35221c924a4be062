import type { Migration } from './types.ts';

/**
 * Work items under the units of jobs, of every kind alike: lists (one for a job and kind), items, what is planned or became
 * of each on each device, and up to which item a device may have been sent. `secret` is sealed by the vault and wiped;
 * `sealed`: the list holds some. `seq`: results in the order in which they came. What was kept of people and
 * fingerprints before is dropped.
 */
export const itemsMigration: Migration = {
  version: 27,
  name: 'items',
  sql: `
    CREATE TABLE item_lists (
      id         INTEGER PRIMARY KEY AUTOINCREMENT,
      job_id     TEXT NOT NULL,
      kind       TEXT NOT NULL,
      created_at TEXT NOT NULL,
      closed     INTEGER NOT NULL DEFAULT 0,
      sealed     INTEGER NOT NULL DEFAULT 0,
      head       TEXT NOT NULL,
      UNIQUE (job_id, kind)
    ) STRICT;
    CREATE TABLE items (
      list   INTEGER NOT NULL REFERENCES item_lists(id) ON DELETE CASCADE,
      nth    INTEGER NOT NULL,
      line   INTEGER,
      key    TEXT NOT NULL,
      part   TEXT NOT NULL,
      detail TEXT,
      secret BLOB,
      error  TEXT,
      PRIMARY KEY (list, nth)
    ) STRICT;
    CREATE UNIQUE INDEX items_by_key ON items(list, key, part) WHERE error IS NULL;
    CREATE TABLE item_results (
      list     INTEGER NOT NULL REFERENCES item_lists(id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      nth      INTEGER NOT NULL,
      plan     TEXT,
      outcome  TEXT,
      attempts INTEGER NOT NULL DEFAULT 0,
      result   TEXT,
      secret   BLOB,
      error    TEXT,
      at       TEXT,
      seq      INTEGER,
      PRIMARY KEY (list, position, nth)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX item_results_by_item ON item_results(list, nth, position);
    CREATE UNIQUE INDEX item_results_by_seq ON item_results(list, seq) WHERE seq IS NOT NULL;
    CREATE TABLE item_begun (
      list     INTEGER NOT NULL REFERENCES item_lists(id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      nth      INTEGER NOT NULL,
      PRIMARY KEY (list, position)
    ) STRICT, WITHOUT ROWID;
    DROP TABLE IF EXISTS people_seen;
    DROP TABLE IF EXISTS people_results;
    DROP TABLE IF EXISTS people_rows;
    DROP TABLE IF EXISTS people_work;
    DROP TABLE IF EXISTS print_data;
    DROP TABLE IF EXISTS print_results;
    DROP TABLE IF EXISTS print_lanes;
    DROP TABLE IF EXISTS print_items;
    DROP TABLE IF EXISTS print_jobs;`,
};
