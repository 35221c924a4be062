/** Replacement of devices. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import type { ArchivedDevice, ReplacementEvent } from '../replacement.ts';
import { id, someIds } from './inputs.ts';
import { route, waiting } from './route.ts';

export const replacementsRoutes = {
  /**
   * Reads the new device, and people from others; ends with the plan, which is kept for `begin`. Writes nothing. Throws
   * `unknown-device`, `usage` for a device by itself, and what keeps the new device from being read.
   */
  plan: route('none')
    .input(
      z.object({
        oldId: id,
        newId: id,
        /** Devices that people come from; without them the old device if it answers, else the others of its site. */
        peopleFrom: someIds.or(z.array(id).length(0).readonly()).optional(),
      }),
    )
    .output(eventIterator(type<ReplacementEvent>())),
  /** Begins the one job of a plan. Throws `plan-outdated` for a plan that is not kept any more. */
  begin: waiting('ahead')
    .input(z.object({ planId: id }))
    .output(type<{ jobId: string }>()),
  /** Lists the devices that were replaced, the last first. */
  archived: route('none').output(type<readonly ArchivedDevice[]>()),
};
