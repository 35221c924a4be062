import type { Migration } from './types.ts';

const COUNT = "UPDATE change_counts SET count = count + 1 WHERE what = 'devices'";
const trigger = (table: string, event: string): string =>
  `CREATE TRIGGER count_${table}_${event} AFTER ${event} ON ${table} BEGIN ${COUNT}; END;`;

/**
 * Counts what is written of devices and of sign-ins, so that a process sees whether another one wrote
 * something that it keeps in memory: a journal written meanwhile is no reason to read thousands of devices again.
 */
export const deviceChangesMigration: Migration = {
  version: 9,
  name: 'device-changes',
  sql: `
    CREATE TABLE change_counts (
      what  TEXT PRIMARY KEY,
      count INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO change_counts (what, count) VALUES ('devices', 0);

    ${['devices', 'credentials', 'credential_scopes'].flatMap((table) => ['insert', 'update', 'delete'].map((event) => trigger(table, event))).join('\n    ')}
  `,
};
