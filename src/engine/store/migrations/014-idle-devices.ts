import type { Migration } from './types.ts';

/**
 * Devices that were chosen for a job and could be given nothing: `idle` is 1, their sections say why.
 * Summaries count devices too, so that those of jobs that have ended are counted anew when they are looked at.
 */
export const idleDevicesMigration: Migration = {
  version: 14,
  name: 'idle-devices',
  sql: `
    ALTER TABLE job_devices ADD COLUMN idle INTEGER NOT NULL DEFAULT 0;
    UPDATE jobs SET totals = NULL;
  `,
};
