/** Guided flows and the records they end with. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import { LANGUAGES } from '../details/languages.ts';
import type {
  DevicePicture,
  ExportedRecord,
  FlowInfo,
  FlowTemplate,
  FlowView,
  RecordSummary,
} from '../flows.ts';
import type { ChainFault, RecordComparison, SealedDocument } from '../report-document.ts';
import { id, shortText, someIds } from './inputs.ts';
import { route, waiting } from './route.ts';

/** A person's answer to a question; the engine checks values against its fields. */
const answer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('values'),
    values: z.record(shortText, z.unknown()),
  }),
  z.object({ kind: z.literal('skip'), reason: z.string().max(2000) }),
  z.object({ kind: z.literal('back') }),
  z.object({ kind: z.literal('leave') }),
]);

export const flowsRoutes = {
  list: route('none').output(type<readonly FlowInfo[]>()),
  /**
   * Begins a flow in which the devices have their turns one after the other; nothing goes to one before a
   * person confirmed it. Throws `not-found`, `not-available` if a device is busy.
   */
  begin: route('none')
    .input(z.object({ flow: shortText, deviceIds: someIds }))
    .output(type<{ jobId: string }>()),
  /** Yields the flow's current state and every change, until it ends. */
  watch: route('none')
    .input(z.object({ jobId: id }))
    .output(eventIterator(type<FlowView>())),
  /** Throws `changed-meanwhile` where the question is another by now; errors of fields have `step.field` as their path. */
  answer: route('none')
    .input(z.object({ jobId: id, token: id, answer }))
    .output(type<{ answered: true }>()),
  /**
   * Draws the current state of the device, with the faults that it reports; nothing if its kind has no drawing. Throws the
   * errors of reading it.
   */
  picture: waiting('none')
    .input(z.object({ deviceId: id }))
    .output(type<Partial<DevicePicture>>()),
  /**
   * Returns the settings that the flow wrote on the device at this position of the job as a template. Throws
   * `not-supported` if a template can hold none of them.
   */
  template: route('none')
    .input(z.object({ jobId: id, position: z.int().min(0) }))
    .output(type<FlowTemplate>()),
  /** Lists the records, newest first. */
  records: route('none').output(type<readonly RecordSummary[]>()),
  /** Finds a record by its id or the beginning of it. Throws `not-found`. */
  record: route('none').input(z.object({ id })).output(type<SealedDocument>()),
  /** Compares two kept records of the same flow. Throws `not-found`, `not-allowed`. */
  compareRecords: route('none')
    .input(z.object({ before: id, after: id }))
    .output(type<RecordComparison>()),
  /** Finds records that were taken out, put in or changed since. */
  checkChain: route('none').output(type<{ readonly faults: readonly ChainFault[] }>()),
  /** Exports the record as a file. */
  exportRecord: waiting('none')
    .input(z.object({ id, format: z.enum(['json', 'html', 'pdf']), language: z.enum(LANGUAGES) }))
    .output(type<ExportedRecord>()),
};
