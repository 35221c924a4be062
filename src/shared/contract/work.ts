/** Templates, plans and jobs. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import type {
  CaptureEvent,
  TemplateComparison,
  TemplateVersion,
  ValuesTable,
} from '../template/authoring.ts';
import type { ChangePage, LastChange, FollowUpDevice, HistoryPage } from '../history.ts';
import type {
  Job,
  JobEvent,
  JobPart,
  KeptChanges,
  OpenWork,
  Plan,
  PlanEvent,
  PlanPart,
  ResumePreview,
  RetryPreview,
  TemplateCheck,
  TemplateEntry,
  UndoPreview,
  WorkEvent,
} from '../model.ts';
import {
  applyOptions,
  changesQuery,
  fileText,
  historyQuery,
  id,
  ids,
  jobOptions,
  params,
  planText,
  secretValues,
  shortText,
  someIds,
} from './inputs.ts';
import { route, waiting } from './route.ts';

/** Id of open work: a job and a place in it. */
const workId = z.string().min(1).max(80);

const captureInput = z.object({
  deviceId: id,
  name: shortText.optional(),
  /** Default: everything the device has. Without `params` every channel, reader, … the device has. */
  sections: z
    .array(z.object({ set: z.string().min(1).max(100), params: params.optional() }))
    .min(1)
    .max(500)
    .readonly()
    .optional(),
  /** Parameters for every section that takes them: one channel instead of all of them. */
  params: params.optional(),
});
export type CaptureRequest = z.infer<typeof captureInput>;

