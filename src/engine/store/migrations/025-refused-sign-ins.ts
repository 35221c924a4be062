import type { Migration } from './types.ts';

/** What each address turned away last, as a mark that only the vault of this folder can make: no run sends it again. */
export const refusedSignInsMigration: Migration = {
  version: 25,
  name: 'refused-sign-ins',
  sql: `
    CREATE TABLE refused_sign_ins (
      url  TEXT PRIMARY KEY,
      mark TEXT NOT NULL,
      at   TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;`,
};
