import { thermalEventHandlers } from '../areas/events.ts';
import { storageHandlers } from '../areas/storage.ts';
import { systemHandlers } from '../areas/system.ts';
import { thermalHandlers } from '../areas/thermal.ts';
import type { Kind } from './kind.ts';

/** Camera with two thermal channels and a storage card. */
export const thermal: Kind = {
  channels: { standard: 2, compact: 1, dual: 2 },
  firstChannel: { dual: 2 },
  handlers: { ...systemHandlers, ...thermalHandlers, ...thermalEventHandlers, ...storageHandlers },
  facts: {
    title: 'Thermal',
    places: [
      'Switch room',
      'Entrance lane 1',
      'Loading dock',
      'Boiler house',
      'Battery store',
      'Entrance lane 2',
      'Transformer yard',
    ],
    hasPicture: true,
    isRecorder: false,
    proxies: 0,
    networkDisks: 8,
    diskGroups: 1,
  },
};
