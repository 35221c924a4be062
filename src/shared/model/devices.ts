/** Devices and the sign-ins they are reached with. */
import type { ErrorShape } from '../errors.ts';
import type { CertificateTrust } from '../trust.ts';

export const DEVICE_KINDS = ['gate', 'thermal', 'ai', 'counter', 'recorder'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

/** What a sign-in is given to as a whole; one device is named by its own `credentialId`. */
export type CredentialScope =
  { readonly kind: 'tag'; readonly tag: string } | { readonly kind: 'site'; readonly siteId: string };

/**
 * Where the sign-in of a device comes from: its own, else that of its tags, else that of its site.
 * `conflict`: its tags give different sign-ins, so that none is used; a person has to choose, since
 * trying one after the other locks accounts.
 */
export type SignInSource =
  | { readonly kind: 'device' }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'site'; readonly siteId: string }
  | { readonly kind: 'given' }
  | { readonly kind: 'conflict'; readonly tags: readonly string[] };

/** How to talk to one device. Placeholders of the specification are settings here. */
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

export interface Device {
  readonly id: string;
  readonly name: string;
  /** `http(s)://host:port`, no trailing slash, no user information. */
  readonly url: string;
  /** From its capabilities, never from its name; undefined until it was asked. */
  readonly kinds: readonly DeviceKind[];
  readonly tags: readonly string[];
  readonly profile: ConnectionProfile;
  /** The sign-in given to this very device, by id. */
  readonly credentialId?: string;
  /** Where the sign-in in force comes from; absent: it has none. */
  readonly signInFrom?: SignInSource;
  readonly siteId?: string;
  /** SHA-256 fingerprint of its pinned certificate, lower-case hex; undefined: the system's trust decides. */
  readonly certificate?: string;
  /** How that certificate came to be trusted. */
  readonly trust?: CertificateTrust;
  /** Who discovery says it is; undefined: never seen by discovery. */
  readonly identity?: string;
  readonly reach: Reach;
  /** ISO 8601: since when `reach` has been so without a gap in which nobody looked. */
  readonly reachSince?: string;
  /** ISO 8601: when `reach` was last found so. A state that nobody has looked at for a while says what was, not what is. */
  readonly checkedAt?: string;
  readonly signIn: SignIn;
  /** ISO 8601: when the device last accepted the sign-in. */
  readonly signInAt?: string;
  /** ISO 8601, last answer of any kind. */
  readonly lastSeen?: string;
  readonly lastError?: ErrorShape;
  /** ISO 8601: since then it needs a restart before what was written counts; gone once it was seen restarted, followed up, or somebody says so. */
  readonly restartDue?: string;
  readonly addedAt: string;
}

/** A round of the checks whether devices are still there is over. */
export interface ReachRound {
  /** Devices that were asked in it; those heard of a moment ago are not. The first word comes before any round, with 0. */
  readonly checked: number;
}

export type DeviceEvent =
  | { readonly type: 'all'; readonly devices: readonly Device[] }
  | { readonly type: 'changed'; readonly device: Device }
  | { readonly type: 'removed'; readonly id: string };

/** What became of a file of devices. */
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

/** What became of devices that were added together. */
export interface DeviceAdditions {
  readonly added: readonly Device[];
  /** `index` counts the devices asked for from 0. */
  readonly failed: readonly { readonly index: number; readonly error: ErrorShape }[];
}

/** Of how many devices something would be lost with their places in the inventory; what jobs did stays in the history. */
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

/** A sign-in as everybody may see it; the password stays in the vault. */
export interface Credential {
  readonly id: string;
  readonly label: string;
  readonly userName: string;
  /** Devices that use it, by whatever way. */
  readonly devices: number;
  /** Tags and sites it was given to. */
  readonly scopes?: readonly CredentialScope[];
}

/** What became of a sign-in that was tried on devices to be given to them. */
export interface GivenSignIn {
  readonly tests: readonly DeviceTest[];
  /** What is in force now on devices that let it in; absent where none did: then nothing was kept. */
  readonly credential?: Credential;
  /** The tag or site keeps what it has: a device that signs in with that, or most of those tried, refused the new one, or none proved it. */
  readonly scopeLeft?: true;
  /** On how many devices the sign-in is another one. */
  readonly changed: number;
}
/** Devices as they were tried, then what was kept. */
export type SignInEvent =
  | { readonly type: 'device'; readonly test: DeviceTest; readonly done: number; readonly total: number }
  | { readonly type: 'given'; readonly given: GivenSignIn };
export interface ChangedCredential {
  readonly credential: Credential;
  /** Devices that were asked; none where nobody uses it, or names alone changed. */
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
