/** Agreed state of devices, and drift from it. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import type { DeviceAgreement, DriftGroup, LookEvent, PutRight } from '../agreement.ts';
import { moment, params, shortText, someIds } from './inputs.ts';
import { route } from './route.ts';

/** Differences that get an answer: all of the devices, or those of these sections and settings. */
const choice = z.object({
  deviceIds: someIds,
  settings: z
    .array(
      z.object({
        set: z.string().min(1).max(100).optional(),
        params: params.optional(),
        path: z.string().max(1000).optional(),
      }),
    )
    .max(1000)
    .readonly()
    .optional(),
});

export type DriftChoice = z.infer<typeof choice>;

/** Filter for devices; all of them without one. */
const query = z.object({ deviceIds: someIds.optional() });
export type AgreementQuery = z.infer<typeof query>;

export const agreementsRoutes = {
  /** Returns what is known of the devices, of all without `deviceIds`; sends nothing. Throws `unknown-device`. */
  status: route('none').input(query).output(type<readonly DeviceAgreement[]>()),
  /** Reads the agreed settings of the devices and nothing else, and keeps what it saw. Throws `unknown-device`. */
  look: route('none').input(query).output(eventIterator(type<LookEvent>())),
  /** Returns what differed at the last looks, devices with equal differences together; those put off come last. */
  groups: route('none').output(type<readonly DriftGroup[]>()),
  /** Makes what devices showed at the last look their agreement. Throws `not-found` where nothing of it differs. */
  accept: route('none')
    .input(choice.extend({ reason: shortText.min(1) }))
    .output(type<{ readonly accepted: number }>()),
  /**
   * Puts differences off until a time, by default until the device shows another value; a time that has passed brings
   * them back. Throws `not-found` where nothing of it differs.
   */
  putOff: route('none')
    .input(choice.extend({ until: moment.optional() }))
    .output(type<{ readonly putOff: number }>()),
  /** Returns templates that put right what differed at the last look; devices with equal differences share one. */
  putRight: route('none')
    .input(choice.partial({ deviceIds: true }).extend({ name: shortText.min(1) }))
    .output(type<readonly PutRight[]>()),
};
