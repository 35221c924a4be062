import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../api/host.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  delay: async (ms, signal) => {
    await wait(ms, undefined, signal === undefined ? {} : { signal });
  },
};
