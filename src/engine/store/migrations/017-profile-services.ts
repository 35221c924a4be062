import type { Migration } from './types.ts';

/** Under which types of services the devices of a connection profile announce themselves. */
export const profileServicesMigration: Migration = {
  version: 17,
  name: 'profile-services',
  sql: `ALTER TABLE profiles ADD COLUMN services TEXT NOT NULL DEFAULT '["_http._tcp","_https._tcp","_psia._tcp"]';`,
};
