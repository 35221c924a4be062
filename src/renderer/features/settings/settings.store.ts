import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { NamedProfile, SavedSecret } from '#shared/access.ts';
import type { InputAt } from '#shared/contract.ts';
import { useAccess } from '#renderer/common/access/access.store.ts';

/** Entry of a list that is about to be removed: the question, what is lost, and how it is removed. */
export interface Removal {
  readonly title: string;
  readonly text: string;
  readonly action: () => Promise<unknown>;
}

/** Secrets of templates, sites and connection profiles as the Settings screen manages them; sign-ins are in the access store. */
export const useSettings = defineStore('settings', () => {
  const access = useAccess();
  const profiles = shallowRef<readonly NamedProfile[]>([]);
  const secrets = shallowRef<readonly SavedSecret[]>([]);

  async function loadProfiles(): Promise<void> {
    profiles.value = await getApi().profiles.list();
  }
  async function changeProfile(profile: InputAt<'profiles.save'>): Promise<void> {
    await getApi().profiles.save(profile);
    await loadProfiles();
  }
  async function dropProfile(id: string): Promise<void> {
    await getApi().profiles.remove({ id });
    await loadProfiles();
  }
  async function loadSecrets(): Promise<void> {
    secrets.value = await getApi().secrets.list();
  }
  async function dropSecret(name: string): Promise<void> {
    await getApi().secrets.remove({ name });
    await loadSecrets();
  }
  async function changeSite(site: { readonly id?: string; readonly name: string }): Promise<void> {
    await getApi().sites.save(site);
    await access.loadSites();
  }
  async function dropSite(id: string): Promise<void> {
    await getApi().sites.remove({ id });
    await Promise.all([access.loadSites(), access.loadCredentials()]);
  }
  return {
    profiles,
    secrets,
    loadProfiles,
    changeProfile,
    dropProfile,
    loadSecrets,
    dropSecret,
    changeSite,
    dropSite,
  };
});
