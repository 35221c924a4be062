import type { Migration } from './types.ts';

/** Sites, sign-ins of a tag or a site, and named connection profiles. */
export const sitesMigration: Migration = {
  version: 6,
  name: 'sites',
  sql: `
    CREATE TABLE sites (
      id         TEXT PRIMARY KEY,
      name       TEXT NOT NULL,
      name_key   TEXT NOT NULL UNIQUE,
      created_at TEXT NOT NULL
    ) STRICT;

    ALTER TABLE devices ADD COLUMN site_id TEXT REFERENCES sites(id) ON DELETE SET NULL;
    CREATE INDEX devices_by_site ON devices(site_id);

    CREATE TABLE credential_scopes (
      tag           TEXT UNIQUE,
      site_id       TEXT UNIQUE REFERENCES sites(id) ON DELETE CASCADE,
      credential_id TEXT NOT NULL REFERENCES credentials(id) ON DELETE CASCADE,
      CHECK ((tag IS NULL) <> (site_id IS NULL))
    ) STRICT;
    CREATE INDEX credential_scopes_by_credential ON credential_scopes(credential_id);

    CREATE TABLE profiles (
      id         TEXT PRIMARY KEY,
      name       TEXT NOT NULL,
      name_key   TEXT NOT NULL UNIQUE,
      profile    TEXT NOT NULL,
      ports      TEXT NOT NULL,
      is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
      created_at TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX one_default_profile ON profiles(is_default) WHERE is_default = 1;
    INSERT INTO profiles (id, name, name_key, profile, ports, is_default, created_at) VALUES (
      'p-default', 'Default', 'default', '{"pathPrefix":"/API","auth":"auto","deadlineMs":10000,"inFlight":2}',
      '[80,443,8080,8443]', 1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    );
  `,
};