export const templatesRoutes = {
  list: route('none').output(type<readonly TemplateEntry[]>()),
  /**
   * Checks a template against the specification and, if that finds nothing wrong, against saved reports of
   * devices (the JSON of `operations.capabilities` or of `caps --json`), so that no device is needed; throws
   * `unreadable-file` if one is no report.
   */
  check: route('none')
    .input(
      z.object({
        text: fileText,
        capabilities: z
          .array(z.object({ file: shortText, text: fileText }))
          .max(50)
          .readonly()
          .optional(),
      }),
    )
    .output(type<TemplateCheck>()),
  /** Saves a new version; throws `changed-meanwhile` where `baseVersion`, which was edited, is not the newest, `not-found`, `invalid-template`. */
  save: route('none')
    .input(
      z.object({
        id: id.optional(),
        text: fileText,
        note: shortText.optional(),
        baseVersion: z.number().int().min(1).optional(),
      }),
    )
    .output(type<TemplateEntry>()),
  remove: route('none').input(z.object({ id })).output(type<{ removed: boolean }>()),
  /** Lists the versions, newest first; throws `not-found`. */
  versions: route('none').input(z.object({ id })).output(type<readonly TemplateVersion[]>()),
  version: route('none')
    .input(z.object({ id, version: z.number().int().min(1) }))
    .output(type<TemplateVersion & { readonly text: string }>()),
  /** Compares two texts, which have to be readable templates; throws `invalid-template`. */
  compare: route('none')
    .input(z.object({ before: fileText, after: fileText }))
    .output(type<TemplateComparison>()),
  /**
   * Returns the text with one change inside a section, such as a plan offers in `fixes`; saves nothing. Throws
   * `invalid-template` if the change cannot be written there alone.
   */
  changeSection: route('none')
    .input(
      z.object({
        text: fileText,
        index: z.number().int().min(0).max(10_000),
        path: z
          .string()
          .max(1000)
          .regex(/^(?:clamp|optional|(?:value|change)[.[].+)$/),
        value: z.union([z.string().max(1000), z.number(), z.boolean()]),
      }),
    )
    .output(type<{ text: string }>()),
  /** Reads a device into a template; writes nothing to it, saves nothing. Secrets are never captured. */
  capture: route('none').input(captureInput).output(eventIterator(type<CaptureEvent>())),
};

export const plansRoutes = {
  /**
   * Reads the devices, writes nothing; ends with the whole plan, which is also kept for `jobs.start`. Throws with
   * `others` where template or values are wrong; nothing is sent then.
   */
  create: route('none')
    .input(
      z.object({
        templateText: fileText,
        deviceIds: someIds,
        values: z.record(z.string(), z.unknown()).readonly().optional(),
        /** Values of single devices, by id, as text; they win over `values`. */
        valuesByDevice: z
          .record(id, z.record(z.string().max(100), z.string().max(5000)).readonly())
          .readonly()
          .optional(),
        secrets: secretValues,
      }),
    )
    .output(eventIterator(type<PlanEvent | PlanPart>())),
  /** Yields a plan that is still kept, in the same parts. Throws `plan-outdated`. */
  show: route('none')
    .input(z.object({ planId: id }))
    .output(eventIterator(type<PlanEvent | PlanPart>())),
  /**
   * Reads a CSV with one row a device against a template and the inventory, given as base64 because the engine finds
   * out its encoding. Sends nothing. `given`: variables with a value from elsewhere. Throws `invalid-template`; what is
   * wrong with the file is in the answer.
   */
  readValues: route('none')
    .input(
      z.object({
        templateText: fileText,
        base64: z.string().max(6_000_000),
        fileName: shortText.optional(),
        given: z.array(shortText).max(300).readonly().optional(),
      }),
    )
    .output(type<ValuesTable>()),
  /**
   * Makes a new plan of the job's template for those of its devices that did not get through, with the values
   * they had; a device without such a setting only if it is named. Throws `not-found`, `not-allowed` if no
   * device remains.
   */
  retry: route('none')
    .input(z.object({ jobId: id, deviceIds: someIds.optional(), secrets: secretValues }))
    .output(eventIterator(type<PlanEvent | PlanPart>())),
  /** Lists the secrets to ask for before `retry`; from the journal alone. Throws like `retry`. */
  retryPreview: route('none')
    .input(z.object({ jobId: id, deviceIds: someIds.optional() }))
    .output(type<RetryPreview>()),
  /** Exports the plan as a file to review and to apply elsewhere; holds no secret. Throws `plan-outdated`. */
  exportFile: route('none')
    .input(z.object({ planId: id }))
    .output(type<{ text: string; fileName: string }>()),
  /**
   * Reads such a file: bounded, validated, then treated as untrusted. It gets an id of its own and is kept for
   * `jobs.start`. Devices are found by id and address; one that is not known here has `unknown-device` and gets nothing.
   * Rejects with `unknown-device` where none is known.
   */
  importFile: waiting('none')
    .input(z.object({ text: planText }))
    .output(type<Plan>()),
};

/** Work of jobs that waits until a device is back, or a person decides. */
export const openWorkRoutes = {
  /** Lists it, that of the oldest job first; sends nothing. */
  list: route('none').output(type<readonly OpenWork[]>()),
  /** Begins some of it at once; returns the jobs that go on. Throws `not-found`. */
  doNow: route('send')
    .input(z.object({ ids: z.array(workId).min(1).max(10_000).readonly() }))
    .output(type<{ readonly jobs: readonly string[] }>()),
  /** Gives one up, for a reason that the journal keeps. Throws `not-found`. */
  drop: route('none')
    .input(z.object({ id: workId, reason: shortText.trim().min(1) }))
    .output(type<{ readonly dropped: string }>()),
};

export const jobsRoutes = {
  /** Returns the job with this id; a unique prefix is enough for every job. Throws `not-found`. */
  show: route('none').input(z.object({ id })).output(type<Job>()),
  /**
   * Journals and starts a job, which goes on without a watcher. `deviceIds` have a turn, by default all of
   * the plan; a device to which nothing can be sent (blocked, unreadable, without such a setting) has none
   * and stays in the job with the reason. Throws `plan-outdated`, and `not-available` if another job still
   * has to work on one of the devices, here or in another process, unless `options.wait`: then it waits for
   * its turn (state `waiting`) and starts by itself; so do `resume` and `undo`.
   */
  start: route('send')
    .input(
      z.object({
        planId: id,
        deviceIds: ids.optional(),
        /** Values of secret variables again: a plan does not keep them. */
        secrets: secretValues,
        options: applyOptions,
      }),
    )
    .output(type<{ jobId: string }>()),
  /**
   * Yields all running or waiting jobs, also of other processes on this data folder, then all of them again
   * after each change; `ended`: those that ended since.
   */
  watchAll: route('none').output(eventIterator(type<WorkEvent>())),
  /** Yields the job's current state, then its events, then its end. */
  watch: route('none').input(z.object({ id })).output(eventIterator(type<JobEvent | JobPart>())),
  /** Lets what is under way finish its read-back, starts nothing more; the rest stays pending. False where it does not run here. */
  cancel: route('none').input(z.object({ id })).output(type<{ cancelled: boolean }>()),
  /** Returns the remaining work of a job and the secrets it needs; from the journal alone. */
  resumePreview: route('none').input(z.object({ id })).output(type<ResumePreview>()),
  /**
   * Ends a job that another program seems to be at work on, so that it can be resumed here: that program may be gone
   * without a trace. If it is not, it begins nothing more. `taken` is false for a job that has ended. Throws
   * `not-available` for one that runs here.
   */
  takeOver: route('none').input(z.object({ id })).output(type<{ taken: boolean }>()),
  /**
   * Finishes the remaining work of a job, under the same id: devices whose turn did not come, and writes with
   * an unknown outcome, which are settled by reading first. `resumed` is false if nothing remained. Throws
   * `not-available` while the job is worked on, and if a secret is missing or differs from the one before;
   * nothing was sent then. `options` override those of the start, but drift is only accepted when it is
   * confirmed anew.
   */
  resume: route('send')
    .input(z.object({ id, secrets: secretValues, options: jobOptions }))
    .output(type<{ jobId: string; resumed: boolean }>()),
  /**
   * Returns the values an undo would put back, and those it cannot; from the journal alone. Throws
   * `unknown-device`.
   */
  undoPreview: route('none')
    .input(z.object({ id, deviceIds: someIds.optional() }))
    .output(type<UndoPreview>()),
  /**
   * Puts back what the job found on its devices, as a job of its own of kind `undo`; with `acceptDrift` also where others
   * set the same fields since. `only`: one setting of one unit, as `changes` names it; everything else on the device stays
   * as it is. Throws `not-allowed` where nothing can be undone, `not-available` while the job is worked on.
   */
  undo: route('send')
    .input(
      z.object({
        id,
        deviceIds: someIds.optional(),
        only: z.object({ index: z.int().min(0), path: z.string().min(1).max(2000) }).optional(),
        options: jobOptions,
      }),
    )
    .output(type<{ jobId: string }>()),
  /** Hands out no further device until `unpause`; what is under way ends. False where it does not run here. */
  pause: route('none').input(z.object({ id })).output(type<{ paused: boolean }>()),
  /**
   * Keeps what a job with `confirmWithin` changed, where a fresh connection with a fresh sign-in works; the rest is still put
   * back when its time is over. Throws `not-allowed` if nothing is left to be kept, `not-available` while the job writes.
   */
  confirm: waiting('none').input(z.object({ id })).output(type<KeptChanges>()),
  /** Continues a paused job. Returns false if it was not paused. */
  unpause: route('none').input(z.object({ id })).output(type<{ unpaused: boolean }>()),
  /** Searches the journal, newest first. */
  search: route('none').input(historyQuery).output(type<HistoryPage>()),
  /**
   * Exports everything that the query finds (its `limit` and `after` do not count), of one device that device
   * alone: one row a change (csv, safe to open in a spreadsheet) or one document (json). Secrets are masked.
   */
  export: route('none')
    .input(z.object({ query: historyQuery, format: z.enum(['csv', 'json']) }))
    .output(type<{ text: string; fileName: string }>()),
  /** Lists the settings that jobs changed, newest first: of all devices, of some, or of one. */
  changes: route('none').input(changesQuery).output(type<ChangePage>()),
  /** Returns the last change of each device that jobs ever changed. */
  lastChanges: route('none')
    .input(z.object({ deviceIds: z.array(id).max(100).readonly() }))
    .output(type<readonly LastChange[]>()),
  /** Lists devices of a job with writes that count only after a restart. */
  rebootPending: route('none').input(z.object({ id })).output(type<readonly FollowUpDevice[]>()),
  /**
   * Waits (default: 10 min) until these devices were restarted and answer again, reads their values and
   * settles the outcome, under the same id. A device that showed the new values right after the write has to
   * be seen going offline first. Throws `not-allowed` if no device waits for a restart.
   */
  followUp: route('none')
    .input(
      z.object({
        id,
        deviceIds: someIds.optional(),
        waitSeconds: z.number().int().min(1).max(86_400).optional(),
      }),
    )
    .output(type<{ jobId: string; devices: number }>()),
};
