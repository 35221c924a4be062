/** Fingerprints. No answer holds a template: a page never has one. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import {
  MOST_FINGERS,
  MOST_READERS,
  type EnrolEvent,
  type PrintOnDevice,
  type PrintResult,
} from '../people/fingerprints.ts';
import { id } from './inputs.ts';
import { route, waiting } from './route.ts';

const employeeNo = z.string().min(1).max(32);
const reader = z.number().int().min(1).max(MOST_READERS);

export const printsRoutes = {
  /** Returns the fingers of a person on a device, with their readers. */
  held: waiting('none')
    .input(z.object({ deviceId: id, employeeNo }))
    .output(type<readonly PrintOnDevice[]>()),
  /**
   * Waits until the finger was put on at the terminal and brings it to the other readers. A reader that
   * disconnects ends it: the terminal is asked once more and its earlier state restored. Throws `timeout` if
   * no finger was put on, `not-available` if another enrolment runs there already.
   */
  enrol: route('none')
    .input(
      z.object({
        employeeNo,
        fingerPrintID: z.number().int().min(1).max(MOST_FINGERS),
        at: z.object({ deviceId: id, reader }),
        targets: z
          .array(z.object({ deviceId: id, readers: z.array(reader).min(1).max(MOST_READERS).readonly() }))
          .max(500)
          .readonly(),
        anew: z.boolean().optional(),
        waitSeconds: z.number().int().min(1).max(600).optional(),
      }),
    )
    .output(eventIterator(type<EnrolEvent>())),
  /** Yields the result of each fingerprint of a job until it has ended. Throws `not-found`. */
  results: route('none')
    .input(z.object({ jobId: id }))
    .output(eventIterator(type<PrintResult>())),
};
