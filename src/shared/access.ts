/** Sites, sign-ins and named connection profiles: who may get in where, and how. No secret is in here. */
import type { ConnectionProfile, Credential, Device } from './model.ts';
import type { CredentialScope } from './model/devices.ts';

export type { CredentialScope, SignInSource } from './model/devices.ts';

/** A place of work: devices belong to at most one. */
export interface Site {
  readonly id: string;
  readonly name: string;
  readonly devices: number;
  /** Sign-in of every device of the site that has none of its own or of its tags. */
  readonly credentialId?: string;
}

/** Returns the saved sign-in that a device uses, its own or that of a tag or site. */
export function signInInForce(
  device: Pick<Device, 'credentialId' | 'signInFrom'>,
  credentials: readonly Credential[],
): Credential | undefined {
  const { signInFrom: from } = device;
  if (from?.kind === 'device') return credentials.find(({ id }) => id === device.credentialId);
  if (from?.kind === 'tag')
    return credentials.find(({ scopes }) =>
      scopes?.some((scope) => scope.kind === 'tag' && scope.tag === from.tag),
    );
  if (from?.kind === 'site')
    return credentials.find(({ scopes }) =>
      scopes?.some((scope) => scope.kind === 'site' && scope.siteId === from.siteId),
    );
  return undefined;
}

/**
 * A secret of templates in the vault: the value for a template's variable of this name. It is never shown.
 */
export interface SavedSecret {
  readonly name: string;
  /** ISO 8601. */
  readonly changedAt: string;
}

/** Types of services under which devices announce themselves: as web pages, and under one of their own. */
export const DEFAULT_SERVICES: readonly string[] = ['_http._tcp', '_https._tcp', '_psia._tcp'];
/** RFC 6763, 7; web services use TCP. */
export const SERVICE_TYPE = /^_[a-z0-9](?:[a-z0-9-]{0,13}[a-z0-9])?\._tcp$/i;

/** A connection profile with a name, to give to devices and to search with. */
export interface NamedProfile {
  readonly id: string;
  readonly name: string;
  readonly profile: ConnectionProfile;
  /** Ports where such devices are looked for, beside that of an address. */
  readonly ports: readonly number[];
  /** Types of services under which such devices announce themselves: `_http._tcp`. */
  readonly services: readonly string[];
  /** New devices get it unless another is named; exactly one has it. */
  readonly isDefault: boolean;
}

/**
 * State of a secret that only this product knows. `pending`: new, not yet confirmed by a readable answer of the device.
 * `current`: in force, according to the device. `former`: older than the current one, and possibly still in force; removed
 * once the current one is proved to work, or is replaced itself.
 */
export type KeyState = 'pending' | 'current' | 'former';

/** Secret of a device that a guided flow made, without its value. */
export interface DeviceKey {
  readonly deviceId: string;
  /** Name of the device, or its id if nothing else is known of it. */
  readonly device: string;
  readonly address?: string;
  readonly name: string;
  readonly state: KeyState;
  /** True for a pending secret that was sent: the device may have it. */
  readonly sent?: true;
  /** ISO 8601. */
  readonly changedAt: string;
  /** Settings sent along with it, which are no secret: rounds, length and mode of a token key. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** One way of reaching a device that was tried without a sign-in. */
export interface ProbeFinding {
  /** `http(s)://host:port`. */
  readonly url: string;
  readonly pathPrefix: string;
  /** Profiles with this prefix. */
  readonly profileIds: readonly string[];
  /**
   * `interface`: answers as this interface does; `sign-in`: asks for a sign-in below this prefix, as it would for any;
   * `not-activated`: a device that has no administrator password yet, and says so below any prefix.
   */
  readonly recognised: 'interface' | 'sign-in' | 'not-activated';
  /** XML namespace it used, if known. */
  readonly namespace?: string;
  /** Authentication it offers: `digest MD5`, `digest SHA-256`, `basic`; empty: none asked. */
  readonly offers: readonly string[];
  /** SHA-256 fingerprint of the certificate shown over https, lower-case hex; nothing is trusted by it. */
  readonly certificate?: string;
}
export interface ProbeReport {
  readonly address: string;
  /** Best first: a recognised interface before a sign-in, https before http where both are there. */
  readonly findings: readonly ProbeFinding[];
  /** Attempts and why they failed, for people. */
  readonly tried: readonly {
    readonly url: string;
    readonly pathPrefix?: string;
    readonly result:
      | 'refused'
      | 'silent'
      | 'not-http'
      | 'tls-only'
      | 'not-found'
      | 'other-web'
      | 'recognised'
      | 'sign-in'
      /** A redirect to another port or scheme of this host, which was followed. */
      | 'moved'
      /** A redirect to another host, which was not asked. */
      | 'moved-elsewhere'
      /** A redirect to an address that cannot be used. */
      | 'moved-nowhere'
      | 'failed';
    /** Address that a redirect names. */
    readonly to?: string;
  }[];
}

export function isSameScope(a: CredentialScope, b: CredentialScope): boolean {
  return a.kind === 'tag' ? b.kind === 'tag' && a.tag === b.tag : b.kind === 'site' && a.siteId === b.siteId;
}
