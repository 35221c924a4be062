import { countingHandlers } from '../areas/counting.ts';
import { storageHandlers } from '../areas/storage.ts';
import { systemHandlers } from '../areas/system.ts';
import type { Kind } from './kind.ts';

/** People counter with one channel and a storage card. */
export const counter: Kind = {
  channels: { standard: 1, compact: 1, dual: 1 },
  handlers: { ...systemHandlers, ...countingHandlers, ...storageHandlers },
  facts: {
    title: 'Counter',
    places: ['Main lobby', 'Shop floor', 'Escalator west', 'Library', 'Bus bay 3'],
    hasPicture: true,
    isRecorder: false,
    proxies: 0,
    networkDisks: 8,
    diskGroups: 1,
  },
};
