export { openStore, DATABASE_FILE } from './store.ts';
export type { SqlValue, Store } from './store.ts';
export type { Columns } from './rows.ts';
export { inBatches } from './rows.ts';
