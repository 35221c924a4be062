/** Every guided flow there is. */
import type { Flow } from './flow.ts';
import { storageLock } from './storage-lock/storage-lock.ts';
import { thermal } from './thermal/thermal.ts';
import { tokenKey } from './token-key/token-key.ts';

export const FLOWS: readonly Flow[] = [thermal, storageLock, tokenKey];
