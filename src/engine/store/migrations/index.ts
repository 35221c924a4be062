import type { Migration } from './types.ts';
import { devicesMigration } from './001-devices.ts';
import { jobsMigration } from './002-jobs.ts';
import { resumeMigration } from './003-resume.ts';
import { identityMigration } from './004-identity.ts';
import { trustMigration } from './005-trust.ts';
import { sitesMigration } from './006-sites.ts';
import { templateVersionsMigration } from './007-template-versions.ts';
import { historyMigration } from './008-history.ts';
import { deviceChangesMigration } from './009-device-changes.ts';
import { planPartsMigration } from './010-plan-parts.ts';
import { protectionSpaceMigration } from './011-protection-space.ts';
import { templateSecretsMigration } from './012-template-secrets.ts';
import { signInStrengthMigration } from './013-sign-in-strength.ts';
import { idleDevicesMigration } from './014-idle-devices.ts';
import { reachTimesMigration } from './015-reach-times.ts';
import { restartsMigration } from './016-restarts.ts';
import { profileServicesMigration } from './017-profile-services.ts';
import { unitsMigration } from './018-units.ts';
import { flowsMigration } from './019-flows.ts';
import { readingsMigration } from './021-readings.ts';
import { refusedSignInsMigration } from './025-refused-sign-ins.ts';
import { jobContentsMigration } from './026-job-contents.ts';
import { itemsMigration } from './027-items.ts';
import { accountLocksMigration } from './028-account-locks.ts';
import { formerSecretsMigration } from './029-former-secrets.ts';
import { secretSettingsMigration } from './030-secret-settings.ts';

/** A step whose tables 27 drops again. */
function replacedBy27(version: number, name: string): Migration {
  return { version, name, sql: '' };
}

/** Every step of the schema in order. */
export const migrations: readonly Migration[] = [
  devicesMigration,
  jobsMigration,
  resumeMigration,
  identityMigration,
  trustMigration,
  sitesMigration,
  templateVersionsMigration,
  historyMigration,
  deviceChangesMigration,
  planPartsMigration,
  protectionSpaceMigration,
  templateSecretsMigration,
  signInStrengthMigration,
  idleDevicesMigration,
  reachTimesMigration,
  restartsMigration,
  profileServicesMigration,
  unitsMigration,
  flowsMigration,
  replacedBy27(20, 'prints'),
  readingsMigration,
  replacedBy27(22, 'people'),
  replacedBy27(23, 'people-seen'),
  replacedBy27(24, 'people-indexes'),
  refusedSignInsMigration,
  jobContentsMigration,
  itemsMigration,
  accountLocksMigration,
  formerSecretsMigration,
  secretSettingsMigration,
];
