/** Host configuration and event optimization (part 2, 2.4 and 2.8). */
import {
  eventOptimization,
  eventOptimizationLimits,
  hostConfig,
} from '#simulator/device-documents/access-host.ts';
import type { Handlers } from '#simulator/handler.ts';
import { fixedHandler, storedHandlers } from '../stored.ts';

export const accessHostHandlers: Handlers = {
  ...storedHandlers({ resource: 'accessControl.hostConfig', initial: hostConfig }),
  ...fixedHandler('accessControl.eventOptimization.capabilities.get', eventOptimizationLimits),
  ...storedHandlers({ resource: 'accessControl.eventOptimization', initial: eventOptimization }),
};
