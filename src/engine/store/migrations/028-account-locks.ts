import type { Migration } from './types.ts';

/** Until when an account is locked at an address, whether a device of the inventory or one that was only named has it. */
export const accountLocksMigration: Migration = {
  version: 28,
  name: 'account-locks',
  sql: `
    CREATE TABLE account_locks (
      url       TEXT PRIMARY KEY,
      user_name TEXT NOT NULL,
      until     TEXT NOT NULL,
      since     TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE devices DROP COLUMN account_lock;`,
};
