import type { Migration } from './types.ts';

/** What became of a row on every device, and of a person on one, without reading all the others. */
export const peopleIndexesMigration: Migration = {
  version: 24,
  name: 'people-indexes',
  sql: `
    CREATE INDEX people_results_by_row ON people_results(work_id, row, device);
    CREATE INDEX people_rows_by_number ON people_rows(work_id, employee_no);`,
};
