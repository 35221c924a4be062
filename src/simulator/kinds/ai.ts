import { aiModelHandlers } from '../areas/models/ai-models.ts';
import { humanHandlers } from '../areas/human.ts';
import { storageHandlers } from '../areas/storage.ts';
import { systemHandlers } from '../areas/system.ts';
import { taskHandlers } from '../areas/models/tasks.ts';
import type { Kind } from './kind.ts';

/** Analyzer with engines 1 and 2 and four channels. */
export const ai: Kind = {
  channels: { standard: 4, compact: 2, dual: 4 },
  handlers: { ...systemHandlers, ...aiModelHandlers, ...taskHandlers, ...humanHandlers, ...storageHandlers },
  facts: {
    title: 'Analyzer',
    places: ['Control room', 'Warehouse A', 'Assembly hall', 'Perimeter south', 'Gatehouse'],
    hasPicture: true,
    isRecorder: false,
    proxies: 16,
    networkDisks: 8,
    diskGroups: 4,
  },
};
