import type { Migration } from './types.ts';

/** Who a device says it is, so that it stays the same row when its address changes. */
export const identityMigration: Migration = {
  version: 4,
  name: 'identity',
  sql: `
    ALTER TABLE devices ADD COLUMN identity TEXT;
  `,
};
