import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { NamedProfile, SavedSecret } from '../../../shared/access.ts';
import {
  listProfiles,
  listSecrets,
  removeProfile,
  removeSecret,
  removeSite,
  saveProfile,
  saveSite,
  type NewProfile,
} from '../../common/access/access.api.ts';
import { useAccess } from '../../common/access/access.store.ts';

/** Secrets of templates, sites and connection profiles as the Settings screen manages them; sign-ins are in the access store. */
export const useSettings = defineStore('settings', () => {
  const access = useAccess();
  const profiles = shallowRef<readonly NamedProfile[]>([]);
  const secrets = shallowRef<readonly SavedSecret[]>([]);

  async function loadProfiles(): Promise<void> {
    profiles.value = await listProfiles();
  }
  async function changeProfile(profile: NewProfile): Promise<void> {
    await saveProfile(profile);
    await loadProfiles();
  }
  async function dropProfile(id: string): Promise<void> {
    await removeProfile(id);
    await loadProfiles();
  }
  async function loadSecrets(): Promise<void> {
    secrets.value = await listSecrets();
  }
  async function dropSecret(name: string): Promise<void> {
    await removeSecret(name);
    await loadSecrets();
  }
  async function changeSite(site: { readonly id?: string; readonly name: string }): Promise<void> {
    await saveSite(site);
    await access.loadSites();
  }
  async function dropSite(id: string): Promise<void> {
    await removeSite(id);
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
