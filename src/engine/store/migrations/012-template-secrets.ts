import type { Migration } from './types.ts';

/** Values of secret template variables, each sealed by the vault and bound to its name. */
export const templateSecretsMigration: Migration = {
  version: 12,
  name: 'template-secrets',
  sql: `
    CREATE TABLE template_secrets (
      name       TEXT PRIMARY KEY,
      secret     BLOB NOT NULL,
      changed_at TEXT NOT NULL
    ) STRICT;
  `,
};
