import type { Migration } from './types.ts';

/** A secret of a device is kept with what it was set up with: digest rounds, length and mode of a token key. */
export const secretSettingsMigration: Migration = {
  version: 30,
  name: 'secret-settings',
  sql: 'ALTER TABLE device_secrets ADD COLUMN settings TEXT;',
};
