/** Devices and the sign-ins they are reached with. */
import type { ErrorShape } from '../errors.ts';
import type { CertificateTrust } from '../trust.ts';

export const DEVICE_KINDS = ['gate', 'thermal', 'ai', 'counter', 'recorder'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

/** A group of devices that a sign-in is given to; one device is named by its own `credentialId`. */
export type CredentialScope =
  { readonly kind: 'tag'; readonly tag: string } | { readonly kind: 'site'; readonly siteId: string };

/**
 * Source of a device's sign-in: its own, else that of its tags, else that of its site. `conflict`: its tags
 * give different sign-ins, so that none is used; a person has to choose, since trying one after the other
 * locks accounts.
 */
export type SignInSource =
  | { readonly kind: 'device' }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'site'; readonly siteId: string }
  | { readonly kind: 'given' }
  | { readonly kind: 'conflict'; readonly tags: readonly string[] };

/** Settings for talking to one device. Placeholders of the specification are settings here. */
export interface ConnectionProfile {
  /** Replaces the leading `/API` of every path of the specification. */
  readonly pathPrefix: string;
  /** Namespace for XML documents that no read preceded; undefined: none is sent. */
  readonly namespace?: string;
  readonly auth: 'auto' | 'digest' | 'basic' | 'none';
  /** Deadline of one request in milliseconds. */
  readonly deadlineMs: number;
  /** Requests under way at once to this device. */
  readonly inFlight: number;
}
export const DEFAULT_PROFILE: ConnectionProfile = {
  pathPrefix: '/API',
  auth: 'auto',
  deadlineMs: 10_000,
  inFlight: 2,
};

type Reach = 'unknown' | 'reachable' | 'unreachable';
export type SignIn = 'unknown' | 'ok' | 'needed' | 'failed' | 'locked';

/** Agreed state of a device in brief, for lists; a device of which nothing is agreed has none. */
export interface AgreementSummary {
  readonly state: 'as-agreed' | 'drifted' | 'unknown';
  /** Number of settings that differ, without those that were put off. */
  readonly differs: number;
  /** Number of differences that were put off; absent where there are none. */
  readonly later?: number;
  /** ISO 8601: when the first of them comes back; absent where they wait for the next change. */
  readonly laterUntil?: string;
  /** ISO 8601: when the agreed settings were last seen. */
  readonly readAt?: string;
  /** ISO 8601: when a look failed since. */
  readonly failedAt?: string;
}

export interface Device {
  readonly id: string;
  readonly name: string;
  /** `http(s)://host:port`, no trailing slash, no user information. */
  readonly url: string;
  /** Kinds by its capabilities, never by its name; undefined until it was asked. */
  readonly kinds: readonly DeviceKind[];
  readonly tags: readonly string[];
  readonly profile: ConnectionProfile;
  /** The sign-in given to this very device, by id. */
  readonly credentialId?: string;
  /** Source of the sign-in in force; absent if it has none. */
  readonly signInFrom?: SignInSource;
  readonly siteId?: string;
  /** SHA-256 fingerprint of its pinned certificate, lower-case hex; undefined: the system's trust decides. */
  readonly certificate?: string;
  /** Reason why that certificate is trusted. */
  readonly trust?: CertificateTrust;
  /** Identity from discovery; undefined if discovery has never seen it. */
  readonly identity?: string;
  readonly reach: Reach;
  /** ISO 8601 time since which `reach` has been so without a gap in the checks. */
  readonly reachSince?: string;
  /**
   * ISO 8601 time of the last check of `reach`. A state that was not checked for a while may have changed.
   */
  readonly checkedAt?: string;
  readonly signIn: SignIn;
  /** ISO 8601: when the device last accepted the sign-in. */
  readonly signInAt?: string;
  /** ISO 8601, last answer of any kind. */
  readonly lastSeen?: string;
  readonly lastError?: ErrorShape;
  /**
   * ISO 8601 time since which writes wait for a restart; absent once it was seen restarted, followed up, or a
   * person confirmed the restart.
   */
  readonly restartDue?: string;
  /** Comparison with what was agreed for it; absent where nothing was agreed. */
  readonly agreement?: AgreementSummary;
  readonly addedAt: string;
}

