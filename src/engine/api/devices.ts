/** Devices of the inventory, their sites, connection profiles, sign-ins and the secrets of templates. */
import type { CredentialScope, NamedProfile, ProbeReport, SavedSecret, Site } from '../../shared/access.ts';
import type {
  ChangedCredential,
  ConnectionProfile,
  Credential,
  Device,
  DeviceAdditions,
  DeviceEvent,
  DeviceImport,
  DeviceTest,
  GivenSignIn,
  ReachRound,
} from '../../shared/model.ts';

export interface AddDevice {
  readonly address: string;
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly siteId?: string;
  readonly credentialId?: string;
  /** Named profile to begin with; default: the default one, and of a known device its own. */
  readonly profileId?: string;
  /** Laid over that. */
  readonly profile?: Partial<ConnectionProfile>;
  /** SHA-256 fingerprint of the certificate to accept over https, whoever signed it; any other is refused. */
  readonly certificate?: string;
  /** Who discovery says it is: it stays the same row when its address changes. */
  readonly identity?: string;
}

/** A device named on the command line, with the sign-in given there; kept in memory only. */
export interface TransientDevice {
  readonly url: string;
  readonly name?: string;
  readonly profile?: Partial<ConnectionProfile>;
  readonly userName?: string;
  readonly password?: string;
  /** As in AddDevice. */
  readonly certificate?: string;
}

/** What all devices of a file get. */
export interface ImportOptions {
  /** Beside those of the row. */
  readonly tags?: readonly string[];
  /** Where the row names none. */
  readonly siteId?: string;
  /** Where the row names none. */
  readonly profileId?: string;
  /** Laid over what the row says. */
  readonly profile?: Partial<ConnectionProfile>;
  /** Where the row names none, or just its user. */
  readonly credentialId?: string;
}

/** What people change on a device; null takes away. */
export type DeviceChange = Partial<Omit<AddDevice, 'credentialId' | 'siteId'>> & {
  readonly credentialId?: string | null;
  readonly siteId?: string | null;
  /** A person agrees to a weaker sign-in than the device offered before: what it offers from now on counts. */
  readonly acceptWeaker?: boolean;
  /** Somebody says that it was restarted. */
  readonly restarted?: boolean;
};

/** On many at once, each keeps the tags that are not named. */
export type DeviceChangeOfMany = Omit<DeviceChange, 'tags'> & {
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
};

/** Does what keeps a sign-in that worked, at once or after a question. */
export type Commit = <T>(work: () => T) => T | Promise<T>;

/** Devices are to get a sign-in once it has let somebody in. */
export interface GiveSignIn {
  /** Tried on these, on one before all others. */
  readonly ids: readonly string[];
  readonly signIn:
    | { readonly kind: 'saved'; readonly id: string }
    | { readonly kind: 'new'; readonly userName: string; readonly password: string; readonly label?: string };
  /** Given to all of a tag or a site instead of the devices themselves. */
  readonly scope?: CredentialScope;
  /** Of a new one: the saved one whose place it takes, unless a device that uses that one refused the new. */
  readonly replaces?: string;
}

export interface DevicesApi {
  list(): readonly Device[];
  /** By id, exact name or URL; throws `unknown-device` with the nearest name. */
  find(reference: string): Device;
  watch(signal: AbortSignal): AsyncIterable<DeviceEvent>;
  /** Looks again and again whether the devices are still there, for as long as it is read; what it finds comes by `watch`. Nobody signs in. */
  keepChecked(signal: AbortSignal): AsyncIterable<ReachRound>;
  add(device: AddDevice): Device;
  /** Stable id from its URL; an inventory device of that URL is returned with the sign-in overlaid. */
  addTransient(device: TransientDevice): Device;
  /** Another address keeps the row and everything known of the device; throws `duplicate-device` where another has it. */
  update(id: string, change: DeviceChange): Device;
  /**
   * The same change on many, on disk together and all or nothing: an unknown device, site or profile, or a device that
   * would get too many tags, leaves all as they were. Gives how many it changed.
   */
  updateMany(ids: readonly string[], change: DeviceChangeOfMany): number;
  /** Those refused come back with the reason and their place in the list; the others are on disk together. */
  addMany(devices: readonly AddDevice[]): DeviceAdditions;
  remove(ids: readonly string[]): number;
  /** Columns: address or url, name, tags, site, user, … ; failed rows come back with the reason. No password column. */
  importCsv(text: string, options?: ImportOptions): DeviceImport;
  /** One sign-in attempt each; lifts a pause left by a failed sign-in; learns the kinds. */
  test(ids: readonly string[], signal: AbortSignal): Promise<readonly DeviceTest[]>;
  /**
   * Tries a sign-in on devices and gives it to those that let it in, and to those without any that could not be asked.
   * One device goes first: after its refusal the others are left alone. Throws `unknown-device`, `not-found`, `vault-locked`.
   */
  signIn(request: GiveSignIn, signal: AbortSignal, commit?: Commit): Promise<GivenSignIn>;
  /** A person compared these fingerprints; pins them. Gives how many pins changed. */
  trust(items: readonly { readonly id: string; readonly fingerprint: string }[]): number;
  /** Forgets pins; gives how many there were. */
  distrust(ids: readonly string[]): number;
  /** Asks an address without a sign-in, below the prefixes and at the ports of the named profiles; adds nothing. */
  probe(address: string, signal: AbortSignal): Promise<ProbeReport>;
}

