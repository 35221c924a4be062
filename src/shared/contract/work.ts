/** Templates, saved states, plans and jobs. */
import { eventIterator, oc, type } from '@orpc/contract';
import { z } from 'zod';
import type { CaptureEvent, TemplateComparison, TemplateVersion, ValuesTable } from '../authoring.ts';
import type { FollowUpDevice, HistoryPage, SavedState, SwapEvent } from '../history.ts';
import type {
  Job,
  JobEvent,
  JobPart,
  Plan,
  PlanEvent,
  PlanPart,
  ResumePreview,
  RetryPreview,
  TemplateCheck,
  TemplateEntry,
  UndoPreview,
} from '../model.ts';
import { fileText, historyQuery, id, ids, jobOptions, planText, secretValues, shortText } from './inputs.ts';

export const templatesRoutes = {
  list: oc.output(type<readonly TemplateEntry[]>()),
  /** `capabilities`: saved reports of devices (the JSON of `operations.capabilities` or of `caps --json`), so that no device is needed. */
  check: oc
    .input(
      z.object({
        text: fileText,
        capabilities: z
          .array(z.object({ file: shortText, text: fileText }))
          .max(50)
          .optional(),
      }),
    )
    .output(type<TemplateCheck>()),
  /** `baseVersion`: the version that was edited; refused with `changed-meanwhile` where a newer one was saved since. */
  save: oc
    .input(
      z.object({
        id: id.optional(),
        text: fileText,
        note: shortText.optional(),
        baseVersion: z.number().int().min(1).optional(),
      }),
    )
    .output(type<TemplateEntry>()),
  remove: oc.input(z.object({ id })).output(type<{ removed: boolean }>()),
  /** Newest first. */
  versions: oc.input(z.object({ id })).output(type<readonly TemplateVersion[]>()),
  version: oc
    .input(z.object({ id, version: z.number().int().min(1) }))
    .output(type<TemplateVersion & { readonly text: string }>()),
  compare: oc.input(z.object({ before: fileText, after: fileText })).output(type<TemplateComparison>()),
  /** Reads a device into a template; without `sections` all that its kinds have. Writes nothing to it, saves nothing. */
  capture: oc
    .input(
      z.object({
        deviceId: id,
        name: shortText.optional(),
        sections: z
          .array(
            z.object({
              set: z.string().min(1).max(100),
              params: z.record(z.string().max(100), z.union([z.string().max(2000), z.number()])).optional(),
            }),
          )
          .min(1)
          .max(500)
          .optional(),
        /** For every section that takes them: one channel instead of all. */
        params: z.record(z.string().max(100), z.union([z.string().max(2000), z.number()])).optional(),
      }),
    )
    .output(eventIterator(type<CaptureEvent>())),
};

/** A device's settings as they are now, kept for the day it dies; secrets are not among them. */
export const statesRoutes = {
  list: oc.output(type<readonly SavedState[]>()),
  save: oc
    .input(z.object({ deviceId: id, name: shortText.optional() }))
    .output(eventIterator(type<CaptureEvent | { readonly type: 'state'; readonly state: SavedState }>())),
  remove: oc.input(z.object({ id })).output(type<{ removed: boolean }>()),
  /** What the state would become on a device, by reading it; writes nothing. */
  swap: oc
    .input(z.object({ stateId: id, deviceId: id, secrets: secretValues }))
    .output(eventIterator(type<SwapEvent>())),
};

