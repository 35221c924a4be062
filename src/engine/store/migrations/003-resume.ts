import type { Migration } from './types.ts';

/**
 * What resuming and undoing need: how to reach devices that are in no inventory, the state that was
 * confirmed, and the documents as sent and as shown afterwards (`after_known`: read back; then
 * `after_document` is null where the device shows exactly what was sent). Documents of a row are
 * sealed together, see `before_sealed`. `owner_started` tells a process from a later one of its number.
 */
export const resumeMigration: Migration = {
  version: 3,
  name: 'resume',
  sql: `
    ALTER TABLE jobs ADD COLUMN owner_started TEXT;
    ALTER TABLE jobs ADD COLUMN undo_of TEXT;
    ALTER TABLE jobs ADD COLUMN backwards INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE jobs ADD COLUMN secrets_check BLOB;

    ALTER TABLE job_devices ADD COLUMN connection TEXT;
    ALTER TABLE job_devices ADD COLUMN source_position INTEGER;

    ALTER TABLE job_sections ADD COLUMN confirmed TEXT;
    ALTER TABLE job_sections ADD COLUMN sent_document BLOB;
    ALTER TABLE job_sections ADD COLUMN after_document BLOB;
    ALTER TABLE job_sections ADD COLUMN after_known INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE job_sections ADD COLUMN note TEXT;
  `,
};
