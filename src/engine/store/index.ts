export { openStore, DATABASE_FILE } from './store.ts';
export type { SqlValue, Store } from './store.ts';
