import type { Migration } from './types.ts';

/** Since when a device has been there or not, when somebody last looked, and when it last accepted the sign-in. */
export const reachTimesMigration: Migration = {
  version: 15,
  name: 'reach-times',
  sql: `
    ALTER TABLE devices ADD COLUMN reach_since TEXT;
    ALTER TABLE devices ADD COLUMN checked_at TEXT;
    ALTER TABLE devices ADD COLUMN sign_in_at TEXT;
  `,
};
