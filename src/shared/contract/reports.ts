/** Reports: devices read for them, and the files they become. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import { LANGUAGES } from '../details/languages.ts';
import {
  REPORT_FILE_FORMATS,
  type FileEvent,
  type GatherEvent,
  type MadeDocument,
  type OpenedDocument,
  type PutBack,
  type ReadingEntry,
} from '../reports.ts';
import { handoverDetails, type HandoverDetails } from './handover.ts';
import type { KnownTemplateCheck } from '../model.ts';
import type { SealedDocument } from '../report-document.ts';
import { fileText, id, ids, shortText, someIds } from './inputs.ts';
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
    /** The same of a document that is kept here. */
    documentId: id.optional(),
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
  /** Receipt of a job, which is not kept: it may name people. */
  z.object({ kind: z.literal('receipt'), jobId: id, ...file }),
  z.object({ kind: z.literal('handover'), deviceIds: someIds, details: handoverDetails.optional(), ...file }),
]);
export type ReportRequest = z.infer<typeof reportInput>;

/** Facts of a site for its hand-over, with the cover. */
export interface KeptSiteDetails {
  readonly details: HandoverDetails;
  readonly branding: z.infer<typeof brandingInput>;
}

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
  /**
   * Checks a template as `templates.check` does, against the last reading of each device of its kinds; asks no device.
   */
  checkTemplate: waiting('none')
    .input(z.object({ text: fileText, file: shortText.optional() }))
    .output(type<KnownTemplateCheck>()),
  /** Looks at a document before devices are compared with it: whether it is unchanged, and which devices of the inventory it names. */
  open: waiting('none')
    .input(z.object({ document: base64.optional(), documentId: id.optional() }))
    .output(type<OpenedDocument>()),
  /**
   * Reads a site's details, which only people know, from a YAML or JSON file. Throws `unreadable-file` with
   * the position of the error.
   */
  details: waiting('none')
    .input(z.object({ text: z.string().max(2_000_000) }))
    .output(type<HandoverDetails>()),
  /** Returns the facts that are kept with a site, or with devices without one. A hand-over that brings no details takes them. */
  siteDetails: waiting('none')
    .input(z.object({ siteId: id.optional() }))
    .output(type<KeptSiteDetails>()),
  /** Keeps them; without `branding` the cover stays as it is. */
  saveSiteDetails: waiting('none')
    .input(
      z.object({
        siteId: id.optional(),
        details: handoverDetails,
        branding: brandingInput.optional(),
      }),
    )
    .output(type<KeptSiteDetails>()),
  /** Lists the documents that were made, newest first. */
  documents: waiting('none').output(type<readonly MadeDocument[]>()),
  /** Returns one of them. Throws `not-found`. */
  document: waiting('none').input(z.object({ id })).output(type<SealedDocument>()),
  /** Saves one of them as a file. Throws `not-found`. */
  exportDocument: route('none')
    .input(z.object({ id, format: z.enum(['html', 'pdf', 'json']), language: z.enum(LANGUAGES) }))
    .output(eventIterator(type<FileEvent>())),
  /** Writes the template that sets a device as a kept hand-over document has it, where it differs from its last reading. Throws `not-found`. */
  putBack: waiting('none')
    .input(z.object({ documentId: id, deviceId: id }))
    .output(type<PutBack>()),
  removeDocument: waiting('none').input(z.object({ id })).output(type<{ readonly removed: boolean }>()),
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
