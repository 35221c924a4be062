import type { Migration } from './types.ts';

/**
 * What tells one device from another that answers at its address, and until when an account is locked:
 * both have to outlive the process that learnt them.
 */
export const protectionSpaceMigration: Migration = {
  version: 11,
  name: 'protection-space',
  sql: `
    ALTER TABLE devices ADD COLUMN realm TEXT;
    ALTER TABLE devices ADD COLUMN account_lock TEXT;
  `,
};