/** A network of this computer that is gone, and the devices that only it led to. */
export interface LostLink {
  /** Name of the interface; absent where this computer has no network at all. */
  readonly interface?: string;
  /** ISO 8601 */
  readonly since: string;
  readonly deviceIds: readonly string[];
}

/** A round of the checks whether devices are still there is over. */
export interface ReachRound {
  /**
   * Devices asked in the round, without those seen a moment ago. The first event comes before any round, with
   * 0.
   */
  readonly checked: number;
}

export type DeviceEvent =
  | { readonly type: 'all'; readonly devices: readonly Device[] }
  | { readonly type: 'changed'; readonly device: Device }
  | { readonly type: 'removed'; readonly id: string };

/** Result of importing a file of devices. */
export interface DeviceImport {
  readonly added: readonly Device[];
  /** `row` counts lines of the file from 1. */
  readonly failed: readonly {
    readonly row: number;
    readonly cells: readonly string[];
    readonly error: ErrorShape;
  }[];
  /** Ids of those added that the list calls never activated: they have no administrator password yet. */
  readonly notActivated: readonly string[];
  /** Headings of the columns that were not taken. */
  readonly leftOut: readonly string[];
  /** The failed rows as CSV with a column for the reason. */
  readonly failedFile?: string;
}

/** Preview of an import. Known addresses are among the failed rows, as `duplicate-device`. */
export interface DeviceImportPreview extends Pick<DeviceImport, 'failed' | 'leftOut' | 'failedFile'> {
  /** Number of devices that are new. */
  readonly count: number;
  /** First of them, as they would be kept. */
  readonly first: readonly Pick<Device, 'name' | 'url' | 'tags'>[];
}

/** Result of adding several devices. */
export interface DeviceAdditions {
  readonly added: readonly Device[];
  /** `index` counts the devices asked for from 0. */
  readonly failed: readonly { readonly index: number; readonly error: ErrorShape }[];
}

/**
 * Numbers of devices that would lose something with their place in the inventory; jobs stay in the history.
 */
export interface Removal {
  /** They have a credential of their own; it stays saved. */
  readonly credentials: number;
  /** They have tags or a site. */
  readonly places: number;
  /** They have to be restarted before what was written counts, and nothing would say so any more. */
  readonly restarts: number;
  /** The vault keeps a secret made for them: the password of a storage card, a token key. */
  readonly keys: number;
}

/** A sign-in as everyone may see it; the password stays in the vault. */
export interface Credential {
  readonly id: string;
  readonly label: string;
  readonly userName: string;
  /** Number of devices that use it, by their own credential, a tag or a site. */
  readonly devices: number;
  /** Tags and sites it was given to. */
  readonly scopes?: readonly CredentialScope[];
}

/** Result of a sign-in that was tried on devices to be given to them. */
export interface GivenSignIn {
  readonly tests: readonly DeviceTest[];
  /** Credential now in force on devices that accepted it; absent if none did: then nothing was kept. */
  readonly credential?: Credential;
  /** The tag or site keeps what it has: a device that signs in with that, or most of those tried, refused the new one, or none proved it. */
  readonly scopeLeft?: true;
  /** Number of devices whose sign-in changed. */
  readonly changed: number;
}
/** Devices as they were tried, then what was kept. */
export type SignInEvent =
  | { readonly type: 'device'; readonly test: DeviceTest; readonly done: number; readonly total: number }
  | { readonly type: 'given'; readonly given: GivenSignIn };
export interface ChangedCredential {
  readonly credential: Credential;
  /** Devices that were asked; none if no device uses it, or only names changed. */
  readonly tests: readonly DeviceTest[];
}

/** Result of one sign-in attempt. */
export interface DeviceTest {
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  readonly ok: boolean;
  /** Authentication scheme that worked: `digest SHA-256`, `digest MD5`, `basic`, `none`. */
  readonly scheme?: string;
  readonly kinds: readonly DeviceKind[];
  /** Round trips used. */
  readonly requests: number;
  readonly error?: ErrorShape;
}
