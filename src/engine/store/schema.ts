/** Tables of the database. */

/** One numbered step of the schema. Steps are only ever added, never changed once released. */
export interface Migration {
  /** Schema version of the database after this step, one more than before it. */
  readonly version: number;
  /** Statements that run in one transaction together with the new version number. */
  readonly sql: string;
}

/**
 * Sites, devices, connection profiles, and the certificates and locks of addresses, in the inventory or not.
 * `trust` is JSON: who decided about a certificate, and when.
 */
const INVENTORY = `
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
  restart_due   TEXT
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

/**
 * Wrapped key of the vault, and what is sealed with it. `device_secrets.sent`: the device may have got a pending
 * one.
 */
const SECRETS = `
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

/**
 * Own templates with all their versions, and plans. A plan of thousands of devices is kept in parts.
 */
const TEMPLATES = `
CREATE TABLE templates (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  text       TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
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
CREATE TABLE plans (
  id         TEXT PRIMARY KEY,
  created_at TEXT NOT NULL,
  body       TEXT NOT NULL
) STRICT;
CREATE INDEX plans_by_age ON plans(created_at);
CREATE TABLE plan_parts (
  plan_id TEXT NOT NULL REFERENCES plans(id) ON DELETE CASCADE,
  number  INTEGER NOT NULL,
  devices TEXT NOT NULL,
  PRIMARY KEY (plan_id, number)
) STRICT;
`;

/**
 * Journal of every job: its runs, devices and units of work. `before_document`, `sent_document` and
 * `after_document` (null if the device shows exactly what was sent) hold the content itself or the id of a row of
 * `job_contents`; sealed content is a BLOB. `search_text` is lower case. `totals` is null while a job runs. An
 * empty `device_id` stands for the whole site.
 */
const JOBS = `
CREATE TABLE jobs (
  id            TEXT PRIMARY KEY,
  kind          TEXT NOT NULL,
  title         TEXT NOT NULL,
  about         TEXT NOT NULL,
  subject       TEXT,
  body          TEXT NOT NULL,
  state         TEXT NOT NULL,
  created_at    TEXT NOT NULL,
  ended_at      TEXT,
  by_user       TEXT NOT NULL,
  owner_process INTEGER NOT NULL,
  owner_engine  TEXT NOT NULL,
  owner_started TEXT,
  undo_of       TEXT,
  options       TEXT NOT NULL,
  follow_up     TEXT,
  totals        TEXT,
  search_text   TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX jobs_at_work ON jobs(state) WHERE state IN ('running', 'waiting');
CREATE INDEX jobs_by_age ON jobs(created_at);
CREATE TABLE job_runs (
  job_id  TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
  number  INTEGER NOT NULL,
  kind    TEXT NOT NULL,
  at      TEXT NOT NULL,
  by_user TEXT NOT NULL,
  PRIMARY KEY (job_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE journal_targets (
  id          INTEGER PRIMARY KEY,
  device_id   TEXT NOT NULL,
  name        TEXT NOT NULL,
  url         TEXT NOT NULL,
  search_text TEXT NOT NULL,
  UNIQUE (device_id, name, url)
) STRICT;
CREATE TABLE job_devices (
  job_id     TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  device_id  TEXT NOT NULL,
  name       TEXT NOT NULL,
  url        TEXT NOT NULL,
  state      TEXT NOT NULL,
  error      TEXT,
  idle       INTEGER NOT NULL DEFAULT 0,
  connection TEXT,
  document   TEXT NOT NULL,
  target     INTEGER REFERENCES journal_targets(id),
  PRIMARY KEY (job_id, position)
) STRICT;
CREATE INDEX job_devices_by_target ON job_devices(job_id, target);
CREATE TABLE job_units (
  job_id          TEXT NOT NULL,
  position        INTEGER NOT NULL,
  idx             INTEGER NOT NULL,
  label           TEXT NOT NULL,
  detail          ANY NOT NULL,
  document        ANY,
  phase           TEXT NOT NULL DEFAULT 'planned',
  outcome         TEXT NOT NULL DEFAULT 'pending',
  attempts        INTEGER NOT NULL DEFAULT 0,
  before_document ANY,
  sent_document   ANY,
  after_document  ANY,
  status          TEXT,
  error           TEXT,
  note            TEXT,
  done            INTEGER,
  total           INTEGER,
  intent_at       TEXT,
  result_at       TEXT,
  PRIMARY KEY (job_id, position, idx),
  FOREIGN KEY (job_id, position) REFERENCES job_devices(job_id, position) ON DELETE CASCADE
) STRICT;
CREATE TABLE job_contents (
  id      INTEGER PRIMARY KEY,
  job_id  TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
  content TEXT NOT NULL
) STRICT;
`;

