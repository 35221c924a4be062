import type { Migration } from './types.ts';

/**
 * Every version of an own template that was ever saved; `templates` keeps the newest beside it. What
 * was there before becomes version 1. SQLite cannot hash: an empty `hash` is filled in when templates are opened.
 */
export const templateVersionsMigration: Migration = {
  version: 7,
  name: 'template-versions',
  sql: `
    CREATE TABLE template_versions (
      template_id TEXT NOT NULL REFERENCES templates(id) ON DELETE CASCADE,
      version     INTEGER NOT NULL,
      saved_at    TEXT NOT NULL,
      by_user     TEXT NOT NULL,
      note        TEXT,
      hash        TEXT NOT NULL,
      name        TEXT NOT NULL,
      text        TEXT NOT NULL,
      PRIMARY KEY (template_id, version)
    ) STRICT;
    CREATE INDEX template_versions_by_hash ON template_versions(hash);

    INSERT INTO template_versions (template_id, version, saved_at, by_user, hash, name, text)
      SELECT id, 1, updated_at, 'unknown', '', name, text FROM templates;
  `,
};
