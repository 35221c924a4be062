/** Schemas that several routes share; what comes over the wire is bounded here. */
import { z } from 'zod';
import { JOB_STATES } from '../model.ts';

export const id = z.string().min(1).max(64);
export const ids = z.array(id).max(10_000).readonly();
export const someIds = z.array(id).min(1).max(10_000).readonly();
export const shortText = z.string().max(200);
/** Templates and CSV files from elsewhere: bounded before anything reads them. */
export const fileText = z.string().max(2_000_000);

export const profileInput = z
  .object({
    pathPrefix: z
      .string()
      .regex(/^\/[A-Za-z0-9._~/-]*$/)
      .max(100),
    namespace: z.string().max(300).optional(),
    auth: z.enum(['auto', 'digest', 'basic', 'none']),
    deadlineMs: z.number().int().min(200).max(600_000),
    inFlight: z.number().int().min(1).max(8),
  })
  .partial();

export const moment = z.iso.datetime({ offset: true });

/** Devices that cannot be worked on now become open work, until a time at most. */
export const whenBack = z.object({ until: moment.optional() }).optional();
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** Options for beginning, resuming or undoing a job. */
export const jobOptions = z
  .object({
    canary: z.number().int().min(0).max(1000),
    wave: z.number().int().min(0).max(10_000),
    concurrency: z.number().int().min(1).max(256),
    stopAfter: z.number().int().min(1),
    acceptDrift: z.boolean(),
    /** The consent to send stream or receiver passwords unencrypted. */
    allowPlainFields: z.boolean(),
    leaveOutBlocked: z.boolean(),
    wait: z.boolean(),
    whenBack,
    between: z.object({ from: timeOfDay, to: timeOfDay }),
  })
  .partial()
  .optional();
/** Options for beginning a job that writes settings. */
export const applyOptions = jobOptions
  .unwrap()
  .extend({ confirmWithin: z.number().int().min(1).max(86_400).optional() })
  .optional();
/** Values of secret variables: used, never stored with plan or job. What is not given comes from the vault. */
export const secretValues = z.record(z.string(), z.string().max(1000)).readonly().optional();

/** A reviewed plan may hold thousands of devices. */
export const planText = z.string().max(64_000_000);

/** SHA-256 as people paste it. */
export const fingerprint = z.string().min(64).max(120);

export const scopeInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tag'), tag: shortText.min(1) }),
  z.object({ kind: z.literal('site'), siteId: id }),
]);

/** Times between which a job was made, both included, and the page that is wanted. */
const period = {
  from: moment,
  to: moment,
  /** `next` of the page before. */
  after: z.string().max(200),
};

/** Filter for jobs of the journal, newest first; every given field must match. */
export const historyQuery = z
  .object({
    ...period,
    /** Text in title, device name, address, unit, user or id; case does not matter. */
    text: shortText,
    deviceId: id,
    /** Id of a template, for the jobs that applied it. */
    subject: id,
    kind: id,
    states: z.array(z.enum(JOB_STATES)).max(JOB_STATES.length).readonly(),
    /** True to find jobs that a person still has to do something about; they come on one page. */
    open: z.boolean(),
    /** Default 100. */
    limit: z.number().int().min(1).max(500),
  })
  .partial();
export type HistoryQuery = z.infer<typeof historyQuery>;

/** Filter for changes of settings; every given field must match. */
export const changesQuery = z
  .object({
    ...period,
    deviceIds: ids,
    jobId: id,
    /** Number of writes that are looked at; default 50. */
    limit: z.number().int().min(1).max(200),
  })
  .partial();
export type ChangeQuery = z.infer<typeof changesQuery>;

/** Values of a device's path parameters, by name. */
export const params = z.record(z.string().max(100), z.union([z.string().max(2000), z.number()])).readonly();
