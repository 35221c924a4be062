import type { Migration } from './types.ts';

/** Since when (ISO 8601) a device needs a restart before what was written counts; from jobs that nobody has followed up, too. */
export const restartsMigration: Migration = {
  version: 16,
  name: 'restarts',
  sql: `
    ALTER TABLE devices ADD COLUMN restart_due TEXT;
    UPDATE devices SET restart_due = (
      SELECT max(coalesce(section.result_at, section.intent_at)) FROM job_sections AS section
      JOIN job_devices AS device ON device.job_id = section.job_id AND device.position = section.position
      WHERE section.outcome = 'needs-reboot' AND device.device_id = devices.id
    );
  `,
};
