import { storageEventHandlers } from '../areas/events.ts';
import { passbackHandlers } from '../areas/passback.ts';
import { storageHandlers } from '../areas/storage.ts';
import { systemHandlers } from '../areas/system.ts';
import type { Kind } from './kind.ts';

/** Video recorder with 32 channels. */
export const recorder: Kind = {
  channels: { standard: 32, compact: 8, dual: 32 },
  handlers: { ...systemHandlers, ...passbackHandlers, ...storageEventHandlers, ...storageHandlers },
  facts: {
    title: 'Recorder',
    places: ['Rack 1', 'Rack 2', 'Security office', 'Branch office', 'Archive'],
    hasPicture: true,
    isRecorder: true,
    proxies: 32,
    networkDisks: 16,
    diskGroups: 16,
  },
};
