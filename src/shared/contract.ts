/**
 * Every route between a face and the engine: its input as a schema, its answer as a type. One
 * contract for Electron and the browser; `rpc/` implements it, the renderer's client follows it.
 */
import { oc, eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import type { DiscoveryEvent, DoctorReport } from './discovery.ts';
import type {
  AppInfo, CallAnswer, Credential, Device, DeviceCapabilities, DeviceEvent, DeviceTest, Job, JobEvent, JobSummary,
  PlanEvent, ResumePreview, TemplateCheck, TemplateEntry, UndoPreview,
} from './model.ts';

const id = z.string().min(1).max(64);
const ids = z.array(id).max(10_000);
const shortText = z.string().max(200);
/** Templates and CSV files from elsewhere: bounded before anything reads them. */
const fileText = z.string().max(2_000_000);

export const profileInput = z.object({
  pathPrefix: z.string().regex(/^\/[A-Za-z0-9._~/-]*$/).max(100),
  namespace: z.string().max(300).optional(),
  auth: z.enum(['auto', 'digest', 'basic', 'none']),
  deadlineMs: z.number().int().min(200).max(600_000),
  inFlight: z.number().int().min(1).max(8),
}).partial();

/** How a job is begun, resumed or undone. */
const jobOptions = z.object({
  canary: z.number().int().min(0).max(1000), wave: z.number().int().min(0).max(10_000),
  concurrency: z.number().int().min(1).max(256), stopAfter: z.number().int().min(1),
  acceptDrift: z.boolean(),
}).partial();
/** Resuming and undoing also take the consent to send stream or receiver passwords unencrypted. */
const continueOptions = jobOptions.extend({ allowPlainFields: z.boolean().optional() }).default({});
/** Values of secret variables: used, never stored with plan or job. */
const secretValues = z.record(z.string(), z.string().max(1000)).default({});

/** A search on the network; what an address or a range may be is checked by the engine. */
const discoveryInput = z.object({
  seconds: z.number().positive().max(3600),
  mdns: z.boolean(),
  interfaces: z.array(z.string().min(1).max(100)).min(1).max(16),
  sweep: z.object({ cidr: z.string().min(1).max(50), force: z.boolean().optional(), ports: z.array(z.number().int().min(1).max(65_535)).min(1).max(8).optional() }),
  addresses: z.array(z.string().min(1).max(300)).max(100),
  prefixes: z.array(z.string().min(1).max(100)).min(1).max(4),
  doctor: z.boolean(),
}).partial().default({});

export const contract = {
  app: {
    info: oc.output(type<AppInfo>()),
    /** Starts a simulated site in this process and adds its devices, signed in. */
    startSimulatedSite: oc.input(z.object({ devices: z.number().int().min(1).max(200) })).output(type<{ added: number }>()),
    unlockVault: oc.input(z.object({ passphrase: z.string().min(1).max(1000) })).output(type<AppInfo>()),
  },
  devices: {
    list: oc.output(type<readonly Device[]>()),
    /** First everything, then what changes. */
    watch: oc.output(eventIterator(type<DeviceEvent>())),
    add: oc.input(z.object({ address: z.string().min(1).max(300), name: shortText.optional(), tags: z.array(shortText).max(50).optional(), credentialId: id.optional(), profile: profileInput.optional(), identity: z.string().min(1).max(300).optional() })).output(type<Device>()),
    update: oc.input(z.object({ id, address: z.string().min(1).max(300).optional(), name: shortText.optional(), tags: z.array(shortText).max(50).optional(), credentialId: id.nullable().optional(), profile: profileInput.optional(), identity: z.string().min(1).max(300).optional() })).output(type<Device>()),
    remove: oc.input(z.object({ ids })).output(type<{ removed: number }>()),
    /** One sign-in attempt per device; this is the user action that lifts a pause. */
    test: oc.input(z.object({ ids })).output(type<readonly DeviceTest[]>()),
  },
  discovery: {
    /** Devices as they are seen, change and vanish; without `seconds` until the reader goes away. */
    watch: oc.input(discoveryInput).output(eventIterator(type<DiscoveryEvent>())),
    /** Searches and says what was tried, what blocks and what to do next. */
    doctor: oc.input(discoveryInput).output(type<DoctorReport>()),
  },
  /**
   * One operation on one device. Secrets and biometric data in an answer are masked before they get
   * here, and a body that holds the mask (`MASK` of exchange.ts) is refused: it would be written as it is.
   */
  operations: {
    call: oc.input(z.object({
      deviceId: id,
      operation: z.string().min(1).max(100),
      params: z.record(z.string().max(100), z.union([z.string().max(2000), z.number()])).optional(),
      /** A value in the shape of the definition. */
      body: z.unknown().optional(),
      /** Consent to send a user name or password readable over plain HTTP, for this call alone. */
      allowPlainFields: z.boolean().optional(),
      /** Adds the redacted request and answer, to the answer or to the error. */
      trace: z.boolean().optional(),
    })).output(type<CallAnswer>()),
    capabilities: oc.input(z.object({ deviceId: id, probe: z.boolean().optional(), documents: z.boolean().optional() })).output(type<DeviceCapabilities>()),
    /** Text as it is to a path below the device's prefix; `raw` of the answer is its body, redacted. */
    request: oc.input(z.object({
      deviceId: id,
      method: z.enum(['GET', 'PUT', 'POST', 'DELETE']),
      path: z.string().min(1).max(4000),
      body: fileText.optional(),
      contentType: z.string().min(1).max(200).optional(),
      trace: z.boolean().optional(),
    })).output(type<CallAnswer>()),
  },
  credentials: {
    list: oc.output(type<readonly Credential[]>()),
    /** The only route a password travels, and only inwards. */
    save: oc.input(z.object({ id: id.optional(), label: shortText, userName: shortText, password: z.string().max(500), deviceIds: ids.optional() })).output(type<Credential>()),
    assign: oc.input(z.object({ credentialId: id.nullable(), deviceIds: ids })).output(type<{ changed: number }>()),
    remove: oc.input(z.object({ id })).output(type<{ removed: boolean }>()),
  },
  templates: {
    list: oc.output(type<readonly TemplateEntry[]>()),
    check: oc.input(z.object({ text: fileText })).output(type<TemplateCheck>()),
    save: oc.input(z.object({ id: id.optional(), text: fileText })).output(type<TemplateEntry>()),
  },
  plans: {
    /** Reads the devices, writes nothing; ends with the whole plan, which is also kept for `jobs.start`. */
    create: oc.input(z.object({
      templateText: fileText,
      deviceIds: ids.min(1),
      values: z.record(z.string(), z.unknown()).default({}),
      /** Values of secret variables: used, never stored with the plan. */
      secrets: z.record(z.string(), z.string().max(1000)).default({}),
    })).output(eventIterator(type<PlanEvent>())),
  },
  jobs: {
    list: oc.output(type<readonly JobSummary[]>()),
    show: oc.input(z.object({ id })).output(type<Job>()),
    start: oc.input(z.object({
      planId: id,
      deviceIds: ids.optional(),
      /** Values of secret variables again: a plan does not keep them. */
      secrets: z.record(z.string(), z.string().max(1000)).default({}),
      options: jobOptions.default({}),
    })).output(type<{ jobId: string }>()),
    /** The job as it stands, then what happens, then its end. */
    watch: oc.input(z.object({ id })).output(eventIterator(type<JobEvent>())),
    cancel: oc.input(z.object({ id })).output(type<{ cancelled: boolean }>()),
    /** What is left of a job and which secrets it needs; from the journal alone. */
    resumePreview: oc.input(z.object({ id })).output(type<ResumePreview>()),
    /** `resumed` is false where nothing was left. Goes on under the same id: `watch` it. */
    resume: oc.input(z.object({ id, secrets: secretValues, options: continueOptions })).output(type<{ jobId: string; resumed: boolean }>()),
    /** What an undo would put back and what it cannot; from the journal alone. */
    undoPreview: oc.input(z.object({ id, deviceIds: ids.min(1).optional() })).output(type<UndoPreview>()),
    /** A job of its own of kind `undo`; `acceptDrift` also overwrites what others set since on the same fields. */
    undo: oc.input(z.object({ id, deviceIds: ids.min(1).optional(), options: continueOptions })).output(type<{ jobId: string }>()),
  },
};
export type Contract = typeof contract;
