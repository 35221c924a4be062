/** Devices, sites, sign-ins, connection profiles, discovery. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import type { NamedProfile, ProbeReport, SavedSecret, Site } from '../access.ts';
import type { DiscoveryEvent, OwnNetwork } from '../discovery.ts';
import type {
  ChangedCredential,
  Credential,
  Device,
  DeviceAdditions,
  DeviceEvent,
  DeviceImport,
  DeviceImportPreview,
  DeviceTest,
  LostLink,
  ReachRound,
  Removal,
  SignInEvent,
} from '../model.ts';
import type { SiteFileMerge, WrittenSiteFile } from '../site-file.ts';
import { fileText, fingerprint, id, ids, profileInput, scopeInput, shortText, someIds } from './inputs.ts';
import { route, waiting } from './route.ts';

const tags = z.array(shortText).max(50).readonly();
const address = z.string().min(1).max(300);
const port = z.number().int().min(1).max(65_535);
const password = z.string().max(500);

const newDevice = z.object({
  address,
  name: shortText.optional(),
  tags: tags.optional(),
  siteId: id.optional(),
  credentialId: id.optional(),
  /** Named profile to begin with; default: the default one. */
  profileId: id.optional(),
  /** Values that override those of the named profile. */
  profile: profileInput.optional(),
  /** SHA-256 fingerprint of the certificate to accept over https, with any issuer; any other is refused. */
  certificate: fingerprint.optional(),
  /** Identity from discovery: it keeps its row when its address changes. */
  identity: z.string().min(1).max(300).optional(),
});
export type AddDevice = z.infer<typeof newDevice>;

/** Fields that people change on a device; null clears one. */
const deviceChange = z.object({
  ...newDevice.partial().shape,
  siteId: id.nullable().optional(),
  credentialId: id.nullable().optional(),
  /** A person agrees to a weaker sign-in than the device offered before: what it offers from now on counts. */
  acceptWeaker: z.boolean().optional(),
  /** A person confirms that the device was restarted. */
  restarted: z.boolean().optional(),
});
export type DeviceChange = z.infer<typeof deviceChange>;

const changeOfMany = deviceChange.omit({ tags: true }).extend({
  ids,
  addTags: tags.optional(),
  removeTags: z.array(shortText).max(10_000).readonly().optional(),
});

/** A list of devices, and what all of them get. */
const importInput = newDevice
  .pick({
    /** Tags besides those of the row. */
    tags: true,
    /** Site for rows that name none; the next two fields work the same way. */
    siteId: true,
    profileId: true,
    credentialId: true,
    /** Values that override those of the row. */
    profile: true,
  })
  .extend({
    text: fileText,
    /** Field of a column by its heading; an empty field leaves the column out. */
    map: z.record(z.string().max(200), z.string().max(200)).optional(),
    /** Leaves out the columns whose heading is not known, which is an error otherwise. */
    leaveOutUnknown: z.boolean().optional(),
  });
export type ImportDevices = z.infer<typeof importInput>;

const newSignIn = z.object({
  userName: shortText.min(1),
  password: password.min(1),
  label: shortText.optional(),
});
const signInInput = z.object({
  /** Devices to try it on, one before all others. */
  ids: someIds,
  /** Tag or site that gets it instead of the devices themselves. */
  scope: scopeInput.optional(),
  signIn: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('saved'), id }),
    newSignIn.extend({ kind: z.literal('new') }),
  ]),
  /** A person agrees that the password goes to these unprotected (Basic), whatever comes of the sign-in. */
  allowBasic: ids.optional(),
  /** A person agrees to a weaker sign-in than these offered before. */
  acceptWeaker: ids.optional(),
  /** A person agrees that other devices, which sign in with another credential today, get this one too. */
  replaceWorking: z.boolean().optional(),
});
export type GiveSignIn = z.infer<typeof signInInput>;