/**
 * Work items of jobs: lists (one for a job and kind), items, and what is planned for or became of each item on
 * each device. `secret` is sealed and wiped. `seq` is the order in which results came. `item_begun`: item up to
 * which a device may have been sent.
 */
const ITEMS = `
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
`;

/**
 * Effects and records of guided flows, readings for reports (compressed, without secrets), saved states of
 * devices.
 */
const RECORDS = `
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
  sealed    TEXT NOT NULL
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
CREATE TABLE saved_states (
  id          TEXT PRIMARY KEY,
  name        TEXT NOT NULL,
  device_id   TEXT NOT NULL,
  device_name TEXT NOT NULL,
  url         TEXT NOT NULL,
  kinds       TEXT NOT NULL,
  at          TEXT NOT NULL,
  by_user     TEXT NOT NULL,
  sections    INTEGER NOT NULL,
  body        TEXT NOT NULL
) STRICT;
`;

const COUNTED = ['devices', 'credentials', 'credential_scopes'];
const CHANGES = ['INSERT', 'UPDATE', 'DELETE'];

/**
 * Counts changes of devices and sign-ins, so that a process sees whether another one changed what it keeps in memory,
 * and need not read thousands of devices again because a journal was written.
 */
const CHANGE_COUNTS = `
CREATE TABLE change_counts (
  what  TEXT PRIMARY KEY,
  count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO change_counts (what, count) VALUES ('devices', 0);
${COUNTED.flatMap((table) =>
  CHANGES.map(
    (event) =>
      `CREATE TRIGGER count_${table}_${event} AFTER ${event} ON ${table} BEGIN UPDATE change_counts SET count = count + 1 WHERE what = 'devices'; END;`,
  ),
).join('\n')}
`;

const DEFAULT_PROFILE = `
INSERT INTO profiles (id, name, name_key, profile, ports, is_default, created_at) VALUES (
  'p-default', 'Default', 'default', '{"pathPrefix":"/API","auth":"auto","deadlineMs":10000,"inFlight":2}',
  '[80,443,8080,8443]', 1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
);
`;

/** Documents that were made, and what people said of a site for its hand-over; an empty site holds for devices without one. */
const DOCUMENTS = `
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

/** Values that people accepted as a device showed them, and the last look at the agreed settings of each device. */
const AGREEMENTS = `
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
CREATE INDEX job_devices_by_device ON job_devices(device_id);
`;

/**
 * Black box: times at which everything was read, and each document from the time when it was first seen to the time when
 * it was last seen. Equal contents are kept once; they hold no secrets.
 */
const SNAPSHOTS = `
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

/** Agreed state of each device in brief, so that a list of thousands need not ask the journal. */
const AGREEMENT_SUMMARIES = 'ALTER TABLE devices ADD COLUMN agreement TEXT;';

/**
 * Open work: why the work of a job on a device is open, and since when. `dropped` is JSON: who gave it up, when and why.
 */
const OPEN_WORK = `
ALTER TABLE job_devices ADD COLUMN open_reason TEXT;
ALTER TABLE job_devices ADD COLUMN open_since TEXT;
ALTER TABLE job_devices ADD COLUMN dropped TEXT;
CREATE INDEX job_devices_open ON job_devices(job_id, position) WHERE open_reason IS NOT NULL;
CREATE INDEX job_devices_dropped ON job_devices(job_id) WHERE dropped IS NOT NULL;
`;

/**
 * Devices that were replaced. `record`: the device as the inventory had it; `place_before`: name, tags, site and sign-in that
 * the new one had; `moved_work`: open work that went to it. All are JSON.
 */
