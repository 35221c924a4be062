/** Tables of sites and devices, of sign-ins and secrets, and of what was agreed and replaced. */

/**
 * Sites, devices, connection profiles, and the certificates and locks of addresses, in the inventory or not.
 * `trust` is JSON: who decided about a certificate, and when. `agreement`: the agreed state of the device in brief, so that a
 * list of thousands need not ask the journal.
 */
export const INVENTORY = `
CREATE TABLE sites (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  name_key   TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL
) STRICT;
CREATE TABLE profiles (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  name_key   TEXT NOT NULL UNIQUE,
  profile    TEXT NOT NULL,
  ports      TEXT NOT NULL,
  is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
  created_at TEXT NOT NULL,
  services   TEXT NOT NULL DEFAULT '["_http._tcp","_https._tcp","_psia._tcp"]'
) STRICT;
CREATE UNIQUE INDEX one_default_profile ON profiles(is_default) WHERE is_default = 1;
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
  strength      INTEGER NOT NULL DEFAULT 0,
  reach         TEXT NOT NULL DEFAULT 'unknown',
  sign_in       TEXT NOT NULL DEFAULT 'unknown',
  last_seen     TEXT,
  last_error    TEXT,
  added_at      TEXT NOT NULL,
  identity      TEXT,
  trust         TEXT,
  site_id       TEXT REFERENCES sites(id) ON DELETE SET NULL,
  realm         TEXT,
  reach_since   TEXT,
  checked_at    TEXT,
  sign_in_at    TEXT,
  restart_due   TEXT,
  agreement     TEXT
) STRICT;
CREATE INDEX devices_by_credential ON devices(credential_id);
CREATE INDEX devices_by_site ON devices(site_id);
CREATE TABLE credential_scopes (
  tag           TEXT UNIQUE,
  site_id       TEXT UNIQUE REFERENCES sites(id) ON DELETE CASCADE,
  credential_id TEXT NOT NULL REFERENCES credentials(id) ON DELETE CASCADE,
  CHECK ((tag IS NULL) <> (site_id IS NULL))
) STRICT;
CREATE INDEX credential_scopes_by_credential ON credential_scopes(credential_id);
CREATE TABLE known_certificates (
  origin TEXT PRIMARY KEY,
  trust  TEXT NOT NULL
) STRICT;
CREATE TABLE account_locks (
  url       TEXT PRIMARY KEY,
  user_name TEXT NOT NULL,
  until     TEXT NOT NULL,
  since     TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE refused_sign_ins (
  url  TEXT PRIMARY KEY,
  mark TEXT NOT NULL,
  at   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

export const DEFAULT_PROFILE = `
INSERT INTO profiles (id, name, name_key, profile, ports, is_default, created_at) VALUES (
  'p-default', 'Default', 'default', '{"pathPrefix":"/API","auth":"auto","deadlineMs":10000,"inFlight":2}',
  '[80,443,8080,8443]', 1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
);
`;

/**
 * Wrapped key of the vault, and what is sealed with it. `device_secrets.sent`: the device may have got a pending
 * one.
 */
export const SECRETS = `
CREATE TABLE vault_keys (
  protection TEXT PRIMARY KEY,
  wrapped    BLOB NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE TABLE device_secrets (
  id         INTEGER PRIMARY KEY,
  device_id  TEXT NOT NULL,
  name       TEXT NOT NULL,
  state      TEXT NOT NULL CHECK (state IN ('pending', 'current', 'former')),
  sent       INTEGER NOT NULL DEFAULT 0,
  secret     BLOB NOT NULL,
  changed_at TEXT NOT NULL,
  settings   TEXT
) STRICT;
CREATE INDEX device_secrets_by_device ON device_secrets (device_id, name);
CREATE TABLE template_secrets (
  name       TEXT PRIMARY KEY,
  secret     BLOB NOT NULL,
  changed_at TEXT NOT NULL
) STRICT;
`;

/** Values that people accepted as a device showed them, and the last look at the agreed settings of each device. */
export const AGREEMENTS = `
CREATE TABLE accepted_values (
  id        TEXT PRIMARY KEY,
  device_id TEXT NOT NULL,
  section   TEXT NOT NULL,
  params    TEXT NOT NULL,
  value     TEXT NOT NULL,
  at        TEXT NOT NULL,
  by_user   TEXT NOT NULL,
  reason    TEXT NOT NULL
) STRICT;
CREATE INDEX accepted_values_by_device ON accepted_values(device_id);
CREATE TABLE agreement_looks (
  device_id   TEXT PRIMARY KEY,
  tried_at    TEXT NOT NULL,
  read_at     TEXT,
  unseen      INTEGER NOT NULL,
  differences TEXT NOT NULL,
  error       TEXT
) STRICT;
`;

/**
 * Devices that were replaced. `record`: the device as the inventory had it; `place_before`: name, tags, site and sign-in that
 * the new one had; `moved_work`: open work that went to it. All are JSON.
 */
export const ARCHIVE = `
CREATE TABLE archived_devices (
  device_id    TEXT PRIMARY KEY,
  record       TEXT NOT NULL,
  replaced_by  TEXT NOT NULL,
  place_before TEXT NOT NULL,
  moved_work   TEXT NOT NULL,
  job_id       TEXT NOT NULL,
  at           TEXT NOT NULL,
  by_user      TEXT NOT NULL
) STRICT;
`;
