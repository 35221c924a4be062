/** Agreed state of devices, and drift from it. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import type { DeviceAgreement, LookEvent, PutRight } from '../agreement.ts';
import { id, shortText, someIds } from './inputs.ts';
import { route } from './route.ts';

const set = z.string().min(1).max(100);

export const agreementsRoutes = {
  /** Returns what is known of the devices, of all without `deviceIds`; sends nothing. Throws `unknown-device`. */
  status: route('none')
    .input(z.object({ deviceIds: someIds.optional() }))
    .output(type<readonly DeviceAgreement[]>()),
  /** Reads the agreed settings of the devices and nothing else, and keeps what it saw. Throws `unknown-device`. */
  look: route('none')
    .input(z.object({ deviceIds: someIds.optional() }))
    .output(eventIterator(type<LookEvent>())),
  /**
   * Makes what a device showed at the last look its agreement: all of it, one section, or one setting. Throws
   * `not-found` where nothing of it differs.
   */
  accept: route('none')
    .input(
      z.object({
        deviceId: id,
        set: set.optional(),
        path: z.string().max(1000).optional(),
        reason: shortText.min(1),
      }),
    )
    .output(type<{ readonly accepted: number }>()),
  /** Returns templates that put right what differed at the last look; devices with equal differences share one. */
  putRight: route('none')
    .input(z.object({ name: shortText.min(1), deviceIds: someIds.optional(), set: set.optional() }))
    .output(type<readonly PutRight[]>()),
};
