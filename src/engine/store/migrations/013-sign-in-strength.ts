import type { Migration } from './types.ts';

/** That a device offered Digest becomes which: it must not fall back to a weaker one unnoticed. A 1 stays "some Digest". */
export const signInStrengthMigration: Migration = {
  version: 13,
  name: 'sign-in-strength',
  sql: 'ALTER TABLE devices RENAME COLUMN digest_seen TO strength;',
};
