/** Tables of what is kept of flows, reports and hand-overs, and of what devices showed. */

/**
 * Effects and records of guided flows, and readings for reports (compressed, without secrets). `brought`: when a site file
 * brought the record.
 */
export const RECORDS = `
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
  brought   TEXT
) STRICT;
CREATE INDEX records_by_job ON records (job_id, position);
CREATE INDEX records_by_site ON records (site_id, at);
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
CREATE INDEX readings_by_device ON readings (device_id, id);
`;

/** Documents that were made, and what people said of a site for its hand-over; an empty site holds for devices without one. */
export const DOCUMENTS = `
CREATE TABLE documents (
  id       TEXT PRIMARY KEY,
  kind     TEXT NOT NULL,
  title    TEXT NOT NULL,
  name     TEXT NOT NULL,
  site_id  TEXT,
  devices  INTEGER NOT NULL,
  at       TEXT NOT NULL,
  by_user  TEXT NOT NULL,
  sha256   TEXT NOT NULL,
  body     BLOB NOT NULL
) STRICT;
CREATE TABLE site_details (
  site_id  TEXT PRIMARY KEY,
  details  TEXT NOT NULL,
  branding TEXT NOT NULL
) STRICT;
`;

/**
 * Black box: times at which everything was read, and each document from the time when it was first seen to the time when
 * it was last seen. Equal contents are kept once; they hold no secrets.
 */
export const SNAPSHOTS = `
CREATE TABLE snapshots (
  device_id TEXT NOT NULL,
  at        TEXT NOT NULL,
  by_user   TEXT NOT NULL,
  documents INTEGER NOT NULL,
  changed   INTEGER NOT NULL,
  PRIMARY KEY (device_id, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE document_versions (
  device_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  params    TEXT NOT NULL,
  at        TEXT NOT NULL,
  until     TEXT NOT NULL,
  sha256    TEXT NOT NULL,
  PRIMARY KEY (device_id, operation, params, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_versions_by_content ON document_versions(sha256);
CREATE TABLE document_contents (
  sha256 TEXT PRIMARY KEY,
  body   BLOB NOT NULL
) STRICT;
`;
