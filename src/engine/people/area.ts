/** People as the rest of the engine knows them. */
export { csvHead, csvLines, ndjsonLines } from './export-people.ts';
export { lineOf, People } from './people.ts';
export { peopleKind } from './people-kind.ts';
