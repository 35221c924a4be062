/** Every guided flow there is. */
import type { Flow } from './flow.ts';
import { gate } from './gate/gate.ts';
import { storageLock } from './storage-lock/storage-lock.ts';
import { thermal } from './thermal/thermal.ts';
import { tokenKey } from './token-key/token-key.ts';

export function listFlows(): readonly Flow[] {
  return [gate, thermal, storageLock, tokenKey];
}
