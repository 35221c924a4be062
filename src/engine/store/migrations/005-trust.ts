import type { Migration } from './types.ts';

/**
 * How the certificate of a device came to be trusted, and the certificates of addresses that are in no
 * inventory (as a file of known hosts). `trust` is JSON; its fingerprint is that of `certificate`. The word
 * `system` in its place: the system trusted the certificate of this address, so that no pin was needed.
 */
export const trustMigration: Migration = {
  version: 5,
  name: 'trust',
  sql: `
    ALTER TABLE devices ADD COLUMN trust TEXT;

    CREATE TABLE known_certificates (
      origin TEXT PRIMARY KEY,
      trust  TEXT NOT NULL
    ) STRICT;
  `,
};
