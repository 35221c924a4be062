export { makeDataDir, openStore, DATABASE_FILE } from './store.ts';
export { requireRoom } from './room.ts';
export type { Store, StoreView } from './store.ts';
export type { Columns, SqlValue } from './rows.ts';
export { readInBatches, groupConsecutive } from './rows.ts';
