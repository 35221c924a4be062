/** Rows of a site file, by the tables of the database that they come from. README.md says what they mean. */

/**
 * Values of a column. `json`: text that holds an object, `list`: one that holds an array. `bytes` stand as
 * `{ "base64": … }`. `content`: text, the number of a row of `job_contents`, or `{ "sealed": … }` for what the vault seals,
 * which is there only in files with secrets. `sealed`: the same, never absent.
 */
export type ColumnType = 'text' | 'int' | 'json' | 'list' | 'bytes' | 'content' | 'sealed';

export interface SiteTable {
  readonly name: string;
  /** Types by column; `?` behind one allows null. */
  readonly columns: Readonly<Record<string, ColumnType | `${ColumnType}?`>>;
  /** Condition that selects the rows of a site; its parameter is the site's id, or ids as JSON. */
  readonly where: string;
  readonly by: 'site' | 'devices' | 'jobs' | 'plans' | 'entities' | 'credentials';
  /** The rows are secrets, and only in files that hold them. */
  readonly isSecret?: true;
  /** Rule for a row whose key is there already. Absent: the table has a rule of its own. */
  readonly onConflict?: string;
}

const IDS = '(SELECT value FROM json_each(?))';
const OF_DEVICES = { where: `device_id IN ${IDS}`, by: 'devices' } as const;
const OF_JOBS = { where: `job_id IN ${IDS}`, by: 'jobs' } as const;
const OF_SITE = { where: 'site_id = ?', by: 'site' } as const;
/** Rows that stay as they are where they are there already. */
const KEPT = 'NOTHING';

