/** Reports: devices read for them, and the files they become. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import { LANGUAGES } from '../details/languages.ts';
import { REPORT_FILE_FORMATS } from '../reports.ts';
import type { FileEvent, GatherEvent, ReadingEntry } from '../reports.ts';
import { id, someIds } from './inputs.ts';
import { route } from './route.ts';

const file = { format: z.enum(REPORT_FILE_FORMATS), language: z.enum(LANGUAGES) };

const reportInput = z.discriminatedUnion('kind', [
  /** `offline`: nobody was asked for it; it says from when everything is. */
  z.object({ kind: z.literal('capabilities'), deviceIds: someIds, offline: z.boolean().optional(), ...file }),
]);
export type ReportRequest = z.infer<typeof reportInput>;

export const reportsRoutes = {
  /**
   * Reads devices: what they report, and what they answer to every harmless read; writes nothing to them. One event a
   * device, which is kept at once; stopping loses only what is under way. Throws `unknown-device`.
   */
  gather: route('none')
    .input(z.object({ deviceIds: someIds }))
    .output(eventIterator(type<GatherEvent>())),
  /** Kept readings, newest first. */
  readings: route('none')
    .input(z.object({ deviceId: id.optional() }))
    .output(type<readonly ReadingEntry[]>()),
  /** A report of what was read last, as a file in parts. Sends nothing to a device. */
  make: route('none').input(reportInput).output(eventIterator(type<FileEvent>())),
};