export const devicesRoutes = {
  list: route('none').output(type<readonly Device[]>()),
  /** Yields all devices, then each change. */
  watch: route('none').output(eventIterator(type<DeviceEvent>())),
  /** Checks the devices again and again while it is read, without signing in; `watch` has the results. */
  keepChecked: route('none').output(eventIterator(type<ReachRound>())),
  /** Yields the networks of this computer that are gone with the devices behind them, and again after each change. */
  watchLinks: route('none').output(eventIterator(type<readonly LostLink[]>())),
  /**
   * Adds a device. With `signIn` a new credential is saved for it; if either fails, neither is kept. Nothing
   * is sent.
   */
  add: route('change')
    .input(newDevice.extend({ signIn: newSignIn.optional() }))
    .output(type<Device>()),
  /**
   * Adds devices. Refused ones come back with the reason and their place in the list; the others are on disk
   * together.
   */
  addMany: route('change')
    .input(z.object({ devices: z.array(newDevice).max(10_000).readonly() }))
    .output(type<DeviceAdditions>()),
  /**
   * Changes a device. Another address keeps the row and everything known of the device; throws
   * `duplicate-device` if another device has it.
   */
  update: route('change').input(deviceChange.extend({ id })).output(type<Device>()),
  /**
   * Makes the same change on many devices, on disk together and all or nothing: an unknown device, site or
   * profile, or a device that would get too many tags, leaves all as they were. Each keeps the tags that are
   * not named.
   */
  updateMany: route('change').input(changeOfMany).output(type<{ changed: number }>()),
  /** Counts what a removal would lose; nothing is changed. Throws `unknown-device`. */
  removal: route('none').input(z.object({ ids })).output(type<Removal>()),
  /** Takes places away; the pin stays with the address. */
  remove: route('none').input(z.object({ ids })).output(type<{ removed: number }>()),
  /** Makes one sign-in attempt each; lifts a pause after a failed sign-in; learns the kinds. */
  test: waiting('none').input(z.object({ ids })).output(type<readonly DeviceTest[]>()),
  /**
   * Does a `test` and yields each result as it comes. A reader that disconnects stops it: nothing more is
   * sent.
   */
  testEach: route('none').input(z.object({ ids })).output(eventIterator(type<DeviceTest>())),
  /**
   * Tries a sign-in on devices and gives it to those that accept it, and to those without any that could not
   * be asked. One device goes first: if it refuses, the others are not tried. A new sign-in replaces the
   * saved one that these devices, or this tag or site, and no others used, unless a device that uses that one
   * refused the new. If devices beside `ids` sign in today with what would be replaced, it throws
   * `confirmation-needed` unless `replaceWorking` is set, and one of those is tried first: its refusal is
   * thrown, and nothing is kept. A device that signs in today keeps its sign-in unless the new one was proved
   * on one of them and none of them refused it. Throws `unknown-device`, `not-found`, `vault-locked`. A
   * reader that disconnects stops it: nothing more is sent, and a sign-in accepted by then is kept. A
   * password travels here and with `credentials`, and only inwards.
   */
  signIn: route('ahead').input(signInInput).output(eventIterator(type<SignInEvent>())),
  /**
   * Columns: address or url, name, tags, site, user, … ; no password column. Rows that were not added come back with
   * the reason, also as a file that can be mended and imported again.
   */
  importCsv: route('change').input(importInput).output(type<DeviceImport>()),
  /** Says what `importCsv` would do; keeps nothing. */
  previewCsv: route('none').input(importInput).output(type<DeviceImportPreview>()),
  /**
   * Trusts the certificates whose fingerprints a person compared: the devices have to show these from now on.
   */
  trust: route('change')
    .input(z.object({ items: z.array(z.object({ id, fingerprint })).min(1).max(10_000).readonly() }))
    .output(type<{ changed: number }>()),
  /** Forgets the pin: the next certificate is judged as a first one. */
  distrust: route('none').input(z.object({ ids })).output(type<{ changed: number }>()),
  /** Asks an address without a sign-in, below the prefixes and at the ports of the named profiles; adds nothing. */
  probe: waiting('none').input(z.object({ address })).output(type<ProbeReport>()),
};

/** Options of a search; without any: mDNS on every interface until the reader disconnects. */
const discoveryInput = z
  .object({
    /** Seconds to listen; a sweep is finished all the same. */
    seconds: z.number().positive().max(3600),
    /** Default true. */
    mdns: z.boolean(),
    /** Names; an internal interface is only used when named. Default: all others. */
    interfaces: z.array(z.string().min(1).max(100)).min(1).max(16).readonly(),
    /** An IPv4 range of at most /20, in a network of this computer unless `force`. */
    sweep: z.object({
      cidr: z.string().min(1).max(50),
      force: z.boolean().optional(),
      ports: z.array(port).min(1).max(8).readonly().optional(),
    }),
    /** Addresses to look at, as people write them. */
    addresses: z.array(address).max(100).readonly(),
    /** Path prefixes to ask below. Default: `/API` and those of the inventory. */
    prefixes: z.array(z.string().min(1).max(100)).min(1).max(4).readonly(),
    /** Adds the doctor's reports. */
    doctor: z.boolean(),
  })
  .partial();
export type DiscoveryOptions = z.infer<typeof discoveryInput>;

export const discoveryRoutes = {
  /**
   * Yields devices when they are seen, change and vanish. Throws `usage`, `out-of-range` or `not-allowed`
   * before anything is sent; ends when the time is over, or when the reader disconnects.
   */
  watch: route('none').input(discoveryInput).output(eventIterator(type<DiscoveryEvent>())),
  /** Networks of this computer that can be swept; sends nothing. */
  networks: route('none').output(type<readonly OwnNetwork[]>()),
};

const credential = z.object({ label: shortText, userName: shortText, password });

