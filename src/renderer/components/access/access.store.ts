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
    if (choice.kind === 'new') await saveFor(ids, choice, scope);
    else {
      const id = choice.kind === 'saved' ? choice.id : null;
      await (scope === undefined ? assignCredential(id, ids) : assignCredentialTo(id, scope, ids));
    }
    await loadCredentials();
  }

  async function saveFor(ids: readonly string[], { userName, password, label }: Extract<SignInChoice, { kind: 'new' }>, scope: CredentialScope | undefined): Promise<void> {
    const known = scope === undefined ? reusableCredential(ids.map((id) => devices.byId.get(id) ?? {}), credentials.value) : scopedCredential(scope, credentials.value);
    await saveCredential({
      ...(known === undefined ? {} : { id: known.id }), label: label ?? known?.label ?? userName, userName, password,
      deviceIds: [...ids], ...(scope === undefined ? {} : { scope }),
    });
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
    credentials, sites, testing, loadCredentials, loadSites, test, give, allowBasic, acceptWeaker, change, assign, assignTo, remove,
    trust: trustCertificates, distrust: distrustCertificates,
  };
});