export interface SitesApi {
  list(): readonly Site[];
  /** Throws `not-found`; `duplicate-device` never: two sites of one name are refused with `not-allowed`. */
  save(site: { readonly id?: string; readonly name: string }): Site;
  remove(id: string): boolean;
}

export interface ProfilesApi {
  list(): readonly NamedProfile[];
  /** What is left out is as in the default profile of a new one, or as it was. Throws `not-found`, `not-allowed`, `out-of-range`. */
  save(profile: {
    readonly id?: string;
    readonly name: string;
    readonly profile: Partial<ConnectionProfile>;
    readonly ports?: readonly number[];
    readonly services?: readonly string[];
    readonly isDefault?: boolean;
  }): NamedProfile;
  remove(id: string): boolean;
}

/** A place where a saved sign-in may go from now on. */
export interface SignInPlace {
  /** The same only where all of it is the same. */
  readonly key: string;
  readonly credentialId: string;
  readonly label: string;
  readonly userName: string;
  /** Name of the device. */
  readonly device: string;
  readonly url: string;
  readonly auth: ConnectionProfile['auth'];
  /** Fingerprint that the device has to show. */
  readonly certificate?: string;
}
/** `not-agreed`: nothing was changed; `ahead`: nothing stands against it, and nothing was changed either. */
export type Guarded<T> =
  | { readonly kind: 'ahead' }
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'not-agreed'; readonly places: readonly SignInPlace[] };

export interface SignInPlaces {
  /**
   * Does `work`, which calls this engine's own synchronous functions, all or nothing. Where a saved sign-in
   * could thereby go to another address, to the holder of another certificate or less protected than before,
   * that has to be `agreed` (by `key`). One that is made by the work itself counts as agreed, and so does
   * `typed`, whose password is given with it. `ahead`: it is only asked what would stand against it.
   */
  change<T>(
    work: () => T,
    options?: { readonly typed?: string; readonly agreed?: ReadonlySet<string>; readonly ahead?: boolean },
  ): Guarded<T>;
}

export interface CredentialsApi {
  list(): readonly Credential[];
  /** Given to `scope` as a whole, or else to the devices as their own. With a scope those devices lose their own, which would go before it. */
  save(credential: {
    readonly id?: string;
    readonly label: string;
    readonly userName: string;
    readonly password: string;
    readonly deviceIds?: readonly string[];
    readonly scope?: CredentialScope;
  }): Credential;
  /**
   * As `save` of a saved one, after one device that uses it has let the new user name and password in: throws its
   * refusal, and nothing is changed. Saved too where nobody can be asked; `tests` says who was.
   */
  change(
    credential: {
      readonly id: string;
      readonly label: string;
      readonly userName: string;
      readonly password: string;
    },
    signal: AbortSignal,
  ): Promise<ChangedCredential>;
  assign(credentialId: string | null, deviceIds: readonly string[]): number;
  /** For every device of a tag or a site that has none of its own; `deviceIds` lose theirs. Gives on how many the sign-in changed. */
  assignTo(credentialId: string | null, scope: CredentialScope, deviceIds?: readonly string[]): number;
  remove(id: string): boolean;
}

/** Values of secret template variables in the vault, found by the variable's name. What is given with a request goes before them. */
export interface SecretsApi {
  /** By name. */
  list(): readonly SavedSecret[];
  /** Replaces the value that was there. Throws `usage` for what no variable can be called and for an empty value, `vault-locked`. */
  save(secret: { readonly name: string; readonly value: string }): SavedSecret;
  remove(name: string): boolean;
}
