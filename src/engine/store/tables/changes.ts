/** Tables and triggers by which other processes and other computers see what changed. */

const COUNTED = ['devices', 'credentials', 'credential_scopes'];
const CHANGES = ['INSERT', 'UPDATE', 'DELETE'];

/**
 * Counts changes of devices and sign-ins, so that a process sees whether another one changed what it keeps in memory,
 * and need not read thousands of devices again because a journal was written.
 */
export const CHANGE_COUNTS = `
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
 * `removed`: the site that a device was removed from.
 */
export const SITE_FILES = `
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
