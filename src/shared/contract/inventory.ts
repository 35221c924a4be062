/** Devices, sites, sign-ins, connection profiles, discovery. */
import { eventIterator, oc, type } from '@orpc/contract';
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
  DeviceTest,
  GivenSignIn,
  ReachRound,
} from '../model.ts';
import {
  discoveryInput,
  fileText,
  fingerprint,
  id,
  ids,
  profileInput,
  scopeInput,
  shortText,
} from './inputs.ts';

const tags = z.array(shortText).max(50);
const address = z.string().min(1).max(300);
const newDevice = z.object({
  address,
  name: shortText.optional(),
  tags: tags.optional(),
  siteId: id.optional(),
  credentialId: id.optional(),
  profileId: id.optional(),
  profile: profileInput.optional(),
  identity: z.string().min(1).max(300).optional(),
});

export const devicesRoutes = {
  list: oc.output(type<readonly Device[]>()),
  /** First everything, then what changes. */
  watch: oc.output(eventIterator(type<DeviceEvent>())),
  /** Looks gently whether the devices are still there, while somebody reads this; what it finds comes by `watch`. */
  keepChecked: oc.output(eventIterator(type<ReachRound>())),
  add: oc.input(newDevice).output(type<Device>()),
  /** Many at once; those refused come back with the reason. */
  addMany: oc.input(z.object({ devices: z.array(newDevice).max(10_000) })).output(type<DeviceAdditions>()),
  update: oc
    .input(
      z.object({
        id,
        address: address.optional(),
        name: shortText.optional(),
        tags: tags.optional(),
        siteId: id.nullable().optional(),
        credentialId: id.nullable().optional(),
        profileId: id.optional(),
        profile: profileInput.optional(),
        identity: z.string().min(1).max(300).optional(),
        acceptWeaker: z.boolean().optional(),
        restarted: z.boolean().optional(),
      }),
    )
    .output(type<Device>()),
  /** The same change on many devices, all or nothing. */
  updateMany: oc
    .input(
      z.object({
        ids,
        addTags: tags.optional(),
        removeTags: z.array(shortText).max(10_000).optional(),
        siteId: id.nullable().optional(),
        profileId: id.optional(),
        profile: profileInput.optional(),
        acceptWeaker: z.boolean().optional(),
      }),
    )
    .output(type<{ changed: number }>()),
  remove: oc.input(z.object({ ids })).output(type<{ removed: number }>()),
  /** One sign-in attempt per device; this is the user action that lifts a pause. */
  test: oc.input(z.object({ ids })).output(type<readonly DeviceTest[]>()),
  /** Tries a sign-in on devices, one before all others, and gives it to those that let it in. A password travels here and with `credentials`, and only inwards. */
  signIn: oc
    .input(
      z.object({
        ids: ids.min(1),
        scope: scopeInput.optional(),
        replaces: id.optional(),
        signIn: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('saved'), id }),
          z.object({
            kind: z.literal('new'),
            userName: shortText.min(1),
            password: z.string().min(1).max(500),
            label: shortText.optional(),
          }),
        ]),
      }),
    )
    .output(type<GivenSignIn>()),
  /** Rows that were not added come back with the reason, also as a file that can be mended and imported again. */
  importCsv: oc
    .input(
      z.object({
        text: fileText,
        tags: tags.optional(),
        siteId: id.optional(),
        profileId: id.optional(),
        credentialId: id.optional(),
      }),
    )
    .output(type<DeviceImport>()),
  /** A person compared the fingerprints and says yes: the devices have to show these certificates from now on. */
  trust: oc
    .input(z.object({ items: z.array(z.object({ id, fingerprint })).min(1).max(10_000) }))
    .output(type<{ changed: number }>()),
  /** Forgets the pin: the next certificate is judged as a first one. */
  distrust: oc.input(z.object({ ids })).output(type<{ changed: number }>()),
  /** Finds prefix, port and scheme of an address among the profiles; sends no sign-in and adds nothing. */
  probe: oc.input(z.object({ address })).output(type<ProbeReport>()),
};

export const discoveryRoutes = {
  /** Devices as they are seen, change and vanish, and the doctor's reports where asked for; without `seconds` until the reader goes away. */
  watch: oc.input(discoveryInput).output(eventIterator(type<DiscoveryEvent>())),
  /** Networks of this computer that can be swept; sends nothing. */
  networks: oc.output(type<readonly OwnNetwork[]>()),
};

export const credentialsRoutes = {
  list: oc.output(type<readonly Credential[]>()),
  /** Here, with `change` and with `devices.signIn` a password travels, and only inwards. With `scope` it is given to that, and the devices lose their own. */
  save: oc
    .input(
      z.object({
        id: id.optional(),
        label: shortText,
        userName: shortText,
        password: z.string().max(500),
        deviceIds: ids.optional(),
        scope: scopeInput.optional(),
      }),
    )
    .output(type<Credential>()),
  /** Of a saved one, after a device that uses it let the new one in; an empty password keeps the stored one. */
  change: oc
    .input(z.object({ id, label: shortText, userName: shortText, password: z.string().max(500) }))
    .output(type<ChangedCredential>()),
  assign: oc
    .input(z.object({ credentialId: id.nullable(), deviceIds: ids }))
    .output(type<{ changed: number }>()),
  remove: oc.input(z.object({ id })).output(type<{ removed: boolean }>()),
  /** Gives a tag or a site a sign-in, or takes it away; these devices lose their own, which would go before it. */
  assignTo: oc
    .input(z.object({ credentialId: id.nullable(), scope: scopeInput, deviceIds: ids.optional() }))
    .output(type<{ changed: number }>()),
};

/** Secrets of templates in the vault; their values travel inwards only. */
export const secretsRoutes = {
  list: oc.output(type<readonly SavedSecret[]>()),
  save: oc.input(z.object({ name: shortText, value: z.string().max(1000) })).output(type<SavedSecret>()),
  remove: oc.input(z.object({ name: shortText })).output(type<{ removed: boolean }>()),
};

export const sitesRoutes = {
  list: oc.output(type<readonly Site[]>()),
  save: oc.input(z.object({ id: id.optional(), name: shortText.min(1) })).output(type<Site>()),
  /** Its devices stay, without a site. */
  remove: oc.input(z.object({ id })).output(type<{ removed: boolean }>()),
};

export const profilesRoutes = {
  list: oc.output(type<readonly NamedProfile[]>()),
  save: oc
    .input(
      z.object({
        id: id.optional(),
        name: shortText.min(1),
        profile: profileInput,
        ports: z.array(z.number().int().min(1).max(65_535)).max(8).optional(),
        services: z.array(z.string().max(32)).max(8).optional(),
        isDefault: z.boolean().optional(),
      }),
    )
    .output(type<NamedProfile>()),
  /** The default one cannot be removed. Devices keep what they got from it. */
  remove: oc.input(z.object({ id })).output(type<{ removed: boolean }>()),
};
