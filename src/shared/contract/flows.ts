/** Guided flows and the records they end with. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import { LANGUAGES } from '../details/languages.ts';
import type { ExportedRecord, FlowInfo, FlowTemplate, FlowView, RecordSummary } from '../flows.ts';
import type { ChainFault, Leaf, RecordComparison, SealedDocument } from '../report-document.ts';
import { id, shortText, someIds } from './inputs.ts';
import { route, waiting } from './route.ts';

/** What a person says to a question; the engine checks values against its fields. */
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
   * The devices have their turns one after the other; nothing goes to one before somebody confirmed it. Throws
   * `not-found`, `not-available` where a device is busy.
   */
  begin: route('none')
    .input(z.object({ flow: shortText, deviceIds: someIds }))
    .output(type<{ jobId: string }>()),
  /** The flow as it stands, and again with every change, until it ends. */
  watch: route('none')
    .input(z.object({ jobId: id }))
    .output(eventIterator(type<FlowView>())),
  /** Throws `changed-meanwhile` where the question is another by now; errors of fields have `step.field` as their path. */
  answer: route('none')
    .input(z.object({ jobId: id, token: id, answer }))
    .output(type<{ answered: true }>()),
  /** The device as it stands now, drawn; none where nothing draws its kind. Throws what reading it throws. */
  picture: waiting('none')
    .input(z.object({ deviceId: id }))
    .output(type<{ readonly picture?: Leaf }>()),
  /**
   * What the flow wrote on the device at this place of the job, as a template. Throws `not-supported` where there is
   * nothing that a template can hold.
   */
  template: route('none')
    .input(z.object({ jobId: id, position: z.int().min(0) }))
    .output(type<FlowTemplate>()),
  /** Newest first. */
  records: route('none').output(type<readonly RecordSummary[]>()),
  /** By its id or the beginning of it. Throws `not-found`. */
  record: route('none').input(z.object({ id })).output(type<SealedDocument>()),
  /** What differs between two kept records of the same flow. Throws `not-found`, `not-allowed`. */
  compareRecords: route('none')
    .input(z.object({ before: id, after: id }))
    .output(type<RecordComparison>()),
  /** Whether a kept record was taken out, put in or changed since. */
  checkChain: route('none').output(type<{ readonly faults: readonly ChainFault[] }>()),
  /** The record as a file. */
  exportRecord: waiting('none')
    .input(z.object({ id, format: z.enum(['json', 'html', 'pdf']), language: z.enum(LANGUAGES) }))
    .output(type<ExportedRecord>()),
};
