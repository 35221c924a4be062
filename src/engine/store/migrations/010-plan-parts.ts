import type { Migration } from './types.ts';

/** Devices of a plan, some in a row: thousands of them in one text would stand in memory several times at once. */
export const planPartsMigration: Migration = {
  version: 10,
  name: 'plan-parts',
  sql: `
    CREATE TABLE plan_parts (
      plan_id TEXT NOT NULL REFERENCES plans(id) ON DELETE CASCADE,
      number  INTEGER NOT NULL,
      devices TEXT NOT NULL,
      PRIMARY KEY (plan_id, number)
    ) STRICT;
  `,
};