const ARCHIVE = `
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

/**
 * Devices on which a job changed something that a person has to keep, or it is put back. `until` is null while the job
 * still writes.
 */
const CONFIRMATIONS = `
CREATE TABLE confirmations (
  job_id   TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  until    TEXT,
  PRIMARY KEY (job_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_by_undone ON jobs(undo_of) WHERE undo_of IS NOT NULL;
`;

/**
 * Fields of the inventory that two computers may both change, by table: the columns that name a row, and the time that its
 * first values have.
 */
const MERGED_FIELDS = [
  {
    table: 'devices',
    key: 'id',
    since: 'added_at',
    fields: ['name', 'url', 'kinds', 'tags', 'profile', 'certificate', 'identity', 'site_id'],
  },
  { table: 'sites', key: 'id', since: 'created_at', fields: ['name'] },
  {
    table: 'profiles',
    key: 'id',
    since: 'created_at',
    fields: ['name', 'profile', 'ports', 'services'],
  },
] as const;

const NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/** Returns SQL that notes a value with a time later than all that were noted of the field before. */
function buildChangeInsert(entity: string, field: string, value: string): string {
  const last = `(SELECT max(at) FROM inventory_changes WHERE entity = ${entity} AND field = '${field}')`;
  const next = `coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', ${last}, '+0.001 seconds'), '')`;
  return `INSERT OR IGNORE INTO inventory_changes (entity, field, at, value)
    VALUES (${entity}, '${field}', max(${NOW}, ${next}), coalesce(${value}, ''));`;
}

/**
 * Values that fields of the inventory had, each with the time from which it held, so that the site file of a colleague
 * can be merged field by field. A field that never changed has no rows: its value holds since the row was made.
 * `removed`: the site that a device was removed from. `work_owner` is JSON: who does open work, where that is not this
 * data folder; `brought`: when a site file brought the record.
 */
const SITE_FILES = `
CREATE TABLE inventory_changes (
  entity TEXT NOT NULL,
  field  TEXT NOT NULL,
  at     TEXT NOT NULL,
  value  TEXT NOT NULL,
  PRIMARY KEY (entity, field, at, value)
) STRICT, WITHOUT ROWID;
CREATE TABLE this_folder (
  id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
INSERT INTO this_folder (id) VALUES ('f-' || lower(hex(randomblob(8))));
ALTER TABLE job_devices ADD COLUMN work_owner TEXT;
ALTER TABLE records ADD COLUMN brought TEXT;
${MERGED_FIELDS.flatMap(({ table, key, since, fields }) =>
  fields.map(
    (field) => `CREATE TRIGGER note_${table}_${field} AFTER UPDATE OF ${field} ON ${table}
  WHEN OLD.${field} IS NOT NEW.${field} BEGIN
    INSERT OR IGNORE INTO inventory_changes (entity, field, at, value)
      SELECT NEW.${key}, '${field}', NEW.${since}, coalesce(OLD.${field}, '')
      WHERE NOT EXISTS (SELECT 1 FROM inventory_changes WHERE entity = NEW.${key} AND field = '${field}');
    ${buildChangeInsert(`NEW.${key}`, field, `NEW.${field}`)}
  END;`,
  ),
).join('\n')}
CREATE TRIGGER note_devices_removed AFTER DELETE ON devices BEGIN
  ${buildChangeInsert('OLD.id', 'removed', 'OLD.site_id')}
END;
${['details', 'branding']
  .map(
    (field) => `CREATE TRIGGER note_site_${field} AFTER INSERT ON site_details
  WHEN NEW.${field} IS NOT (SELECT value FROM inventory_changes WHERE entity = NEW.site_id AND field = '${field}' ORDER BY at DESC, value DESC LIMIT 1) BEGIN
    ${buildChangeInsert('NEW.site_id', field, `NEW.${field}`)}
  END;`,
  )
  .join('\n')}
`;

/**
 * Rules that propose a template for devices, and proposals that a person dropped, with the time at which they had come about.
 * `template_values` is JSON.
 */
const PROPOSALS = `
CREATE TABLE proposal_rules (
  id              TEXT PRIMARY KEY,
  template_id     TEXT NOT NULL,
  kind            TEXT,
  site_id         TEXT REFERENCES sites(id) ON DELETE CASCADE,
  tag             TEXT,
  template_values TEXT NOT NULL,
  at              TEXT NOT NULL,
  by_user         TEXT NOT NULL
) STRICT;
CREATE TABLE proposal_answers (
  rule_id   TEXT NOT NULL REFERENCES proposal_rules(id) ON DELETE CASCADE,
  device_id TEXT NOT NULL,
  since     TEXT NOT NULL,
  at        TEXT NOT NULL,
  by_user   TEXT NOT NULL,
  PRIMARY KEY (rule_id, device_id)
) STRICT;
`;

/** Version of the first schema. Lower numbers belong to trial versions, whose folders are left untouched. */
export const FIRST_VERSION = 31;

/** Steps of the schema in order, without gaps. */
export const migrations: readonly Migration[] = [
  {
    version: FIRST_VERSION,
    sql: [INVENTORY, SECRETS, TEMPLATES, JOBS, ITEMS, RECORDS, CHANGE_COUNTS, DEFAULT_PROFILE].join(''),
  },
  { version: FIRST_VERSION + 1, sql: DOCUMENTS },
  { version: FIRST_VERSION + 2, sql: AGREEMENTS },
  { version: FIRST_VERSION + 3, sql: SNAPSHOTS },
  { version: FIRST_VERSION + 4, sql: AGREEMENT_SUMMARIES },
  { version: FIRST_VERSION + 5, sql: OPEN_WORK },
  { version: FIRST_VERSION + 6, sql: ARCHIVE },
  { version: FIRST_VERSION + 7, sql: CONFIRMATIONS },
  { version: FIRST_VERSION + 8, sql: SITE_FILES },
  { version: FIRST_VERSION + 9, sql: PROPOSALS },
];