export const credentialsRoutes = {
  list: route('none').output(type<readonly Credential[]>()),
  /**
   * Saves a credential and gives it to `scope` as a whole, or else to the devices as their own. With a scope
   * those devices lose their own, which would take precedence. With an id, an empty password keeps the stored
   * one.
   */
  save: route('typed')
    .input(credential.extend({ id: id.optional(), deviceIds: ids.optional(), scope: scopeInput.optional() }))
    .output(type<Credential>()),
  /**
   * Saves a saved credential anew, after one device that uses it has accepted the new user name and password:
   * throws its refusal, and nothing is changed. It is also saved if no device can be asked; `tests` lists
   * those asked.
   */
  change: waiting('none').input(credential.extend({ id })).output(type<ChangedCredential>()),
  assign: route('change')
    .input(z.object({ credentialId: id.nullable(), deviceIds: ids }))
    .output(type<{ changed: number }>()),
  remove: route('change').input(z.object({ id })).output(type<{ removed: boolean }>()),
  /**
   * Assigns a credential to every device of a tag or a site that has none of its own; `deviceIds` lose
   * theirs. Returns the number of devices whose sign-in changed. Throws `confirmation-needed` if another
   * device signs in today with what would be replaced: `devices.signIn` tries it first.
   */
  assignTo: route('change')
    .input(z.object({ credentialId: id.nullable(), scope: scopeInput, deviceIds: ids.optional() }))
    .output(type<{ changed: number }>()),
};

/** Values of secret template variables in the vault, found by the variable's name; they travel inwards only. What is given with a request goes before them. */
export const secretsRoutes = {
  /** Lists the secrets by name. */
  list: route('none').output(type<readonly SavedSecret[]>()),
  /** Replaces the value that was there. Throws `usage` for what no variable can be called and for an empty value, `vault-locked`. */
  save: route('none')
    .input(z.object({ name: shortText, value: z.string().max(1000) }))
    .output(type<SavedSecret>()),
  remove: route('none')
    .input(z.object({ name: shortText }))
    .output(type<{ removed: boolean }>()),
};

export const sitesRoutes = {
  list: route('none').output(type<readonly Site[]>()),
  /** Throws `not-found`, and `not-allowed` for a name that another site has. */
  save: route('none')
    .input(z.object({ id: id.optional(), name: shortText.min(1) }))
    .output(type<Site>()),
  /** Removes a site; its devices stay, without a site. */
  remove: route('change').input(z.object({ id })).output(type<{ removed: boolean }>()),
};

const passphrase = z.string().max(1000);

/** A site as a file sealed with a passphrase. Where it is on this computer is chosen outside the page. */
export const siteFilesRoutes = {
  /** Writes the file; nothing where no place was chosen. Throws as the engine does, and `confirmation-needed`. */
  pack: waiting('none')
    .input(
      z.object({
        siteId: id,
        passphrase,
        /** Adds sign-ins, keys of devices, and what the journal seals. */
        secrets: z.boolean().optional(),
        /** Open work of the site goes with the file. */
        handOver: z.boolean().optional(),
      }),
    )
    .output(type<WrittenSiteFile & { readonly file?: string }>()),
  /** Receives the file of a page that knows no path, piece by piece in order; the first without an id. */
  receive: route('none')
    .input(
      z.object({
        uploadId: id.optional(),
        name: z.string().min(1).max(255),
        base64: z.string().max(6_000_000),
        last: z.boolean(),
      }),
    )
    .output(type<{ readonly uploadId: string }>()),
  /**
   * Reads a file that was received, or else one that the person picks, and says what merging it would do; nothing where none
   * was picked. `siteId`: the site that it has to be of.
   */
  read: waiting('none')
    .input(z.object({ passphrase, uploadId: id.optional(), siteId: id.optional() }))
    .output(type<Partial<SiteFileMerge> & { readonly id?: string }>()),
  /** Merges what was read last, all or nothing. */
  merge: route('change').input(z.object({ id })).output(type<SiteFileMerge>()),
};

/** A device keeps its copy of a profile, so that none changes where something goes. */
export const profilesRoutes = {
  list: route('none').output(type<readonly NamedProfile[]>()),
  /**
   * Saves a profile. Missing values are those of the default profile in a new one, and unchanged in another.
   * Throws `not-found`, `not-allowed`, `out-of-range`.
   */
  save: route('none')
    .input(
      z.object({
        id: id.optional(),
        name: shortText.min(1),
        profile: profileInput,
        ports: z.array(port).max(8).readonly().optional(),
        services: z.array(z.string().max(32)).max(8).readonly().optional(),
        isDefault: z.boolean().optional(),
      }),
    )
    .output(type<NamedProfile>()),
  /** Removes a profile; the default one cannot be removed. */
  remove: route('none').input(z.object({ id })).output(type<{ removed: boolean }>()),
};
