/** Reports: devices read for them, and the files they become. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import { LANGUAGES } from '../details/languages.ts';
import {
  REPORT_FILE_FORMATS,
  type FileEvent,
  type GatherEvent,
  type OpenedDocument,
  type ReadingEntry,
} from '../reports.ts';
import { handoverDetails, type HandoverDetails } from './handover.ts';
import { id, ids, someIds } from './inputs.ts';
import { route, waiting } from './route.ts';

const line = z.string().max(200);
/** Company and logo (PNG or JPEG in base64) of the company that hands over. */
export const brandingInput = z.strictObject({
  company: line.optional(),
  lines: z.array(line).max(10).readonly().optional(),
  logo: z.string().max(600_000).optional(),
});
const file = {
  format: z.enum(REPORT_FILE_FORMATS),
  language: z.enum(LANGUAGES),
  branding: brandingInput.optional(),
};
/** A document that was handed over. */
const base64 = z.string().max(90_000_000);

const reportInput = z.discriminatedUnion('kind', [
  /** `offline`: no device was asked; the report gives the date of each reading. */
  z.object({ kind: z.literal('capabilities'), deviceIds: someIds, offline: z.boolean().optional(), ...file }),
  /**
   * Devices with each other; with `since` each with its kept reading at that time, with `document` with what a
   * hand-over document says of them (its hash is verified first). Differences, or with `all` everything.
   */
  z.object({
    kind: z.literal('comparison'),
    deviceIds: someIds,
    since: z.iso.datetime({ offset: true }).optional(),
    document: base64.optional(),
    all: z.boolean().optional(),
    ...file,
  }),
  /** Reads the chosen operations of the devices (GETs alone), and tells them as they may be shown. */
  z.object({
    kind: z.literal('diagnostics'),
    deviceIds: ids,
    operations: z.array(z.string().max(100)).max(20).readonly().optional(),
    ...file,
  }),
  z.object({ kind: z.literal('handover'), deviceIds: someIds, details: handoverDetails.optional(), ...file }),
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
  /** Lists the kept readings, newest first. */
  readings: waiting('none')
    .input(z.object({ deviceId: id.optional() }))
    .output(type<readonly ReadingEntry[]>()),
  /** Looks at a document before devices are compared with it: whether it is unchanged, and which devices of the inventory it names. */
  open: waiting('none')
    .input(z.object({ document: base64 }))
    .output(type<OpenedDocument>()),
  /**
   * Reads a site's details, which only people know, from a YAML or JSON file. Throws `unreadable-file` with
   * the position of the error.
   */
  details: waiting('none')
    .input(z.object({ text: z.string().max(2_000_000) }))
    .output(type<HandoverDetails>()),
  /** Returns such a file to be filled in. */
  exampleDetails: waiting('none')
    .input(z.object({ language: z.enum(LANGUAGES) }))
    .output(type<{ readonly fileName: string; readonly text: string }>()),
  /**
   * Makes a report of the last readings, as a file in parts. Sends nothing to a device but the reads of a
   * diagnosis. Throws `unreadable-file` for a document that is none, or was changed.
   */
  make: route('none').input(reportInput).output(eventIterator(type<FileEvent>())),
};
