/** Tables of templates and proposals, and of jobs with their work. */

/**
 * Own templates with all their versions, and plans. A plan of thousands of devices is kept in parts.
 */
export const TEMPLATES = `
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
 * Rules that propose a template for devices, and proposals that a person dropped, with the time at which they had come about.
 * `template_values` is JSON.
 */
export const PROPOSALS = `
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

/**
 * Journal of every job: its runs, devices and units of work. `before_document`, `sent_document` and
 * `after_document` (null if the device shows exactly what was sent) hold the content itself or the id of a row of
 * `job_contents`; sealed content is a BLOB. `search_text` is lower case. `totals` is null while a job runs. An
 * empty `device_id` stands for the whole site. `open_reason` and `open_since`: why the work on a device is open, and since when.
 * `dropped` (who gave it up, when and why) and `work_owner` (who does it, where that is not this data folder) are JSON.
 */
export const JOBS = `
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
CREATE INDEX jobs_by_undone ON jobs(undo_of) WHERE undo_of IS NOT NULL;
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
  open_reason TEXT,
  open_since TEXT,
  dropped    TEXT,
  work_owner TEXT,
  PRIMARY KEY (job_id, position)
) STRICT;
CREATE INDEX job_devices_by_target ON job_devices(job_id, target);
CREATE INDEX job_devices_by_device ON job_devices(device_id);
CREATE INDEX job_devices_open ON job_devices(job_id, position) WHERE open_reason IS NOT NULL;
CREATE INDEX job_devices_dropped ON job_devices(job_id) WHERE dropped IS NOT NULL;
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
export const ITEMS = `
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
 * Devices on which a job changed something that a person has to keep, or it is put back. `until` is null while the job
 * still writes.
 */
export const CONFIRMATIONS = `
CREATE TABLE confirmations (
  job_id   TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  until    TEXT,
  PRIMARY KEY (job_id, position)
) STRICT, WITHOUT ROWID;
`;
