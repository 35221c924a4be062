/** People as the rest of the engine knows them. */
export { formatCsvHead, formatCsvLines, formatNdjsonLines } from './export-people.ts';
export { toPersonLine, People } from './people.ts';
export { createPeopleKind } from './people-kind.ts';
