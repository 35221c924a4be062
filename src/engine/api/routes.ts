/**
 * Functions of the engine behind the routes of the contract, and some more for the command line and the
 * engine itself.
 */
import type { agreementsRoutes } from '#shared/contract/agreements.ts';
import type { operationsRoutes } from '#shared/contract/interface.ts';
import type {
  credentialsRoutes,
  devicesRoutes,
  discoveryRoutes,
  GiveSignIn,
  profilesRoutes,
  secretsRoutes,
  siteFilesRoutes,
  sitesRoutes,
} from '#shared/contract/inventory.ts';
import type { snapshotsRoutes } from '#shared/contract/snapshots.ts';
import type { InputOf, RouteFunctions } from '#shared/contract/route.ts';
import type { jobsRoutes, openWorkRoutes, plansRoutes, templatesRoutes } from '#shared/contract/work.ts';
import type { SiteFileMerge, WrittenSiteFile } from '#shared/site-file.ts';
import type {
  CallAnswer,
  ConnectionProfile,
  Device,
  DeviceTest,
  JobSummary,
  JobTarget,
  OpenWorkEvent,
  Plan,
  PlanEvent,
  SignInEvent,
  TemplateCheck,
} from '#shared/model.ts';

export type {
  AddDevice,
  DeviceChange,
  DiscoveryOptions,
  GiveSignIn,
  ImportDevices,
} from '#shared/contract/inventory.ts';
export type { CaptureRequest } from '#shared/contract/work.ts';

/** A device named on the command line, with the sign-in given there; kept in memory only. */
interface TransientDevice {
  readonly url: string;
  readonly name?: string;
  readonly profile?: Partial<ConnectionProfile>;
  readonly userName?: string;
  readonly password?: string;
  readonly certificate?: string;
}

/** Does a change, at once or after a question. */
export type Commit = <T>(work: () => T) => T | Promise<T>;
/** Guard that has the changes of a call confirmed, for calls that also send. */
export interface Asker {
  /** `typed`: the saved credential whose password comes with the call. */
  change<T>(work: () => T, typed?: string): T | Promise<T>;
  /** Asks for a change before it is made; gives what then makes it. */
  ahead(work: () => unknown): Promise<Commit>;
}

export interface DevicesApi extends RouteFunctions<typeof devicesRoutes> {
  /** Finds a device by id, exact name or URL. @throws `unknown-device` with the nearest name */
  find(reference: string): Device;
  /** Returns undefined if there is no such device, else acts like `find`. Throws if several have the name. */
  known(reference: string): Device | undefined;
  /**
   * Adds a device for this run, with a stable id from its URL; an inventory device of that URL is returned
   * with the sign-in overlaid.
   */
  addTransient(device: TransientDevice): Device;
  /**
   * `heard` receives the number of finished tests. `learnsKinds`: the test is a side effect of another
   * action, so it does not allow a refused sign-in to be tried again.
   */
  test(
    request: InputOf<typeof devicesRoutes.test> & { readonly learnsKinds?: boolean },
    signal: AbortSignal,
    heard?: (done: number) => void,
  ): Promise<readonly DeviceTest[]>;
  signIn(request: GiveSignIn, signal: AbortSignal, asker?: Asker): AsyncIterable<SignInEvent>;
}

export type SitesApi = RouteFunctions<typeof sitesRoutes>;
export type ProfilesApi = RouteFunctions<typeof profilesRoutes>;
export type CredentialsApi = RouteFunctions<typeof credentialsRoutes>;
export type SecretsApi = RouteFunctions<typeof secretsRoutes>;
export type DiscoveryApi = RouteFunctions<typeof discoveryRoutes>;

/** A place where a saved sign-in may go from now on. */
export interface SignInPlace {
  /** The same only where all of it is the same. */
  readonly key: string;
  readonly credentialId: string;
  readonly label: string;
  readonly userName: string;
  readonly device: string;
  readonly url: string;
  readonly auth: ConnectionProfile['auth'];
  /** Fingerprint that the device has to show. */
  readonly certificate?: string;
}
/** `not-agreed`: nothing was changed; `ahead`: there is no objection, and nothing was changed either. */
export type Guarded<T> =
  | { readonly kind: 'ahead' }
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'not-agreed'; readonly places: readonly SignInPlace[] };

export interface SignInPlaces {
  /**
   * Does `work`, which calls this engine's own synchronous functions, all or nothing. Where a saved sign-in
   * could thereby go to another address, to the holder of another certificate or less protected than before,
   * that has to be `agreed` (by `key`). One that is made by the work itself counts as agreed, and so does
   * `typed`, whose password is given with it. `ahead`: only returns the objections, without doing the work.
   */
  change<T>(
    work: () => T,
    options?: { readonly typed?: string; readonly agreed?: ReadonlySet<string>; readonly ahead?: boolean },
  ): Guarded<T>;
}