export const SITE_TABLES = [
  { name: 'sites', columns: { id: 'text', name: 'text', created_at: 'text' }, where: 'id = ?', by: 'site' },
  {
    name: 'profiles',
    columns: {
      id: 'text',
      name: 'text',
      profile: 'json',
      ports: 'list',
      services: 'list',
      created_at: 'text',
    },
    where: `id IN ${IDS} AND is_default = 0`,
    by: 'entities',
  },
  {
    name: 'credentials',
    columns: {
      id: 'text',
      label: 'text',
      user_name: 'text',
      secret: 'sealed',
      created_at: 'text',
      updated_at: 'text',
    },
    where: `id IN ${IDS}`,
    by: 'credentials',
    isSecret: true,
  },
  {
    name: 'devices',
    columns: {
      id: 'text',
      name: 'text',
      url: 'text',
      kinds: 'list',
      tags: 'list',
      profile: 'json',
      certificate: 'text?',
      trust: 'json?',
      identity: 'text?',
      strength: 'int',
      added_at: 'text',
      site_id: 'text',
      credential_id: 'text?',
    },
    ...OF_SITE,
  },
  {
    name: 'device_secrets',
    columns: {
      device_id: 'text',
      name: 'text',
      state: 'text',
      sent: 'int',
      secret: 'sealed',
      changed_at: 'text',
      settings: 'json?',
    },
    ...OF_DEVICES,
    isSecret: true,
  },
  {
    name: 'inventory_changes',
    columns: { entity: 'text', field: 'text', at: 'text', value: 'text' },
    where: `entity IN ${IDS}`,
    by: 'entities',
  },
  {
    name: 'templates',
    columns: { id: 'text', name: 'text', text: 'text', created_at: 'text', updated_at: 'text' },
    where: '? <> 0',
    by: 'site',
  },
  {
    name: 'template_versions',
    columns: {
      template_id: 'text',
      version: 'int',
      saved_at: 'text',
      by_user: 'text',
      note: 'text?',
      hash: 'text',
      name: 'text',
      text: 'text',
    },
    where: '? <> 0',
    by: 'site',
  },
  {
    name: 'plans',
    columns: { id: 'text', created_at: 'text', body: 'json' },
    where: `id IN ${IDS}`,
    by: 'plans',
    onConflict: KEPT,
  },
  {
    name: 'plan_parts',
    columns: { plan_id: 'text', number: 'int', devices: 'list' },
    where: `plan_id IN ${IDS}`,
    by: 'plans',
    onConflict: KEPT,
  },
  {
    name: 'jobs',
    columns: {
      id: 'text',
      kind: 'text',
      title: 'text',
      about: 'json',
      subject: 'text?',
      body: 'json',
      state: 'text',
      created_at: 'text',
      ended_at: 'text?',
      by_user: 'text',
      undo_of: 'text?',
      options: 'json',
      search_text: 'text',
    },
    where: `id IN ${IDS}`,
    by: 'jobs',
  },
  {
    name: 'job_runs',
    columns: { job_id: 'text', number: 'int', kind: 'text', at: 'text', by_user: 'text' },
    ...OF_JOBS,
  },
  {
    name: 'job_contents',
    columns: { id: 'int', job_id: 'text', content: 'text' },
    ...OF_JOBS,
  },
  {
    name: 'job_devices',
    columns: {
      job_id: 'text',
      position: 'int',
      device_id: 'text',
      name: 'text',
      url: 'text',
      state: 'text',
      error: 'json?',
      idle: 'int',
      connection: 'json?',
      document: 'json',
      open_reason: 'text?',
      open_since: 'text?',
      dropped: 'json?',
      work_owner: 'json?',
    },
    ...OF_JOBS,
  },
  {
    name: 'job_units',
    columns: {
      job_id: 'text',
      position: 'int',
      idx: 'int',
      label: 'text',
      detail: 'content',
      document: 'content?',
      phase: 'text',
      outcome: 'text',
      attempts: 'int',
      before_document: 'content?',
      sent_document: 'content?',
      after_document: 'content?',
      status: 'json?',
      error: 'json?',
      note: 'text?',
      done: 'int?',
      total: 'int?',
      intent_at: 'text?',
      result_at: 'text?',
    },
    ...OF_JOBS,
  },
  {
    name: 'flow_effects',
    columns: {
      job_id: 'text',
      position: 'int',
      step: 'text',
      key: 'text',
      nth: 'int',
      value: 'text',
      at: 'text',
    },
    ...OF_JOBS,
    onConflict:
      'UPDATE SET value = excluded.value, at = excluded.at, nth = excluded.nth WHERE (excluded.at, excluded.value) > (at, value)',
  },
  {
    name: 'accepted_values',
    columns: {
      id: 'text',
      device_id: 'text',
      section: 'text',
      params: 'json',
      value: 'text',
      at: 'text',
      by_user: 'text',
      reason: 'text',
    },
    ...OF_DEVICES,
    onConflict: KEPT,
  },
  {
    name: 'agreement_looks',
    columns: {
      device_id: 'text',
      tried_at: 'text',
      read_at: 'text?',
      unseen: 'int',
      differences: 'list',
      error: 'json?',
    },
    ...OF_DEVICES,
    onConflict: `UPDATE SET tried_at = excluded.tried_at, read_at = excluded.read_at, unseen = excluded.unseen,
      differences = excluded.differences, error = excluded.error
      WHERE (excluded.tried_at, excluded.differences) > (tried_at, differences)`,
  },
  {
    name: 'snapshots',
    columns: { device_id: 'text', at: 'text', by_user: 'text', documents: 'int', changed: 'int' },
    ...OF_DEVICES,
    onConflict: KEPT,
  },
  {
    name: 'document_contents',
    columns: { sha256: 'text', body: 'text' },
    where: `sha256 IN (SELECT sha256 FROM document_versions WHERE device_id IN ${IDS})`,
    by: 'devices',
    onConflict: KEPT,
  },
  {
    name: 'document_versions',
    columns: {
      device_id: 'text',
      operation: 'text',
      params: 'json',
      at: 'text',
      until: 'text',
      sha256: 'text',
    },
    ...OF_DEVICES,
    onConflict: 'UPDATE SET until = max(until, excluded.until), sha256 = max(sha256, excluded.sha256)',
  },
  {
    name: 'records',
    columns: {
      id: 'text',
      site_id: 'text',
      job_id: 'text',
      position: 'int',
      device_id: 'text',
      kind: 'text',
      at: 'text',
      sha256: 'text',
      sealed: 'text',
    },
    ...OF_SITE,
    onConflict: KEPT,
  },
  {
    name: 'readings',
    columns: {
      device_id: 'text',
      name: 'text',
      url: 'text',
      at: 'text',
      by_user: 'text',
      error: 'json?',
      body: 'bytes?',
    },
    ...OF_DEVICES,
  },
  {
    name: 'documents',
    columns: {
      id: 'text',
      kind: 'text',
      title: 'text',
      name: 'text',
      site_id: 'text',
      devices: 'int',
      at: 'text',
      by_user: 'text',
      sha256: 'text',
      body: 'bytes',
    },
    ...OF_SITE,
    onConflict: KEPT,
  },
  {
    name: 'archived_devices',
    columns: {
      device_id: 'text',
      record: 'json',
      replaced_by: 'text',
      place_before: 'json',
      moved_work: 'list',
      job_id: 'text',
      at: 'text',
      by_user: 'text',
    },
    ...OF_DEVICES,
    onConflict: `UPDATE SET record = excluded.record, replaced_by = excluded.replaced_by, place_before = excluded.place_before,
      moved_work = excluded.moved_work, job_id = excluded.job_id, at = excluded.at, by_user = excluded.by_user
      WHERE (excluded.at, excluded.job_id) > (at, job_id)`,
  },
  {
    name: 'proposal_rules',
    columns: {
      id: 'text',
      template_id: 'text',
      kind: 'text?',
      site_id: 'text',
      tag: 'text?',
      template_values: 'json',
      at: 'text',
      by_user: 'text',
    },
    ...OF_SITE,
    onConflict: KEPT,
  },
  {
    name: 'proposal_answers',
    columns: { rule_id: 'text', device_id: 'text', since: 'text', at: 'text', by_user: 'text' },
    where: `rule_id IN (SELECT r.id FROM proposal_rules AS r JOIN devices AS d ON d.id = device_id AND d.site_id = r.site_id
      WHERE r.site_id = ?)`,
    by: 'site',
    onConflict:
      'UPDATE SET since = excluded.since, at = excluded.at, by_user = excluded.by_user WHERE (excluded.since, excluded.at) > (since, at)',
  },
  {
    name: 'site_details',
    columns: { site_id: 'text', details: 'json', branding: 'json' },
    ...OF_SITE,
  },
] as const satisfies readonly SiteTable[];

export type SiteTableName = (typeof SITE_TABLES)[number]['name'];

/** Version of the format; a file of a later one is refused. */
export const SITE_FILE_FORMAT = { name: 'fieldwright-site', version: 1 } as const;

/** Returns the name of the table that holds the rows of a file until they are merged. */
export function stageName(table: SiteTableName): string {
  return `temp.staged_${table}`;
}
