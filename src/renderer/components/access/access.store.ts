import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { CredentialScope, Site } from '../../../shared/access.ts';
import type { Credential, DeviceTest } from '../../../shared/model.ts';
import { useDevices } from '../../composables/devices.store.ts';
import {
  acceptWeaker, allowBasic, assignCredential, assignCredentialTo, distrustCertificates, listCredentials, listSites, removeCredential, saveCredential, testDevices, trustCertificates,
} from './access.api.ts';
import { reusableCredential, scopedCredential } from './reusable-credential.ts';

/** Which sign-in to give to devices: a saved one, none, or a new one. */
export type SignInChoice =
  | { readonly kind: 'saved'; readonly id: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'new'; readonly userName: string; readonly password: string; readonly label?: string };

/** Sign-ins, sites and certificates as dialogs and settings use them. No password is ever in here. */
export const useAccess = defineStore('access', () => {
  const devices = useDevices();
  const credentials = shallowRef<readonly Credential[]>([]);
  const sites = shallowRef<readonly Site[]>([]);
  /** Devices whose sign-in is being tried now. */
  const testing = shallowRef<ReadonlySet<string>>(new Set());

  async function loadCredentials(): Promise<void> {
    credentials.value = await listCredentials();
  }
  async function loadSites(): Promise<void> {
    sites.value = await listSites();
  }

  /** One sign-in attempt each. */
  async function test(ids: readonly string[]): Promise<readonly DeviceTest[]> {
    testing.value = new Set([...testing.value, ...ids]);
    try {
      return await testDevices(ids);
    } finally {
      const done = new Set(ids);
      testing.value = new Set([...testing.value].filter((id) => !done.has(id)));
    }
  }

  /** Gives devices, or all of a tag or a site, a sign-in; nothing is sent to a device by it. */
  async function give(ids: readonly string[], choice: SignInChoice, scope?: CredentialScope): Promise<void> {
    const known = choice.kind !== 'new' ? undefined
      : scope === undefined ? reusableCredential(ids.map((id) => devices.byId.get(id) ?? {}), credentials.value)
        : scopedCredential(scope, credentials.value);
    const id = choice.kind === 'saved' ? choice.id : choice.kind === 'none' ? null : await save(choice, known, scope === undefined ? ids : []);
    if (scope !== undefined) {
      await assignCredentialTo(id, scope);
      // Their own sign-in would go before the one of the tag or the site.
      await assignCredential(null, ids);
    } else if (choice.kind !== 'new') await assignCredential(id, ids);
    await loadCredentials();
  }

  /** The person agreed that these get the password unprotected. */
  async function allowBasicOn(ids: readonly string[]): Promise<void> {
    for (const id of ids) await allowBasic(id);
  }
  /** The person knows why these offer less than before. */
  async function acceptWeakerOf(ids: readonly string[]): Promise<void> {
    for (const id of ids) await acceptWeaker(id);
  }

  async function save({ userName, password, label }: Extract<SignInChoice, { kind: 'new' }>, known: Credential | undefined, deviceIds: readonly string[]): Promise<string> {
    const saved = await saveCredential({
      ...(known === undefined ? {} : { id: known.id }), label: label ?? known?.label ?? userName, userName, password,
      ...(deviceIds.length === 0 ? {} : { deviceIds: [...deviceIds] }),
    });
    return saved.id;
  }

  /** Names, and the password where one is given; it changes for every device that uses this sign-in. */
  async function change(credential: Pick<Credential, 'id' | 'label' | 'userName'>, password = ''): Promise<void> {
    await saveCredential({ id: credential.id, label: credential.label, userName: credential.userName, password });
    await loadCredentials();
  }
  async function assignTo(id: string | null, scope: CredentialScope): Promise<number> {
    const { changed } = await assignCredentialTo(id, scope);
    await loadCredentials();
    return changed;
  }
  async function assign(id: string | null, ids: readonly string[]): Promise<number> {
    const { changed } = await assignCredential(id, ids);
    await loadCredentials();
    return changed;
  }
  async function remove(id: string): Promise<void> {
    await removeCredential(id);
    await loadCredentials();
  }

  return {
    credentials, sites, testing, loadCredentials, loadSites, test, give, allowBasic: allowBasicOn, acceptWeaker: acceptWeakerOf, change, assign, assignTo, remove,
    trust: trustCertificates, distrust: distrustCertificates,
  };
});