export const plansRoutes = {
  /** Reads the devices, writes nothing; ends with the whole plan, which is also kept for `jobs.start`. */
  create: oc
    .input(
      z.object({
        templateText: fileText,
        deviceIds: ids.min(1),
        values: z.record(z.string(), z.unknown()).default({}),
        /** Values of single devices, by id, as text; they win over `values`. */
        valuesByDevice: z.record(id, z.record(z.string().max(100), z.string().max(5000))).optional(),
        /** Values of secret variables: used, never stored with the plan. */
        secrets: z.record(z.string(), z.string().max(1000)).default({}),
      }),
    )
    .output(eventIterator(type<PlanEvent | PlanPart>())),
  /** A plan that is still kept, in the same parts. Throws `plan-outdated`. */
  show: oc.input(z.object({ planId: id })).output(eventIterator(type<PlanEvent | PlanPart>())),
  /** Reads a CSV with one row a device, given as base64 because the engine finds out its encoding. Sends nothing. `given`: variables with a value from elsewhere. */
  readValues: oc
    .input(
      z.object({
        templateText: fileText,
        base64: z.string().max(6_000_000),
        fileName: shortText.optional(),
        given: z.array(shortText).max(300).default([]),
      }),
    )
    .output(type<ValuesTable>()),
  /** A new plan of the job's template for those of its devices that did not get through, with the values they had. */
  retry: oc
    .input(z.object({ jobId: id, deviceIds: ids.min(1).optional(), secrets: secretValues }))
    .output(eventIterator(type<PlanEvent | PlanPart>())),
  /** What has to be asked for before `retry`; from the journal alone. */
  retryPreview: oc
    .input(z.object({ jobId: id, deviceIds: ids.min(1).optional() }))
    .output(type<RetryPreview>()),
  /** The plan as a file to review and to apply elsewhere; holds no secret. */
  exportFile: oc.input(z.object({ planId: id })).output(type<{ text: string; fileName: string }>()),
  /** Reads such a file; its devices have to be known here. Kept for `jobs.start`. */
  importFile: oc.input(z.object({ text: planText })).output(type<Plan>()),
};

export const jobsRoutes = {
  show: oc.input(z.object({ id })).output(type<Job>()),
  start: oc
    .input(
      z.object({
        planId: id,
        deviceIds: ids.optional(),
        /** Values of secret variables again: a plan does not keep them. */
        secrets: z.record(z.string(), z.string().max(1000)).default({}),
        options: jobOptions,
      }),
    )
    .output(type<{ jobId: string }>()),
  /** The job as it stands, then what happens, then its end. */
  watch: oc.input(z.object({ id })).output(eventIterator(type<JobEvent | JobPart>())),
  cancel: oc.input(z.object({ id })).output(type<{ cancelled: boolean }>()),
  /** What is left of a job and which secrets it needs; from the journal alone. */
  resumePreview: oc.input(z.object({ id })).output(type<ResumePreview>()),
  /** `resumed` is false where nothing was left. Goes on under the same id: `watch` it. */
  resume: oc
    .input(z.object({ id, secrets: secretValues, options: jobOptions }))
    .output(type<{ jobId: string; resumed: boolean }>()),
  /** What an undo would put back and what it cannot; from the journal alone. */
  undoPreview: oc.input(z.object({ id, deviceIds: ids.min(1).optional() })).output(type<UndoPreview>()),
  /** A job of its own of kind `undo`; `acceptDrift` also overwrites what others set since on the same fields. */
  undo: oc
    .input(z.object({ id, deviceIds: ids.min(1).optional(), options: jobOptions }))
    .output(type<{ jobId: string }>()),
  /** Hands out no further device until `unpause`; false where it does not run here. */
  pause: oc.input(z.object({ id })).output(type<{ paused: boolean }>()),
  unpause: oc.input(z.object({ id })).output(type<{ paused: boolean }>()),
  /** The journal searched, newest first. */
  search: oc.input(historyQuery).output(type<HistoryPage>()),
  /** What the query finds, whole: one row a change (csv) or one document (json). Secrets are masked. */
  export: oc
    .input(z.object({ query: historyQuery, format: z.enum(['csv', 'json']) }))
    .output(type<{ text: string; fileName: string }>()),
  /** Devices of a job with writes that count only after a restart. */
  rebootPending: oc.input(z.object({ id })).output(type<readonly FollowUpDevice[]>()),
  /** Waits until these devices were restarted and answer again, then reads what they show. Same id: `watch` it. */
  followUp: oc
    .input(
      z.object({
        id,
        deviceIds: ids.min(1).optional(),
        waitSeconds: z.number().int().min(1).max(86_400).optional(),
      }),
    )
    .output(type<{ jobId: string; devices: number }>()),
};