/** `raw`: the body is the bytes as they are, and so is that of the answer. */
export type CallRequest = InputOf<typeof operationsRoutes.call> & { readonly raw?: boolean };
/** The method in any case. */
export type RawRequest = Omit<InputOf<typeof operationsRoutes.request>, 'method'> & {
  readonly method: string;
};

export interface OperationsApi extends RouteFunctions<typeof operationsRoutes> {
  call(request: CallRequest, signal: AbortSignal): Promise<CallAnswer>;
  request(request: RawRequest, signal: AbortSignal): Promise<CallAnswer>;
}

export interface TemplatesApi extends RouteFunctions<typeof templatesRoutes> {
  /** `file`: a name for messages only. */
  check(request: InputOf<typeof templatesRoutes.check> & { readonly file?: string }): TemplateCheck;
}

export interface AgreementsApi extends RouteFunctions<typeof agreementsRoutes> {
  /** Returns what is agreed for a device as a template without secrets; undefined where nothing is. @throws `unknown-device` */
  describe(deviceId: string): string | undefined;
  /** Looks at every device once a day, gently, until the engine is closed; `mayLook` says when the computer should rest. */
  lookInBackground(options: {
    readonly mayLook: () => boolean | Promise<boolean>;
    readonly startsAfterMs?: number;
  }): void;
}

export interface OpenWorkApi extends RouteFunctions<typeof openWorkRoutes> {
  /** Does what can be done now, and ends with a summary; `ids`: this work alone; `reverts`: only what puts back changes that were not kept. */
  run(
    request: { readonly ids?: readonly string[]; readonly reverts?: boolean },
    signal: AbortSignal,
  ): AsyncIterable<OpenWorkEvent>;
  /** Does open work as soon as its devices are back, until the engine is closed. */
  doInBackground(): void;
}

/** Writes a file through `work`, and keeps it if `keep` returns true; see `writeFile`. */
type Through = <T>(
  work: (write: (content: Uint8Array) => Promise<void>) => Promise<T>,
  keep: (result: T) => boolean,
) => Promise<T>;

export interface SiteFilesApi {
  /**
   * Writes all of a site, sealed with a passphrase. `secrets`: with sign-ins, keys of devices and what the journal seals;
   * `handOver`: open work goes with the file and is no longer done here. @throws `not-found`, `out-of-range` for a short
   * passphrase, `not-available` while a job works on the site, `vault-locked`
   */
  pack(
    request: InputOf<typeof siteFilesRoutes.pack>,
    through: Through,
    signal: AbortSignal,
  ): Promise<WrittenSiteFile>;
  /**
   * Reads a file whole, keeps what is in it for `merge`, and says what that would do; nothing is changed yet. `siteId`: the site
   * here that it has to be of. @throws `not-allowed` for a wrong passphrase or another site, `unreadable-file` for what is
   * damaged or cut off, `input-too-large`, `not-available` for a newer version
   */
  read(
    file: {
      readonly bytes: AsyncIterable<Uint8Array>;
      readonly size: number;
      readonly passphrase: string;
      readonly siteId?: string;
    },
    signal: AbortSignal,
  ): Promise<SiteFileMerge & { readonly id: string }>;
  /** Merges what was read last, all or nothing. @throws `not-found` if it is not there any more */
  merge(request: { readonly id: string }): SiteFileMerge;
}

export type SnapshotsApi = RouteFunctions<typeof snapshotsRoutes>;

/** `file`: a name for messages only. */
export interface PlanRequest extends Omit<InputOf<typeof plansRoutes.create>, 'valuesByDevice'> {
  readonly file?: string;
  readonly valuesByDevice?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly concurrency?: number;
}
/**
 * `foreignDevices`: allows devices that are not known here; their addresses are named later. With such
 * devices a plan gets no secret from the vault: a name in a file must not send one anywhere.
 */
type PlanImport = InputOf<typeof plansRoutes.importFile> & {
  readonly file?: string;
  readonly foreignDevices?: boolean;
};

export interface PlansApi extends RouteFunctions<typeof plansRoutes> {
  create(request: PlanRequest, signal: AbortSignal): AsyncIterable<PlanEvent>;
  importFile(request: PlanImport, signal: AbortSignal): Promise<Plan>;
  /** Returns a plan created here and not yet forgotten. @throws `plan-outdated` */
  get(id: string): Plan;
}

type JobStart = InputOf<typeof jobsRoutes.start>;

export interface JobsApi extends RouteFunctions<typeof jobsRoutes> {
  /** Lists the newest 500. */
  list(): readonly JobSummary[];
  /** Starts a job from a stored plan, or from a `plan` passed in, which need not equal the stored one. */
  start(request: JobStart | (Omit<JobStart, 'planId'> & { readonly plan: Plan })): {
    readonly jobId: string;
  };
  /** Returns how each device of an ended job is reached, for a face that has to ask for its sign-in. */
  targets(request: { readonly id: string }): readonly JobTarget[];
  /** Yields the text of `export` in pieces to write to a file: memory stays bounded whatever the size. */
  exportParts(request: InputOf<typeof jobsRoutes.export>): Iterable<string>;
}
