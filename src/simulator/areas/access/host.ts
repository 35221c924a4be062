/** Host configuration and event optimization (part 2, 2.4 and 2.8). */
import {
  buildEventOptimization,
  buildEventOptimizationLimits,
  buildHostConfig,
} from '#simulator/device-documents/access-host.ts';
import type { Handlers } from '#simulator/handler.ts';
import { createFixedHandler, createStoredHandlers } from '../stored.ts';

export const accessHostHandlers: Handlers = {
  ...createStoredHandlers({ resource: 'accessControl.hostConfig', initial: buildHostConfig }),
  ...createFixedHandler('accessControl.eventOptimization.capabilities.get', buildEventOptimizationLimits),
  ...createStoredHandlers({ resource: 'accessControl.eventOptimization', initial: buildEventOptimization }),
};
