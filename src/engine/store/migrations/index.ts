import type { Migration } from './types.ts';
import { devicesMigration } from './001-devices.ts';
import { jobsMigration } from './002-jobs.ts';
import { resumeMigration } from './003-resume.ts';
import { identityMigration } from './004-identity.ts';

/** Every step of the schema in order. */
export const migrations: readonly Migration[] = [devicesMigration, jobsMigration, resumeMigration, identityMigration];
