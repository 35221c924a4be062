/** Steps by which the database came about. */
import { CHANGE_COUNTS, SITE_FILES } from './tables/changes.ts';
import { AGREEMENTS, ARCHIVE, DEFAULT_PROFILE, INVENTORY, SECRETS } from './tables/inventory.ts';
import { CONFIRMATIONS, ITEMS, JOBS, PROPOSALS, TEMPLATES } from './tables/jobs.ts';
import { DOCUMENTS, RECORDS, SNAPSHOTS } from './tables/records.ts';

/** One numbered step of the schema. Steps are only ever added, never changed once released. */
export interface Migration {
  /** Schema version of the database after this step, one more than before it. */
  readonly version: number;
  /** Statements that run in one transaction together with the new version number. */
  readonly sql: string;
}

/** Version of the first schema. Lower numbers belong to trial versions, whose folders are left untouched. */
export const FIRST_VERSION = 41;

/** Steps of the schema in order, without gaps. */
export const migrations: readonly Migration[] = [
  {
    version: FIRST_VERSION,
    sql: [
      INVENTORY,
      SECRETS,
      TEMPLATES,
      JOBS,
      ITEMS,
      RECORDS,
      DOCUMENTS,
      AGREEMENTS,
      SNAPSHOTS,
      ARCHIVE,
      CONFIRMATIONS,
      PROPOSALS,
      CHANGE_COUNTS,
      SITE_FILES,
      DEFAULT_PROFILE,
    ].join(''),
  },
];
