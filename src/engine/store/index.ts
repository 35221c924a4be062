export { openStore, DATABASE_FILE } from './store.ts';
export type { OpenStoreOptions, SqlValue, Store } from './store.ts';
export type { Migration } from './migrations/types.ts';
